import Depin
import DepinTesting
import Testing

private final class Connection: Sendable {}
private final class Cache: Sendable {}

private struct ConnectionAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Connection.self) { Connection() }
            .inObjectScope(.container)
            .onClose { _ in }
        container.register(Cache.self) { Cache() }.inObjectScope(.container)
    }
}

private func build() -> Container {
    let container = SpaceValues.current.dependenciesContainer
    withExtendedLifetime((container ~> Connection.self, container ~> Cache.self)) {}
    return container
}

struct `A reset in a test` {
    @Test func `is warned of where it drops what was to be closed`() async throws {
        let found = try await issues(with: .assemblies { ConnectionAssembly() }) {
            build().resetObjectScope(.container)
        }
        #expect(found.count == 1)
        #expect(found.first?.severity == .warning)
        #expect(
            found.first?.text.hasPrefix(
                "a reset dropped the instance of Connection, registered at DepinTestingTests/"
            ) == true
        )
        #expect(found.first?.sourceLocation == Test.current?.sourceLocation)
    }

    @Test func `is warned of where services are replaced`() async throws {
        let found = try await issues(
            with: .overriding {
                $0.register(Connection.self) { Connection() }
                    .inObjectScope(.container).onClose { _ in }
            }
        ) {
            let container = SpaceValues.current.dependenciesContainer
            withExtendedLifetime((container ~> Connection.self)) {}
            container.resetObjectScope(.container, serviceType: Connection.self)
        }
        #expect(found.count == 1)
    }

    @Test func `is warned of once, though a child forwards to the service`() async throws {
        let found = try await issues(with: .assemblies { ConnectionAssembly() }) {
            let container = SpaceValues.current.dependenciesContainer
            let child = Container(parent: container)
            let entry = container.register(Connection.self) { Connection() }
                .inObjectScope(.container).onClose { _ in }
            child.forward(AnyObject.self, to: entry)
            withExtendedLifetime(child ~> AnyObject.self) {}
            child.resetObjectScope(.container)
        }
        #expect(found.count == 1)
    }

    @Test(arguments: [[1], [2], []])
    func `is warned of where it drops what arguments have`(_ arguments: [Int]) async throws {
        let found = try await issues(with: .assemblies { ConnectionAssembly() }) {
            let container = SpaceValues.current.dependenciesContainer
            container.register(Cache.self) { (_: any Resolver, _: Int) in Cache() }
                .inObjectScope(.container.perArguments).onClose { _ in }
            withExtendedLifetime(container.resolve(Cache.self, argument: 1)) {}
            for argument in arguments {
                container.resetObjectScope(
                    .container,
                    serviceType: Cache.self,
                    argument: argument
                )
            }
            if arguments.isEmpty { container.resetObjectScope(.container) }
        }
        #expect(found.count == (arguments == [2] ? 0 : 1))
    }

    @Test func `is warned of once, though several traits are on the test`() async throws {
        let found = try await issues(with: .assemblies { ConnectionAssembly() }) {
            let inner = try await issues(
                with: .overriding { $0.register(Cache.self) { Cache() } }
            ) {
                build().resetObjectScope(.container)
            }
            for issue in inner {
                Issue.record(Comment(rawValue: issue.text), severity: .warning)
            }
        }
        #expect(found.count == 1)
    }

    @Test func `is fine where it drops nothing that was to be closed`() async throws {
        let found = try await issues(with: .assemblies { ConnectionAssembly() }) {
            SpaceValues.current.dependenciesContainer.resetObjectScope(.container)
            build().resetObjectScope(.container, serviceType: Cache.self)
            try await SpaceValues.current.dependenciesContainer.close(.container)
        }
        #expect(found.isEmpty)
    }
}
