/// Runs a task on a thread of its own, which it may keep for good.
///
/// A task, so that the task-local values of whoever starts it are there, as they are in a plain call.
final class OwnThread: TaskExecutor {
    private let hasFailed = Guarded(false)
    private let end: @Sendable () -> Void

    private init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Runs a body on a new thread, and then, when nothing holds the body any more, the end; false where the
    /// system gives no thread.
    static func start(
        _ body: @escaping @Sendable () -> Void,
        end: @escaping @Sendable () -> Void
    ) -> Bool {
        let executor = OwnThread(end)
        Task(executorPreference: executor) { body() }
        return !executor.hasFailed.withLock { $0 }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // As large a stack as a main thread's, which the system's default is not everywhere.
        let isStarted = startThread(stackSize: 8 << 20) { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
            end()
        }
        if !isStarted { hasFailed.withLock { $0 = true } }
    }

    /// Leaves the thread that calls where it is, for good.
    static func park() -> Never {
        Guarded(()).withLock(waitingFor: Condition()) { _ in false }
        preconditionFailure("nobody wakes it")
    }
}
