import Foundation
import Testing

@testable import Depin

/// Tasks that wait for each other's builds.
// One after another, because they look for whoever waits for a type.
@Suite(.serialized)
struct `Services that take time: who waits` {
    private let container = Container()

    @Test(.timeLimit(.minutes(10)))
    func `a pool of one thread is enough`() async throws {
        let (gate, asked) = (AsyncGate(), Shared(0))
        container.register(
            Slow.self,
            asyncFactory: {
                await gate.wait()
                return Slow()
            }
        ).inObjectScope(.container)
        container.autoregister(User.self, initializer: User.init)
        let task = Task(executorPreference: OneThread()) { [container] in
            try await withThrowingTaskGroup(of: Slow.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        if asked.count() == 20 { gate.open() }
                        return try await container.requireAsync(User.self).slow
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        let all = try await task.value
        #expect(all.count == 20 && all.allSatisfy { $0 === all[0] })
    }

    @Test func `a waiter that is cancelled stops waiting, and the build goes on`() async throws {
        let gate = AsyncGate()
        let builder = await beginBuild(until: gate)
        let waiter = Task { [container] in try await container.requireAsync(Slow.self) }
        await untilSomeoneWaits(for: Slow.self)
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        gate.open()
        let built = try await builder.value
        #expect(try await container.requireAsync(Slow.self) === built)
    }

    /// A serialized request waits for a build, and lends its turn to that.
    @Test(.timeLimit(.minutes(5)))
    func `a lent turn is had until both are done, also where the lender is cancelled`()
        async throws
    {
        let (begun, gate) = (AsyncGate(), AsyncGate())
        let (inTurn, end, ended) = (AsyncGate(), AsyncGate(), Shared(0))
        let view = container.synchronize(serializingFactories: true)
        container.register(
            Slow.self,
            asyncFactory: {
                inTurn.open()
                await end.wait()
                _ = ended.count()
                return Slow()
            }
        )
        .inObjectScope(.transient)
        container.register(
            User.self,
            asyncFactory: {
                begun.open()
                await gate.wait()
                return User(slow: try await view.requireAsync(Slow.self))
            }
        )
        .inObjectScope(.container)
        container.register(Int.self) { ended.value }
        let builder = Task { [container] in try await container.requireAsync(User.self) }
        await begun.wait()
        let lender = Task { try await view.requireAsync(User.self) }
        await untilSomeoneWaits(for: User.self)
        gate.open()
        await inTurn.wait()
        lender.cancel()
        await #expect(throws: CancellationError.self) { try await lender.value }
        let next = Running { view ~> Int.self }
        next.untilItWaitsOrEnds()
        end.open()
        _ = try await builder.value
        #expect(next.value == 1)
        // A factory holds the view, which holds the container.
        container.removeAll()
    }

    @Test func `a task that is cancelled already does not wait`() async throws {
        let gate = AsyncGate()
        let builder = await beginBuild(until: gate)
        let waiter = Task { [container] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await container.requireAsync(Slow.self)
        }
        await #expect(throws: CancellationError.self) { try await waiter.value }
        gate.open()
        _ = try await builder.value
    }

    @Test(arguments: [true, false])
    func `where the builder is cancelled or fails the next who waits builds`(isCancelled: Bool)
        async throws
    {
        let (begun, gate, made) = (AsyncGate(), AsyncGate(), Shared(0))
        container.register(
            Slow.self,
            asyncFactory: {
                guard made.count() == 1 else { return Slow() }
                begun.open()
                await gate.wait()
                if !isCancelled { throw Failure() }
                // It returns although its task was cancelled.
                return Slow()
            }
        ).inObjectScope(.container)
        let builder = Task { [container] in try await container.requireAsync(Slow.self) }
        await begun.wait()
        let waiter = Task { [container] in try await container.requireAsync(Slow.self) }
        await untilSomeoneWaits(for: Slow.self)
        if isCancelled { builder.cancel() }
        gate.open()
        let error = await #expect(throws: (any Error).self) { try await builder.value }
        #expect(isCancelled ? error is CancellationError : error is ResolutionError)
        let built = try await waiter.value
        #expect(made.value == 2)
        #expect(try await container.requireAsync(Slow.self) === built)
    }

    @Test(arguments: SharedScope.allCases)
    func `a reset during a build: those who wait are served, the next builds anew`(
        _ shared: SharedScope
    ) async throws {
        let (begun, gate, made) = (AsyncGate(), AsyncGate(), Shared(0))
        container.register(
            Slow.self,
            asyncFactory: {
                made.count()
                begun.open()
                await gate.wait()
                return Slow()
            }
        ).inObjectScope(shared.scope)
        let builder = Task { [container] in try await container.requireAsync(Slow.self) }
        await begun.wait()
        let waiter = Task { [container] in try await container.requireAsync(Slow.self) }
        await untilSomeoneWaits(for: Slow.self)
        container.resetObjectScope(shared.scope)
        gate.open()
        let built = try await builder.value
        #expect(try await waiter.value === built)
        #expect(try await container.requireAsync(Slow.self) !== built)
        #expect(made.value == 2)
    }

    //  Left (async) ──► Right (async) ──► Left, each begun by a task of its own
    @Test func `a circle of two tasks is an error with both paths`() async throws {
        let (left, right, begun) = (AsyncGate(), AsyncGate(), Shared(0))
        container.register(
            Left.self,
            asyncFactory: { r in
                left.open()
                await right.wait()
                // Who waits for the first makes it again.
                if begun.count() == 1 { await untilSomeoneWaits(for: Left.self) }
                return try await Left(right: r.requireAsync(Right.self))
            }
        ).inObjectScope(.container)
        container.register(
            Right.self,
            asyncFactory: { r in
                await left.wait()
                right.open()
                return try await Right(left: r.requireAsync(Left.self))
            }
        ).inObjectScope(.container)
        let other = Task { [container] in try await container.requireAsync(Right.self) }
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync(Left.self)
        }
        #expect(error?.reason == .circularDependency)
        #expect(error?.path.map { "\($0.request)" } == ["Left", "Right"])
        #expect(error?.otherPath.map { "\($0.request)" } == ["Right", "Left"])
        let text = "\(error.map(\.description) ?? "")"
        #expect(text.hasPrefix("circular dependency across two tasks: each waits for the other"))
        #expect(text.contains("\n  this task's path, outermost first:\n    Left, registered at"))
        // The other one's wait ended with the build that failed, and its own is circular too.
        await #expect(throws: ResolutionError.self) { try await other.value }
    }

    //  Left (async) ──► Middle ──► Right ──► Middle, of which a thread has begun Right
    @Test func `a circle of a task and a thread is an error with both paths`() async throws {
        let (isRight, isLeft) = (Gate(), Gate())
        container.register(Middle.self) { r in
            isLeft.open()
            isRight.wait()
            return try Middle(right: r.require(ThreadRight.self))
        }.inObjectScope(.container)
        container.register(ThreadRight.self) { r in
            isLeft.wait()
            isRight.open()
            return try ThreadRight(middle: r.require(Middle.self))
        }.inObjectScope(.container)
        container.register(
            Left.self,
            asyncFactory: { r in
                await Task.yield()
                _ = try r.require(Middle.self)
                return Left(right: nil)
            }
        ).inObjectScope(.container)
        let thread = Running { [container] in
            do {
                _ = try container.require(ThreadRight.self)
                return nil as String?
            } catch {
                return "\(error)"
            }
        }
        var texts: [String] = []
        do {
            _ = try await container.requireAsync(Left.self)
        } catch {
            texts.append("\(error)")
        }
        if let text = thread.value { texts.append(text) }
        // Whoever comes last closes the circle; the other fails with it or finds it on its own path.
        #expect(texts.contains { $0.contains(#/across a (task and a thread|thread and a task)/#) })
    }

    @Test func `a synchronous request never waits for what a task builds`() async throws {
        let gate = AsyncGate()
        let builder = await beginBuild(until: gate)
        let error = #expect(throws: ResolutionError.self) { try container.require(Slow.self) }
        #expect(error?.reason == .needsAwait)
        gate.open()
        let built = try await builder.value
        #expect(try container.require(Slow.self) === built)
    }

    // MARK: - The path of a task

    @Test func `neither for what a task builds to decorate it in a child`() async throws {
        let gate = AsyncGate()
        let builder = await beginBuild(until: gate)
        let child = Container(parent: container)
        child.decorate(Slow.self) { _, slow in slow }
        let waiter = Task { try await child.requireAsync(Slow.self) }
        await untilSomeoneWaits(for: Slow.self)
        let request = Running { Result { try child.require(Slow.self) } }
        request.untilItWaitsOrEnds()
        #expect(request.hasEnded)
        gate.open()
        let built = try await builder.value
        #expect(try await waiter.value === built)
        let error = #expect(throws: ResolutionError.self) { try request.value.get() }
        #expect(error?.reason == .needsAwait)
    }

    /// The thread that waits for it may be the one that the task would need to go on.
    @Test(.timeLimit(.minutes(5)))
    func `a task is suspended nowhere in the making of what takes no time`() async throws {
        let (inFactory, gate) = (Gate(), Gate())
        container.register(Slow.self) {
            inFactory.open()
            gate.wait()
            return Slow()
        }.inObjectScope(.container)
        let child = Container(parent: container)
        child.decorate(Slow.self) { _, slow in slow }
        let builder = Running { [container] in container ~> Slow.self }
        inFactory.wait()
        let thread = OneThread()
        let task = Task(executorPreference: thread) { try await child.requireAsync(Slow.self) }
        await untilSomeoneWaits(for: Slow.self)
        let other = Task(executorPreference: thread) { child ~> Slow.self }
        gate.open()
        let slow = try await task.value
        #expect(await other.value === slow && builder.value === slow)
    }

    @Test func `a request after a suspension belongs to the factory, on whatever thread`()
        async throws
    {
        defer { container.removeAll() }
        container.register(Slow.self) { throw Failure() }
        container.register(Right.self) { [container] _ in
            _ = try container.require(Slow.self)
            return Right(left: nil)
        }
        container.register(
            Left.self,
            asyncFactory: { [container] in
                await Task.yield()
                return Left(right: try container.require(Right.self))
            }
        )
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync(Left.self)
        }
        #expect(error?.path.map { "\($0.request)" } == ["Left", "Right", "Slow"])
    }

