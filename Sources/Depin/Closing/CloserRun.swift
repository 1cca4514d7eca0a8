/// Runs the closers of a container's instances, each after those of all that needed the instance.
///
/// Those that suspend run at the same time where nothing says otherwise; the others one after another, the last
/// instance first.
package struct CloserRun {
    private enum Event: Sendable {
        case ended(Int, [CloseError.Failure])
        case timeIsOver
        case graceIsOver
    }

    private let steps: [CloseOrder.Step]
    private let observers: [any EngineObserver]
    private let outcome: ScopeOutcome
    /// How many others must end before each step.
    private var blockers: [Int] = []
    /// Those that it must end before.
    private var blocked: [[Int]] = []
    private var failures: [[CloseError.Failure]] = []
    /// The steps of which nothing is left that must end before.
    private var ready: [Int] = []
    /// The closers that run.
    private var running = RareTable<Int, Task<Void, Never>>()
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

    /// Runs the closers for nobody who could throw their errors.
    package mutating func runAndReport() async {
        await run().report(to: observers)
    }

    /// The same for those that do not suspend.
    package func runPlainAndReport() {
        runPlain().report(to: observers)
    }

    /// Runs the closers that do not suspend.
    func runPlain() -> [CloseError.Failure] {
        // Known before any runs: one may add a closer that suspends.
        let plain = steps.compactMap(\.instance).filter { !$0.registration.closesAsynchronously }
        return plain.flatMap { $0.closePlainly(outcome) }
    }

    /// Runs the closers, each in a task of its own, and waits for them until the time is over.
    mutating func run(until timeIsOver: Signal? = nil) async -> [CloseError.Failure] {
        if isEmpty { return [] }
        arrange()
        let (events, channel) = AsyncStream<Event>.makeStream()
        if let timeIsOver {
            Task {
                await timeIsOver.wait()
                channel.yield(.timeIsOver)
            }
        }
        var (isWaitedFor, timer) = (true, Task<Void, any Error>?.none)
        func beginGrace() {
            timer?.cancel()
            timer = Task {
                try await Task.sleep(for: Self.grace)
                channel.yield(.graceIsOver)
            }
        }
        var next = events.makeAsyncIterator()
        while begin(channel) {
            if !isWaitedFor {
                giveUp()
                continue
            }
            switch await next.next() {
            case .ended(let index, let failures):
                if running[index] != nil {
                    running[index] = nil
                    end(index, failures)
                    if timer != nil { beginGrace() }
                } else {
                    failures.report(lateTo: observers)
                }
            case .timeIsOver:
                giveUp()
                beginGrace()
            case .graceIsOver, nil:
                isWaitedFor = false
            }
        }
        timer?.cancel()
        channel.finish()
        return failures.flatMap(\.self)
    }

    /// Notes which steps block which: those that do not suspend come one after another.
    private mutating func arrange() {
        blocked = steps.map { _ in [] }
        failures = steps.map { _ in [] }
        var lastPlain: [Int] = []
        for (index, step) in steps.enumerated() {
            var before = step.after
            if step.instance?.registration.closesAsynchronously == false {
                before += lastPlain
                lastPlain = [index]
            }
            for blocker in before { blocked[blocker].append(index) }
            blockers.append(before.count)
            if before.isEmpty { ready.append(index) }
        }
    }

    /// Begins what may run by now; false where nothing runs.
    private mutating func begin(_ channel: AsyncStream<Event>.Continuation) -> Bool {
        while let index = ready.popLast() {
            guard let instance = steps[index].instance else {
                end(index, [])
                continue
            }
            running[index] = Task { [observers, outcome] in
                let failures = await instance.close(outcome)
                guard case .terminated = channel.yield(.ended(index, failures)) else { return }
                failures.report(lateTo: observers)
            }
        }
        return !running.isEmpty
    }

    /// Cancels what runs, and goes on as if that had ended.
    private mutating func giveUp() {
        for (index, task) in running.all.ordered(by: { $0.key < $1.key }) {
            task.cancel()
            let registration = steps[index].instance?.registration
            end(index, registration.map { [CloseError.Failure(of: $0, StillRunning.closer)] } ?? [])
        }
        running = RareTable()
    }

    private mutating func end(_ index: Int, _ failures: [CloseError.Failure]) {
        self.failures[index] = failures
        for next in blocked[index] {
            blockers[next] -= 1
            if blockers[next] == 0 { ready.append(next) }
        }
    }
}

extension Engine {
    /// Closes an instance that was still being built when the container closed without waiting any longer; false where
    /// that is not so.
    func closeLate(_ late: ClosedInstance) -> Bool {
        guard isEnded, let closing = state.withLock({ $0.closing }) else { return false }
        close(late, closing.outcome)
        return true
    }

    /// Closes an instance for nobody who waits, in a task of its own: canceling who asked must not stop closers.
    @discardableResult
    func close(_ instance: ClosedInstance, _ outcome: ScopeOutcome) -> Task<Void, Never> {
        let held = instance.held
        return Task { await held?.close(outcome).report(to: closeErrorObservers) }
    }
}

extension Registration {
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
                case .plain(let close): try close(box, outcome)
                case .async(let close): try await close(box, outcome)
                }
            } catch {
                failures.append(CloseError.Failure(of: registration, error))
            }
        }
        return failures
    }

    /// Runs those that do not suspend.
    func closePlainly(_ outcome: ScopeOutcome) -> [CloseError.Failure] {
        var failures: [CloseError.Failure] = []
        for case .plain(let close) in registration.closers.reversed() {
            do {
                try close(box, outcome)
            } catch {
                failures.append(CloseError.Failure(of: registration, error))
            }
        }
        return failures
    }
}
