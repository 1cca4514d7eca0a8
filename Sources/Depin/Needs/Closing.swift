/// The closing of a container: what stays the same from its beginning on.
///
/// First the container refuses new work. Then children, open scopes and forks close, and it waits for work under way;
/// then it closes its own instances, and ends. See ``Container/close(_:within:file:line:)``.
struct Closing: Sendable {
    /// Names the closing in the wait-for graph.
    let number = Serial.next()
    /// Where `close()` was called.
    let place: CodePlace
    /// The outcome that closers hear; canceled after the end, when none is left to hear it.
    var outcome: ScopeOutcome

    /// How far the closing of a container has come.
    struct Progress {
        /// The errors of the closers, once all have run.
        var failures: [CloseError.Failure]?
        /// True if the closers have begun, which leave out what is made later.
        var hasBegun = false
        /// The registration whose closer runs, if the closers run at once on the thread that closes.
        var running: Registration?
        /// The containers inside that have been asked for the errors of their closers.
        var asked = RareSet<UInt>()
        /// True if the closing has waiters.
        var hasWaiters = false
        /// Happens when time runs out; made when first needed (row 15: 800 instructions).
        var timeIsOver: Signal?
    }
}
