import Foundation
import GRDB
import Logging

/// Reads from the replica, and leaves what is to be written to the unit of work.
package struct LiveListService: ListService {
    package let caller: Caller
    private let replica: DatabasePool
    private let work: UnitOfWork
    private let logger: Logger

    package init(caller: Caller, replica: DatabasePool, work: UnitOfWork, logger: Logger) {
        self.caller = caller
        self.replica = replica
        self.work = work
        self.logger = logger
    }

    package func lists() async throws -> [TodoList] {
        let user = caller.user.id
        return try await replica.read { db in
            try TodoList.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT list.* FROM list JOIN member ON member.listID = list.id
                        WHERE member.userID = ? ORDER BY list.rowid
                        """
                ),
                arguments: [user]
            )
        }
    }

    package func contents(of list: UUID) async throws -> ListContents {
        try await read(list) { db, list in
            ListContents(list: list, items: try list.items(after: 0, limit: .max, db).items)
        }
    }

    package func create(title: String) async throws -> TodoList {
        let list = TodoList(id: UUID(), title: title, createdAt: Date())
        let member = Member(listID: list.id, userID: caller.user.id)
        work.add { db in
            try list.insert(db)
            try member.insert(db)
        }
        logger.info("list created", metadata: ["list": "\(list.id)"])
        return list
    }

    package func add(title: String, to list: UUID) async throws -> Item {
        let list = try await read(list) { $1 }
        let item = Item(id: UUID(), listID: list.id, title: title, isDone: false)
        work.add { db in try item.insert(db) }
        return item
    }

    package func set(isDone: Bool, of item: UUID, in list: UUID) async throws -> Item {
        var item = try await read(list) { db, list in
            try list.item(item, db) ?? { throw ListError.noSuchItem }()
        }
        item.isDone = isDone
        work.add { [item] db in try item.update(db) }
        return item
    }

    package func share(_ list: UUID, with user: UUID) async throws {
        let list = try await read(list) { db, list in
            guard try User.exists(db, key: user) else { throw ListError.noSuchUser }
            return list
        }
        work.add { db in
            try Member(listID: list.id, userID: user).insert(db, onConflict: .ignore)
        }
        logger.info("list shared", metadata: ["list": "\(list.id)", "with": "\(user)"])
    }

    package func export(_ list: UUID) async throws -> AsyncThrowingStream<String, any Error> {
        let pages = ExportedPages(of: try await read(list) { $1 }, in: replica)
        return AsyncThrowingStream { try await pages.next() }
    }

    /// Reads from a list that the caller is a member of.
    private func read<Value: Sendable>(
        _ list: UUID,
        _ body: @escaping @Sendable (Database, TodoList) throws -> Value
    ) async throws -> Value {
        let user = caller.user.id
        return try await replica.read { db in
            let list = try TodoList.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT list.* FROM list JOIN member ON member.listID = list.id
                        WHERE list.id = ? AND member.userID = ?
                        """
                ),
                arguments: [list, user]
            )
            guard let list else { throw ListError.noSuchList }
            return try body(db, list)
        }
    }
}

/// The items of a list, a page at a time, so that a long list is never in memory as a whole.
private actor ExportedPages {
    private let list: TodoList
    private let replica: DatabasePool
    private var last: Int64? = 0

    init(of list: TodoList, in replica: DatabasePool) {
        (self.list, self.replica) = (list, replica)
    }

    func next() async throws -> String? {
        guard let last else { return nil }
        let page = try await replica.read { [list] db in
            try list.items(after: last, limit: 100, db)
        }
        self.last = page.last
        guard !page.items.isEmpty else { return nil }
        return page.items.map { "\($0.isDone ? "x" : "-") \($0.title)\n" }.joined()
    }
}

extension TodoList {
    /// A page of items, and the row after which the next begins; nil after the last.
    fileprivate func items(
        after row: Int64,
        limit: Int,
        _ db: Database
    ) throws -> (items: [Item], last: Int64?) {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT rowid, * FROM item WHERE listID = ? AND rowid > ?
                    ORDER BY rowid LIMIT ?
                    """
            ),
            arguments: [id, row, limit]
        )
        return (try rows.map(Item.init(row:)), rows.count < limit ? nil : rows.last?["rowid"])
    }

    fileprivate func item(_ item: UUID, _ db: Database) throws -> Item? {
        try Item.filter(key: item).filter(Column("listID") == id).fetchOne(db)
    }
}
