import Foundation
import GRDB

/// Knows the users and their tokens.
package protocol Accounts: Sendable {
    func register(name: String) async throws -> Account
    func user(withToken token: String) async throws -> User?
}

/// A user with the token that proves it, which is shown once.
package struct Account: Codable, Sendable {
    package let user: User
    package let token: String
}

/// Keeps users in the database, for all requests.
package struct LiveAccounts: Accounts {
    private let primary: DatabasePool
    private let replica: DatabasePool

    package init(primary: DatabasePool, replica: DatabasePool) {
        (self.primary, self.replica) = (primary, replica)
    }

    package func register(name: String) async throws -> Account {
        let account = Account(user: User(name: name), token: UUID().uuidString)
        try await primary.write { db in
            try db.execute(
                sql: "INSERT INTO user (id, name, token) VALUES (?, ?, ?)",
                arguments: [account.user.id, name, account.token]
            )
        }
        return account
    }

    package func user(withToken token: String) async throws -> User? {
        try await replica.read { db in
            try User.fetchOne(
                db.cachedStatement(sql: "SELECT id, name FROM user WHERE token = ?"),
                arguments: [token]
            )
        }
    }
}
