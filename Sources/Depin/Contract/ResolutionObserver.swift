/// Is told of every request to a container, and of how it ended.
///
/// ```swift
/// struct SlowServices: ResolutionObserver {
///     func observe(_ event: ResolutionEvent) {
///         if case .built = event.outcome, let duration = event.duration, duration > .milliseconds(10) {
///             print("\(event.request) took \(duration)")
///         }
///     }
/// }
/// let observation = container.addObserver(SlowServices())
/// ```
///
/// It is called on the thread that resolves, under no lock, so it should be quick. What it resolves
/// itself is observed too.
public protocol ResolutionObserver: Sendable {
    /// Called when something is asked for, and again when the request has ended.
    func observe(_ event: ResolutionEvent)
}

/// A request to a container, as it begins or as it ends.
public struct ResolutionEvent: Sendable {
    /// What was asked for.
    public let request: ResolutionError.Request
    /// How far the request has come.
    public let outcome: Outcome
    /// Where what answers it was registered; nil where nothing was.
    public let registeredAt: CodePlace?
    /// Who asks: the factories under way on this thread, outermost first.
    public let path: [ResolutionError.Step]
    /// How long it took, from the request to its end, with all that was needed for it; nil at the
    /// beginning.
    public let duration: Duration?

    /// How many factories are under way around the request.
    public var depth: Int { path.count }

    /// How far a request has come.
    public enum Outcome: Sendable {
        /// It begins.
        case asked
        /// The instance was there already: kept by its scope, or found in the graph.
        case reused
        /// The factory has run.
        case built
        /// What was asked for is made from a registration: a `Lazy` or a `Provider`, for example.
        case derived
        /// Nothing is registered for it.
        case missing
        /// It could not be had.
        case failed(any Error)
    }
}
