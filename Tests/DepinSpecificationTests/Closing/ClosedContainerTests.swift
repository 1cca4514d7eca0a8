import Depin
import Testing

private final class Disk: Sendable {}

/// What is done with a container after it was closed.
struct `A closed container` {
    @Test(.timeLimit(.minutes(5)))
    func `opens no scope, and names the line that closed it`() async throws {
        let container = Container()
        container.register(Disk.self) { Disk() }.inObjectScope(.request)
        let line = #line + 1
        try await container.close()
        let runs = CallCount()
        let error = await #expect(throws: ResolutionError.self) {
            try await container.withScope(.request) { scope in
                runs.add()
                use(scope ~> Disk.self)
            }
        }
        #expect(error?.reason == .containerClosed)
        let file = "DepinSpecificationTests/ClosedContainerTests.swift"
        let text = error.map { "\($0)" }
        #expect(
            text == """
                a scope cannot be opened on a container that was closed at \(file):\(line)
                  requested by withScope at \(file):\(line + 2)
                  fix: stop whatever uses the container first, and close it last
                """
        )
        #expect(runs.count == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `gives nothing to a scope that is opened on it`() async throws {
        let container = Container()
        container.register(Disk.self) { Disk() }.inObjectScope(.request)
        try await container.close()
        let scope = container.openScope(.request)
        #expect(outcome { try scope.require(Disk.self) } == "containerClosed")
    }

    @Test(.timeLimit(.minutes(5)), arguments: [true, false])
    func `is not warmed up, and runs no program`(isChild: Bool) async throws {
        let (parent, runs) = (Container(), CallCount())
        let container = isChild ? Container(parent: parent) : parent
        container.register(Disk.self) {
            runs.add()
            return Disk()
        }
        .inObjectScope(.container).eager()
        let line = #line + 1
        try await parent.close()
        let file = "DepinSpecificationTests/ClosedContainerTests.swift"
        let text = """
            a container that was closed at \(file):\(line) cannot be warmed up
              fix: stop whatever uses the container first, and close it last
            """
        let error = await #expect(throws: ResolutionError.self) { try await container.warmUp() }
        #expect(error.map { "\($0)" } == text)
        let runError = await #expect(throws: ResolutionError.self) {
            try await Assembler(container: container).run { _ in runs.add() }
        }
        #expect(runError?.reason == .containerClosed)
        #expect(runs.count == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `names the line that closed it also to a fork that is made later`() async throws {
        let container = Container()
        container.register(Disk.self) { Disk() }
        let child = Container(parent: container)
        child.register(Int.self) { 1 }
        let line = #line + 1
        try await child.close()
        for fork in [child.fork(), Container(parent: child.fork())] {
            func error<Service>(_: Service.Type) -> ResolutionError? {
                #expect(throws: ResolutionError.self) { try fork.require(Service.self) }
            }
            for error in [error(Disk.self), error(Int.self)] {
                #expect(error?.reason == .containerClosed)
                #expect("\(error as Any)".contains("ClosedContainerTests.swift:\(line)"))
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `registers nothing, says so, and keeps nothing`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let container = Container()
            try await container.close()
            weak var kept: Disk?
            do {
                let disk = Disk()
                kept = disk
                container.register(Disk.self, instance: disk)
            }
            guard kept == nil else { fatalError("it is kept") }
            withExtendedLifetime(container) {}
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Depin: Disk, registered at"), "\(text)")
        #expect(text.contains("is ignored: the container was closed at"), "\(text)")
    }
}
