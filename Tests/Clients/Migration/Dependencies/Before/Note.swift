import Dependencies
import Foundation

// A note that knows when it was made, as it is written for swift-dependencies.

struct Note {
    let id: UUID
    let date: Date
}

final class Notebook {
    @Dependency(\.date.now) var now
    @Dependency(\.uuid) var uuid

    func note() -> Note { Note(id: uuid(), date: now) }
}
