import Depin
import Testing

/// A shared instance of the app is often made for the first time where a session or a request is in force.
///
/// What its properties and tasks get is the app's, as with the resolver of its factory.
///
///     app: Cache, shared ── @Injected ──► Clock
///      └── session or request, in force when the cache is made: another Clock
struct `An instance that the app shares` {
    private let app = Container()

    init() {
        app.register(Clock.self) { Clock("app") }.inObjectScope(.container)
        app.register(Cache.self) { Cache() }.inObjectScope(.container)
        app.register(Screen.self) { r in Screen(cache: r ~> Cache.self) }
    }

    @Test(arguments: [EveryScope.container, .weak, .named, .stored])
    func `has properties that work after the scope that was open when it was made`(
        _ kept: EveryScope
    )
        async throws
    {
        app.register(Cache.self) { Cache() }.inObjectScope(kept.scope)
        let screen = try await app.withScope(.request) { $0 ~> Screen.self }
        #expect(screen.cache.clock.owner == "app")
        #expect(screen.cache.later.instance.owner == "app")
    }

    @Test func `has properties that work after the session in which it was made`() {
        let screen = withSpace(\.dependenciesContainer, session()) {
            SpaceValues.current.dependenciesContainer ~> Screen.self
        }
        #expect(screen.cache.clock.owner == "app")
    }

    @Test(arguments: [true, false])
    func `gets no service of the scope in which it was made`(_ takesTime: Bool)
        async throws
    {
        if takesTime {
            app.register(
                Cache.self,
                asyncFactory: { r in
                    await Task.yield()
                    return Cache(helper: try await r.requireAsync(Helper.self))
                }
            )
            .inObjectScope(.container)
        } else {
            app.register(Cache.self) { r in Cache(helper: r ~> Helper.self) }
                .inObjectScope(.container)
        }
        app.register(Helper.self) { Helper() }
        try await app.withScope(.request, seeding: register) { scope in
            let cache = try await scope.requireAsync(Cache.self)
            #expect(cache.clock.owner == "app")
            #expect(cache.helper?.clock.owner == "app")
            #expect((scope ~> Clock.self).owner == "session")
        }
    }

    @Test func `of a session sees the session where a request is in force`() async throws {
        let session = session()
        session.register(Cache.self) { Cache() }.inObjectScope(.container)
        let cache = try await session.withScope(
            .request,
            seeding: { $0.register(Clock.self) { Clock("request") } },
            operation: { $0 ~> Cache.self }
        )
        #expect(cache.clock.owner == "session")
    }

    @Test func `of an open session sees the session where a request is in force`() async throws {
        app.register(Cache.self) { Cache() }.inObjectScope(EveryScope.opens)
        let visit = app.openScope(EveryScope.opens, seeding: register)
        let cache = try await visit.withScope(.request) { $0 ~> Cache.self }
        #expect(cache.clock.owner == "session")
        try await visit.close()
    }

    @Test func `sees an override in which a request made it`() async throws {
        try await withSpace(\.dependenciesContainer, app) {
            try await withSpace(overriding: register) {
                let cache = try await app.withScope(.request) { $0 ~> Cache.self }
                #expect(cache.clock.owner == "session")
                #expect(cache.later.instance.owner == "session")
            }
            #expect((app ~> Cache.self).clock.owner == "app")
        }
    }

    @Test func `has what its factory puts in force`() {
        app.register(Coordinator.self) { r in
            let session = Container(parent: r ~> Container.self, registeringClosure: register)
            let first = withSpace(\.dependenciesContainer, session) { Cache() }
            return Coordinator(session: session, first: first)
        }
        .inObjectScope(.container)
        let coordinator = withSpace(\.dependenciesContainer, app) { app ~> Coordinator.self }
        #expect(coordinator.first.clock.owner == "session")
        // The coordinator and its factory hold the container that holds them.
        app.removeAll()
    }

    @Test(arguments: [EveryScope.container, .weak, .named, .stored], [true, false])
    func `starts tasks that work after the scope`(_ kept: EveryScope, takesTime: Bool)
        async throws
    {
        let gate = AsyncGate()
        if takesTime {
            app.register(Poller.self, asyncFactory: { _ in Poller(after: gate) })
                .inObjectScope(kept.scope)
        } else {
            app.register(Poller.self) { Poller(after: gate) }.inObjectScope(kept.scope)
        }
        let poller = try await app.withScope(.request, seeding: register) {
            try await $0.requireAsync(Poller.self)
        }
        gate.open()
        #expect(await poller.first.value == "app")
    }

    @Test func `has properties that work if a task made it that the scope left running`()
        async throws
    {
        let gate = AsyncGate()
        let left = try await app.withScope(.request, seeding: register) { _ in
            Task { [app] in
                await gate.wait()
                return app ~> Cache.self
            }
        }
        gate.open()
        #expect(await left.value.clock.owner == "app")
    }

