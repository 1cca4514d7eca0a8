import Testing

@testable import Depin

@MainActor
private final class ViewModel {
    let thing: Thing

    nonisolated init(_ thing: Thing) {
        self.thing = thing
    }
}

private struct Pair: Equatable {
    let number: Int
    let isThing: Bool
}

@Suite(.timeLimit(.minutes(5)))
struct `Services of the main actor` {
    private func makeContainer() -> Container {
        let container = Container()
        container.register(Thing.self) { Thing() }
        container.register(
            ViewModel.self,
            mainActorFactory: { resolver in
                MainActor.preconditionIsolated()
                return ViewModel(resolver ~> Thing.self)
            }
        )
        .inObjectScope(.container)
        container.register(ViewModel.self, name: "none", mainActorFactory: { ViewModel(Thing()) })
        container.register(
            ViewModel.self,
            mainActorFactory: { (_: any Resolver, number: Int) in ViewModel(Thing(number)) }
        )
        container.autoregister(
            ViewModel.self,
            name: "auto",
            mainActorInitializer: { @MainActor (thing: Thing) in ViewModel(thing) }
        )
        container.register([ViewModel].self) { resolver in [try resolver.require(ViewModel.self)] }
        return container
    }

    @MainActor
    @Test func `are built from synchronous code on the main actor`() {
        let container = makeContainer()
        #expect((container ~> ViewModel.self) === (container ~> ViewModel.self))
        use(container ~> (ViewModel.self, name: "none"))
        use(container ~> (ViewModel.self, name: "auto"))
        #expect((container ~> (ViewModel.self, argument: 3)).thing.number == 3)
    }

    @Test func `off the main thread building one is an error that says how to fix it`() {
        let container = makeContainer()
        let errors = Running { () -> [ResolutionError] in
            [
                { use(try container.require(ViewModel.self)) },
                { use(try container.require(ViewModel.self, name: "none")) },
                { use(try container.require(ViewModel.self, name: "auto")) },
                { use(try container.require(ViewModel.self, argument: 3)) },
                { use(try container.require([ViewModel].self)) },
            ]
            .compactMap { (body: () throws -> Void) in
                do {
                    try body()
                    return nil
                } catch {
                    return error as? ResolutionError
                }
            }
        }
        .value
        #expect(errors.count == 5)
        for error in errors {
            guard case .offMainActor = error.reason else {
                Issue.record("\(error)")
                continue
            }
            #expect("\(error)".contains("requireOnMainActor"))
        }
    }

    /// What can be awaited is made on the main actor, too.
    @Test func `where a decorator takes time, the error off the main thread is that of time`() {
        let container = makeContainer()
        container.decorate(ViewModel.self, asyncDecorator: { _, model in model })
        let error = Running { [container] in
            #expect(throws: ResolutionError.self) { try container.require(ViewModel.self) }
        }
        .value
        #expect(error?.reason == .needsAwait)
    }

    @Test func `an error off the main thread leaves nothing behind`() async throws {
        let container = makeContainer()
        for _ in 0..<3 {
            #expect(Running { (try? container.require([ViewModel].self)) == nil }.value)
        }
        let model = try await container.requireOnMainActor(ViewModel.self)
        #expect(await MainActor.run { (container ~> ViewModel.self) === model })
    }

    @Test func `a ready one is given out anywhere`() async throws {
        let container = makeContainer()
        let model = try await container.requireOnMainActor(ViewModel.self)
        #expect(Running { (container ~> ViewModel.self) === model }.value)
        #expect(await Task.detached { (container ~> ViewModel.self) === model }.value)
    }

    @Test func `requireOnMainActor works from anywhere`() async throws {
        let container = makeContainer()
        let models = try await withThrowingTaskGroup(of: ViewModel.self) { group in
            for index in 0..<100 {
                group.addTask {
                    index % 2 == 0
                        ? try await container.requireOnMainActor(ViewModel.self)
                        : try await container.synchronize().requireOnMainActor(ViewModel.self)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(models.allSatisfy { $0 === models[0] })
        _ = try await container.requireOnMainActor(ViewModel.self, name: "auto")
        await #expect(throws: ResolutionError.self) {
            try await container.requireOnMainActor(ViewModel.self, name: "missing")
        }
    }

    @Test func `requireOnMainActor passes arguments on`() async throws {
        let container = makeContainer()
        let model = try await container.requireOnMainActor(ViewModel.self, argument: 3)
        #expect(model.thing.number == 3)
        container.register(
            Pair.self,
            name: "pair",
            mainActorFactory: { (_: any Resolver, number: Int, thing: any Sendable) in
                Pair(number: number, isThing: thing is Thing)
            }
        )
        let thing: any Sendable = Thing()
        let pair = try await container.requireOnMainActor(
            Pair.self,
            name: "pair",
            arguments: 3,
            thing
        )
        #expect(pair == Pair(number: 3, isThing: true))
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireOnMainActor(ViewModel.self, argument: "3")
        }
        #expect("\(try #require(error))".contains("MainActorTests.swift"))
    }

    /// A task that had begun one, and then went to the main actor, would be waited for there.
    @Test func `one that a task has made does not wait for a main actor that waits for it`()
        async throws
    {
        for _ in 0..<2_000 {
            let container = makeContainer()
            async let made = container.requireAsync(ViewModel.self)
            let model = await MainActor.run { container ~> ViewModel.self }
            #expect(try await made === model)
        }
    }
}

/// The main actor does nothing else meanwhile, so each is in a process of its own.
@Suite(.timeLimit(.minutes(5)))
struct `While the main actor is busy` {
    @Test func `what a child puts around a ready one is made at once`() async {
        await #expect(processExitsWith: .success) {
            let (container, gate) = (Container(), Gate())
            container.register(ViewModel.self, mainActorFactory: { ViewModel(Thing()) })
                .inObjectScope(.container)
            let child = Container(parent: container)
            child.decorate(ViewModel.self) { _, model in model }
            let model = try await container.requireAsync(ViewModel.self)
            await busyMainActor(until: gate)
            let decorated = try await child.requireAsync(ViewModel.self)
            guard decorated === model else { fatalError("it is another one") }
            gate.open()
        }
    }

    @Test func `a decorator comes, for which a task waits that goes to the main actor`() async {
        await #expect(processExitsWith: .success) {
            let (container, gate, isDecorated) = (Container(), Gate(), Shared(false))
            container.register(ViewModel.self, mainActorFactory: { ViewModel(Thing()) })
                .inObjectScope(.container)
            await busyMainActor(until: gate)
            let thread = OneThread()
            let task = Task(executorPreference: thread) {
                try await container.requireAsync(ViewModel.self)
            }
            // The thread is free for it when the task waits for the main actor.
            await Task(executorPreference: thread) {
                container.decorate(
                    ViewModel.self,
                    asyncDecorator: { _, model in
                        isDecorated.change { $0 = true }
                        return model
                    }
                )
            }.value
            gate.open()
            use(try await task.value)
            guard isDecorated.value else { fatalError("it is not decorated") }
        }
    }
}

/// Returns when the main actor has begun to wait for the gate.
private func busyMainActor(until gate: Gate) async {
    let isBusy = AsyncGate()
    Task { @MainActor in
        isBusy.open()
        gate.wait()
    }
    await isBusy.wait()
}
