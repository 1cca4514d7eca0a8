import Testing

@testable import Depin

private final class Server: Sendable {
    let database: Database?
    init(_ database: Database? = nil) { self.database = database }
}
private final class Database: Sendable {}
private final class Part: Sendable {}

extension Guarded<[String]> {
    fileprivate func append(_ name: String) { withLock { $0.append(name) } }

    fileprivate var all: [String] { withLock { $0 } }
}

private final class Late: Sendable {
    private let resolver: (any Resolver)?
    init(_ resolver: (any Resolver)? = nil) { self.resolver = resolver }
    func ask() -> Database? { resolver?.resolve(Database.self, argument: 1) }
}

extension ObjectScope {
    fileprivate static let request = ObjectScope(opened: "request")
}

struct `Closing while something is built` {
    private let container = Container()
    private let closed = Guarded<[String]>([])
    private let isBuilding = Gate()
    private let goOn = Gate()

    /// Returns once `close()` has begun.
    private func untilItCloses() async {
        while !container.engine.hasFlag(.isClosing) { await Task.yield() }
    }

    /// Something that needs the server, and takes its time to close, and a database that the server needs.
    private func registerLate() {
        container.register(Database.self) { Database() }
            .inObjectScope(.container).onClose { [closed] _ in closed.append("database") }
        container.register(Late.self) { r in
            use(r ~> Server.self)
            return Late()
        }
        .inObjectScope(.container)
        .onClose { [closed] _ in
            for _ in 0..<30 { await Task.yield() }
            closed.append("late")
        }
    }

    /// Has a thread build the server, and another wait for it, to drop it then; gives what was closed.
    private func closing(after drop: () -> Void) async throws -> [String] {
        let server = Running { [container] in container ~> Server.self }
        isBuilding.wait()
        let late = Running { [container] in container ~> Late.self }
        late.untilItWaits()
        drop()
        goOn.open()
        withExtendedLifetime((server.value, late.value)) {}
        try await container.close()
        return closed.all
    }

    @Test func `waits for it, serves what it asks for, and refuses others`() async throws {
        defer { container.removeAll() }
        container.register(Server.self) { [isBuilding, goOn] r in
            isBuilding.open()
            goOn.wait()
            // An unshared one, too.
            use(try r.require(String.self))
            return Server(try r.require(Database.self))
        }
        .inObjectScope(.container).onClose { [closed] _ in closed.append("server") }
        container.register(Database.self) { Database() }
            .inObjectScope(.container).onClose { [closed] _ in closed.append("database") }
        container.register(String.self) { "unshared" }
        container.register(Late.self) { Late() }.inObjectScope(.container)
        let server = Running { [container] in try? container.require(Server.self) }
        isBuilding.wait()
        async let closing: Void = container.close()
        await untilItCloses()
        let error = #expect(throws: ResolutionError.self) { try container.require(Late.self) }
        #expect(error?.reason == .containerClosed)
        #expect(closed.all == [])
        goOn.open()
        try await closing
        #expect(server.value?.database != nil)
        #expect(closed.all == ["server", "database"])
    }

    /// The server is made first, asks later for a database that another thread is building, and closes before it.
    @Test(arguments: [ObjectScope.request, .request.perArguments])
    func `knows that who waits for an instance needs it`(_ scope: ObjectScope) async throws {
        container.register(Database.self) { [isBuilding, goOn] (_, _: Int) in
            isBuilding.open()
            goOn.wait()
            return Database()
        }
        .inObjectScope(scope).onClose { [closed] _ in closed.append("database") }
        container.register(Late.self) { r in Late(r) }.inObjectScope(.request)
            .onClose { [closed] _ in closed.append("late") }
        let place = container.openScope(.request)
        let late = place ~> Late.self
        let database = Running { place ~> (Database.self, argument: 1) }
        isBuilding.wait()
        let waiting = Running { late.ask() }
        waiting.untilItWaits()
        goOn.open()
        #expect(waiting.value === database.value)
        try await container.close()
        #expect(closed.all == ["late", "database"])
    }

    /// As what a reset drops, it serves who waits for it, and is not kept.
    @Test(arguments: [ObjectScope.container, .container.perArguments])
    func `does not close what is removed while it is built`(_ scope: ObjectScope) async throws {
        container.register(Database.self) { [container] (_, _: Int) in
            container.unregister(Database.self)
            return Database()
        }
        .inObjectScope(scope).onClose { [closed] _ in closed.append("database") }
        use(container ~> (Database.self, argument: 1))
        try await container.close()
        #expect(closed.all == [])
    }

