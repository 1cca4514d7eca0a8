import Depin
import Foundation
import Testing

private final class East: Sendable {}
private final class West: Sendable {}

/// Does something when it ends.
private final class Draft: Sendable {
    private let atEnd: @Sendable () -> Void
    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }
    deinit { atEnd() }
}

/// How many are inside at a time.
private final class Crowd: @unchecked Sendable {  // guarded by lock
    private let lock = NSLock()
    private var inside = 0
    private(set) var most = 0
    private(set) var passed = 0

    func enter() {
        lock.withLock {
            inside += 1
            most = max(most, inside)
        }
    }

    func leave() {
        lock.withLock {
            inside -= 1
            passed += 1
        }
    }

    private var hasMet: Bool { lock.withLock { most > 1 } }

    func pass() {
        enter()
        // Time for another to come in, if it may.
        let end = ContinuousClock.now + .milliseconds(5)
        while !hasMet, .now < end { sched_yield() }
        leave()
    }

    func passSlowly() async {
        enter()
        for _ in 0..<3 { await Task.yield() }
        leave()
    }
}

/// Every way through a view that serializes factories takes the turn.
struct `The turn of a serialized view` {
    private let container = Container()
    private let crowd = Crowd()

    private func registerSynchronous() {
        container.register(East.self) { [crowd] in
            crowd.pass()
            return East()
        }
        .inObjectScope(.transient)
        container.register(West.self) { [crowd] in
            crowd.pass()
            return West()
        }
        .inObjectScope(.transient)
    }

    private func registerAsynchronous() {
        container.register(
            East.self,
            asyncFactory: { [crowd] in
                await crowd.passSlowly()
                return East()
            }
        )
        .inObjectScope(.transient)
        container.register(
            West.self,
            asyncFactory: { [crowd] in
                await crowd.passSlowly()
                return West()
            }
        )
        .inObjectScope(.transient)
    }

