import Depin

/// Where a validation runs factories: on a thread that it can leave behind.
///
/// That thread has the main actor where the one that validates has it, since that one waits meanwhile. Only the
/// process's main thread runs main-actor factories itself.
///
/// A factory that asks by `~>` for what is missing can go on neither way. Its thread stays in it for good, and
/// the rest goes on with a new one.
final class ValidationExecutor: FactoryExecutor {
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
    private let events = Mailbox<Event>()
    private let errands = Mailbox<@Sendable () -> Void>()

    /// What the thread that validates hears of the one that builds.
    private enum Event {
        /// A main-actor factory is to run, and what waits for its end is to be told.
        case errand(end: Mailbox<Void>)
        /// The thread has been left behind.
        case threadLost
        case over
    }

    /// Sets an executor for a body, which is entered anew on each further thread and goes on where the last one
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
                resolution.executor = self
                body(resolution)
                resolution.executor = nil
            }
        }
        return thread.start { [events] in events.put(.over) }
    }

    /// Does what the thread that validates has to do, until all is over.
    private func serve() -> Bool {
        while true {
            switch events.take() {
            case .errand(let end):
                runErrand()
                end.put(())
            case .threadLost: guard startThread() else { return false }
            case .over: return true
            }
        }
    }

    /// Nothing holds the errand when it has run, since it is no closure that may escape.
    private func runErrand() { errands.take()() }

    func onCallingThread<Result>(_ resolution: Resolution, _ body: () throws -> Result) throws
        -> Result
    {
        try withoutActuallyEscaping(body) { body in
            // This thread waits until it has run, and touches neither meanwhile.
            nonisolated(unsafe) let (body, resolution) = (body, resolution)
            nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
            let overlay = SpaceOverlay.current
            errands.put {
                CurrentThread.lending(resolution) {
                    SpaceOverlay.withCurrent(overlay) { result = Swift.Result(catching: body) }
                }
            }
            let end = Mailbox<Void>()
            events.put(.errand(end: end))
            end.take()
            guard let result else { preconditionFailure("an errand that was not run") }
            return try result.get()
        }
    }

    /// Leaves behind what runs here, which can go on neither way.
    ///
    /// It returns on the thread that validates alone, the process's main thread, when all the rest is over:
    /// that thread is in a main-actor factory then, and has no way back.
    func leaveThread(of resolution: Resolution) {
        guard CurrentThread.id == caller else {
            events.put(.threadLost)
            CurrentThread.park()
        }
        // What goes on here is no part of the resolution that it leaves.
        CurrentThread.lending(Resolution()) { _ = startThread() && serve() }
    }
}

/// Hands values from one thread to another, one at a time: whoever puts one waits, is left behind or ends.
private final class Mailbox<Value: Sendable>: Sendable {
    private let value = Guarded<Value?>(nil)
    private let isFilled = Condition()

    func put(_ value: Value) {
        self.value.withLock { $0 = value }
        isFilled.signal()
    }

    func take() -> Value {
        var taken: Value?
        value.withLock(waitingFor: isFilled) { value in
            (taken, value) = (value, nil)
            return taken != nil
        }
        guard let taken else { preconditionFailure("woken by nothing") }
        return taken
    }
}
