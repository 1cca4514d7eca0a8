import Synchronization

/// What makes a container an open scope.
///
/// It has a slot of its own in the place of each of that scope's slots which has been asked for there.
struct OpenScope: Sendable {
    /// Whether there ever was one: where none was, nobody has to look for it.
    static let wasOpened = Atomic(false)

    let scope: ObjectScope
    /// Where it was opened.
    let place: CodePlace
    /// Whether it is in force for an operation, and closes at its end.
    let isEntered: Bool
    /// The number of the registration whose factory opened it, 0 for none.
    let opener: UInt

    init(_ scope: ObjectScope, at place: CodePlace, by opener: UInt = 0, isEntered: Bool = false) {
        self.scope = scope
        self.place = place
        self.isEntered = isEntered
        self.opener = opener
        if !OpenScope.wasOpened.load(ordering: .relaxed) {
            OpenScope.wasOpened.store(true, ordering: .relaxed)
        }
    }

    /// The same scope for a fork.
    var forked: OpenScope { OpenScope(scope, at: place) }
}