    /// One that asks just after another thread has begun, and before that has said of which instance.
    @Test func `knows that who waits needs it, also where it is not known yet`() async throws {
        let engine = container.engine
        registerLate()
        container.register(Server.self) { Server() }.inObjectScope(.container)
        let slot = try #require(engine.find(ServiceKey(Server.self))?.slot)
        guard case .make(let building) = slot.enter(nil) else {
            Issue.record("there is one already")
            return
        }
        let late = Running { [container] in container ~> Late.self }
        late.untilItWaits()
        let number = Serial.next()
        engine.state.withLock { $0.needs.addNode(number) }
        engine.noteBuild(building, of: slot, by: number)
        let database = container ~> Database.self
        let needed = try #require(engine.find(ServiceKey(Database.self))?.slot.node)
        engine.state.withLock { $0.needs.need(of: number, for: needed) }
        // What is reset passes on what it needs to those who are known to need it.
        container.unregister(Server.self)
        let server = Box(Server(database))
        use(slot.construct(building, server, node: number))
        slot.leave(building, as: .permanent)?.tell()
        engine.state.withLock { $0.needs.endAsking(number) }
        use(late.value)
        try await container.close()
        #expect(closed.all == ["late", "database"])
    }

    /// A reset drops the server that is being built, and not what that needs, which whoever waits for it needs too.
    @Test(arguments: [
        ObjectScope(named: "session"), ObjectScope(storageFactory: PermanentStorage.init),
    ])
    func `knows what is needed by way of an instance that is dropped while one waits for it`(
        _ scope: ObjectScope
    ) async throws {
        container.register(Server.self) { [isBuilding, goOn] r in
            let database = r ~> Database.self
            isBuilding.open()
            goOn.wait()
            return Server(database)
        }
        .inObjectScope(scope)
        registerLate()
        let closed = try await closing {
            // A storage gives what it has also to who has begun before that.
            if scope.kind == .stored {
                container.unregister(Server.self)
            } else {
                container.resetObjectScope(scope)
            }
        }
        #expect(closed == ["late", "database"])
    }

    //  Server ──► Part ··► Server       (··► in initCompleted)
    @Test func `knows what is needed by way of the one that was lost in a circle, which is reset`()
        async throws
    {
        let session = ObjectScope(named: "session")
        container.register(Server.self) { [isBuilding, goOn] r in
            let database = r ~> Database.self
            isBuilding.open()
            goOn.wait()
            use(r ~> Part.self)
            return Server(database)
        }
        .inObjectScope(session)
        container.register(Part.self) { Part() }
            .inObjectScope(session).initCompleted { r, _ in use(r ~> Server.self) }
        registerLate()
        let closed = try await closing { container.resetObjectScope(session) }
        #expect(closed == ["late", "database"])
    }

    //  Server ──► Late ──► Database ··► Late       (··► in initCompleted)
    @Test(arguments: [ObjectScope.container, ObjectScope(storageFactory: PermanentStorage.init)])
    func `knows who is given an instance under construction when a circle of threads closes`(
        _ scope: ObjectScope
    ) async throws {
        let (inFactory, inCallback) = (isBuilding, Gate())
        let (factoryMayAsk, callbackMayAsk) = (goOn, Gate())
        container.register(Database.self) { Database() }
            .inObjectScope(scope)
            .initCompleted { r, _ in
                inCallback.open()
                callbackMayAsk.wait()
                use(r ~> Late.self)
            }
            .onClose { [closed] _ in closed.append("database") }
        container.register(Late.self) { r in
            inFactory.open()
            factoryMayAsk.wait()
            use(r ~> Database.self)
            return Late()
        }
        .inObjectScope(.container)
        container.register(Server.self) { r in
            use(r ~> Late.self)
            return Server()
        }
        .onClose { [closed] _ in closed.append("server") }
        let server = Running { [container] in container ~> Server.self }
        let database = Running { [container] in container ~> Database.self }
        inFactory.wait()
        inCallback.wait()
        factoryMayAsk.open()
        server.untilItWaits()
        callbackMayAsk.open()
        withExtendedLifetime((server.value, database.value)) {}
        try await container.close()
        #expect(closed.all == ["server", "database"])
    }

