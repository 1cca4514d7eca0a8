import Depin

/// Runs factories on a thread that it can abandon.
protocol LeavableExecutor: FactoryExecutor {
    /// Abandons the thread and the work on it, which have been given up; returns if that is impossible.
    func leaveThread()
}

/// Runs a task on a thread of its own, which it may keep for good.
///
/// A task, because it takes its maker's task-local values along, as a plain call does.
final class OwnThread: TaskExecutor {
    private let hasMainActor: Bool
    /// The pieces of the task; nil after the last one.
    private let jobs = Mailbox<UnownedJob?>()

    /// Lends the main actor to the thread, if its starter has the main actor and waits meanwhile.
    init(lendingMainActor hasMainActor: Bool = false) {
        self.hasMainActor = hasMainActor
    }

    /// Makes the task, which waits for the thread; an executor runs the factories there.
    @discardableResult
    func task(
        by executor: any FactoryExecutor,
        _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        Task(executorPreference: self) { [self] in
            // The thread's own resolution, which joins the steps of the task.
            Resolution.withCurrent { $0.executor = executor }
            await body()
            Resolution.withCurrent { $0.executor = nil }
            jobs.put(nil)
        }
    }

    /// Runs the task, and then, when nothing holds its body any more, the end; false if the system gives no thread.
    func start(end: @escaping @Sendable () -> Void) -> Bool {
        // A stack as large as a main thread's, which is not the default everywhere.
        startThread(stackSize: 8 << 20) { [self] in
            while let job = jobs.take() { execute(job) }
            end()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.put(UnownedJob(job))
    }

    private func execute(_ job: UnownedJob) {
        guard hasMainActor else { return job.runSynchronously(on: asUnownedTaskExecutor()) }
        job.runSynchronously(
            isolatedTo: MainActor.sharedUnownedExecutor,
            taskExecutor: asUnownedTaskExecutor()
        )
    }
}
