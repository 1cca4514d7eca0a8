import Depin
import Foundation
import Testing

private final class Job: Sendable {}
private final class Tool: Sendable {}

/// Tries at its start to have its service from a task.
private final class Runner: Sendable {
    let injected = Injected<AsyncLazy<Job>>()
}

/// What a task has come to that a factory started and did not await: the instance, or an error that names the cure.
private func expectBegunAnew(
    _ came: Result<some Any, any Error>?,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    switch came {
    case .success: break
    case .failure(let error):
        #expect("\(error)".contains("Task.detached"), sourceLocation: sourceLocation)
    case nil: Issue.record("it hangs", sourceLocation: sourceLocation)
    }
}

private func result<Value: Sendable>(
    of task: Task<Value, any Error>
) async -> Result<Value, any Error>? {
    do {
        return .success(try await inTime { try await task.value })
    } catch is Hangs {
        return nil
    } catch {
        return .failure(error)
    }
}

struct `A task that an asynchronous factory starts and does not await` {
    private let container = Container()
    private let goOn = AsyncGate()
    private let tasks = EventLog<Task<Job, any Error>>()

    /// Registers a job whose factory starts a task, and runs until that has asked.
    private func registerJob(
        _ kept: EveryScope,
        _ ask: @escaping @Sendable (any Resolver) async throws -> Job
    ) {
        container.register(
            Job.self,
            asyncFactory: { [goOn, tasks] r in
                // Once: an unshared one would have the task start another.
                if tasks.all.isEmpty {
                    let hasBegun = AsyncGate()
                    tasks.note(
                        Task {
                            hasBegun.open()
                            return try await ask(r)
                        }
                    )
                    await hasBegun.wait()
                    await letOthersRun()
                    await goOn.wait()
                }
                return Job()
            }
        )
        .inObjectScope(kept.scope)
    }

    private func expectJob(_ kept: EveryScope, givesIt: Bool = true) async throws {
        let place = kept.place(in: container)
        let asked = Task { try await place.requireAsync(Job.self) }
        while tasks.all.isEmpty { await Task.yield() }
        await letOthersRun()
        goOn.open()
        let job = try await inTime { try await asked.value }
        let came = await result(of: tasks.all[0])
        expectBegunAnew(came)
        if case .success(let own)? = came, givesIt, EveryScope.shared.contains(kept) {
            #expect(own === job)
        }
    }

    /// What a task comes to that a job's factory leaves running once it is asking, and that goes on when that is over.
    private func resultOfLeftTask<Value: Sendable>(
        once isAsking: AsyncGate,
        _ ask: @escaping @Sendable (any Resolver) async throws -> Value
    ) async throws -> Value {
        let left = EventLog<Task<Value, any Error>>()
        container.register(
            Job.self,
            asyncFactory: { r in
                left.note(Task { try await ask(r) })
                await isAsking.wait()
                return Job()
            }
        )
        use(try await container.requireAsync(Job.self))
        goOn.open()
        return try await #require(left.all.first).value
    }

    // MARK: - While the factory runs

    @Test(.timeLimit(.minutes(5)))
    func `has one weak instance for its request when the factory is over`() async throws {
        let (isAsking, made) = (AsyncGate(), CallCount())
        container.register(Tool.self) { _ in
            made.add()
            return Tool()
        }
        .inObjectScope(.weak)
        container.register(
            Int.self,
            asyncFactory: { [goOn] r in
                isAsking.open()
                await goOn.wait()
                for _ in 0..<2 { use(r ~> Tool.self) }
                return made.count
            }
        )
        let came = try await resultOfLeftTask(once: isAsking) { r in
            try await r.requireAsync(Int.self)
        }
        #expect(came == 1)
    }