    @Test func `waits for what takes time, serves what that awaits, and refuses others`()
        async throws
    {
        let (isBuilding, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            Server.self,
            asyncFactory: { r in
                isBuilding.open()
                await goOn.wait()
                return Server(try await r.requireAsync(Database.self))
            }
        )
        .inObjectScope(.container).onClose { [closed] _ in closed.append("server") }
        container.register(Database.self, asyncFactory: { Database() })
            .inObjectScope(.container).onClose { [closed] _ in closed.append("database") }
        container.register(Late.self, asyncFactory: { Late() }).inObjectScope(.container)
        async let server = container.requireAsync(Server.self)
        await isBuilding.wait()
        async let closing: Void = container.close()
        await untilItCloses()
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync(Late.self)
        }
        #expect(error?.reason == .containerClosed)
        for _ in 0..<30 { await Task.yield() }
        goOn.open()
        try await closing
        #expect(try await server.database != nil)
        #expect(closed.all == ["server", "database"])
    }

    @Test func `waits for what a task builds that a factory has left running`() async throws {
        let (isBuilding, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            Database.self,
            asyncFactory: { [closed] in
                isBuilding.open()
                await goOn.wait()
                closed.append("built")
                return Database()
            }
        )
        .inObjectScope(.container).onClose { [closed] _ in closed.append("database") }
        container.register(
            Server.self,
            asyncFactory: { r in
                Task { try await r.requireAsync(Database.self) }
                await isBuilding.wait()
                return Server()
            }
        )
        .inObjectScope(.container)
        // The server is the container's, and the request the child's.
        use(try await Container(parent: container).requireAsync(Server.self))
        async let closing: Void = container.close()
        await untilItCloses()
        for _ in 0..<1_000 { await Task.yield() }
        goOn.open()
        try await closing
        #expect(closed.all == ["built", "database"])
    }

    @Test func `waits for a scope that is being closed`() async throws {
        let (isClosing, goOn) = (AsyncGate(), AsyncGate())
        container.register(Database.self) { Database() }.inObjectScope(.container)
            .onClose { [closed] _ in closed.append("database") }
        container.register(Late.self) { Late() }.inObjectScope(.named)
            .onClose { [closed] _ in
                isClosing.open()
                await goOn.wait()
                closed.append("late")
            }
        use((container ~> Late.self, container ~> Database.self))
        async let first: Void = container.close(.named)
        await isClosing.wait()
        async let second: Void = container.close()
        await untilItCloses()
        for _ in 0..<30 { await Task.yield() }
        goOn.open()
        use(try await (first, second))
        #expect(closed.all == ["late", "database"])
    }

    @Test func `leaves nothing of a scope in its parent`() async throws {
        for number in 0..<20 {
            let scope = container.openScope(.opened)
            if number % 2 == 0 { try await scope.close() }
        }
        #expect(container.engine.state.withLock { $0.children.isEmpty })
    }

    @Test func `waits for what a child builds, and serves what that asks of the parent`()
        async throws
    {
        container.register(Database.self) { Database() }
            .inObjectScope(.container).onClose { [closed] _ in closed.append("database") }
        let child = Container(parent: container)
        child.register(Server.self) { [isBuilding, goOn] r in
            isBuilding.open()
            goOn.wait()
            return Server(try r.require(Database.self))
        }
        .inObjectScope(.container).onClose { [closed] _ in closed.append("server") }
        let server = Running { try? child.require(Server.self) }
        isBuilding.wait()
        async let closing: Void = container.close()
        await untilItCloses()
        goOn.open()
        try await closing
        #expect(server.value?.database != nil)
        #expect(closed.all == ["server", "database"])
    }

    @Test func `closes what is finished that no scope keeps`() async throws {
        container.register(Server.self) { [isBuilding, goOn] in
            isBuilding.open()
            goOn.wait()
            return Server()
        }
        .onClose { [closed] _ in closed.append("server") }
        let server = Running { [container] in try? container.require(Server.self) }
        isBuilding.wait()
        async let closing: Void = container.close()
        await untilItCloses()
        goOn.open()
        try await closing
        #expect(server.value != nil)
        #expect(closed.all == ["server"])
    }

    @Test func `closes a scope that a build has opened`() async throws {
        container.register(Late.self) { Late() }.inObjectScope(.opened)
            .onClose { [closed] _ in closed.append("late") }
        container.register(Array<Container>.self) { [isBuilding, goOn] r in
            isBuilding.open()
            goOn.wait()
            let opened = try r.require(Container.self).openScope(.opened)
            use(try opened.require(Late.self))
            return [opened]
        }
        .inObjectScope(.container)
        let opened = Running { [container] in try? container.require([Container].self) }
        isBuilding.wait()
        async let closing: Void = container.close()
        await untilItCloses()
        goOn.open()
        try await closing
        #expect(opened.value != nil)
        #expect(closed.all == ["late"])
    }

    /// Has a server built on a thread of its own, as far as its factory, which waits until it may go on.
    private func beginBuild() -> (entry: ServiceEntry<Server>, server: Running<Server>) {
        let entry = container.register(Server.self) { [isBuilding, goOn] in
            isBuilding.open()
            goOn.wait()
            return Server()
        }
        .inObjectScope(.container)
        let server = Running { [container] in container ~> Server.self }
        isBuilding.wait()
        return (entry, server)
    }

    @Test func `closes what was being built when somebody said how`() async throws {
        let (entry, server) = beginBuild()
        entry.onClose { [closed] _ in closed.append("server") }
        goOn.open()
        use(server.value)
        try await container.close()
        #expect(closed.all == ["server"])
    }

    @Test
    func `runs a closer that is added while it waits`() async throws {
        let entry = container.register(Database.self) { Database() }.inObjectScope(.container)
        use(container ~> Database.self)
        let (_, server) = beginBuild()
        async let closing: Void = container.close()
        await untilItCloses()
        entry.onClose { [closed] _ in closed.append("database") }
        goOn.open()
        use(server.value)
        try await closing
        #expect(closed.all == ["database"])
    }

    @Test func `closes what a scope was about to keep when somebody said how`() async throws {
        let entry = container.register(Late.self) { Late() }.inObjectScope(.opened)
        let scope = container.openScope(.opened)
        // What the first request does, and the closer comes in between.
        use(scope.engine.scopeSlot(for: Found(slot: entry.slot, holder: container.engine)))
        entry.onClose { [closed] _ in closed.append("late") }
        use(scope ~> Late.self)
        try await scope.close()
        #expect(closed.all == ["late"])
    }

    @Test func `has what else is added to what a scope was about to keep`() {
        let entry = container.register(String.self) { "late" }.inObjectScope(.opened)
        let scope = container.openScope(.opened)
        use(scope.engine.scopeSlot(for: Found(slot: entry.slot, holder: container.engine)))
        container.decorate(String.self) { _, inner in "decorated \(inner)" }
        entry.initCompleted { [closed] _, late in closed.append("completed \(late)") }
        #expect((scope ~> String.self) == "decorated late")
        #expect(closed.all == ["completed late"])
    }

    @Test func `waits for what an open scope builds`() async throws {
        container.register(Late.self) { [isBuilding, goOn] in
            isBuilding.open()
            goOn.wait()
            return Late()
        }
        .inObjectScope(.opened).onClose { [closed] _ in closed.append("late") }
        let scope = container.openScope(.opened)
        let late = Running { try? scope.require(Late.self) }
        isBuilding.wait()
        async let closing: Void = scope.close()
        while !scope.engine.hasFlag(.isClosing) { await Task.yield() }
        goOn.open()
        try await closing
        #expect(late.value != nil)
        #expect(closed.all == ["late"])
    }

    @Test func `closes nothing of a build that a reset of its scope came over`() async throws {
        let made = Shared()
        container.register(Late.self) { [isBuilding, goOn] in
            if made.count() == 1 {
                isBuilding.open()
                goOn.wait()
            }
            return Late()
        }
        .inObjectScope(.named).onClose { [closed] late in
            closed.append("\(ObjectIdentifier(late))")
        }
        let first = Running { [container] in container ~> Late.self }
        isBuilding.wait()
        try await container.close(.named)
        goOn.open()
        let second = container ~> Late.self
        #expect(first.value !== second)
        try await container.close()
        #expect(closed.all == ["\(ObjectIdentifier(second))"])
    }

    @Test func `is an error from within`() async throws {
        // What `close()` looks at stands for a factory that suspends.
        container.register(Server.self) { [container] r in
            #expect(throws: ResolutionError.self) { try checkMayClose(container) }
            return Server()
        }
        .inObjectScope(.container)
        use(container ~> Server.self)
        try checkMayClose(container)
        container.removeAll()
    }
}

