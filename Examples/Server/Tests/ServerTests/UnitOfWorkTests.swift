import Foundation
import GRDB
import InMemoryLogging
import Lists
import Logging
import Testing

struct UnitOfWorkTests {
    @Test func `changes are written together, or none of them`() async throws {
        try await withFolder { folder in
            let database = try DatabasePool.openPrimary(folder.appending(path: "db").path)
            let work = UnitOfWork(database: database, logger: .silent)
            let ada = User(name: "Ada")
            work.add { db in try insert(ada, db) }
            work.add { db in try insert(ada, db) }
            await #expect(throws: DatabaseError.self) { try await work.commit() }
            #expect(try await count(database) == 0)
            try work.close()
            work.add { db in try insert(ada, db) }
            #expect(try await count(database) == 0)
            try await work.commit()
            #expect(try await count(database) == 1)
            try work.close()
        }
    }

    @Test(arguments: [true, false])
    func `changes that are lost are logged`(isClosed: Bool) async throws {
        try await withFolder { folder in
            let log = InMemoryLogHandler()
            let database = try DatabasePool.openPrimary(folder.appending(path: "db").path)
            var work: UnitOfWork? = UnitOfWork(
                database: database,
                logger: Logger(label: "test") { _ in log }
            )
            work?.add { _ in }
            if isClosed {
                #expect(throws: LostChanges.self) { try work?.close() }
            }
            work = nil
            #expect(log.entries.map(\.level) == [.critical])
        }
    }
}

private func insert(_ user: User, _ db: Database) throws {
    try db.execute(
        sql: "INSERT INTO user VALUES (?, ?, ?)",
        arguments: [user.id, user.name, "token"]
    )
}

private func count(_ database: DatabasePool) async throws -> Int {
    try await database.read { db in try User.fetchCount(db) }
}
