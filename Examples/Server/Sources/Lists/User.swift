import Foundation
import GRDB

/// Who uses the lists.
package struct User: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
    package let id: UUID
    package let name: String

    package init(id: UUID = UUID(), name: String) {
        (self.id, self.name) = (id, name)
    }
}

/// Who asks, and in which request.
package struct Caller: Codable, Hashable, Sendable {
    package let user: User
    package let requestID: String

    package init(user: User, requestID: String) {
        (self.user, self.requestID) = (user, requestID)
    }
}
