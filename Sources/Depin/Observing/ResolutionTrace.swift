/// Prints the requests to a container, indented as the factories are nested.
///
/// ```swift
/// let observation = container.addObserver(ResolutionTrace())
/// let screen = container ~> FeedScreen.self
/// observation.end()
/// ```
///
/// ```text
/// ▸ FeedScreen, registered at App/FeedAssembly.swift:8
///   ▸ Feed, registered at App/FeedAssembly.swift:5
///     API reused in 0.004 ms, registered at App/NetworkAssembly.swift:12
///   ◂ Feed built in 0.310 ms
/// ◂ FeedScreen built in 0.420 ms
/// ```
///
/// A trace can observe several containers and threads at the same time; their lines are mixed. While
/// several threads resolve, it prints each request as it begins, so that the output names a factory that
/// another thread waits for, and what waits.
public final class ResolutionTrace: ResolutionObserver {
    private let print: @Sendable (String) -> Void
    /// The line of the only request under way, if it was not printed yet; and the makers of the requests under way.
    ///
    /// Such a request is printed in one line with its end, unless another line comes in between, on any thread. A task
    /// may change its thread.
    private let state = Guarded<(pending: String?, underWay: [ThreadOrTask])>((nil, []))

    /// Makes a trace.
    ///
    /// - Parameter print: Receives each line; prints to standard error by default.
    public init(print: (@Sendable (String) -> Void)? = nil) {
        self.print = print ?? printToStandardError
    }

    /// Prints a line, or keeps it for the end of the request.
    public func observe(_ event: ResolutionEvent) {
        if event.outcome == .failedToClose { return print(event.error.map { "\($0)" } ?? "") }
        let caller = Resolution.withCurrent { ThreadOrTask($0) }
        let indentation = String(repeating: "  ", count: event.depth)
        guard event.outcome == .requested else {
            let wasPending = state.withLock { state in
                if let index = state.underWay.lastIndex(of: caller) {
                    state.underWay.remove(at: index)
                }
                return state.pending.take() != nil
            }
            let words = wasPending ? "\(event)" : "◂ \(event.request) \(event.progress)"
            return print(indentation + words)
        }
        let line = indentation + "▸ \(event.request)\(event.places)"
        let lines = state.withLock { state in
            state.underWay.append(caller)
            let isAlone = state.underWay.allSatisfy { $0 == caller }
            defer { state.pending = isAlone ? line : nil }
            return [state.pending, isAlone ? nil : line].compactMap { $0 }
        }
        lines.forEach(print)
    }
}