    @Test func `what leads back to a factory that is suspended is circular`() async throws {
        container.register(
            Left.self,
            asyncFactory: { r in
                await Task.yield()
                return Left(right: try r.require(Right.self))
            }
        ).inObjectScope(.container)
        container.register(Right.self) { r in Right(left: try r.require(Left.self)) }
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync(Left.self)
        }
        #expect(error?.reason == .circularDependency)
        #expect(error?.description.hasPrefix("circular dependency: Left → Right → Left") == true)
    }

    @Test func `a task that outlives its factory begins anew`() async throws {
        let (ended, result) = (AsyncGate(), Shared<[String]>([]))
        let done = AsyncGate()
        container.register(Slow.self) { throw Failure() }
        container.register(
            Left.self,
            asyncFactory: { [container] in
                Task {
                    await ended.wait()
                    do {
                        _ = try container.require(Slow.self)
                    } catch let error as ResolutionError {
                        result.change { $0 = error.path.map { "\($0.request)" } }
                    }
                    done.open()
                }
                return Left(right: nil)
            }
        )
        defer { container.removeAll() }
        _ = try await container.requireAsync(Left.self)
        ended.open()
        await done.wait()
        #expect(result.value == ["Slow"])
    }

    @Test func `callbacks run once, and may ask for what was just made`() async throws {
        let completed = Shared(0)
        container.register(Left.self, asyncFactory: { Left(right: nil) })
            .inObjectScope(.container)
            .initCompleted { r, left in
                completed.count()
                left.back.change { $0 = r.resolve(Right.self) }
            }
        container.register(Right.self) { r in Right(left: r ~> Left.self) }
        let left = try await container.requireAsync(Left.self)
        #expect(left.back.value?.left === left)
        _ = try await container.requireAsync(Left.self)
        #expect(completed.value == 1)
        left.back.change { $0 = nil }
    }

    // MARK: - Many

    @Test(arguments: 0..<8)
    func `many tasks, with failures and cancellations, agree on what they share`(seed: UInt64)
        async throws
    {
        let made = Shared(0)
        container.register(
            Slow.self,
            asyncFactory: {
                let number = made.count()
                await Task.yield()
                if number % 3 == 0 { throw Failure() }
                return Slow()
            }
        ).inObjectScope(.container)
        container.register(
            Left.self,
            asyncFactory: { r in
                async let one = r.requireAsync(Slow.self)
                async let two = r.requireAsync(User.self)
                let (slow, user) = try await (one, two)
                #expect(slow === user.slow)
                return Left(right: nil)
            }
        ).inObjectScope(.container)
        container.autoregister(User.self, initializer: User.init).inObjectScope(.container)
        var random = SeededGenerator(seed: seed)
        let cancelled = (0..<200).map { _ in Int.random(in: 0..<4, using: &random) == 0 }
        let all = await withTaskGroup(of: Left?.self) { [container] group in
            for isCancelled in cancelled {
                group.addTask {
                    let task = Task { try await container.requireAsync(Left.self) }
                    if isCancelled { task.cancel() }
                    return try? await task.value
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let lefts = Set(all.compactMap { $0.map { ObjectIdentifier($0) } })
        #expect(lefts.count == 1)
    }

    /// Two tasks that come at the same time would else make one each.
    @Test func `tasks find the graph that their factory begins`() async throws {
        let graphs = Shared<[Bool]>([])
        @Sendable func note() {
            let path: Path = TaskFrame.current?.step
            graphs.change { $0.append(path.graph != nil) }
        }
        container.register(
            Slow.self,
            asyncFactory: { (_: Resolver, _: Int) in
                note()
                return Slow()
            }
        )
        .inObjectScope(.container)
        _ = try await container.require(ServiceFactory<Slow, Int>.self).requireAsync(1)
        #expect(graphs.value == [true])
    }

    // MARK: - Help

    /// Has a task build a `Slow`, and returns when its factory has begun, which goes on with the gate.
    private func beginBuild(until gate: AsyncGate) async -> Task<Slow, any Error> {
        let begun = AsyncGate()
        container.register(
            Slow.self,
            asyncFactory: {
                begun.open()
                await gate.wait()
                return Slow()
            }
        ).inObjectScope(.container)
        let builder = Task { [container] in try await container.requireAsync(Slow.self) }
        await begun.wait()
        return builder
    }
}

// MARK: -

private struct Failure: Error {}
private final class Slow: Sendable {}

private final class User: Sendable {
    let slow: Slow

    init(slow: Slow) {
        self.slow = slow
    }
}

private final class Left: Sendable {
    let right: Right?
    let back = Shared<Right?>(nil)

    init(right: Right?) {
        self.right = right
    }
}

private final class Right: Sendable {
    let left: Left?

    init(left: Left?) {
        self.left = left
    }
}

private final class Middle: Sendable {
    init(right: ThreadRight) {}
}

private final class ThreadRight: Sendable {
    init(middle: Middle) {}
}

/// Returns once a task waits for an instance of a type that another builds.
///
/// It looks until that is so: no result depends on how soon it is.
private func untilSomeoneWaits(for type: Any.Type) async {
    while !WaitCoordinator.shared.awaitedTypes.contains(where: { $0 == type }) {
        await Task.yield()
    }
}
