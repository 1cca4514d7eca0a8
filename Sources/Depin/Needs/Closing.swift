/// A container's end: who has asked for it, and how far it is.
///
/// First no new work begins, and what is under way ends; then children and open scopes close, then what the container
/// keeps; then it is gone. ``Container/close(_:file:line:)`` sees to that.
// A class, because the engine's state is copied in parts: as a structure it took 600 instructions of a scope (row 15).
final class Closing: Sendable {
    /// Names the end in the wait-for graph.
    let number = Serial.next()
    /// Where `close()` was called.
    let place: CodePlace
    /// What closers hear.
    let outcome: ScopeOutcome

    // Guarded by the lock of the engine's state.
    nonisolated(unsafe) var failures: [CloseError.Failure]?
    /// True where somebody waits for the end.
    nonisolated(unsafe) var isAwaited = false
    /// Happens when the time is over; made by who asks for it first.
    nonisolated(unsafe) var timeIsOver: Signal?

    init(at place: CodePlace, _ outcome: ScopeOutcome) {
        self.place = place
        self.outcome = outcome
    }
}
