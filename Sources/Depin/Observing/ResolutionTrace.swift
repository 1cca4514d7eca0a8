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
    /// The line of the only request under way, which was not printed, and who makes each request under way.
    ///
    /// Such a request is told in one line with its end if nothing comes in between, on any thread. A task may go from
    /// thread to thread.
    private let state = Guarded<(pending: String?, underWay: [ThreadOrTask])>((nil, []))

    /// Makes a trace.
    ///
    /// - Parameter print: Receives each line; prints to standard error by default.
    public init(print: (@Sendable (String) -> Void)? = nil) {
        self.print = print ?? printToStandardError
    }

    /// Prints a line, or keeps it for the end of the request.
    @_optimize(size)
    public func observe(_ event: ResolutionEvent) {
        if event.outcome == .failedToClose { return print(event.error.map { "\($0)" } ?? "") }
        let caller = Resolution.withCurrent { ThreadOrTask($0) }
        if event.outcome == .requested {
            let line = indentation(of: event) + "▸ \(event.request)\(event.places)"
            begin(line, by: caller).forEach(print)
        } else {
            let words = end(by: caller) ? "\(event)" : "◂ \(event.request) \(event.progress)"
            print(indentation(of: event) + words)
        }
    }

    /// Notes a request that begins, and gives back the lines that can be kept back no longer.
    private func begin(_ line: String, by caller: ThreadOrTask) -> [String] {
        state.withLock { state in
            state.underWay.append(caller)
            let isAlone = state.underWay.allSatisfy { $0 == caller }
            defer { state.pending = isAlone ? line : nil }
            return [state.pending, isAlone ? nil : line].compactMap { $0 }
        }
    }

    /// Notes that a request has ended: true where nothing has been printed of it.
    private func end(by caller: ThreadOrTask) -> Bool {
        state.withLock { state in
            if let index = state.underWay.lastIndex(of: caller) {
                state.underWay.remove(at: index)
            }
            defer { state.pending = nil }
            return state.pending != nil
        }
    }

    private func indentation(of event: ResolutionEvent) -> String {
        String(repeating: "  ", count: event.depth)
    }
}
