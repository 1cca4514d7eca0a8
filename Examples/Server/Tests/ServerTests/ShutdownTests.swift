import Depin
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceLifecycle
import Testing

@testable import Server

struct ShutdownTests {
    @Test func `requests under way are answered before anything is closed`() async throws {
        try await withFolder { folder in
            let events = Events()
            let assembler = Assembler([
                AppAssembly(configuration: .inFolder(folder), logger: .silent),
                SlowAssembly(events: events),
            ])
            let ports = AsyncStream.makeStream(of: Int.self)
            let server = try await withSpace(\.dependenciesAssembler, assembler) {
                try await makeServer(
                    of: SpaceValues.current.dependenciesContainer,
                    configuration: ApplicationConfiguration(
                        address: .hostname("127.0.0.1", port: 0)
                    ),
                    listening: { ports.continuation.yield($0 ?? 0) }
                )
            }
            let group = ServiceGroup(configuration: .init(services: [server], logger: .silent))
            async let ended: Void = group.run()
            let port = try #require(await ports.stream.first { _ in true })
            let client = TestClient(host: "127.0.0.1", port: port)
            client.connect()
            async let answer = client.get("/slow")
            await events.begun.opened()
            await group.triggerGracefulShutdown()
            #expect(events.all == ["begun"])
            events.rest.open()
            #expect(try await answer.status == .ok)
            try await client.shutdown()
            try await ended
            #expect(
                events.all == ["begun", "answered", "user of the server closed", "server closed"]
            )
            #expect(throws: ResolutionError.self) {
                try assembler.resolver.require(Closing.self)
            }
        }
    }
}

/// A route that waits for the test, and services that note their end.
private struct SlowAssembly: Assembly {
    let events: Events

    func assemble(container: Container) {
        let events = events
        container.register(Closing.self) { Closing() }
            .inObjectScope(.container)
            .onClose { _ in events.note("server closed") }
        container.register(ClosingFirst.self) { r in ClosingFirst(needed: r ~> Closing.self) }
            .inObjectScope(.container)
            .eager()
            .onClose { _ in events.note("user of the server closed") }
        container.contribute((any RouteModule).self) { SlowController(events: events) }
    }
}

private final class Closing: Sendable {}

private final class ClosingFirst: Sendable {
    let needed: Closing
    init(needed: Closing) { self.needed = needed }
}

private struct SlowController: RouteModule {
    let events: Events

    func addRoutes(to routes: Routes) {
        routes.open.get("slow") { _, _ in
            events.note("begun")
            events.begun.open()
            await events.rest.opened()
            events.note("answered")
            return "done"
        }
    }
}

/// What happened, in order.
private final class Events: Sendable {
    let begun = Gate()
    let rest = Gate()
    private let lock = NSLock()
    private nonisolated(unsafe) var noted: [String] = []  // guarded by the lock

    var all: [String] { lock.withLock { noted } }

    func note(_ event: String) {
        lock.withLock { noted.append(event) }
    }
}
