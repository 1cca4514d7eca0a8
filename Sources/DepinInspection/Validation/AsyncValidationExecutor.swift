import Depin

/// Where a validation runs an asynchronous factory: in a task on a thread that it can leave behind.
///
/// A factory that asks by `~>` for what is missing can go on neither way. Its thread stays in it for good, its task
/// with it, and the validation goes on without them.
final class AsyncValidationExecutor: FactoryExecutor {
    /// A task goes to the main actor by itself.
    let mainActor = MainActorPlace.nowhere
    var outerPath: Path { frame.step }

    /// The step of the validation, within which the factory's are.
    private let frame: TaskFrame
    private let hasEnded = Signal()

    init(in frame: TaskFrame) {
        self.frame = frame
    }

    /// Runs a body to its end, or until it is left behind; not at all where the system gives no thread for it.
    func execute(_ body: @escaping @Sendable () async -> Void) async {
        let thread = OwnThread()
        let task = thread.task { [self] in
            // The thread's own: it joins the steps of the task.
            Resolution.withCurrent { $0.executor = self }
            await body()
            Resolution.withCurrent { $0.executor = nil }
        }
        // Inside, so that the task begins with the cancellation that it would see in a plain call.
        await withTaskCancellationHandler {
            let hasStarted = thread.start { [hasEnded] in hasEnded.happen() }
            if hasStarted { await hasEnded.wait() }
        } onCancel: {
            task.cancel()
        }
    }

    func onCallingThread<Result>(_ resolution: Resolution, _ body: () throws -> Result) throws
        -> Result
    {
        try body()
    }

    func leaveThread(of resolution: Resolution) {
        hasEnded.happen()
        CurrentThread.park()
    }
}
