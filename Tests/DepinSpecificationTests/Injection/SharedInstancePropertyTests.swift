import Depin
import Testing

/// A shared instance of the app is often made for the first time where a session or a request is in force.
///
/// What its properties get is the app's, as with the resolver of its factory.
///
///     app: Cache, shared ── @Injected ──► Clock
///      └── session or request, in force when the cache is made: another Clock
struct `A property of an instance that the app shares` {
    private let app = Container()

    init() {
        app.register(Clock.self) { Clock("app") }.inObjectScope(.container)
        app.register(Cache.self) { Cache() }.inObjectScope(.container)
        app.register(Screen.self) { r in Screen(cache: r ~> Cache.self) }
    }

    @Test(arguments: [EveryScope.container, .weak, .named, .stored])
    func `works after the scope that was open when the instance was made`(_ kept: EveryScope)
        async throws
    {
        app.register(Cache.self) { Cache() }.inObjectScope(kept.scope)
        let screen = try await app.withScope(.request) { $0 ~> Screen.self }
        #expect(screen.cache.clock.owner == "app")
        #expect(screen.cache.later.instance.owner == "app")
    }

    @Test func `works after the session in which the instance was made`() {
        let screen = withSpace(\.dependenciesContainer, session()) {
            SpaceValues.current.dependenciesContainer ~> Screen.self
        }
        #expect(screen.cache.clock.owner == "app")
    }

    @Test(arguments: [true, false])
    func `gets no service of the scope in which the instance was made`(_ takesTime: Bool)
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

    @Test func `of a session is the session's where a request is in force`() async throws {
        let session = session()
        session.register(Cache.self) { Cache() }.inObjectScope(.container)
        let cache = try await session.withScope(
            .request,
            seeding: { $0.register(Clock.self) { Clock("request") } },
            operation: { $0 ~> Cache.self }
        )
        #expect(cache.clock.owner == "session")
    }

    @Test func `is that of a container which the factory has put in force`() {
        app.register(Coordinator.self) { r in
            let session = Container(parent: r ~> Container.self, registeringClosure: register)
            let first = withSpace(\.dependenciesContainer, session) { Cache() }
            return Coordinator(session: session, first: first)
        }
        .inObjectScope(.container)
        let coordinator = withSpace(\.dependenciesContainer, app) { app ~> Coordinator.self }
        #expect(coordinator.first.clock.owner == "session")
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

private final class Cache: Sendable {
    private let injected = Injected<Clock>()
    private let provider = Injected<Provider<Clock>>()
    let helper: Helper?
    var clock: Clock { injected.wrappedValue }
    var later: Provider<Clock> { provider.wrappedValue }

    init(helper: Helper? = nil) {
        self.helper = helper
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
