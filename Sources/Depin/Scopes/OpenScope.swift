import Synchronization

/// What makes a container an open scope.
///
/// It has slots of its own for the registrations of its scope, made when first requested.
struct OpenScope: Sendable {
    /// Whether a scope was ever opened; while none was, looking for one costs nothing.
    static let wasOpened = Atomic(false)

    let scope: ObjectScope
    /// Where it was opened.
    let place: CodePlace
    /// True if it is in force for an operation, and closes at the operation's end.
    var isEntered = false
    /// The number of the registration whose factory opened it; 0 for none.
    var opener: UInt = 0

    /// The scope for a fork.
    var forked: OpenScope { OpenScope(scope: scope, place: place) }
}
