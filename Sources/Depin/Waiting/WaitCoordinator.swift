/// Where threads and tasks wait, entered only by who must: a ``WaitGraph``, its lock, and who sleeps.
///
/// There is one for the process, since a circle of those who wait may go through any number of containers. The lock
/// of a slot, a turn or an engine's state may be entered inside of this one's, never the other way round.
final class WaitCoordinator: Sendable {
    static let shared = WaitCoordinator()

    /// Something that a thread or a task waits for.
    final class Wait {
        let edge: WaitGraph<AnyBox>.Wait
        /// The steps of who waits, for the message of a circle.
        let path: [ResolutionError.Step]
        /// Notes at what is waited for that it is to tell of its end; false where that is over by now.
        let begin: () -> Bool
        /// What has been constructed of it.
        let product: () -> AnyBox?
        // Guarded by the lock of the coordinator.
        fileprivate var sleeper: Sleeper?

        init(
            edge: WaitGraph<AnyBox>.Wait,
            path: [ResolutionError.Step],
            begin: @escaping () -> Bool,
            product: @escaping () -> AnyBox? = { nil }
        ) {
            (self.edge, self.path) = (edge, path)
            (self.begin, self.product) = (begin, product)
        }
    }

    enum Outcome {
        /// What was waited for has given nothing: look again.
        case again
        case product(AnyBox)
        case circular(otherPath: [ResolutionError.Step])
    }

    fileprivate struct State {
        var graph = WaitGraph<AnyBox>()
        /// The waits of the graph, by number; who waits holds it too, so that nothing is released under the lock.
        var waits: [UInt: Wait] = Dictionary()
    }

    fileprivate enum Sleeper {
        case thread(Condition)
        case task(UnsafeContinuation<Void, Never>)

        func wake() {
            switch self {
            case .thread(let condition): condition.signal()
            case .task(let continuation): continuation.resume()
            }
        }
    }

    private let state = Guarded(State(), lock: .alone())

    // MARK: - Waiting

    /// Blocks the thread until the wait has ended.
    func block(_ wait: Wait) -> Outcome {
        let (number, condition) = (Serial.next(), Condition())
        let atOnce = change { state -> Outcome? in
            wait.sleeper = .thread(condition)
            return state.begin(wait, number)
        }
        if let atOnce { return atOnce }
        var outcome: Outcome?
        state.withLock(waitingFor: condition) { state in
            outcome = state.takeOutcome(of: number)
            return outcome != nil
        }
        return outcome ?? .again
    }

    /// Suspends the task until the wait has ended; cancellation ends the wait, and what is waited for goes on.
    ///
    /// - Throws: `CancellationError`, where the task is canceled before that.
    func suspend(_ wait: Wait) async throws -> Outcome {
        let number = Serial.next()
        if let outcome = change({ $0.begin(wait, number) }) { return outcome }
        await withTaskCancellationHandler {
            await sleep(number)
        } onCancel: {
            let canceled = state.withLock { state in
                state.graph.cancel(number) ? state.waits.removeValue(forKey: number) : nil
            }
            canceled?.sleeper?.wake()
        }
        guard let outcome = state.withLock({ $0.takeOutcome(of: number) }) else {
            throw CancellationError()
        }
        return outcome
    }

    /// Suspends the task for as long as something is under way, also where it is canceled; false where that would be
    /// forever.
    func suspend(
        _ edge: WaitGraph<AnyBox>.Wait,
        _ path: [ResolutionError.Step],
        while isUnderWay: @escaping () -> Bool
    ) async -> Bool {
        while isUnderWay() {
            let (number, wait) = (Serial.next(), Wait(edge: edge, path: path, begin: isUnderWay))
            defer { withExtendedLifetime(wait) {} }
            var outcome = change { $0.begin(wait, number) }
            if outcome == nil {
                await sleep(number)
                outcome = state.withLock { $0.takeOutcome(of: number) }
            }
            if case .circular? = outcome { return false }
        }
        return true
    }

    /// Suspends the task until a wait has ended.
    private func sleep(_ number: UInt) async {
        await withUnsafeContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.graph.isWaiting(number) else { return true }
                state.waits[number]?.sleeper = .task(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// True where a wait would close a circle.
    func wouldBeCircular(_ edge: WaitGraph<AnyBox>.Wait) -> Bool {
        state.withLock { $0.graph.circle(closedBy: edge) != nil }
    }

    /// Something is over for which somebody waits.
    func end(_ end: BuildEnd) {
        change { $0.graph.end(end.number, end.product) }
    }

    /// Changes the state, and wakes those whose waits that has ended.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, woken) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeWoken())
        }
        for sleeper in woken { sleeper.wake() }
        return result
    }
}

extension WaitCoordinator.State {
    /// Begins a wait, or says how it ends.
    fileprivate mutating func begin(
        _ wait: WaitCoordinator.Wait,
        _ number: UInt
    ) -> WaitCoordinator.Outcome? {
        guard wait.begin() else { return .again }
        waits[number] = wait
        let known = waits
        let outcome = graph.begin(wait.edge, as: number) { needed in
            known.values.first { $0.edge.needed == needed }?.product()
        }
        if outcome != nil { waits[number] = nil }
        return outcome.map(translate)
    }

    fileprivate mutating func takeOutcome(of number: UInt) -> WaitCoordinator.Outcome? {
        guard let outcome = graph.takeOutcome(of: number) else { return nil }
        waits[number] = nil
        return translate(outcome)
    }

    private func translate(_ outcome: WaitGraph<AnyBox>.Outcome) -> WaitCoordinator.Outcome {
        switch outcome {
        case .again: .again
        case .product(let box): .product(box)
        case .circular(let numbers):
            .circular(otherPath: numbers.flatMap { waits[$0]?.path ?? [] })
        }
    }

    /// Those to be woken, each once.
    fileprivate mutating func takeWoken() -> [WaitCoordinator.Sleeper] {
        graph.takeEnded().compactMap { number in
            defer { waits[number]?.sleeper = nil }
            return waits[number]?.sleeper
        }
    }
}

extension BuildEnd {
    /// Tells those who wait.
    func tell() { WaitCoordinator.shared.end(self) }
}
