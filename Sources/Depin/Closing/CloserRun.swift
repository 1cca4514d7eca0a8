/// Runs the closers of a container's instances, each after those of all that needed the instance.
///
/// Those that suspend run at the same time where nothing says otherwise; the others one after another, the last
/// instance first.
package struct CloserRun {
    private struct Job {
        /// Nil for what only comes between others.
        let registration: Registration?
        /// What it closes, held.
        let box: AnyBox?
        let isAsync: Bool
        /// How many jobs must end before it.
        var blockers: Int
        var blocked: [Int] = []
        var failures: [CloseError.Failure] = []

        var isPlain: Bool { registration != nil && !isAsync }
    }

    private enum Event: Sendable {
        case ended(Int, [any Error])
        case timeIsOver
        case graceIsOver
    }

    private let observers: [any EngineObserver]
    private let outcome: ScopeOutcome
    private var jobs: [Job] = []
    /// The jobs that suspend, and what comes between, of which nothing is left that must end before.
    private var ready: [Int] = []
    /// The others, the next one last.
    private var plain: [Int] = []
    /// The closers that run.
    private var running: [Int: Task<Void, Never>] = [:]
    /// When the time is over, what is left is waited for as long as something of it ends within that; a test whose
    /// closers do end says longer, so that it proves the same on a slow machine.
    @TaskLocal package static var grace = Duration.seconds(1)

    package init(_ order: CloseOrder, of engine: Engine, _ outcome: ScopeOutcome) {
        observers = engine.closeErrorObservers
        self.outcome = outcome
        for (number, step) in order.steps().enumerated() {
            for index in step.after { jobs[index].blocked.append(number) }
            let registration = step.instance?.registration
            let added = Job(
                registration: registration,
                box: step.box,
                isAsync: registration?.closesAsynchronously ?? false,
                blockers: step.after.count
            )
            if added.isPlain {
                plain.append(number)
            } else if step.after.isEmpty {
                ready.append(number)
            }
            jobs.append(added)
        }
        plain.reverse()
    }

    var isEmpty: Bool { jobs.isEmpty }

    /// The registrations of which a closer suspends.
    package var suspending: [Registration] { jobs.filter(\.isAsync).compactMap(\.registration) }

    /// Runs the closers for nobody who could throw their errors.
    package mutating func runAndReport() async {
        await run().report(to: observers)
    }

    /// The same for those that do not suspend.
    package mutating func runPlainAndReport() {
        runPlain().report(to: observers)
    }

    /// Runs the closers that do not suspend.
    mutating func runPlain() -> [CloseError.Failure] {
        while let next = plain.popLast() {
            if let registration = jobs[next].registration, let box = jobs[next].box {
                end(next, registration.runPlainClosers(box, outcome))
            }
        }
        return jobs.flatMap(\.failures)
    }

    /// Runs the closers, each in a task of its own, and waits for them until the time is over.
    mutating func run(until timeIsOver: Signal? = nil) async -> [CloseError.Failure] {
        if isEmpty { return [] }
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
            case .ended(let index, let errors):
                if running.removeValue(forKey: index) != nil {
                    end(index, errors)
                    if timer != nil { beginGrace() }
                } else {
                    jobs[index].registration?.report(late: errors, to: observers)
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
        return jobs.flatMap(\.failures)
    }

    /// Begins what may run by now; false where nothing does.
    private mutating func begin(_ channel: AsyncStream<Event>.Continuation) -> Bool {
        while let index = ready.popLast() { begin(index, channel) }
        // One of those that do not suspend at a time.
        if let index = plain.last, jobs[index].blockers == 0,
            !running.keys.contains(where: { jobs[$0].isPlain })
        {
            plain.removeLast()
            begin(index, channel)
        }
        return !running.isEmpty
    }

    private mutating func begin(_ index: Int, _ channel: AsyncStream<Event>.Continuation) {
        guard let registration = jobs[index].registration, let box = jobs[index].box else {
            return end(index, [])
        }
        running[index] = Task { [observers, outcome] in
            let errors = await registration.runClosers(box, outcome)
            guard case .terminated = channel.yield(.ended(index, errors)) else { return }
            registration.report(late: errors, to: observers)
        }
    }

    /// Cancels what runs, and goes on as if that had ended.
    private mutating func giveUp() {
        for (index, task) in running.ordered(by: { $0.key < $1.key }) {
            task.cancel()
            end(index, [StillRunning.closer])
        }
        running = [:]
    }

    private mutating func end(_ index: Int, _ errors: [any Error]) {
        if let registration = jobs[index].registration {
            jobs[index].failures = errors.map { CloseError.Failure(of: registration, $0) }
        }
        for blocked in jobs[index].blocked {
            jobs[blocked].blockers -= 1
            if !jobs[blocked].isPlain, jobs[blocked].blockers == 0 { ready.append(blocked) }
        }
    }
}

extension Engine {
    /// Closes an instance that was still being built when the container closed without waiting any longer; false where
    /// that is not so.
    func closeLate(_ late: ClosedInstance) -> Bool {
        guard isEnded, let closing = state.withLock({ $0.closing }) else { return false }
        return closeNow(late, closing.outcome)
    }

    /// Closes an instance for nobody who waits; false where it is no longer there.
    @discardableResult
    func closeNow(_ instance: ClosedInstance, _ outcome: ScopeOutcome) -> Bool {
        guard let box = instance.box else { return false }
        Task {
            let errors = await instance.registration.runClosers(box, outcome)
            instance.registration.report(late: errors, to: closeErrorObservers)
        }
        return true
    }
}

extension Registration {
    var closesAsynchronously: Bool {
        closers.contains { if case .async = $0 { true } else { false } }
    }

    /// Runs the closers of an instance, whatever they throw, and gives back what that was.
    func runClosers(_ box: AnyBox, _ outcome: ScopeOutcome) async -> [any Error] {
        var errors: [any Error] = []
        for closer in closers.reversed() {
            do {
                switch closer {
                case .plain(let close): try close(box, outcome)
                case .async(let close): try await close(box, outcome)
                }
            } catch {
                errors.append(error)
            }
        }
        return errors
    }

    /// The same where none of them suspends.
    func runPlainClosers(_ box: AnyBox, _ outcome: ScopeOutcome) -> [any Error] {
        var errors: [any Error] = []
        for case .plain(let close) in closers.reversed() {
            do { try close(box, outcome) } catch { errors.append(error) }
        }
        return errors
    }

    /// Tells what closers have thrown for which nobody waits any more, unless it says that they were canceled.
    fileprivate func report(late errors: [any Error], to observers: [any EngineObserver]) {
        errors.filter { !($0 is CancellationError) }
            .map { CloseError.Failure(of: self, $0) }
            .report(to: observers)
    }
}