    /// In a process of its own, where nothing has read the container of the space yet.
    @Test func `sees the app in place of a session under another key`() async {
        await #expect(processExitsWith: .success) {
            let app = Container()
            app.register(Clock.self) { Clock("app") }
            app.register(Orders.self) { Orders() }.inObjectScope(.container)
            let session = Container(parent: app) { $0.register(Clock.self) { Clock("session") } }
            let orders = withSpace(\.ordersAssembler, Assembler(container: session)) {
                session ~> Orders.self
            }
            #expect(orders.clock.owner == "app")
        }
    }

    @Test(arguments: [true, false])
    func `gets nothing of the scope through what is awaited before its factory`(
        _ isOnMainActor: Bool
    ) async throws {
        if isOnMainActor {
            app.register(Helper.self, mainActorFactory: { _ in Helper() })
        } else {
            app.register(Helper.self, asyncFactory: { _ in Helper() })
        }
        app.autoregister(Cache.self, initializer: Cache.init(awaiting:)).inObjectScope(.container)
        let cache = try await app.withScope(.request, seeding: register) {
            try await $0.requireAsync(Cache.self)
        }
        #expect(cache.helper?.clock.owner == "app")
    }

    @Test(arguments: [ObjectScope.container, .graph])
    func `sees the app through what it puts off until a request`(_ scope: ObjectScope) async throws
    {
        registerMailer().inObjectScope(scope)
        let mailer = app ~> Mailer.self
        let helpers = try await app.withScope(.request, seeding: register) { _ in
            [mailer.lazy.instance, try await mailer.awaited.value]
        }
        #expect(helpers.map(\.clock.owner) == ["app", "app"])
    }

    @Test func `sees the app through what it puts off from one request to another`() async throws {
        registerMailer().inObjectScope(.container)
        let mailer = try await app.withScope(.request) { $0 ~> Mailer.self }
        let helpers = try await app.withScope(.request, seeding: register) { _ in
            [mailer.lazy.instance, try await mailer.awaited.value]
        }
        #expect(helpers.map(\.clock.owner) == ["app", "app"])
    }

    @Test func `has callbacks and decorators that see the app`() async throws {
        app.register(Cache.self) { Cache() }.inObjectScope(.container)
            .initCompleted { _, cache in cache.completed.note(Helper()) }
        app.decorate(Cache.self) { _, cache in Cache(helper: Helper(), inner: cache) }
        let cache = try await app.withScope(.request, seeding: register) { $0 ~> Cache.self }
        #expect(cache.inner?.completed.all.first?.clock.owner == "app")
        #expect(cache.helper?.clock.owner == "app")
    }

    @Test func `sees the app if an assembly registers it in a request`() async throws {
        struct Late: Assembly {
            func assemble(container: Container) {
                container.register(Helper.self, instance: Helper())
                container.register(EventLog<Helper>.self, instance: EventLog())
            }

            func loaded(resolver: any Resolver) {
                (resolver ~> EventLog<Helper>.self).note(Helper())
            }
        }
        try await app.withScope(.request, seeding: register) { _ in
            Assembler(container: app).apply(Late())
        }
        #expect((app ~> Helper.self).clock.owner == "app")
        #expect((app ~> EventLog<Helper>.self).takeAll().map(\.clock.owner) == ["app"])
    }

    @Test func `differs from an unshared one that a request makes`() async throws {
        app.register(Poller.self) { Poller(after: nil) }
        registerMailer()
        try await app.withScope(.request, seeding: register) { scope in
            for container in [scope, app] {
                #expect(await (container ~> Poller.self).first.value == "session")
                #expect((container ~> Mailer.self).lazy.instance.clock.owner == "session")
            }
        }
    }

    @discardableResult
    private func registerMailer() -> ServiceEntry<Mailer> {
        app.register(Helper.self) { Helper() }
        return app.register(Mailer.self) { r in
            Mailer(lazy: r ~> Lazy<Helper>.self, awaited: r ~> AsyncLazy<Helper>.self)
        }
    }

    private func register(_ session: Container) {
        session.register(Clock.self) { Clock("session") }
    }

    private func session() -> Container { Container(parent: app, registeringClosure: register) }
}

private final class Clock: Sendable {
    let owner: String

    init(_ owner: String) {
        self.owner = owner
    }
}

private final class Helper: Sendable {
    private let injected = Injected<Clock>()
    var clock: Clock { injected.wrappedValue }
}

private final class Poller: Sendable {
    /// Whose clock the first thing has that its task makes.
    let first: Task<String, Never>

    init(after gate: AsyncGate?) {
        first = Task {
            await gate?.wait()
            return Helper().clock.owner
        }
    }
}

private final class Cache: Sendable {
    private let injected = Injected<Clock>()
    private let provider = Injected<Provider<Clock>>()
    let helper: Helper?
    let inner: Cache?
    let completed = EventLog<Helper>()
    var clock: Clock { injected.wrappedValue }
    var later: Provider<Clock> { provider.wrappedValue }

    init(helper: Helper? = nil, inner: Cache? = nil) {
        (self.helper, self.inner) = (helper, inner)
    }

    convenience init(awaiting helper: Helper) {
        self.init(helper: helper)
    }
}

private enum OrdersKey: SpaceKey {
    static let defaultValue = Assembler()
}

extension SpaceValues {
    fileprivate var ordersAssembler: Assembler {
        get { self[OrdersKey.self] }
        set { self[OrdersKey.self] = newValue }
    }
}

private final class Orders: Sendable {
    private let injected = Injected<Clock>(assembler: \.ordersAssembler)
    var clock: Clock { injected.wrappedValue }
}

private final class Mailer: Sendable {
    let lazy: Lazy<Helper>
    let awaited: AsyncLazy<Helper>

    init(lazy: Lazy<Helper>, awaited: AsyncLazy<Helper>) {
        (self.lazy, self.awaited) = (lazy, awaited)
    }
}

private final class Screen: Sendable {
    let cache: Cache

    init(cache: Cache) {
        self.cache = cache
    }
}

private final class Coordinator: Sendable {
    let session: Container
    let first: Cache

    init(session: Container, first: Cache) {
        (self.session, self.first) = (session, first)
    }
}
