/// Hears of every request to a container, and of how it ended.
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
/// It is called on the thread that resolves, under no lock, so it should be quick. What it resolves
/// itself is observed too.
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
    /// Why it failed, where ``outcome`` is ``Outcome/failed``.
    public let error: (any Error)?
    /// Where what answers it was registered; nil where nothing was.
    public let registeredAt: CodePlace?
    /// The factories that are running on this thread, outermost first.
    public let path: [ResolutionError.Step]
    /// How long it took, from the request to its end, with all that was needed for it; nil at the
    /// beginning.
    public let duration: Duration?

    /// How many factories are running around the request.
    public var depth: Int { path.count }

    /// How far a request has come.
    ///
    /// There may be more outcomes in later versions, so a `switch` needs a `default`.
    public struct Outcome: Hashable, Sendable, CustomStringConvertible {
        /// Its name, as in source code.
        public let description: String

        /// It begins.
        public static let requested = Outcome(description: "requested")
        /// The instance was there already: kept by its scope, or found in the graph.
        public static let reused = Outcome(description: "reused")
        /// The factory has run.
        public static let built = Outcome(description: "built")
        /// What was requested is made from a registration: a `Lazy` or a `Provider`, for example.
        public static let derived = Outcome(description: "derived")
        /// Nothing is registered for it.
        public static let missing = Outcome(description: "missing")
        /// It could not be had.
        public static let failed = Outcome(description: "failed")
    }
}

extension ResolutionEvent: CustomStringConvertible {
    /// What was requested, what became of it, and where it was registered:
    /// `API named "live" built in 0.310 ms, registered at App/NetworkAssembly.swift:12`.
    ///
    /// Of what failed it does not have the ``error``, whose text may have many lines.
    public var description: String { "\(request) \(progress)\(places)" }

    /// How far it has come, in words.
    var progress: String {
        switch outcome {
        case .reused: "reused in \(milliseconds)"
        case .built: "built in \(milliseconds)"
        case .derived: "made in \(milliseconds)"
        case .missing: "is not registered"
        case .failed: "failed after \(milliseconds)"
        default: "\(outcome)"
        }
    }

    /// Where it was registered, and injected.
    var places: String {
        var text = registeredAt.map { ", registered at \($0)" } ?? ""
        if let place = request.injectedAt {
            text += ", for @Injected at \(place)"
        }
        return text
    }

    private var milliseconds: String {
        let parts = (duration ?? .zero).components
        let microseconds = parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
        let rest = String(microseconds % 1000)
        return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
            + " ms"
    }
}
