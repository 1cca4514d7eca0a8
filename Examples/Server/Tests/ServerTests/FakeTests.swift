import Depin
import Foundation
import Hummingbird
import HummingbirdTesting
import Lists
import Testing

@testable import Server

struct FakeTests {
    @Test func `a module is replaced by a fake`() async throws {
        try await running([FakeAccountsAssembly()]) { client, _ in
            let answer = try await client.execute(
                uri: "/me",
                method: .get,
                headers: [.authorization: "Bearer anything"]
            )
            #expect(String(buffer: answer.body).contains("Everyone"))
            #expect(try await client.execute(uri: "/users", method: .post).status == .notFound)
        }
    }
}

private struct FakeAccountsAssembly: Assembly {
    var replaces: [any Assembly.Type] { [AccountsAssembly.self] }

    func assemble(container: Container) {
        container.register((any Accounts).self, instance: FakeAccounts())
    }
}

/// Takes any token for that of one user.
private struct FakeAccounts: Accounts {
    let everyone = User(name: "Everyone")

    func register(name: String) async throws -> Account { throw HTTPError(.notImplemented) }
    func user(withToken token: String) async throws -> User? { everyone }
}
