import Foundation
import GRDB

/// A list that its members share.
package struct TodoList: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
    package static let databaseTableName = "list"

    package let id: UUID
    package let title: String
    package let createdAt: Date
}

/// Something to do.
package struct Item: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
    package let id: UUID
    package let listID: UUID
    package let title: String
    package var isDone: Bool
}

/// A list with what is on it, oldest first.
package struct ListContents: Codable, Hashable, Sendable {
    package let list: TodoList
    package let items: [Item]
}

/// Who may see and change a list.
struct Member: Codable, FetchableRecord, PersistableRecord {
    let listID: UUID
    let userID: UUID
}