    /// The graph that it goes on in has let go of the containers from which it was asked.
    @Test(.timeLimit(.minutes(5)))
    func `may ask another container when the graph of the factory has ended`() async throws {
        let (isAsking, child) = (AsyncGate(), Container(parent: container))
        container.register(Tool.self) { _ in Tool() }
        child.register(Runner.self) { _ in Runner() }
            .initCompleted { r, _ in use(r ~> Tool.self) }
        container.register(
            Array<Runner>.self,
            asyncFactory: { [goOn] _ in
                isAsking.open()
                await goOn.wait()
                return [try child.require(Runner.self)]
            }
        )
        let came = try await resultOfLeftTask(once: isAsking) { [container] _ in
            try await container.requireAsync([Runner].self).count
        }
        #expect(came == 1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `has the service that is being made, through the resolver`(_ kept: EveryScope)
        async throws
    {
        registerJob(kept) { r in try await r.requireAsync(Job.self) }
        try await expectJob(kept)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `has the service that is being made, through an AsyncLazy`(_ kept: EveryScope)
        async throws
    {
        registerJob(kept) { r in try await (r ~> AsyncLazy<Job>.self).value }
        try await expectJob(kept)
    }

    @Test(.timeLimit(.minutes(5)))
    func `has the service that is being made, through the container it captured`() async throws {
        defer { container.removeAll() }
        registerJob(.container) { [container] _ in try await container.requireAsync(Job.self) }
        try await expectJob(.container)
    }

    @Test(.timeLimit(.minutes(5)))
    func `has the service that is being made, through a property`() async throws {
        registerJob(.container) { _ in try await Runner().injected.wrappedValue.value }
        try await withSpace(\.dependenciesContainer, container) {
            try await expectJob(.container)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `has the service that is being made, through what it asks for first`() async throws {
        container.register(
            Tool.self,
            asyncFactory: { r in
                use(try await r.requireAsync(Job.self))
                return Tool()
            }
        )
        .inObjectScope(.container)
        registerJob(.container) { r in
            use(try await r.requireAsync(Tool.self))
            return try await r.requireAsync(Job.self)
        }
        try await expectJob(.container)
    }

    @Test(.timeLimit(.minutes(5)))
    func `has the service that is being made, from a child task of its own`() async throws {
        registerJob(.container) { r in
            async let job = r.requireAsync(Job.self)
            return try await job
        }
        try await expectJob(.container)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `has another service`(_ kept: EveryScope) async throws {
        let made = CallCount()
        container.register(
            Tool.self,
            asyncFactory: {
                made.add()
                return Tool()
            }
        )
        .inObjectScope(kept.scope)
        registerJob(kept) { r in
            use(try await r.requireAsync(Tool.self))
            return Job()
        }
        try await expectJob(kept, givesIt: false)
        #expect(made.count == 1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `has the service that is being made, if it is detached`(_ kept: EveryScope) async throws {
        registerJob(kept) { r in
            try await Task.detached { try await r.requireAsync(Job.self) }.value
        }
        try await expectJob(kept)
    }

    // MARK: - When the factory has returned

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `has the service that was made`(_ kept: EveryScope) async throws {
        let goOn = AsyncGate()
        container.register(
            Job.self,
            asyncFactory: { [tasks] r in
                if tasks.all.isEmpty {
                    tasks.note(
                        Task {
                            await goOn.wait()
                            return try await r.requireAsync(Job.self)
                        }
                    )
                }
                return Job()
            }
        )
        .inObjectScope(kept.scope)
        let place = kept.place(in: container)
        let job = try await place.requireAsync(Job.self)
        goOn.open()
        let own = try await inTime { [tasks] in try await tasks.all[0].value }
        #expect((own === job) == EveryScope.shared.contains(kept))
        withExtendedLifetime(place) {}
    }
}

struct `A task that a synchronous factory starts` {
    private let container = Container()
    private let tasks = EventLog<Task<Job, any Error>>()

    //  The task of the request ──► Job, whose factory starts a task that asks for it
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `begins anew, though a task has requested the service`(_ kept: EveryScope) async throws {
        let hasEnded = Latch()
        container.register(Job.self) { [tasks] r in
            // Once: that of the task would start another.
            if tasks.all.isEmpty {
                tasks.note(
                    Task {
                        defer { hasEnded.open() }
                        return try await r.requireAsync(Job.self)
                    }
                )
                hasEnded.wait()
            }
            return Job()
        }
        .inObjectScope(kept.scope)
        let job = try await inTime { [container] in try await container.requireAsync(Job.self) }
        let own = try await inTime { [tasks] in try await tasks.all[0].value }
        #expect(own !== job)
    }
}

/// Keeps the graph that it was made in.
private final class Draft: Sendable {
    let graph: GraphIdentifier
    init(_ graph: GraphIdentifier) { self.graph = graph }
}

struct `A task that goes on when the graph that it began in has ended` {
    //  Job ──► the task ──► Tool, which goes on when the job is there ──► Draft
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [EveryScope.graph, .weak],
        [nil, 1]
    )
    func `leaves nothing behind in it`(_ kept: EveryScope, _ argument: Int?) async throws {
        let (container, drafts) = (Container(), Population())
        let (goOn, isBuilding) = (AsyncGate(), AsyncGate())
        container.register(Draft.self) { r in
            let draft = Draft(r ~> GraphIdentifier.self)
            drafts.add(draft)
            return draft
        }
        .inObjectScope(kept.scope)
        container.register(Draft.self) { (r: any Resolver, _: Int) in
            let draft = Draft(r ~> GraphIdentifier.self)
            drafts.add(draft)
            return draft
        }
        .inObjectScope(kept.scope)
        container.register(
            Tool.self,
            asyncFactory: { r in
                isBuilding.open()
                await goOn.wait()
                if let argument {
                    use(try r.require(Draft.self, argument: argument))
                } else {
                    use(try r.require(Draft.self))
                }
                return Tool()
            }
        )
        .inObjectScope(.transient)
        let tasks = EventLog<Task<Tool, any Error>>()
        container.register(
            Job.self,
            asyncFactory: { r in
                use(r ~> GraphIdentifier.self)
                tasks.note(Task { try await r.requireAsync(Tool.self) })
                await isBuilding.wait()
                return Job()
            }
        )
        use(try await container.requireAsync(Job.self))
        goOn.open()
        use(try await inTime { try await tasks.all[0].value })
        #expect(drafts.total == 1)
        #expect(drafts.alive == 0)
    }
}

struct `What an asynchronous factory awaits is its own` {
    private let container = Container()

    /// The ways in which a factory may await what a circle leads through.
    enum Way: CaseIterable {
        case call, asyncLet, group, discardingGroup, nestedGroup, lazy, awaitedTask, otherIsolation
    }

    @globalActor private actor Elsewhere {
        static let shared = Elsewhere()
    }

    private static func ask(_ way: Way, _ r: any Resolver) async throws {
        switch way {
        case .call: use(try await r.requireAsync(Job.self))
        case .asyncLet:
            async let job = r.requireAsync(Job.self)
            use(try await job)
        case .group:
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { use(try await r.requireAsync(Job.self)) }
                try await group.waitForAll()
            }
        case .discardingGroup:
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { use(try await r.requireAsync(Job.self)) }
            }
        case .nestedGroup:
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    async let job = r.requireAsync(Job.self)
                    use(try await job)
                }
                try await group.waitForAll()
            }
        case .lazy: use(try await (r ~> AsyncLazy<Job>.self).value)
        case .awaitedTask:
            try await Task { use(try await r.requireAsync(Job.self)) }.value
        case .otherIsolation:
            try await Task { @Elsewhere in use(try await r.requireAsync(Job.self)) }.value
        }
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: Way.allCases,
        EveryScope.allCases
    )
    func `so a circle through it is an error, and no hang`(_ way: Way, _ kept: EveryScope)
        async throws
    {
        container.register(
            Job.self,
            asyncFactory: { r in
                try await Self.ask(way, r)
                return Job()
            }
        )
        .inObjectScope(kept.scope)
        let place = kept.place(in: container)
        let came = try await inTime {
            await asyncOutcome { try await place.requireAsync(Job.self) }
        }
        #expect(came == "circularDependency" || came == "recursionTooDeep")
    }

