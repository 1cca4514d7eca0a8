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
    private struct State {
        /// The request of the only thread with one, of which nothing has been printed: it ends in the
        /// same line if nothing comes in between, on any thread.
        var pending: ResolutionEvent?
        /// How many requests are under way, by who makes them: a task may go from thread to thread.
        var underWay: [Runner: Int] = [:]
    }

    private let print: @Sendable (String) -> Void
    private let state = Guarded(State())

    /// Makes a trace.
    ///
    /// - Parameter print: Receives each line; prints to standard error by default.
    public init(print: (@Sendable (String) -> Void)? = nil) {
        self.print = print ?? printToStandardError
    }

    /// Prints a line, or keeps it for the end of the request.
    public func observe(_ event: ResolutionEvent) {
        if event.outcome == .failedToClose { return print(event.error.map { "\($0)" } ?? "") }
        let runner = Resolution.withCurrent { Runner($0) }
        if event.outcome == .requested {
            for event in begin(event, by: runner) {
                print(indentation(of: event) + "▸ \(event.request)\(event.places)")
            }
            return
        }
        let isLeaf = end(by: runner)
        let words = isLeaf ? "\(event)" : "◂ \(event.request) \(event.progress)"
        print(indentation(of: event) + words)
    }

    /// Counts a request that begins, and gives back those that can be kept back no longer.
    private func begin(_ event: ResolutionEvent, by runner: Runner) -> [ResolutionEvent] {
        state.withLock { state in
            state.underWay[runner, default: 0] += 1
            let isAlone = state.underWay.count == 1
            defer { state.pending = isAlone ? event : nil }
            return [state.pending, isAlone ? nil : event].compactMap { $0 }
        }
    }

    /// Counts a request that has ended: true where nothing has been printed of it.
    private func end(by runner: Runner) -> Bool {
        state.withLock { state in
            let left = state.underWay[runner, default: 1] - 1
            state.underWay[runner] = left == 0 ? nil : left
            defer { state.pending = nil }
            return state.pending != nil
        }
    }

    private func indentation(of event: ResolutionEvent) -> String {
        String(repeating: "  ", count: event.depth)
    }
}