    private func inTasks(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await inTime {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<16 { group.addTask { try await body(index) } }
                try await group.waitForAll()
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `is taken by requireAsync`(_ takesTime: Bool) async throws {
        if takesTime { registerAsynchronous() } else { registerSynchronous() }
        let view = container.synchronize(serializingFactories: true)
        try await inTasks { index in
            if index.isMultiple(of: 2) {
                use(try await view.requireAsync(East.self))
            } else {
                use(try await view.requireAsync(West.self))
            }
        }
        #expect(crowd.most == 1)
        #expect(crowd.passed == 16)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is taken by requireAsync and by threads`() async throws {
        registerAsynchronous()
        container.register(East.self, name: "thread") { [crowd] in
            crowd.pass()
            return East()
        }
        .inObjectScope(.transient)
        let view = container.synchronize(serializingFactories: true)
        let threads = (0..<4).map { _ in
            Work {
                for _ in 0..<8 { use(view.resolve(East.self, name: "thread") as Any) }
            }
        }
        try await inTasks { _ in use(try await view.requireAsync(West.self)) }
        for thread in threads { #expect(thread.value() != nil) }
        #expect(crowd.most == 1)
        #expect(crowd.passed == 48)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is taken by a Provider`() throws {
        registerSynchronous()
        let view = container.synchronize(serializingFactories: true)
        let (left, right) = (view ~> Provider<East>.self, view ~> Provider<West>.self)
        let threads = [
            Work { for _ in 0..<20 { use(left.instance) } },
            Work { for _ in 0..<20 { use(right.instance) } },
        ]
        for thread in threads { #expect(thread.value(within: 100) != nil) }
        #expect(crowd.most == 1)
        #expect(crowd.passed == 40)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is taken by a Lazy`() throws {
        registerSynchronous()
        let view = container.synchronize(serializingFactories: true)
        let threads = [
            Work { for _ in 0..<20 { use((view ~> Lazy<East>.self).instance) } },
            Work { for _ in 0..<20 { use((view ~> Lazy<West>.self).instance) } },
        ]
        for thread in threads { #expect(thread.value(within: 100) != nil) }
        #expect(crowd.most == 1)
        #expect(crowd.passed == 40)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `is taken by an AsyncLazy`(_ takesTime: Bool) async throws {
        if takesTime { registerAsynchronous() } else { registerSynchronous() }
        let view = container.synchronize(serializingFactories: true)
        try await inTasks { index in
            if index.isMultiple(of: 2) {
                use(try await (view ~> AsyncLazy<East>.self).value)
            } else {
                use(try await (view ~> AsyncLazy<West>.self).value)
            }
        }
        #expect(crowd.most == 1)
        #expect(crowd.passed == 16)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is not in the way of what a factory awaits itself`() async throws {
        container.register(
            East.self,
            asyncFactory: { r in
                async let right = r.requireAsync(West.self)
                use(try await right)
                return East()
            }
        )
        container.register(
            West.self,
            asyncFactory: { [crowd] in
                await crowd.passSlowly()
                return West()
            }
        )
        .inObjectScope(.container)
        let view = container.synchronize(serializingFactories: true)
        try await inTasks { index in
            if index.isMultiple(of: 2) {
                use(try await view.requireAsync(East.self))
            } else {
                use(try await view.requireAsync(West.self))
            }
        }
        #expect(crowd.passed == 1)
    }

    /// The builder of what the one with the turn waits for needs the turn, too.
    @Test(.timeLimit(.minutes(5)))
    func `is lent to the task that is waited for`() async throws {
        let view = container.synchronize(serializingFactories: true)
        let (hasTurn, isBuilding) = (AsyncGate(), AsyncGate())
        container.register(
            East.self,
            asyncFactory: { r in
                hasTurn.open()
                await isBuilding.wait()
                use(try await r.requireAsync(West.self))
                return East()
            }
        )
        container.register(
            West.self,
            asyncFactory: {
                isBuilding.open()
                use(try await view.requireAsync(Bool.self))
                return West()
            }
        )
        .inObjectScope(.container)
        container.register(Bool.self, asyncFactory: { true })
        let came = try await inTime { [container] in
            async let left = asyncOutcome { try await view.requireAsync(East.self) }
            await hasTurn.wait()
            async let right = asyncOutcome { try await container.requireAsync(West.self) }
            return await [left, right]
        }
        #expect(came == ["got", "got"])
        container.removeAll()
    }

    @Test(.timeLimit(.minutes(5)))
    func `is no longer waited for by a task that is canceled`() async throws {
        let (hasTurn, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            East.self,
            asyncFactory: {
                hasTurn.open()
                await goOn.wait()
                return East()
            }
        )
        container.register(West.self, asyncFactory: { West() })
        let view = container.synchronize(serializingFactories: true)
        let first = Task { try await view.requireAsync(East.self) }
        await hasTurn.wait()
        let second = Task { try await view.requireAsync(West.self) }
        await letOthersRun()
        second.cancel()
        await #expect(throws: CancellationError.self) {
            use(try await inTime { try await second.value })
        }
        goOn.open()
        use(try await inTime { try await first.value })
        use(try await inTime { try await view.requireAsync(West.self) })
    }

    @Test(.timeLimit(.minutes(5)))
    func `is given back by a factory that fails or is canceled`() async throws {
        struct Failure: Error {}
        let isBuilding = AsyncGate()
        container.register(East.self, asyncFactory: { throw Failure() })
        container.register(
            West.self,
            asyncFactory: {
                isBuilding.open()
                while !Task.isCancelled { await Task.yield() }
                throw CancellationError()
            }
        )
        container.register(Bool.self, asyncFactory: { true })
        let view = container.synchronize(serializingFactories: true)
        #expect(await asyncOutcome { try await view.requireAsync(East.self) } == "factoryFailed")
        let canceled = Task { await asyncOutcome { try await view.requireAsync(West.self) } }
        await isBuilding.wait()
        canceled.cancel()
        let came = try await inTime { await canceled.value }
        #expect(came != "got")
        #expect(try await inTime { try await view.requireAsync(Bool.self) })
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `is given back before what ends with the graph asks for it`(_ isAsync: Bool)
        async throws
    {
        let (container, asked) = (container, CallCount())
        container.register(East.self) { East() }
        let view = container.synchronize(serializingFactories: true)
        container.register(Draft.self) {
            Draft {
                if view.resolve(East.self) != nil { asked.add() }
            }
        }
        container.register(West.self) { r in
            use(r ~> Draft.self)
            return West()
        }
        if isAsync {
            use(try await inTime { try await view.requireAsync(West.self) })
        } else {
            #expect(Work { use(view ~> West.self) }.value() != nil)
        }
        #expect(asked.count == 1)
        container.removeAll()
    }

    @Test(.timeLimit(.minutes(5)))
    func `is not waited for where the instance is ready`() async throws {
        let (hasTurn, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            East.self,
            asyncFactory: {
                hasTurn.open()
                await goOn.wait()
                return East()
            }
        )
        container.register(West.self, asyncFactory: { West() }).inObjectScope(.container)
        let view = container.synchronize(serializingFactories: true)
        let right = try await view.requireAsync(West.self)
        let first = Task { try await view.requireAsync(East.self) }
        await hasTurn.wait()
        #expect(try await inTime { try await view.requireAsync(West.self) } === right)
        goOn.open()
        use(try await first.value)
    }
}
