import Depin
import DepinInspection
import Testing

private final class Disk: Sendable {}

/// What a process of its own says on standard error.
private func messages(_ result: ExitTest.Result?) throws -> [Substring] {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("Depin: ") }
}

struct `What nobody has closed` {
    private let container = Container()
    private let closed = EventLog<Int>()

    /// `close(.request)` on the app, whose requests are open.
    @Test(.timeLimit(.minutes(5)))
    func `is closed with the scope that is named`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.request)
            .onClose { [closed] _ in closed.note(1) }
        let scopes = (0..<3).map { _ in container.openScope(.request) }
        for scope in scopes { use(scope ~> Disk.self) }
        try await container.close(.request)
        #expect(closed.all == [1, 1, 1])
        for scope in scopes {
            #expect(outcome { try scope.require(Disk.self) } == "containerClosed")
        }
        // The app goes on.
        let later = container.openScope(.request)
        #expect(outcome { try later.require(Disk.self) } == "got")
        try await container.close()
        #expect(closed.all.count == 4)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is closed with the scope that is named, in children and in scopes around it`()
        async throws
    {
        let session = ObjectScope(opened: "session")
        container.register(Disk.self) { Disk() }.inObjectScope(.request)
            .onClose { [closed] _ in closed.note(1) }
        let (outer, child) = (container.openScope(session), Container(parent: container))
        let scopes = [outer.openScope(.request), child.openScope(.request)]
        for scope in scopes { use(scope ~> Disk.self) }
        try await container.close(.request)
        #expect(closed.all == [1, 1])
        #expect(outcome { try outer.require(Disk.self) } == "noOpenScope")
        withExtendedLifetime((scopes, child)) {}
    }

    @Test(.timeLimit(.minutes(5)))
    func `is told where a container goes that is nobody's child`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            func use(_ isClosed: Bool) async throws {
                let container = Container()
                container.register(Disk.self) { Disk() }.inObjectScope(.container).onClose { _ in }
                CallCount().add((container ~> Disk.self) === (container ~> Disk.self) ? 1 : 0)
                if isClosed { try await container.close() }
            }
            try await use(false)
            try await use(true)
        }
        let all = try messages(result)
        #expect(all.count == 1)
        #expect(all.first?.contains("close()") == true, "\(all)")
        #expect(all.first?.contains("Disk, registered at ") == true, "\(all)")
    }

    @Test(.timeLimit(.minutes(5)))
    func `is told where a child container goes`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let app = Container()
            func makeChild() {
                let child = Container(parent: app)
                child.register(Disk.self) { Disk() }.inObjectScope(.container).onClose { _ in }
                use(child ~> Disk.self)
            }
            makeChild()
            try await app.close()
        }
        let all = try messages(result)
        #expect(all.count == 1)
        #expect(all.first?.contains("Disk, registered at ") == true, "\(all)")
    }

    @Test(.timeLimit(.minutes(5)))
    func `is not told where there was nothing to close`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            func makeContainers() throws {
                let unbuilt = Container()
                unbuilt.register(Disk.self) { Disk() }.inObjectScope(.container).onClose { _ in }
                let plain = Container()
                plain.register(Disk.self) { Disk() }.inObjectScope(.container)
                use(plain ~> Disk.self)
                let validated = Container()
                validated.register(Disk.self) { Disk() }.inObjectScope(.container)
                    .onClose { _ in }
                try validated.validate()
            }
            try makeContainers()
        }
        #expect(try messages(result) == [])
    }
}