private func checkMayClose(_ container: Container) throws {
    let place = CodePlace(file: #fileID, line: #line)
    try Resolution.withCurrent { try container.engine.checkMayClose(at: place, $0.path) }
}

extension ObjectScope {
    fileprivate static let opened = ObjectScope(opened: "opened")
    fileprivate static let named = ObjectScope(named: "named")
}

extension ObjectScope {
    fileprivate static let session = ObjectScope(named: "session")
}

/// Many at once, for ThreadSanitizer.
struct `Closing while others close and build` {
    @Test func `a container, while the scopes in it close`() async throws {
        for _ in 0..<1000 {
            let container = Container()
            let scopes = (0..<8).map { _ in container.openScope(.request) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for closed in [container] + scopes {
                    group.addTask { try await closed.close() }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a named scope, while services are built that close`() async throws {
        let (container, closed) = (Container(), Shared())
        for name in 0..<8 {
            container.register(Server.self, name: "\(name)") { r in
                Server(r ~> Database.self)
            }
            .inObjectScope(.session).onClose { _ in _ = closed.count() }
        }
        container.register(Database.self) { Database() }
            .inObjectScope(.session).onClose { _ in _ = closed.count() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<3 {
                group.addTask {
                    for number in 0..<200 {
                        use(container ~> (Server.self, name: "\((number + seed) % 8)"))
                    }
                }
            }
            group.addTask {
                for _ in 0..<100 { try await container.close(.session) }
            }
            try await group.waitForAll()
        }
        try await container.close()
        #expect(closed.count() > 9)
    }
}
