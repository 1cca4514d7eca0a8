import Depin
import DepinTesting
import Testing

extension ObjectScope {
    fileprivate static let visit = ObjectScope(opened: "visit")
}

private final class Guest: Sendable {
    let name: String

    init(_ name: String) { self.name = name }
}

private final class Visit: Sendable {
    let guest: Guest

    init(guest: Guest) { self.guest = guest }
}

private final class Index: Sendable {}

private struct VisitAssembly: Assembly {
    let closed: SharedValue<[String]>

    func assemble(container: Container) {
        container.register(Visit.self) { r in Visit(guest: try r.require(Guest.self)) }
            .inObjectScope(.visit)
            .onClose { [closed] visit, outcome in
                closed.value.append("\(visit.guest.name) \(outcome.isCompleted)")
            }
        container.register(Index.self, asyncFactory: { Index() })
            .inObjectScope(.container)
            .eager()
    }
}

private struct VisitScreen {
    @Injected var visit: Visit
    @Injected var index: Index
}

private let closed = SharedValue<[String]>([])
private let overridden = SharedValue<[String]>([])

@Suite(
    .assemblies { VisitAssembly(closed: SharedValue([])) },
    .opening(.visit) { $0.register(Guest.self, instance: Guest("Ada")) }
)
struct `A test in a scope that a trait opens` {
    @Test func `has the services of the scope, with its seeds`() {
        let screen = VisitScreen()
        #expect(screen.visit.guest.name == "Ada")
        #expect(screen.visit === SpaceValues.current.dependenciesContainer(Visit.self))
    }

    @Test(.overriding { $0.register(Guest.self, instance: Guest("Bob")) })
    func `may replace a seed`() {
        #expect(VisitScreen().visit.guest.name == "Bob")
    }

    @Test(.warmedUp)
    func `may be warmed up`() {
        #expect(VisitScreen().visit.guest.name == "Ada")
        _ = VisitScreen().index
    }
}

@Suite(.assemblies { VisitAssembly(closed: SharedValue([])) }, .warmedUp)
struct `A test in a container that a trait warms up` {
    @Test func `has what takes time to make`() throws {
        _ = VisitScreen().index
        _ = try SpaceValues.current.dependenciesContainer.require(Index.self)
    }
}

