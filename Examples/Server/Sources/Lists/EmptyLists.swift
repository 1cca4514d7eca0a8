import Foundation
import GRDB

/// Removes lists on which nothing was ever written.
package struct EmptyLists: Sendable {
    private let work: UnitOfWork

    package init(work: UnitOfWork) {
        self.work = work
    }

    package func remove(createdBefore date: Date) {
        work.add { db in
            try db.execute(
                sql: """
                    DELETE FROM list WHERE createdAt < ?
                    AND NOT EXISTS (SELECT 1 FROM item WHERE item.listID = list.id)
                    """,
                arguments: [date]
            )
        }
    }
}
