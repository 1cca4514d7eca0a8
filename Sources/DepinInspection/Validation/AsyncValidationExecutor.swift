import Depin

/// Runs an asynchronous factory for a validation, in a task on a thread that it can abandon.
///
/// A factory that requests a missing service by `~>` can neither return nor throw. Its thread and its task stay in it
/// for good, and the validation goes on without them.
final class AsyncValidationExecutor: LeavableExecutor {
    /// False, because a task goes to the main actor by itself.
    let hasMainActor = false
    private let hasEnded = Signal()

    /// Runs a body until it ends or is abandoned; does nothing if the system gives no thread.
    func execute(_ body: @escaping @Sendable () async -> Void) async {
        let thread = OwnThread()
        let task = thread.task(by: self, body)
        // Inside, so that the task begins with the cancellation that a plain call would see.
        await withTaskCancellationHandler {
            let hasStarted = thread.start { [hasEnded] in hasEnded.happen() }
            if hasStarted { await hasEnded.wait() }
        } onCancel: {
            task.cancel()
        }
    }

    func onMainActor(_ resolution: Resolution, _ make: () throws -> AnyBox) throws -> AnyBox {
        try make()
    }

    func leaveThread() {
        hasEnded.happen()
        CurrentThread.park()
    }
}
