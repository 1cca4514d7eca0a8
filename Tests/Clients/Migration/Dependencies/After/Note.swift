import Depin
import Foundation

// A note that knows when it was made, as it is written for Depin: defaults that are computed are made
// anew at each access.

struct Note {
    let id: UUID
    let date: Date
}

enum NowKey: SpaceKey {
    static var defaultValue: Date { Date() }
}

enum UUIDKey: SpaceKey {
    static var defaultValue: @Sendable () -> UUID { { UUID() } }
}

extension SpaceValues {
    var now: Date {
        get { self[NowKey.self] }
        set { self[NowKey.self] = newValue }
    }
    var uuid: @Sendable () -> UUID {
        get { self[UUIDKey.self] }
        set { self[UUIDKey.self] = newValue }
    }
}

final class Notebook {
    @Space(\.now) var now
    @Space(\.uuid) var uuid

    func note() -> Note { Note(id: uuid(), date: now) }
}
