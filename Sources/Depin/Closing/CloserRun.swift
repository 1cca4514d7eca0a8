/// Runs the closers of a container's instances, each after the closers of everything that needed its instance.
///
/// Closers that suspend run at the same time, unless needs say otherwise; the others run one after another, the last
/// instance first.
package final class CloserRun: Sendable {
    private let steps: [CloseOrder.Step]
    private let outcome: ScopeOutcome
    /// The observers of closers' errors that nobody throws.
    package let observers: [any EngineObserver]
    /// When time runs out, the rest is waited for as long as one closer ends within this time.
    ///
    /// A test sets a longer time, so that it proves the same on a slow machine.
    @TaskLocal package static var grace = Duration.seconds(1)

    init(_ order: CloseOrder, of engine: Engine, _ outcome: ScopeOutcome) {
        steps = order.steps()
        observers = engine.closeErrorObservers
        self.outcome = outcome
    }

    var isEmpty: Bool { steps.isEmpty }

    /// The registrations with a closer that suspends.
    package var suspending: [Registration] {
        steps.compactMap { $0.instance?.registration }.filter(\.closesAsynchronously)
    }

    /// Runs the closers of the instances of which no closer suspends, and tells of each before.
    package func runSync(_ tell: (Registration) -> Void = { _ in }) -> [CloseError.Failure] {
        // Determined before any closer runs, because one may add a closer that suspends.
        let sync = steps.compactMap(\.instance).filter { !$0.registration.closesAsynchronously }
        return sync.flatMap { instance in
            tell(instance.registration)
            return instance.closeSync(outcome)
        }
    }

    /// Runs the closers, each in a task of its own, and waits for them until time runs out.
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

/// How far the closers of a run have come.
///
/// It holds no instance, because the task that watches the time may outlive the run.
private final class CloserProgress: Sendable {
    private final class State {
        /// The tasks that close the instances.
        var tasks: [Task<Void, Never>] = []
        /// The indices of the running steps.
        var running = RareSet<Int>()
        var failures: [[CloseError.Failure]]
        var isWaitedFor = true

        init(count: Int) { failures = Array(repeating: [], count: count) }
    }

    private let registrations: [Registration?]
    private let observers: [any EngineObserver]
    /// For each step, happens when it has ended or has been given up.
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
            // That a closer which was given up was also canceled is no news.
            failures.filter { !($0.error is CancellationError) }.report(to: observers)
        }
        state.withLock { $0.tasks.append(task) }
    }

    /// Gives up the running steps when time runs out, and all others when none ends within the grace.
    func watch(_ timeIsOver: Signal) async {
        await timeIsOver.wait()
        giveUp()
        var known: Int?
        while case let count = ends.count(where: \.hasHappened), count != known {
            known = count
            try? await Task.sleep(for: CloserRun.grace)
        }
        state.withLock { $0.isWaitedFor = false }
        giveUp()
    }

    /// Cancels the running steps, and goes on as if they had ended.
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

    /// Notes that a step has ended; false if it was given up before.
    private func noteEnd(_ index: Int, _ failures: [CloseError.Failure]) -> Bool {
        let isWaitedFor = state.withLock { state in
            guard state.running.contains(index) else { return false }
            state.running[index] = nil
            state.failures[index] = failures
            return true
        }
        if isWaitedFor { ends[index].happen() }
        return isWaitedFor
    }
}

extension Engine {
    /// Closes an instance in a task of its own that nobody waits for, because canceling the requester must not stop
    /// closers.
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
    /// Runs the closers, even if some throw, and gives back their errors.
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

    /// Runs the closers that do not suspend.
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
