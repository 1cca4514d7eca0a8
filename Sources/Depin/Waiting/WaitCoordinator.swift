/// Where threads and tasks wait, entered only by who must: a ``WaitGraph``, its lock, and who sleeps.
///
/// There is one for the process, since a circle of those who wait may go through any number of containers. The lock
/// of a slot may be entered inside of this one's, never the other way round.
final class WaitCoordinator: Sendable {
    static let shared = WaitCoordinator()

    /// Something that a thread or a task waits for.
    struct Wait {
        let edge: WaitGraph<AnyBox>.Wait
        /// The steps of who waits, for the message of a circle.
        let path: [ResolutionError.Step]
        /// False where what is waited for is over by now; noted by it, so that it tells of its end.
        let begin: () -> Bool
        /// What has been constructed of it.
        var product: () -> AnyBox? = { nil }
    }

    enum Outcome {
        /// What was waited for has given nothing: look again.
        case again
        case product(AnyBox)
        case circular(otherPath: [ResolutionError.Step])
    }

    fileprivate struct State {
        var graph = WaitGraph<AnyBox>()
        var sleepers: [UInt: Sleeper] = [:]
        var paths: [UInt: [ResolutionError.Step]] = [:]
        /// What gives what has been constructed, by what is waited for.
        var products: [UInt: () -> AnyBox?] = [:]
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
            if let outcome = state.begin(wait, number) { return outcome }
            state.sleepers[number] = .thread(condition)
            return nil
        }
        if let atOnce { return atOnce }
        var outcome: Outcome?
        state.withLock(waitingFor: condition) { state in
            outcome = state.takeOutcome(of: number)
            return outcome != nil
        }
        return outcome ?? .again
    }

    /// Suspends the task until the wait has ended; cancellation ends the wait, and nothing else.
    ///
    /// - Throws: `CancellationError`, where the task is canceled before that.
    func suspend(_ wait: Wait) async throws -> Outcome {
        let number = Serial.next()
        if let outcome = change({ $0.begin(wait, number) }) { return outcome }
        await withTaskCancellationHandler {
            await sleep(number)
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard state.graph.cancel(number) else { return nil }
                state.paths[number] = nil
                return state.sleepers.removeValue(forKey: number)
            }
            sleeper?.wake()
        }
        guard let outcome = state.withLock({ $0.takeOutcome(of: number) }) else {
            throw CancellationError()
        }
        return outcome
    }

    /// The same where cancellation does not end the wait.
    func suspendUncanceled(_ wait: Wait) async -> Outcome {
        let number = Serial.next()
        if let outcome = change({ $0.begin(wait, number) }) { return outcome }
        await sleep(number)
        return state.withLock { $0.takeOutcome(of: number) } ?? .again
    }

    /// Suspends the task until a wait has ended.
    private func sleep(_ number: UInt) async {
        await withUnsafeContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.graph.isWaiting(number) else { return true }
                state.sleepers[number] = .task(continuation)
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
        let product = change { state in
            state.graph.end(end.number, end.product)
            return state.products.removeValue(forKey: end.number)
        }
        withExtendedLifetime(product) {}
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
        products[wait.edge.needed] = wait.product
        let products = products
        let outcome = graph.begin(wait.edge, as: number) { products[$0]?() }
        guard let outcome else {
            paths[number] = wait.path
            return nil
        }
        return translate(outcome)
    }

    fileprivate mutating func takeOutcome(of number: UInt) -> WaitCoordinator.Outcome? {
        guard let outcome = graph.takeOutcome(of: number) else { return nil }
        defer { (paths[number], sleepers[number]) = (nil, nil) }
        return translate(outcome)
    }

    private func translate(_ outcome: WaitGraph<AnyBox>.Outcome) -> WaitCoordinator.Outcome {
        switch outcome {
        case .again: .again
        case .product(let box): .product(box)
        case .circular(let numbers):
            .circular(otherPath: numbers.flatMap { paths[$0] ?? [] })
        }
    }

    /// Those to be woken, each once.
    fileprivate mutating func takeWoken() -> [WaitCoordinator.Sleeper] {
        graph.takeEnded().compactMap { sleepers.removeValue(forKey: $0) }
    }
}
