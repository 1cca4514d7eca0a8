import Depin
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Server

struct HealthTests {
    @Test func `the server is well when all checks are`() async throws {
        try await running { client, _ in
            let answer = try await client.execute(uri: "/health", method: .get)
            #expect(answer.status == .ok)
            #expect(String(buffer: answer.body).contains(#""primary":"ok""#))
            #expect(String(buffer: answer.body).contains(#""replica":"ok""#))
        }
    }

    @Test func `a check that a module contributes can fail`() async throws {
        try await running([IllAssembly()]) { client, _ in
            let answer = try await client.execute(uri: "/health", method: .get)
            #expect(answer.status == .serviceUnavailable)
            #expect(String(buffer: answer.body).contains(#""printer":"failed""#))
        }
    }
}

private struct IllAssembly: Assembly {
    func assemble(container: Container) {
        container.contribute((any HealthCheck).self) { Printer() }
    }
}

private struct Printer: HealthCheck {
    var name: String { "printer" }
    func check() async throws { throw HTTPError(.serviceUnavailable) }
}
