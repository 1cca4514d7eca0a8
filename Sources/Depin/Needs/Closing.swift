/// A container's end: who has asked for it, and how far it is.
///
/// First no new work begins, and what is under way ends; then children and open scopes close, then what the container
/// keeps; then it is gone. ``Container/close(_:file:line:)`` sees to that.
struct Closing {
    /// Names the end in the wait-for graph.
    let number = Serial.next()
    /// Where `close()` was called.
    let place: CodePlace
    /// What closers hear.
    let outcome: ScopeOutcome
    var failures: [CloseError.Failure]?
    /// True where somebody waits for the end.
    var isAwaited = false
    /// Happens when the time is over; made by who asks for it first.
    var timeIsOver: Signal?

    init(at place: CodePlace, _ outcome: ScopeOutcome) {
        self.place = place
        self.outcome = outcome
    }
}
