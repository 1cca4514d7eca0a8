/// Observes every request to a container and its outcome.
///
/// ```swift
/// struct SlowServices: ResolutionObserver {
///     func observe(_ event: ResolutionEvent) {
///         if event.outcome == .built, let duration = event.duration, duration > .milliseconds(10) {
///             print("\(event.request) took \(duration)")
///         }
///     }
/// }
/// let observation = container.addObserver(SlowServices())
/// ```
///
/// It is called on the resolving thread, and never under a lock. It should be quick. Requests that it makes
/// itself are observed, too.
public protocol ResolutionObserver: Sendable {
    /// Called when a request begins, and again when it has ended.
    func observe(_ event: ResolutionEvent)
}

/// A request to a container, as it begins or as it ends.
public struct ResolutionEvent: Sendable {
    /// What was requested.
    public let request: ResolutionError.Request
    /// How far the request has come.
    public let outcome: Outcome
    /// Why it failed, if ``outcome`` is ``Outcome/failed``; a ``CloseError`` if it is ``Outcome/failedToClose``.
    public internal(set) var error: (any Error)?
    /// Where the service was registered; nil if it was not.
    public internal(set) var registeredAt: CodePlace?
    /// The factories that are running on this thread, outermost first.
    public internal(set) var path: [ResolutionError.Step] = []
    /// How long the request took, with all its dependencies; nil at the beginning.
    public internal(set) var duration: Duration?

    /// How many factories are running around the request.
    public var depth: Int { path.count }

    /// How far a request has come.
    ///
    /// Later versions may add outcomes, so a `switch` needs a `default`.
    public struct Outcome: Hashable, Sendable, CustomStringConvertible {
        /// Its name, as in source code.
        public let description: String

        /// It begins.
        public static let requested = Outcome(description: "requested")
        /// The instance existed: its scope kept it, or the graph had it.
        public static let reused = Outcome(description: "reused")
        /// The factory has run.
        public static let built = Outcome(description: "built")
        /// The request was for a type made from a registration: a `Lazy` or a `Provider`, for example.
        public static let derived = Outcome(description: "derived")
        /// Nothing is registered for it.
        public static let missing = Outcome(description: "missing")
        /// It could not be resolved.
        public static let failed = Outcome(description: "failed")
        /// Not a request: closers of the container, or of a scope in it, failed, and their errors were not
        /// thrown, because the operation of a
        /// ``Container/withScope(_:seeding:isolation:file:line:operation:)`` failed first.
        public static let failedToClose = Outcome(description: "failedToClose")
    }
}

extension ResolutionEvent: CustomStringConvertible {
    /// What was requested, its outcome, and where it was registered:
    /// `API named "live" built in 0.310 ms, registered at App/NetworkAssembly.swift:12`.
    ///
    /// It leaves out the ``error`` of a failure, whose text may have many lines.
    public var description: String { "\(request) \(progress)\(places)" }

    /// The outcome in words.
    var progress: String {
        switch outcome {
        case .reused: "reused in \(milliseconds)"
        case .built: "built in \(milliseconds)"
        case .derived: "made in \(milliseconds)"
        case .missing: "is not registered"
        case .failed: "failed after \(milliseconds)"
        case .failedToClose: "failed to close"
        default: "\(outcome)"
        }
    }

    /// Where the service was registered, and injected.
    var places: String {
        let injected = request.injectedAt.map { ", for @Injected at \($0)" } ?? ""
        return (registeredAt.map { ", registered at \($0)" } ?? "") + injected
    }

    private var milliseconds: String {
        let microseconds = Int((duration ?? .zero) / .microseconds(1))
        let fraction = String(1000 + microseconds % 1000).dropFirst()
        return "\(microseconds / 1000).\(fraction) ms"
    }
}