@Suite(.serialized) struct `The traits` {
    @Test(.assemblies { VisitAssembly(closed: closed) })
    func `close the scope when the test has ended, with its outcome`() async throws {
        let opening = SpaceTrait.opening(.visit) { $0.register(Guest.self, instance: Guest("Eve")) }
        let found = try await issues(with: opening) { _ = VisitScreen().visit }
        #expect(found.isEmpty)
        struct Broken: Error {}
        await #expect(throws: Broken.self) {
            try await issues(with: opening) {
                _ = VisitScreen().visit
                throw Broken()
            }
        }
        #expect(closed.value == ["Eve true", "Eve false"])
    }

    @Test(.assemblies { VisitAssembly(closed: overridden) }, arguments: [true, false])
    func `close the scope for a test that replaces or forbids services, too`(
        isReplacing: Bool
    ) async throws {
        overridden.value = []
        let opening = SpaceTrait.opening(.visit) { $0.register(Guest.self, instance: Guest("Eve")) }
        let inner: SpaceTrait =
            isReplacing
            ? .overriding { $0.register(Guest.self, instance: Guest("Bob")) }
            : .forbidding(Index.self)
        let test = try #require(Test.current)
        let found = try await issues(with: opening) {
            try await inner.provideScope(for: test, testCase: .current) { _ = VisitScreen().visit }
            #expect(overridden.value == [])
        }
        #expect(found.isEmpty)
        #expect(overridden.value == [isReplacing ? "Bob true" : "Eve true"])
    }

    @Test func `fail the test that they cannot seed or warm up`() async throws {
        struct Broken: Error {}
        await #expect(throws: Broken.self) {
            try await issues(with: .opening(.visit, seeding: { _ in throw Broken() })) {
                Issue.record("it ran")
            }
        }
        await #expect(throws: (any Error).self) {
            try await withSpace(\.dependenciesContainer, Container()) {
                SpaceValues.current.dependenciesContainer.register(
                    Index.self,
                    asyncFactory: { throw Broken() }
                ).inObjectScope(.container).eager()
                _ = try await issues(with: .warmedUp) { Issue.record("it ran") }
            }
        }
    }

    @Test(arguments: [true, false])
    func `warn of assemblies that drop what was replaced or opened before`(
        isOpened: Bool
    ) async throws {
        let outer: SpaceTrait =
            isOpened ? .opening(.visit) : .overriding { $0.register(API.self) { FakeAPI() } }
        let found = try await issues(with: outer) {
            let inner = try await issues(with: .assemblies { AppAssembly() }) {
                #expect(Screen().feed.api.name == "live")
            }
            #expect(inner.map(\.severity) == [.warning])
            #expect(inner.first?.text.hasPrefix("`.assemblies` comes after `.overriding`") == true)
            #expect(inner.first?.sourceLocation == Test.current?.sourceLocation)
        }
        #expect(found.isEmpty)
        let fine = try await issues(with: .assemblies { AppAssembly() }) {
            _ = try await issues(with: .overriding { $0.register(API.self) { FakeAPI() } }) {}
        }
        #expect(fine.isEmpty)
    }

    @Test(
        arguments: [
            (.space(\.dependenciesAssembler, Assembler([AppAssembly()])), true),
            (.space { $0.dependenciesContainer = Container() }, true),
            (
                .space { $0.dependenciesContainer = Container(parent: $0.dependenciesContainer) },
                false
            ),
            (.space { $0.dependenciesContainer = $0.dependenciesContainer.fork() }, false),
            (.space(\.theme, "dark"), false),
        ] as [(SpaceTrait, Bool)]
    )
    func `warn of a value that drops what was replaced before`(
        inner: SpaceTrait,
        isDropping: Bool
    ) async throws {
        _ = try await issues(with: .overriding { $0.register(API.self) { FakeAPI() } }) {
            let found = try await issues(with: inner) {
                let again = try await issues(with: .space(\.theme, "light")) {}
                #expect(again.isEmpty)
            }
            #expect(found.map(\.severity) == (isDropping ? [.warning] : []))
            let start = "an assembler or container of `.space` comes after `.overriding`"
            #expect(found.allSatisfy { $0.text.hasPrefix(start) })
        }
    }
}

@Suite(.serialized) struct `A test is warned` {
    private struct Unregistered {}

    @Test func `that registers in the container of the process, at its line, once`() async throws {
        let line: Int = #line + 2
        let found = try await issues(with: .space { _ in }) {
            SpaceValues.current.dependenciesContainer.register(Unregistered.self) { Unregistered() }
            SpaceValues.current.dependenciesContainer.register(Unregistered.self) { Unregistered() }
        }
        SpaceValues.current.dependenciesContainer.unregister(Unregistered.self)
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.sourceLocation?.line == line)
        #expect(
            found.first?.text.hasPrefix("Unregistered was registered at DepinTestingTests/") == true
        )
    }

    @Test func `of nothing that it registers elsewhere`() async throws {
        let found = try await issues(with: .overriding { $0.register(API.self) { FakeAPI() } }) {
            let container = SpaceValues.current.dependenciesContainer
            container.register(Unregistered.self) { Unregistered() }
            Container().register(Unregistered.self) { Unregistered() }
        }
        #expect(found.isEmpty)
    }

    @Test func `of the warnings of a validation, which strict makes errors`() async throws {
        let container = Container()
        container.register(Guest.self) { (_, name: String) in Guest(name) }
            .inObjectScope(.container)
        let found = try await issues(with: .space { _ in }) { try container.validate() }
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.text.hasPrefix("Guest with (String) is shared") == true)
        let strict = try await issues(with: .space { _ in }) {
            let error = #expect(throws: ValidationError.self) {
                try container.validate(.init(strict: true))
            }
            #expect(error?.problems.map(\.severity) == [.error])
            try container.validate(
                .init(severities: [.ignoredArguments: .hint], strict: true)
            )
        }
        #expect(strict.isEmpty)
    }
}
