import Depin
import Foundation
import Testing

private final class Disk: Sendable {}
private final class Slow: Sendable {}

/// Something that uses the container when it goes.
private final class Leaving: Sendable {
    let container: Container
    init(_ container: Container) { self.container = container }
    deinit { use(container.resolve(Disk.self) as Any) }
}
private struct Cover: Sendable {}

/// A thread that is not one of those on which other tasks run.
final class OwnQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "closing")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Every closer runs once, whatever else happens at the time.
struct `Closing while something else closes` {
    private let app = Container()
    private let closed = CallCount()

    @Test(.timeLimit(.minutes(5)))
    func `with a limit does not run the closers again that close of a scope runs`() async throws {
        let (isClosing, goOn) = (AsyncGate(), AsyncGate())
        let session = ObjectScope(named: "session")
        app.register(Disk.self) { Disk() }.inObjectScope(session)
            .onClose { [closed] _ in
                _ = closed.add()
                isClosing.open()
                await goOn.wait()
            }
        use(app ~> Disk.self)
        let first = Task { [app] in try await app.close(session) }
        await isClosing.wait()
        await #expect(throws: CloseError.self) { try await app.close(within: .zero) }
        goOn.open()
        try await first.value
        #expect(closed.count == 1)
    }

    /// A closer that blocks its thread, of a scope that closes at once.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `with a limit returns while closers run at once on another thread`(_ isOwn: Bool)
        async throws
    {
        let (isClosing, goOn) = (AsyncGate(), DispatchSemaphore(value: 0))
        let scope = isOwn ? app : app.openScope(EveryScope.opens)
        scope.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [closed] _ in
                _ = closed.add()
                isClosing.open()
                goOn.wait()
            }
        use(scope ~> Disk.self)
        let closing = Task.detached(executorPreference: OwnQueue()) { try? await scope.close() }
        await isClosing.wait()
        let error = await #expect(throws: CloseError.self) {
            try await app.close(within: .milliseconds(1))
        }
        #expect(error?.failures.map { "\($0.request)" } == ["Disk"])
        #expect(error?.failures.first?.isStillRunning == true)
        goOn.signal()
        await closing.value
        #expect(closed.count == 1)
    }

    /// The app waits for a child whose closer suspends.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `runs the closers of an override that ends meanwhile`(_ isScope: Bool) async throws {
        let (isClosing, goOn) = (AsyncGate(), AsyncGate())
        let place = isScope ? app.openScope(EveryScope.opens) : app
        place.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [closed] _ in _ = closed.add() }
        let child = Container(parent: place)
        child.register(Slow.self) { Slow() }.inObjectScope(.container)
            .onClose { _ in
                isClosing.open()
                await goOn.wait()
            }
        use(child ~> Slow.self)
        let closing = await withSpace(\.dependenciesContainer, place) {
            await withSpace(overriding: { _ in }) {
                use(SpaceValues.current.dependenciesContainer ~> Disk.self)
                let closing = Task.detached { try await place.close() }
                await isClosing.wait()
                return closing
            }
        }
        goOn.open()
        try await closing.value
        #expect(closed.count == 1)
    }

    /// A factory of another container makes the request, for which this one does not wait.
    @Test(.timeLimit(.minutes(5)))
    func `refuses what a task asks for that a factory has left running`() async throws {
        let (other, left, came) = (Container(), EventLog<Task<Void, Never>>(), EventLog<String>())
        let (isAsking, isClosing, goOn) = (AsyncGate(), AsyncGate(), AsyncGate())
        let mayAsk = Latch()
        app.register(Cover.self) { Cover() }.inObjectScope(.transient)
        app.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { _ in
                isClosing.open()
                await goOn.wait()
            }
        other.register(Int.self) { [app] in
            isAsking.open()
            mayAsk.wait(within: 100)
            came.note(outcome { try app.require(Cover.self) })
            return 1
        }
        app.register(
            Slow.self,
            asyncFactory: {
                left.note(Task(executorPreference: OwnQueue()) { use(other ~> Int.self) })
                await isAsking.wait()
                return Slow()
            }
        )
        use(app ~> Disk.self)
        use(try await app.requireAsync(Slow.self))
        let closing = Task { [app] in try await app.close() }
        await isClosing.wait()
        mayAsk.open()
        for task in left.all { await task.value }
        goOn.open()
        try await closing.value
        #expect(came.all == ["containerClosed"])
    }

    /// The closer's entry holds the last reference to what the decorator has dropped.
    @Test(.timeLimit(.minutes(5)))
    func `a closer that is added twice may have the instance go that it is for`() {
        app.register(Disk.self) { Disk() }
        let entry = app.register(Any.self) { [app] in Leaving(app) }.inObjectScope(.container)
            .onClose { _ in }
        app.decorate(Any.self) { _, _ in Cover() }
        use(app ~> Any.self)
        entry.onClose { _ in }
        #expect((app ~> Any.self) is Cover)
    }

    @Test func `says that a scope has ended, and which`() async throws {
        app.register(Disk.self) { Disk() }
        let scope = app.openScope(EveryScope.opens)
        try await scope.close()
        let error = #expect(throws: ResolutionError.self) { try scope.require(Disk.self) }
        let text = "\(error.map(\.description) ?? "")"
        #expect(
            text.contains("Disk was requested from scope \(EveryScope.opens), that was closed at")
        )
        #expect(text.contains("fix: await everything that uses the scope before it ends"))
    }
}
