import Depin
import Testing

private final class Handler: Sendable {}
private final class Database: Sendable {}
private final class Cache: Sendable {}

/// Has its service when it is first read.
private final class Reader {
    @Injected var database: Database
}

// Handler (unshared, takes its time) → Database (shared, ready); Cache (shared, not yet made)
private func register(in container: Container, noting log: EventLog<String>) {
    container.register(Database.self) { Database() }.inObjectScope(.container)
        .onClose { _ in log.note("database closed") }
    container.register(Cache.self) { Cache() }.inObjectScope(.container)
        .onClose { _ in log.note("cache closed") }
    use(container ~> Database.self)
}

struct `Closing while an unshared instance is built` {
    private let container = Container()
    private let log = EventLog<String>()
    private let isBuilding = AsyncGate()

    init() {
        register(in: container, noting: log)
    }

    // MARK: - On a thread

    /// Has the service asked for on a thread, and the container closed while its factory runs.
    private func closeWhileBuilding(
        _ kept: EveryScope,
        in home: Container? = nil,
        closing closed: Container? = nil,
        _ work: @escaping @Sendable (any Resolver) throws -> Void
    ) async throws {
        let goOn = Latch()
        let home = home ?? container
        home.register(Handler.self) { [isBuilding, log] r in
            isBuilding.open()
            goOn.wait(within: 100)
            try work(r)
            log.note("built")
            return Handler()
        }
        .inObjectScope(kept.scope)
        let handler = Work { outcome { try home.require(Handler.self) } }
        await isBuilding.wait()
        let closing = await (closed ?? home).beginToClose(noting: log)
        goOn.open()
        try await inTime { try await closing.value }
        #expect(handler.value() == "got")
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `waits for a factory on a thread, which has what is ready`(_ kept: EveryScope)
        async throws
    {
        try await closeWhileBuilding(kept) { [log] r in
            log.note("database \(outcome { try r.require(Database.self) })")
        }
        #expect(log.all == ["database got", "built", "database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `serves a factory on a thread with what is not made yet, and closes that`(
        _ kept: EveryScope
    ) async throws {
        try await closeWhileBuilding(kept) { [log] r in
            log.note("cache \(outcome { try r.require(Cache.self) })")
        }
        #expect(log.all == ["cache got", "built", "cache closed", "database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `serves a factory on a thread through the container and its views`(_ kept: EveryScope)
        async throws
    {
        defer { container.removeAll() }
        try await closeWhileBuilding(kept) { [container, log] _ in
            let view = container.synchronize()
            let serial = container.synchronize(serializingFactories: true)
            for resolver in [container, view, serial] as [any Resolver] {
                log.note(outcome { try resolver.require(Database.self) })
            }
        }
        #expect(log.all == ["got", "got", "got", "built", "database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `of an open scope waits for a factory on a thread`(_ kept: EveryScope) async throws {
        let scope = container.openScope(.request)
        try await closeWhileBuilding(kept, in: scope) { [log] r in
            log.note("database \(outcome { try r.require(Database.self) })")
        }
        // The database is the app's.
        #expect(log.all == ["database got", "built", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared, [false, true])
    func `of the parent waits for a factory of a child on a thread`(
        _ kept: EveryScope,
        _ isOpened: Bool
    ) async throws {
        let child = isOpened ? container.openScope(.request) : Container(parent: container)
        try await closeWhileBuilding(kept, in: child, closing: container) { [log] r in
            log.note("database \(outcome { try r.require(Database.self) })")
        }
        #expect(log.all == ["database got", "built", "database closed", "closed"])
    }

    /// A shutdown with a handler in flight.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: EveryScope.unshared,
        ["operator", "provider", "lazy", "injected"]
    )
    func `stops no factory that demands what is ready`(_ kept: EveryScope, _ way: String) async {
        await #expect(processExitsWith: .success) { [kept, way] in
            let (container, log) = (Container(), EventLog<String>())
            register(in: container, noting: log)
            let (isBuilding, goOn) = (AsyncGate(), Latch())
            container.register(Handler.self) { r in
                isBuilding.open()
                goOn.wait(within: 100)
                switch way {
                case "operator": use(r ~> Database.self)
                case "provider": use((r ~> Provider<Database>.self).instance)
                case "lazy": use((r ~> Lazy<Database>.self).instance)
                default: use(Reader().database)
                }
                log.note("built")
                return Handler()
            }
            .inObjectScope(kept.scope)
            let handler = Work {
                withSpace(\.dependenciesContainer, container) { container ~> Handler.self }
            }
            await isBuilding.wait()
            let closing = await container.beginToClose(noting: log)
            goOn.open()
            try await inTime { try await closing.value }
            expect(handler.value() != nil, "no handler")
            expect(log.all == ["built", "database closed", "closed"], "\(log.all)")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `waits for a callback and for a decorator`() async throws {
        let goOn = Latch()
        let entered = [AsyncGate(), AsyncGate()]
        container.register(Handler.self, name: "callback") { Handler() }
            .inObjectScope(.transient)
            .initCompleted { [log] r, _ in
                entered[0].open()
                goOn.wait(within: 100)
                log.note(outcome { try r.require(Database.self) })
            }
        container.register(Handler.self, name: "decorator") { Handler() }
            .inObjectScope(.transient)
        container.decorate(Handler.self, name: "decorator") { [log] r, inner in
            entered[1].open()
            goOn.wait(within: 100)
            log.note(outcome { try r.require(Database.self) })
            return inner
        }
        let handlers = ["callback", "decorator"].map { name in
            Work { [container] in outcome { try container.require(Handler.self, name: name) } }
        }
        for gate in entered { await gate.wait() }
        let closing = await container.beginToClose(noting: log)
        goOn.open()
        try await inTime { try await closing.value }
        for handler in handlers { #expect(handler.value() == "got") }
        #expect(log.all == ["got", "got", "database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `waits for a factory with arguments, and one of a collection`(_ kept: EveryScope)
        async throws
    {
        let (entered, goOn) = ([AsyncGate(), AsyncGate()], Latch())
        let work: @Sendable (any Resolver, Int) -> Handler = { [log] r, number in
            entered[number].open()
            goOn.wait(within: 100)
            log.note(outcome { try r.require(Database.self) })
            return Handler()
        }
        container.register(Handler.self) { (r, number: Int) in work(r, number) }
            .inObjectScope(kept.scope)
        container.contribute(Handler.self) { r in work(r, 1) }.inObjectScope(kept.scope)
        let all = [
            Work { [container] in outcome { try container.require(Handler.self, argument: 0) } },
            Work { [container] in outcome { try container.require([Handler].self) } },
        ]
        for gate in entered { await gate.wait() }
        let closing = await container.beginToClose(noting: log)
        goOn.open()
        try await inTime { try await closing.value }
        for work in all { #expect(work.value() == "got") }
        #expect(log.all == ["got", "got", "database closed", "closed"])
    }

    /// It begins when one of them has been made, and the next has not been begun.
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `waits for all of a collection`(_ kept: EveryScope) async throws {
        let (isClosing, closing) = (Latch(), EventLog<Task<Void, any Error>>())
        container.contribute(Handler.self) { [isBuilding] in
            isBuilding.open()
            isClosing.wait(within: 100)
            return Handler()
        }
        .inObjectScope(kept.scope)
        container.contribute(Handler.self) { Handler() }.inObjectScope(kept.scope)
        let handlers = Work { [container] in outcome { try container.require([Handler].self) } }
        await isBuilding.wait()
        closing.note(await container.beginToClose(noting: log))
        isClosing.open()
        #expect(handlers.value(within: 100) == "got")
        try await inTime { try await closing.all[0].value }
        #expect(log.all == ["database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `closes what a factory on a thread has made meanwhile`(_ kept: EveryScope) async throws {
        let goOn = Latch()
        container.register(Handler.self) { [isBuilding] in
            isBuilding.open()
            goOn.wait(within: 100)
            return Handler()
        }
        .inObjectScope(kept.scope)
        .onClose { [log] _ in log.note("handler closed") }
        let handler = Work { [container] in outcome { try container.require(Handler.self) } }
        await isBuilding.wait()
        let closing = await container.beginToClose(noting: log)
        goOn.open()
        try await inTime { try await closing.value }
        #expect(handler.value() == "got")
        #expect(log.all == ["handler closed", "database closed", "closed"])
    }

    // MARK: - In a task

    private func closeWhileAwaiting(
        _ kept: EveryScope,
        in home: Container? = nil,
        closing closed: Container? = nil,
        _ work: @escaping @Sendable (any Resolver) async throws -> Void
    ) async throws {
        let goOn = AsyncGate()
        let home = home ?? container
        home.register(
            Handler.self,
            asyncFactory: { [isBuilding, log] r in
                isBuilding.open()
                await goOn.wait()
                try await work(r)
                log.note("built")
                return Handler()
            }
        )
        .inObjectScope(kept.scope)
        let handler = Task { await asyncOutcome { try await home.requireAsync(Handler.self) } }
        await isBuilding.wait()
        let closing = await (closed ?? home).beginToClose(noting: log)
        goOn.open()
        try await inTime { try await closing.value }
        let came = try await inTime { await handler.value }
        #expect(came == "got")
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `waits for a factory in a task, which has what is ready`(_ kept: EveryScope) async throws {
        try await closeWhileAwaiting(kept) { [log] r in
            log.note("\(outcome { try r.require(Database.self) })")
            log.note("\(await asyncOutcome { try await r.requireAsync(Database.self) })")
            async let child = asyncOutcome { try await r.requireAsync(Database.self) }
            log.note(await child)
        }
        #expect(log.all == ["got", "got", "got", "built", "database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `serves a factory in a task with what is not made yet, and closes that`(
        _ kept: EveryScope
    ) async throws {
        try await closeWhileAwaiting(kept) { [log] r in
            log.note("cache \(await asyncOutcome { try await r.requireAsync(Cache.self) })")
        }
        #expect(log.all == ["cache got", "built", "cache closed", "database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared, [false, true])
    func `of the parent waits for a factory of a child in a task`(
        _ kept: EveryScope,
        _ isOpened: Bool
    ) async throws {
        let child = isOpened ? container.openScope(.request) : Container(parent: container)
        try await closeWhileAwaiting(kept, in: child, closing: container) { [log] r in
            log.note("database \(await asyncOutcome { try await r.requireAsync(Database.self) })")
        }
        #expect(log.all == ["database got", "built", "database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `waits for a factory in a task whose caller has canceled it`(_ kept: EveryScope)
        async throws
    {
        let goOn = AsyncGate()
        container.register(
            Handler.self,
            asyncFactory: { [isBuilding, log] r in
                isBuilding.open()
                await goOn.wait()
                log.note("database \(outcome { try r.require(Database.self) })")
                return Handler()
            }
        )
        .inObjectScope(kept.scope)
        let handler = Task { [container] in try? await container.requireAsync(Handler.self) }
        await isBuilding.wait()
        handler.cancel()
        let closing = await container.beginToClose(noting: log)
        goOn.open()
        try await inTime { try await closing.value }
        #expect(log.all == ["database got", "database closed", "closed"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `closes what a factory in a task has made meanwhile`(_ kept: EveryScope) async throws {
        let goOn = AsyncGate()
        container.register(
            Handler.self,
            asyncFactory: { [isBuilding] in
                isBuilding.open()
                await goOn.wait()
                return Handler()
            }
        )
        .inObjectScope(kept.scope)
        .onClose { [log] _ in log.note("handler closed") }
        let handler = Task { [container] in
            await asyncOutcome { try await container.requireAsync(Handler.self) }
        }
        await isBuilding.wait()
        let closing = await container.beginToClose(noting: log)
        goOn.open()
        try await inTime { try await closing.value }
        let came = try await inTime { await handler.value }
        #expect(came == "got")
        #expect(log.all == ["handler closed", "database closed", "closed"])
    }

    /// What was not begun before is refused at once, and not kept waiting.
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `refuses what begins after it`(_ kept: EveryScope) async throws {
        let goOn = AsyncGate()
        container.register(
            Handler.self,
            asyncFactory: { [isBuilding] in
                isBuilding.open()
                await goOn.wait()
                return Handler()
            }
        )
        .inObjectScope(kept.scope)
        container.register(Handler.self, name: "late") { Handler() }.inObjectScope(kept.scope)
        let handler = Task { [container] in try? await container.requireAsync(Handler.self) }
        await isBuilding.wait()
        let closing = await container.beginToClose()
        #expect(outcome { try container.require(Handler.self, name: "late") } == "containerClosed")
        let late = try await inTime { [container] in
            await asyncOutcome { try await container.requireAsync(Handler.self) }
        }
        #expect(late == "containerClosed")
        goOn.open()
        try await inTime { try await closing.value }
        use(await handler.value as Any)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is waited for by the end of withScope`() async throws {
        let goOn = Latch()
        container.register(Handler.self) { [isBuilding, log] r in
            isBuilding.open()
            goOn.wait(within: 100)
            log.note("database \(outcome { try r.require(Database.self) })")
            return Handler()
        }
        let request = Task { [container, isBuilding, log] in
            try await container.withScope(.request) { scope in
                use(Work { outcome { try scope.require(Handler.self) } })
                await isBuilding.wait()
            }
            log.note("scope closed")
        }
        await isBuilding.wait()
        // Time for the end of the scope, if it does not wait.
        await letOthersRun()
        goOn.open()
        try await inTime { try await request.value }
        #expect(log.all == ["database got", "scope closed"])
    }
}
