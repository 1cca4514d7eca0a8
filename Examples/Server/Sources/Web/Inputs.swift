import Foundation
import Hummingbird

/// A user to be registered.
package struct NewUser: Decodable {
    package let name: String
}

/// A list, or an item, to be made.
package struct NewEntry: Decodable {
    package let title: String
}

/// How an item is to be.
package struct ItemState: Decodable {
    package let isDone: Bool
}

extension RequestContext {
    /// An id that stands in the path.
    package func id(_ name: String) throws -> UUID {
        guard let id = UUID(uuidString: try parameters.require(name)) else {
            throw HTTPError(.badRequest, message: "'\(name)' is not an id")
        }
        return id
    }
}
