import Foundation

// What the program is about. The other modules meet here: they know these types and not each other.

/// A text that somebody wrote for a day.
package struct Entry: Identifiable, Hashable, Sendable, Codable {
    package let id: UUID
    package let day: Day
    package let text: String

    package init(id: UUID = UUID(), day: Day, text: String) {
        self.id = id
        self.day = day
        self.text = text
    }
}

/// Somebody who keeps a journal.
package enum User {
    /// Names a user; safe to be a part of a file's name.
    package struct ID: Hashable, Sendable, CustomStringConvertible {
        package let description: String

        package init(_ name: String) throws(JournalError) {
            let isGood = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
            guard isGood, (1...32).contains(name.count) else { throw .userName(name) }
            description = name.lowercased()
        }
    }
}

/// Keeps the entries of all users.
package protocol EntryStore: Sendable {
    /// The entries of a user, in the order in which they were added.
    func entries(of user: User.ID) async throws -> [Entry]
    /// Adds an entry; does nothing if it is there.
    func add(_ entry: Entry, of user: User.ID) async throws
    /// Removes an entry; does nothing if it is not there.
    func remove(_ id: Entry.ID, of user: User.ID) async throws
}

/// What one user can do.
package protocol UserService: Sendable {
    var user: User.ID { get }

    func entries() async throws -> [Entry]
    func drafts() async throws -> [Entry]
    func write(_ text: String, on day: Day) async throws
    func keepDraft(_ text: String, on day: Day) async throws
    /// Makes an entry of a draft, which is named by its place in ``drafts()``, counted from one.
    func finishDraft(_ number: Int) async throws -> Entry
}

/// Writes a journal in a format of its own.
///
/// Each module contributes those that it has, under the name of the format.
package protocol Exporter: Sendable {
    func lines(of entries: [Entry]) throws -> [String]
}

/// Knows the date.
package protocol Today: Sendable {
    var day: Day { get }
}

/// Talks to the person in front of the program.
package protocol Terminal: Sendable {
    func show(_ line: String)
    func warn(_ line: String)
}

/// What can go wrong, in words for the person in front of the program.
package enum JournalError: Error, Equatable, CustomStringConvertible {
    case userName(String)
    case noDraft(number: Int, count: Int)
    case noFormat(String, known: [String])
    case file(path: String, problem: String)

    package var description: String {
        switch self {
        case .userName(let name):
            "'\(name)' is not a user name: use up to 32 letters, digits and '_'"
        case .noDraft(let number, count: 0):
            "there is no draft \(number); there are no drafts"
        case .noDraft(let number, let count):
            "there is no draft \(number); they are numbered from 1 to \(count)"
        case .noFormat(let name, let known):
            "'\(name)' is not a format: use \(known.joined(separator: " or "))"
        case .file(let path, let problem):
            "\(path): \(problem)"
        }
    }
}
