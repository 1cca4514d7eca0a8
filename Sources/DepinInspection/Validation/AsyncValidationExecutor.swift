import Depin

/// Runs an asynchronous factory for a validation, in a task on a thread that it can abandon.
///
/// A factory that requests a missing service by `~>` can neither return nor throw. Its thread and its task stay in it
/// for good, and the validation goes on without them.
final class AsyncValidationExecutor: FactoryExecutor {
    /// Nowhere, because a task goes to the main actor by itself.
    let mainActor = MainActorPlace.nowhere
    var outerPath: Path { frame.step }

    /// The validation's step, which the factory's steps follow.
    private let frame: TaskFrame
    private let hasEnded = Signal()

    init(in frame: TaskFrame) {
        self.frame = frame
    }

    /// Runs a body until it ends or is abandoned; does nothing if the system gives no thread.
    func execute(_ body: @escaping @Sendable () async -> Void) async {
        let thread = OwnThread()
        let task = thread.task { [self] in
            // The thread's own resolution, which joins the steps of the task.
            Resolution.withCurrent { $0.executor = self }
            await body()
            Resolution.withCurrent { $0.executor = nil }
        }
        // Inside, so that the task begins with the cancellation that a plain call would see.
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
