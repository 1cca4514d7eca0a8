/// Runs the closers of a container's instances, each after those of all that needed the instance.
///
/// Those that suspend run at the same time where nothing says otherwise; the others one after another, the last
/// instance first.
package final class CloserRun: Sendable {
    private let steps: [CloseOrder.Step]
    private let outcome: ScopeOutcome
    /// Those who hear of what closers have thrown, where nobody throws it.
    package let observers: [any EngineObserver]
    /// When the time is over, what is left is waited for as long as something of it ends within that; a test whose
    /// closers do end says longer, so that it proves the same on a slow machine.
    @TaskLocal package static var grace = Duration.seconds(1)

    package init(_ order: CloseOrder, of engine: Engine, _ outcome: ScopeOutcome) {
        steps = order.steps()
        observers = engine.closeErrorObservers
        self.outcome = outcome
    }

    var isEmpty: Bool { steps.isEmpty }

    /// The registrations of which a closer suspends.
    package var suspending: [Registration] {
        steps.compactMap { $0.instance?.registration }.filter(\.closesAsynchronously)
    }

    /// Runs the closers that do not suspend.
    package func runSync() -> [CloseError.Failure] {
        // Known before any runs: one may add a closer that suspends.
        let sync = steps.compactMap(\.instance).filter { !$0.registration.closesAsynchronously }
        return sync.flatMap { $0.closeSync(outcome) }
    }

    /// Runs the closers, each in a task of its own, and waits for them until the time is over.
    package func run(until timeIsOver: Signal? = nil) async -> [CloseError.Failure] {
        if isEmpty { return [] }
        let progress = CloserProgress(of: steps, observers)
        var lastSync: [Int] = []
        for (index, step) in steps.enumerated() {
            var blockers = step.after
            if step.instance?.registration.closesAsynchronously == false {
                blockers += lastSync
                lastSync = [index]
            }
            progress.schedule(index, after: blockers) { [outcome, instance = step.instance] in
                await instance?.close(outcome) ?? []
            }
        }
        let timer = timeIsOver.map { timeIsOver in Task { await progress.watch(timeIsOver) } }
        for end in progress.ends { await end.wait() }
        timer?.cancel()
        return progress.failures
    }
}

/// How far the closers of a run are.
///
/// It holds no instance, since the task that watches the time may end later than the run.
private final class CloserProgress: Sendable {
    private final class State {
        /// What closes each instance.
        var tasks: [Task<Void, Never>] = []
        /// The indices of those that run.
        var running = RareSet<Int>()
        var failures: [[CloseError.Failure]]
        /// How many have ended.
        var endCount = 0
        var isWaitedFor = true

        init(count: Int) { failures = Array(repeating: [], count: count) }
    }

    private let registrations: [Registration?]
    private let observers: [any EngineObserver]
    /// Each happens when a step has ended, or is waited for no more.
    let ends: [Signal]
    private let state: Guarded<State>

    init(of steps: [CloseOrder.Step], _ observers: [any EngineObserver]) {
        registrations = steps.map { $0.instance?.registration }
        self.observers = observers
        ends = steps.map { _ in Signal() }
        state = Guarded(State(count: steps.count))
    }

    var failures: [CloseError.Failure] { state.withLock { $0.failures.copied }.flatMap(\.self) }

    /// Begins a step as soon as others have ended.
    func schedule(
        _ index: Int,
        after blockers: [Int],
        _ close: @escaping @Sendable () async -> [CloseError.Failure]
    ) {
        let task = Task { [self] in
            for blocker in blockers { await ends[blocker].wait() }
            let isWaitedFor = state.withLock { state in
                state.running[index] = ()
                return state.isWaitedFor
            }
            if !isWaitedFor { giveUp() }
            let failures = await close()
            if noteEnd(index, failures) { return }
            // Nobody needs to hear that what was given up has heard of that.
            failures.filter { !($0.error is CancellationError) }.report(to: observers)
        }
        state.withLock { $0.tasks.append(task) }
    }

    /// Gives up what runs when the time is over, and then all that is left, once nothing of it ends within the grace.
    func watch(_ timeIsOver: Signal) async {
        await timeIsOver.wait()
        giveUp()
        var known: Int?
        while case let count = state.withLock({ $0.endCount }), count != known {
            known = count
            try? await Task.sleep(for: CloserRun.grace)
        }
        state.withLock { $0.isWaitedFor = false }
        giveUp()
    }

    /// Goes on as if what runs had ended, and cancels it.
    @_optimize(size)
    private func giveUp() {
        let (running, tasks) = state.withLock { ($0.running.all, $0.tasks.copied) }
        for (index, _) in running {
            guard let registration = registrations[index],
                noteEnd(index, [CloseError.Failure(of: registration, StillRunning.closer)])
            else { continue }
            tasks[index].cancel()
        }
    }

    /// Notes that a step has ended; false where it had been given up.
    private func noteEnd(_ index: Int, _ failures: [CloseError.Failure]) -> Bool {
        let isWaitedFor = state.withLock { state in
            guard state.running.contains(index) else { return false }
            state.running[index] = nil
            state.failures[index] = failures
            state.endCount += 1
            return true
        }
        if isWaitedFor { ends[index].happen() }
        return isWaitedFor
    }
}

extension Engine {
    /// What closers hear of an instance that was still being built when the container closed without waiting any
    /// longer; nil where that is not so.
    var lateOutcome: ScopeOutcome? { isEnded ? state.withLock { $0.closing?.outcome } : nil }

    /// Closes an instance for nobody who waits, in a task of its own: canceling who asked must not stop closers.
    @discardableResult
    @inline(never)
    func closeInTask(_ instance: ClosedInstance, _ outcome: ScopeOutcome) -> Task<Void, Never> {
        let held = instance.held
        return Task { await held?.close(outcome).report(to: closeErrorObservers) }
    }
}

extension Registration {
    @inline(never)
    var closesAsynchronously: Bool {
        closers.contains { if case .async = $0 { true } else { false } }
    }
}

extension ClosedInstance {
    /// Runs the closers, whatever they throw, and gives back what that was.
    func close(_ outcome: ScopeOutcome) async -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        for closer in registration.closers.reversed() {
            do {
                switch closer {
                case .sync(let close): try close(box, outcome)
                case .async(let close): try await close(box, outcome)
                }
            } catch {
                failures.append(CloseError.Failure(of: registration, error))
            }
        }
        return failures
    }

    /// Runs those that do not suspend.
    func closeSync(_ outcome: ScopeOutcome) -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        for case .sync(let close) in registration.closers.reversed() {
            do {
                try close(box, outcome)
            } catch {
                failures.append(CloseError.Failure(of: registration, error))
            }
        }
        return failures
    }
}
