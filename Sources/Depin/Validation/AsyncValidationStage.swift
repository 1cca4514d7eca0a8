/// Where a validation runs an asynchronous factory: in a task on a thread that it can leave behind.
///
/// A factory that asks by `~>` for what is missing can go on neither way. Its thread stays in it for good, its task
/// with it, and the validation goes on without them.
final class AsyncValidationStage: Stage, TaskExecutor {
    /// A task goes to the main actor by itself.
    let hasMainThread = false

    private struct State {
        var jobs: ContiguousArray<UnownedJob> = []
        /// True once the task would see a cancellation of whoever validates.
        var hasBegun = false
        var isOver = false
    }

    /// The step of the validation, within which the factory's are.
    private let frame: AsyncFrame
    private let state = Guarded(State())
    private let changed = Condition()
    private let hasEnded = Signal()

    init(in frame: AsyncFrame) {
        self.frame = frame
    }

    /// Runs a body to its end, or until it is left behind; false where the system gives no thread for it.
    func run(_ body: @escaping @Sendable () async -> Void) async -> Bool {
        let isStarted = OwnThread.start { [self] in
            runJobs()
        } end: { [hasEnded] in
            hasEnded.happen()
        }
        guard isStarted else { return false }
        let task = Task(executorPreference: self) { [self] in
            await body()
            state.withLock { $0.isOver = true }
        }
        await withTaskCancellationHandler {
            state.withLock { $0.hasBegun = true }
            changed.signal()
            await hasEnded.wait()
        } onCancel: {
            task.cancel()
        }
        return true
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        changed.signal()
    }

    private func runJobs() {
        // The thread's own path: it joins the steps of the task that it runs.
        CurrentThread.withObject(Path.init) { path in
            path.stage = self
            defer { path.stage = nil }
            while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    private func nextJob() -> UnownedJob? {
        var next: UnownedJob?
        state.withLock(waitingFor: changed) { state in
            next = !state.hasBegun || state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            return next != nil || state.isOver
        }
        return next
    }

    func onMainThread<Result>(_ path: Path, _ body: () throws -> Result) throws -> Result {
        try body()
    }

    func leave(_ path: Path) {
        for number in path.principals.prefix(while: { $0 != frame.number }) {
            Site.shared.abandonAll(of: number)
        }
        hasEnded.happen()
        OwnThread.park()
    }
}
