/// The closing of a container: its cause, and how far it has come.
///
/// First the container refuses new work. Then children, open scopes and forks close, and it waits for work under way;
/// then it closes its own instances, and ends. See ``Container/close(_:within:file:line:)``.
// A class, because whoever closes the container, waits for that or is refused looks at the same one.
final class Closing: Sendable {
    /// Names the closing in the wait-for graph.
    let number = Serial.next()
    /// Where `close()` was called.
    let place: CodePlace
    /// The outcome that closers hear.
    let outcome: ScopeOutcome

    // Guarded by the lock of the engine's state.
    nonisolated(unsafe) var failures: [CloseError.Failure]?
    /// True if the closers have begun, which leave out what is made later.
    nonisolated(unsafe) var hasBegun = false
    /// The registration whose closer runs, if the closers run at once on the thread that closes.
    nonisolated(unsafe) var running: Registration?
    /// The containers inside that have been asked for the errors of their closers.
    nonisolated(unsafe) var asked = RareSet<UInt>()
    /// True if the closing has waiters.
    nonisolated(unsafe) var hasWaiters = false
    /// Happens when time runs out; made when first needed (row 15: 800 instructions).
    nonisolated(unsafe) var timeIsOver: Signal?

    init(at place: CodePlace, _ outcome: ScopeOutcome) {
        self.place = place
        self.outcome = outcome
    }
}
