import Depin

/// Runs a task on a thread of its own, which it may keep for good.
///
/// A task, so that the task-local values of whoever makes it are there, as they are in a plain call.
final class OwnThread: TaskExecutor {
    private let hasMainActor: Bool
    private let state = Guarded<(jobs: ContiguousArray<UnownedJob>, isOver: Bool)>(([], false))
    private let changed = Condition()

    /// Lends the main actor to the thread, where whoever starts it has it and waits meanwhile.
    init(lendingMainActor hasMainActor: Bool = false) {
        self.hasMainActor = hasMainActor
    }

    /// Makes the task, which waits for the thread.
    @discardableResult
    func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self) { [self] in
            await body()
            state.withLock { $0.isOver = true }
        }
    }

    /// Runs the task, and then, when nothing holds its body any more, the end; false where the system gives
    /// no thread.
    func start(end: @escaping @Sendable () -> Void) -> Bool {
        // As large a stack as a main thread's, which the system's default is not everywhere.
        startThread(stackSize: 8 << 20) { [self] in
            while let job = nextJob() { execute(job) }
            end()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        changed.signal()
    }

    private func nextJob() -> UnownedJob? {
        var next: UnownedJob?
        state.withLock(waitingFor: changed) { state in
            next = state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            return next != nil || state.isOver
        }
        return next
    }

    private func execute(_ job: UnownedJob) {
        guard hasMainActor else { return job.runSynchronously(on: asUnownedTaskExecutor()) }
        job.runSynchronously(
            isolatedTo: MainActor.sharedUnownedExecutor,
            taskExecutor: asUnownedTaskExecutor()
        )
    }
}
