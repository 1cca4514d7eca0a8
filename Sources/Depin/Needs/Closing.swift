/// A container's end: who has asked for it, and how far it is.
///
/// First no new work begins, and what is under way ends; then children and open scopes close, then what the container
/// keeps; then it is gone. ``Container/close(_:file:line:)`` sees to that.
// A class, since who ends the container, who waits for that, and whoever is refused all look at the same one.
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
    nonisolated(unsafe) var hasWaiters = false
    /// Happens when the time is over; made by who asks for it first (row 15: 800 instructions).
    nonisolated(unsafe) var timeIsOver: Signal?

    init(at place: CodePlace, _ outcome: ScopeOutcome) {
        self.place = place
        self.outcome = outcome
    }
}
