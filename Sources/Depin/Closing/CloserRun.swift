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
        let closings = scheduled()
        let timer = timeIsOver.map { timeIsOver in Task { await closings.watch(timeIsOver) } }
        for closing in closings { await closing.end.wait() }
        timer?.cancel()
        return closings.flatMap(\.failures)
    }

    // Apart: the compiler writes a loop once more for each `await` after it.
    @inline(never)
    private func scheduled() -> [InstanceClosing] {
        var closings: [InstanceClosing] = []
        var lastSync: InstanceClosing?
        for step in steps {
            var blockers = step.after.map { closings[$0] }
            let closing = InstanceClosing(of: step.instance?.registration, observers)
            closings.append(closing)
            if step.instance?.registration.closesAsynchronously == false {
                blockers += [lastSync].compactMap(\.self)
                lastSync = closing
            }
            closing.schedule(after: blockers) { [outcome, instance = step.instance] in
                await instance?.close(outcome) ?? []
            }
        }
        return closings
    }
}

extension [InstanceClosing] {
    /// Gives up the running closers when time runs out, and all others when none ends within the grace.
    fileprivate func watch(_ timeIsOver: Signal) async {
        await timeIsOver.wait()
        giveUp()
        var known: Int?
        while case let count = endCount, count != known {
            known = count
            try? await Task.sleep(for: CloserRun.grace)
        }
        giveUp(evenLater: true)
    }

    @inline(never)
    private func giveUp(evenLater: Bool = false) {
        for closing in self { closing.giveUp(evenLater: evenLater) }
    }

    private var endCount: Int { count(where: \.end.hasHappened) }
}

/// How far a run has come with the closers of one instance, or with a step that only stands between others.
///
/// It does not hold the instance, because the task that watches the time may outlive the run.
private final class InstanceClosing: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isRunning = false
        var isWaitedFor = true
        var failures: [CloseError.Failure] = []
    }

    private let registration: Registration?
    private let observers: [any EngineObserver]
    /// Happens when the closers have ended or have been given up.
    let end = Signal()
    private let state = Guarded(State())

    init(of registration: Registration?, _ observers: [any EngineObserver]) {
        (self.registration, self.observers) = (registration, observers)
    }

    var failures: [CloseError.Failure] { state.withLock { $0.failures.copied } }

    /// Begins the closers as soon as others have ended.
    func schedule(
        after blockers: [InstanceClosing],
        _ close: @escaping @Sendable () async -> [CloseError.Failure]
    ) {
        let task = Task {
            for blocker in blockers { await blocker.end.wait() }
            let isWaitedFor = state.withLock { state in
                state.isRunning = true
                return state.isWaitedFor
            }
            if !isWaitedFor { giveUp(evenLater: true) }
            let failures = await close()
            if noteEnd(failures) { return }
            // That a closer which was given up was also canceled is no news.
            failures.filter { !($0.error is CancellationError) }.report(to: observers)
        }
        state.withLock { $0.task = task }
    }

    /// Cancels the closers if they are running, and goes on as if they had ended; or also if they begin later.
    func giveUp(evenLater: Bool) {
        if evenLater { state.withLock { $0.isWaitedFor = false } }
        guard let registration, noteEnd([CloseError.Failure(of: registration, StillRunning.closer)])
        else { return }
        state.withLock { $0.task }?.cancel()
    }

    /// Notes that the closers have ended; false if they were given up before, or have not begun.
    private func noteEnd(_ failures: [CloseError.Failure]) -> Bool {
        let isEnd = state.withLock { state in
            guard state.isRunning else { return false }
            (state.isRunning, state.failures) = (false, failures)
            return true
        }
        if isEnd { end.happen() }
        return isEnd
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
