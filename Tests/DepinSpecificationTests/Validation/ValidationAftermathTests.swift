import Depin
import DepinInspection
import Foundation
import Testing

/// A validation's products may begin work that goes on when the validation has ended.
///
/// Each runs in a process of its own, which that work must not stop. The thread of such work may be
/// given an instance of the fork, or never go on; the test waits for the first for a moment.
struct `What a validation has made` {
    @Test func `uses its Lazy later`() async {
        await #expect(processExitsWith: .success) {
            try validateAndGoOn { resolver in
                let lazy = resolver ~> Lazy<Shelf>.self
                return { _ = lazy.instance }
            }
        }
    }

    @Test func `uses its Provider later`() async {
        await #expect(processExitsWith: .success) {
            try validateAndGoOn { resolver in
                let provider = resolver ~> Provider<Shelf>.self
                return { _ = provider.instance }
            }
        }
    }

    @Test func `uses its resolver later`() async {
        await #expect(processExitsWith: .success) {
            try validateAndGoOn { resolver in { use(resolver ~> Shelf.self) } }
        }
    }

    @Test func `reads its property later`() async {
        await #expect(processExitsWith: .success) {
            try validateAndGoOn { _ in
                let store = Injected<Shelf>()
                return { _ = store.wrappedValue }
            }
        }
    }

    @Test func `asks later for what is registered nowhere`() async {
        await #expect(processExitsWith: .success) {
            try validateAndGoOn { resolver in { use(resolver ~> String.self) } }
        }
    }

    @Test func `has a property later of what is registered nowhere`()
        async
    {
        await #expect(processExitsWith: .success) {
            try validateAndGoOn { _ in
                let text = Injected<String>()
                return { _ = text.wrappedValue }
            }
        }
    }

    @Test func `asks later for what leads back to itself`() async {
        await #expect(processExitsWith: .success) {
            try validateAndGoOn { resolver in
                {
                    use(resolver ~> (Circle.self, argument: 1))
                }
            }
        }
    }

    @Test func `stops the program where the main thread asks later for what is missing`()
        async throws
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            await MainActor.run {
                let works = WorkList()
                let container = Container()
                container.register(Syncer.self) { resolver in
                    works.add { use(resolver ~> String.self) }
                    return Syncer()
                }
                _ = try? container.validate()
                works.run()
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Fatal error: Depin: nothing is registered for String"))
    }

    @Test func `says on standard error which thread it leaves behind, and for what`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            try validateAndGoOn { resolver in { use(resolver ~> String.self) } }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Depin: nothing is registered for String"))
        #expect(text.contains("this thread is abandoned"))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func `is not in the way of another task on the thread that validated`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let (executor, isOver, ended) = (OneThread(), Latch(), DispatchSemaphore(value: 0))
            let container = Container()
            container.register(Syncer.self) { resolver in
                Task(executorPreference: executor) {
                    isOver.open()
                    use(resolver ~> String.self)
                }
                return Syncer()
            }
            Task(executorPreference: executor) {
                try container.validate()
                ended.signal()
            }
            ended.wait()
            isOver.wait()
            executor.settle()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("this thread is abandoned"))
    }

    @Test func `stops the program where no thread would be left for tasks`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let container = Container()
            container.register(Syncer.self) { resolver in
                for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                    Task.detached { use(resolver ~> String.self) }
                }
                return Syncer()
            }
            try container.validate()
            // It ends at once; where it does not, no task is left that could end it.
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 10)
                exit(EXIT_SUCCESS)
            }
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Fatal error: Depin: nothing is registered for String"))
    }

    /// As when a product has put itself on a list of the process, which is gone through later.
    @Test func `is used by the thread that validated`() async {
        await #expect(processExitsWith: .success) {
            let works = WorkList()
            let container = Container()
            container.register(Shelf.self) { Shelf() }
            container.register(Syncer.self) { resolver in
                let (lazy, provider) = (
                    resolver ~> Lazy<Shelf>.self, resolver ~> Provider<Shelf>.self
                )
                works.add {
                    _ = lazy.instance
                    _ = provider.instance
                    use(resolver ~> Shelf.self)
                }
                return Syncer()
            }
            try container.validate()
            expect(onThread { works.run() } != nil, "it hangs")
            expect(works.run() == 1, "nothing was put on the list")
            works.clear()
        }
    }
}

private final class Shelf: Sendable {}
private final class Syncer: Sendable {}
private final class Circle: Sendable {}

/// Runs tasks on one thread.
private final class OneThread: TaskExecutor {
    private let queue = WorkQueue()

    init() {
        Thread.detachNewThread { [queue] in queue.run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let (job, executor) = (UnownedJob(job), asUnownedTaskExecutor())
        queue.add { job.runSynchronously(on: executor) }
    }

    /// Waits for what is there so far, and no longer than a second, since the thread may be lost.
    func settle() {
        let isDone = DispatchSemaphore(value: 0)
        queue.add { isDone.signal() }
        _ = isDone.wait(timeout: .now() + 1)
    }
}

private final class WorkQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var works: [@Sendable () -> Void] = []  // guarded by condition

    func add(_ work: @escaping @Sendable () -> Void) {
        condition.withLock {
            works.append(work)
            condition.signal()
        }
    }

    func run() {
        while true { next()() }
    }

    private func next() -> @Sendable () -> Void {
        condition.withLock {
            while works.isEmpty { condition.wait() }
            return works.removeFirst()
        }
    }
}

private final class WorkList: @unchecked Sendable {
    private let lock = NSLock()
    private var works: [@Sendable () -> Void] = []  // guarded by lock

    func add(_ work: @escaping @Sendable () -> Void) {
        lock.withLock { works.append(work) }
    }

    @discardableResult
    func run() -> Int {
        let all = lock.withLock { works }
        for work in all { work() }
        return all.count
    }

    /// Unties the knot that a test has tied: the factory holds the list, and the list what keeps its container open.
    func clear() {
        let all = lock.withLock {
            defer { works = [] }
            return works
        }
        withExtendedLifetime(all) {}
    }
}

/// Validates a container whose products begin work, of every scope, and lets it go on.
private func validateAndGoOn(
    work: @escaping @Sendable (any Resolver) -> @Sendable () -> Void
) throws {
    let (syncers, ended) = (Population(), DispatchSemaphore(value: 0))
    let isOver = Latch()
    let container = Container()
    container.register(Shelf.self) { Shelf() }
    let scopes = [ObjectScope.transient, .graph, .container, .weak, ObjectScope(named: "named")]
    for (index, scope) in scopes.enumerated() {
        container.register(Syncer.self, name: "\(index)") { resolver in
            let later = work(resolver)
            // It belongs to no syncer, as the work of a queue.
            Thread.detachNewThread {
                isOver.wait()
                later()
                ended.signal()
            }
            let syncer = Syncer()
            syncers.add(syncer)
            return syncer
        }
        .inObjectScope(scope)
    }
    // What leads back to itself is there, and is no problem as long as it is not asked for.
    container.register(Circle.self) { (resolver: any Resolver, depth: Int) in
        try resolver.require(Circle.self, argument: depth)
    }
    try container.validate()
    isOver.open()
    let patience = DispatchTime.now() + 1
    for _ in scopes { _ = ended.wait(timeout: patience) }
    expect(syncers.total == scopes.count, "\(syncers.total) were made")
    expect(syncers.alive == 0, "\(syncers.alive) are held")
}
