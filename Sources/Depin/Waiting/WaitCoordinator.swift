/// Where threads and tasks wait, if they must: a ``WaitGraph``, its lock, and the sleepers.
///
/// The process has one, since a circle of waits may go through any number of containers. The lock of a slot, a turn or
/// an engine's state may be entered inside of this one's, never the other way round.
final class WaitCoordinator: Sendable {
    static let shared = WaitCoordinator()

    // The waiter holds its wait, too, so that nothing is released under the lock.
    private let graph = Guarded(WaitGraph(), lock: .alone())

    // MARK: - Waiting

    /// Blocks the thread until the wait has ended.
    func block(_ wait: Wait) -> Wait.Outcome {
        let condition = Condition()
        wait.sleeper = .thread(condition)
        var outcome = begin(wait)
        if let outcome { return outcome }
        graph.withLock(waitingFor: condition) { _ in
            outcome = wait.outcome
            return outcome != nil
        }
        return outcome ?? .again
    }

    /// Suspends the task until the wait has ended.
    ///
    /// Cancellation ends the wait, and what is waited for goes on.
    ///
    /// - Throws: `CancellationError`, if the task is canceled first.
    func suspend(_ wait: Wait) async throws -> Wait.Outcome {
        if let outcome = begin(wait) { return outcome }
        // From here on it is read under the lock alone.
        nonisolated(unsafe) let wait = wait
        await withTaskCancellationHandler {
            await sleep(wait)
        } onCancel: {
            let canceled = graph.withLock { $0.cancel(wait) ? wait.sleeper : nil }
            canceled?.wake()
        }
        guard let outcome = graph.withLock({ _ in wait.outcome }) else {
            throw CancellationError()
        }
        return outcome
    }

    /// Suspends the task, even if it is canceled, while what it waits for is under way; false if the wait would be
    /// circular.
    @inline(never)
    func suspend(whileUnderWay wait: Wait) async -> Bool {
        while wait.begin() {
            var outcome = begin(wait)
            if outcome == nil {
                await sleep(wait)
                outcome = graph.withLock { _ in wait.outcome }
            }
            if case .circular? = outcome { return false }
        }
        return true
    }

    /// Suspends the task until a wait has ended.
    @inline(never)
    private func sleep(_ wait: Wait) async {
        await withUnsafeContinuation { continuation in
            let isOver = graph.withLock { graph in
                guard graph.isWaiting(wait) else { return true }
                wait.sleeper = .task(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// True where a wait would close a circle.
    func wouldBeCircular(_ wait: Wait) -> Bool {
        graph.withLock { $0.circle(closedBy: wait) != nil }
    }

    // MARK: - Changing the graph

    /// Begins a wait, or says how it ends.
    @inline(never)
    private func begin(_ wait: Wait) -> Wait.Outcome? {
        let (outcome, woken) = graph.withLock { ($0.begin(wait), $0.takeSleepers()) }
        for sleeper in woken { sleeper.wake() }
        return outcome
    }

    /// Ends something that may have waiters.
    @inline(never)
    func end(_ end: AwaitedEnd) {
        let woken = graph.withLock { graph in
            graph.end(end.number, end.product)
            return graph.takeSleepers()
        }
        for sleeper in woken { sleeper.wake() }
    }
}

extension WaitGraph {
    /// The sleepers to wake, each once.
    @inline(never)
    fileprivate mutating func takeSleepers() -> [Wait.Sleeper] {
        takeEnded().compactMap { $0.sleeper.take() }
    }
}

extension AwaitedEnd {
    /// Tells the waiters.
    func tell() { WaitCoordinator.shared.end(self) }
}
