import Foundation

/// The lists of one user, in one request.
package protocol ListService: Sendable {
    /// For whom it works.
    var caller: Caller { get }

    func lists() async throws -> [TodoList]
    func contents(of list: UUID) async throws -> ListContents
    func create(title: String) async throws -> TodoList
    func add(title: String, to list: UUID) async throws -> Item
    func set(isDone: Bool, of item: UUID, in list: UUID) async throws -> Item
    func share(_ list: UUID, with user: UUID) async throws
    /// The items of a list as lines of text, read while they are sent.
    func export(_ list: UUID) async throws -> AsyncThrowingStream<String, any Error>
}

/// Why something cannot be done with a list.
package enum ListError: Error {
    case noSuchList
    case noSuchItem
    case noSuchUser
}