    //  Job ──► Tool ──► Job, each in its own way
    @Test(.timeLimit(.minutes(5)), arguments: Way.allCases, [EveryScope.graph, .container, .weak])
    func `so a circle of two through it is an error, and no hang`(
        _ way: Way,
        _ kept: EveryScope
    ) async throws {
        container.register(
            Job.self,
            asyncFactory: { r in
                use(try await r.requireAsync(Tool.self))
                return Job()
            }
        )
        .inObjectScope(kept.scope)
        container.register(
            Tool.self,
            asyncFactory: { r in
                try await Self.ask(way, r)
                return Tool()
            }
        )
        .inObjectScope(kept.scope)
        let came = try await inTime { [container] in
            await asyncOutcome { try await container.requireAsync(Job.self) }
        }
        #expect(came == "circularDependency")
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Way.call, .asyncLet, .group, .nestedGroup])
    func `so it shares the factory's graph`(_ way: Way) async throws {
        let made = CallCount()
        container.register(
            Job.self,
            asyncFactory: {
                made.add()
                return Job()
            }
        )
        container.register(
            Tool.self,
            asyncFactory: { r in
                use(try await r.requireAsync(Job.self))
                try await Self.ask(way, r)
                return Tool()
            }
        )
        use(try await container.requireAsync(Tool.self))
        #expect(made.count == 1)
    }

    /// Two tasks, each of which awaits what the other's factory makes.
    @Test(.timeLimit(.minutes(5)), arguments: [Way.asyncLet, .group, .nestedGroup])
    func `so a circle of two tasks through it is an error`(_ way: Way) async throws {
        let (entered, both) = (CallCount(), AsyncGate())
        container.register(
            Job.self,
            asyncFactory: { r in
                if entered.add() == 2 { both.open() }
                await both.wait()
                async let tool = r.requireAsync(Tool.self)
                use(try await tool)
                return Job()
            }
        )
        .inObjectScope(.container)
        container.register(
            Tool.self,
            asyncFactory: { r in
                if entered.add() == 2 { both.open() }
                await both.wait()
                try await Self.ask(way, r)
                return Tool()
            }
        )
        .inObjectScope(.container)
        let came = try await inTime { [container] in
            async let job = asyncOutcome { try await container.requireAsync(Job.self) }
            async let tool = asyncOutcome { try await container.requireAsync(Tool.self) }
            return await [job, tool]
        }
        #expect(came.contains("circularDependency"))
    }
}
