import Depin

/// Runs factories for a validation, on a thread that it can abandon.
///
/// If the validating thread has the main actor, it lends it to that thread, and waits meanwhile. Only the process's
/// main thread runs main-actor factories itself.
///
/// A factory that requests a missing service by `~>` can neither return nor throw. Its thread stays in it for good, and
/// a new thread does the rest.
final class ValidationExecutor: LeavableExecutor {
    let hasMainActor = Resolution.withCurrent(\.hasMainActor)

    /// True if the validating thread is the process's main thread, on which user interfaces insist.
    private let isCallerMain = CurrentThread.isMainOfProcess
    private let body: @Sendable (Resolution) -> Void
    private let events = Mailbox<Event>()

    /// What the validating thread hears from the building thread.
    private enum Event {
        /// A main-actor factory is to run.
        case errand(@Sendable () -> Void)
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
        let thread = OwnThread(lendingMainActor: hasMainActor && !isCallerMain)
        thread.task(by: self) { [body] in Resolution.withCurrent(body) }
        return thread.start { [events] in events.put(.over) }
    }

    /// Does the validating thread's work until everything is over.
    private func serve() -> Bool {
        while true {
            switch events.take() {
            case .errand(let run): run()
            case .threadLost: guard startThread() else { return false }
            case .over: return true
            }
        }
    }

    func onMainActor(_ resolution: Resolution, _ make: @escaping () throws -> AnyBox) throws
        -> AnyBox
    {
        guard isCallerMain, !CurrentThread.isMainOfProcess else { return try make() }
        // This thread waits until the instance is made, and touches neither meanwhile.
        nonisolated(unsafe) let (make, resolution) = (make, resolution)
        let overlay = SpaceOverlay.current
        let made = Mailbox<Result<AnyBox, any Error>>()
        events.put(
            .errand {
                let result = CurrentThread.lending(resolution) {
                    SpaceOverlay.withCurrent(overlay) { Result(catching: make) }
                }
                made.put(result)
            }
        )
        return try made.take().get()
    }

    /// Abandons the thread, whose factory can neither return nor throw.
    ///
    /// It returns only on the validating thread if that is the process's main thread, and only when all the rest is
    /// over: that thread is inside of a main-actor factory, and has no way back.
    func leaveThread() {
        guard CurrentThread.isMainOfProcess else {
            events.put(.threadLost)
            CurrentThread.park()
        }
        // The work from here on is not part of the abandoned resolution.
        CurrentThread.lending(Resolution()) { _ = startThread() && serve() }
    }
}
