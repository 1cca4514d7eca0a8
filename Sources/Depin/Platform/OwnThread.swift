// A thread whose stack is as large as a main thread's, which the system's default is not everywhere. Unsafe
// pointers are used because the system hands a thread its work as one.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs a task on a thread of its own, which it may keep for good.
///
/// A task, so that the task-local values of whoever starts it are there, as they are in a plain call.
final class OwnThread: TaskExecutor {
    private static let stackSize = 8 << 20

    private final class Work {
        let job: UnownedJob
        let executor: OwnThread

        init(_ job: UnownedJob, _ executor: OwnThread) {
            self.job = job
            self.executor = executor
        }

        func run() {
            job.runSynchronously(on: executor.asUnownedTaskExecutor())
        }
    }

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
        let work = Unmanaged.passRetained(Work(UnownedJob(job), self))
        if !Self.makeThread(for: work.toOpaque()) {
            work.release()
            hasFailed.withLock { $0 = true }
        }
    }

    private static func makeThread(for work: UnsafeMutableRawPointer) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, &attributes, { OwnThread.run($0) }, work)
        #else
        var thread = pthread_t()
        let status = pthread_create(&thread, &attributes, { OwnThread.run($0) }, work)
        #endif
        return status == 0
    }

    private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let work {
            let work = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
            work.run()
            work.executor.end()
        }
        return nil
    }

    /// Leaves the thread that calls where it is, for good.
    static func park() -> Never {
        Guarded(()).withLock(waitingFor: Condition()) { _ in false }
        preconditionFailure("nobody wakes it")
    }
}
