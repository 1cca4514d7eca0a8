import Foundation
import GRDB
import Logging

/// The changes of one request, written together or not at all.
///
/// Changes wait in memory, so that a request that fails leaves no trace, and that the one connection
/// that writes is held for as short as possible.
package final class UnitOfWork: @unchecked Sendable {  // `lock` guards the changes.
    package typealias Change = @Sendable (Database) throws -> Void

    private let database: DatabasePool
    private let logger: Logger
    private let lock = NSLock()
    private var changes: [Change] = []

    package init(database: DatabasePool, logger: Logger) {
        (self.database, self.logger) = (database, logger)
    }

    deinit {
        if !changes.isEmpty { UnitOfWork.cry(changes.count, logger) }
    }

    /// Has a change written by the next commit.
    package func add(_ change: @escaping Change) {
        lock.withLock { changes.append(change) }
    }

    /// Writes all changes in one transaction.
    ///
    /// When it fails, none is written.
    package func commit() async throws {
        let changes = take()
        guard !changes.isEmpty else { return }
        try await database.write { db in
            for change in changes { try change(db) }
        }
    }

    /// Forgets the changes.
    package func rollback() {
        _ = take()
    }

    /// Ends the unit of work, in which everything must have been committed or rolled back.
    package func close() throws {
        let count = take().count
        if count > 0 {
            UnitOfWork.cry(count, logger)
            throw LostChanges(count: count)
        }
    }

    private func take() -> [Change] {
        lock.withLock {
            defer { changes = [] }
            return changes
        }
    }

    private static func cry(_ count: Int, _ logger: Logger) {
        logger.critical(
            "changes were neither committed nor rolled back",
            metadata: ["count": "\(count)"]
        )
    }
}

/// Changes that nobody committed or rolled back.
package struct LostChanges: Error, CustomStringConvertible {
    package let count: Int

    package var description: String { "\(count) changes were neither committed nor rolled back" }
}
