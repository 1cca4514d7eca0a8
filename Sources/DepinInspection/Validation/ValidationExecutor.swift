import Depin

/// Runs factories for a validation, on a thread that it can abandon.
///
/// If the validating thread has the main actor, it lends it to that thread, and waits meanwhile. Only the process's
/// main thread runs main-actor factories itself.
///
/// A factory that requests a missing service by `~>` can neither return nor throw. Its thread stays in it for good, and
/// a new thread does the rest.
final class ValidationExecutor: FactoryExecutor {
    let mainActor: MainActorPlace =
        if CurrentThread.isMainOfProcess {
            .callingThread
        } else if Resolution.withCurrent(\.hasMainActor) {
            .ownThread
        } else {
            .nowhere
        }

    private let caller = CurrentThread.number
    private let body: @Sendable (Resolution) -> Void
    private let events = Mailbox<Event>()
    private let errands = Mailbox<@Sendable () -> Void>()

    /// What the validating thread hears from the building thread.
    private enum Event {
        /// A main-actor factory is to run; the mailbox hears of its end.
        case errand(end: Mailbox<Void>)
        /// The building thread has been abandoned.
        case threadLost
        case over
    }

    /// Makes an executor for a body, which each further thread enters anew and continues where the last thread stopped.
    init(_ body: @escaping @Sendable (Resolution) -> Void) {
        self.body = body
    }

    /// Runs the body to its end; false if the system gives no thread.
    func run() -> Bool {
        startThread() && serve()
    }

    private func startThread() -> Bool {
        let thread = OwnThread(lendingMainActor: mainActor == .ownThread)
        thread.task(by: self) { [body] in Resolution.withCurrent(body) }
        return thread.start { [events] in events.put(.over) }
    }

    /// Does the validating thread's work until everything is over.
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

    /// Nothing holds the errand after it has run, since its closure must not escape.
    private func runErrand() { errands.take()() }

    func onCallingThread<Result>(_ resolution: Resolution, _ body: () throws -> Result) throws
        -> Result
    {
        try withoutActuallyEscaping(body) { body in
            // This thread waits until the body has run, and touches neither meanwhile.
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

    /// Abandons the thread, whose factory can neither return nor throw.
    ///
    /// It returns only on the validating thread if that is the process's main thread, and only when all the rest is
    /// over: that thread is inside of a main-actor factory, and has no way back.
    func leaveThread(of resolution: Resolution) {
        guard CurrentThread.number == caller else {
            events.put(.threadLost)
            CurrentThread.park()
        }
        // The work from here on is not part of the abandoned resolution.
        CurrentThread.lending(Resolution()) { _ = startThread() && serve() }
    }
}
