import Depin

/// Where a validation runs factories: on a thread that it can leave behind.
///
/// That thread has the main actor where the one that validates has it, since that one waits meanwhile. Only the
/// process's main thread runs main-actor factories itself.
///
/// A factory that asks by `~>` for what is missing can go on neither way. Its thread stays in it for good, and
/// the rest goes on with a new one.
final class ValidationStage: Stage {
    let mainActor: MainActorPlace =
        if CurrentThread.isMainOfProcess {
            .callingThread
        } else if Resolution.withCurrent(\.hasMainActor) {
            .ownThread
        } else {
            .nowhere
        }

    var outerPath: Path { nil }
    private let caller = CurrentThread.id
    private let body: @Sendable (Resolution) -> Void
    private let events = Events()

    /// Sets a stage for a body, which is entered anew on each further thread and goes on where the last one
    /// stopped.
    init(_ body: @escaping @Sendable (Resolution) -> Void) {
        self.body = body
    }

    /// Runs the body to its end; false where the system gives no thread for it.
    func run() -> Bool {
        startThread() && serve()
    }

    private func startThread() -> Bool {
        let thread = OwnThread(lendingMainActor: mainActor == .ownThread)
        thread.task { [self] in
            Resolution.withCurrent { resolution in
                resolution.stage = self
                body(resolution)
                resolution.stage = nil
            }
        }
        return thread.start { [events] in events.tell(.over) }
    }

    /// Does what the thread that validates has to do, until all is over.
    private func serve() -> Bool {
        while true {
            switch events.next() {
            case .errand(let errand): errand.run()
            case .threadLost: guard startThread() else { return false }
            case .over: return true
            }
        }
    }

    func onCallingThread<Result>(_ resolution: Resolution, _ body: () throws -> Result) throws
        -> Result
    {
        try withoutActuallyEscaping(body) { body in
            // This thread waits until it has run, and touches neither meanwhile.
            nonisolated(unsafe) let (body, resolution) = (body, resolution)
            nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
            let overlay = SpaceOverlay.current
            let errand = Errand {
                CurrentThread.lending(resolution) {
                    SpaceOverlay.withCurrent(overlay) { result = Swift.Result(catching: body) }
                }
            }
            events.tell(.errand(errand))
            errand.wait()
            guard let result else { preconditionFailure("an errand that was not run") }
            return try result.get()
        }
    }

    /// Leaves behind what runs here, which can go on neither way.
    ///
    /// It returns on the thread that validates alone, the process's main thread, when all the rest is over:
    /// that thread is in a main-actor factory then, and has no way back.
    func leave(_ resolution: Resolution) {
        guard CurrentThread.id == caller else {
            events.tell(.threadLost)
            OwnThread.park()
        }
        // What goes on here is no part of the resolution that it leaves.
        CurrentThread.lending(Resolution()) { _ = startThread() && serve() }
    }
}

/// What the thread that validates hears of the one that builds.
private final class Events: Sendable {
    enum Event {
        /// A main-actor factory is to run.
        case errand(Errand)
        /// The thread has been left behind.
        case threadLost
        case over
    }

    /// One at a time, since the thread that has one to tell waits, is left behind or ends.
    private let event = Guarded<Event?>(nil)
    private let happened = Condition()

    func tell(_ event: Event) {
        self.event.withLock { $0 = event }
        happened.signal()
    }

    func next() -> Event {
        var next: Event?
        event.withLock(waitingFor: happened) { event in
            (next, event) = (event, nil)
            return next != nil
        }
        guard let next else { preconditionFailure("woken by nothing") }
        return next
    }
}

/// What the thread that validates does for the one that builds.
private final class Errand: Sendable {
    private enum State {
        case waits(@Sendable () -> Void)
        case runs
        case done
    }

    private let state: Guarded<State>
    private let ended = Condition()

    init(_ body: @escaping @Sendable () -> Void) {
        state = Guarded(.waits(body))
    }

    func run() {
        runBody()
        state.withLock { $0 = .done }
        ended.signal()
    }

    /// Nothing holds the body when it has run, since it is no closure that may escape.
    private func runBody() {
        let body = state.withLock { state -> (@Sendable () -> Void)? in
            guard case .waits(let body) = state else { return nil }
            state = .runs
            return body
        }
        body?()
    }

    func wait() {
        state.withLock(waitingFor: ended) { state in
            if case .done = state { true } else { false }
        }
    }
}
