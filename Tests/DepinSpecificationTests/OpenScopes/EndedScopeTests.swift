import Depin
import Foundation
import Testing

private final class Audit: Sendable {}
private final class Clock: Sendable {}

/// What the scope's own instance has kept.
private final class Keeper: Sendable {
    let resolver: any Resolver
    let provider: Provider<Audit>
    let lazy: Lazy<Audit>
    let asyncLazy: AsyncLazy<Audit>

    init(_ resolver: any Resolver) {
        self.resolver = resolver
        provider = resolver.autoResolve()
        lazy = resolver.autoResolve()
        asyncLazy = resolver.autoResolve()
    }
}

/// How a scope ends.
enum ScopeEnd: String, CaseIterable, Codable, Sendable {
    case closed, left, closedWithApp

    /// What the body keeps of a scope that has ended.
    fileprivate func keep<Kept: Sendable>(
        of app: Container,
        _ body: @Sendable (Container) -> Kept
    ) async throws -> Kept {
        switch self {
        case .closed, .closedWithApp:
            let scope = app.openScope(EveryScope.opens)
            let kept = body(scope)
            if self == .closed { try await scope.close() } else { try await app.close() }
            return kept
        case .left:
            return try await app.withScope(EveryScope.opens) { scope in body(scope) }
        }
    }
}

private func makeApp(_ kept: EveryScope, noting made: CallCount) -> Container {
    let app = Container()
    app.register(Audit.self) {
        made.add()
        return Audit()
    }
    .inObjectScope(kept.scope)
    app.register(Clock.self) { Clock() }.inObjectScope(.container)
    app.register(Keeper.self) { r in Keeper(r) }.inObjectScope(EveryScope.opens)
    return app
}

private let refusals: Set<String> = ["containerClosed", "containerGone"]

struct `A scope that has ended` {
    private let made = CallCount()

    // MARK: - Makes nothing

    @Test(.timeLimit(.minutes(5)), arguments: ScopeEnd.allCases, EveryScope.allCases)
    func `makes nothing for its own container and views`(_ end: ScopeEnd, _ kept: EveryScope)
        async throws
    {
        let app = makeApp(kept, noting: made)
        let scope = try await end.keep(of: app) { $0 }
        for resolver in [scope, scope.synchronize()] as [any Resolver] {
            #expect(refusals.contains(outcome { try resolver.require(Audit.self) }))
            let later = await asyncOutcome { try await resolver.requireAsync(Audit.self) }
            #expect(refusals.contains(later))
        }
        let serial = scope.synchronize(serializingFactories: true)
        #expect(refusals.contains(outcome { try serial.require(Audit.self) }))
        let graph = GraphIdentifier()
        let inGraph = outcome {
            try scope.withObjectGraph(graph) { try $0.require(Audit.self) }
        }
        #expect(refusals.contains(inGraph))
        #expect(made.count == 0)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ScopeEnd.allCases, EveryScope.allCases)
    func `makes nothing for a resolver that a factory kept`(_ end: ScopeEnd, _ kept: EveryScope)
        async throws
    {
        let app = makeApp(kept, noting: made)
        let keeper = try await end.keep(of: app) { $0 ~> Keeper.self }
        #expect(refusals.contains(outcome { try keeper.resolver.require(Audit.self) }))
        let later = await asyncOutcome { try await keeper.resolver.requireAsync(Audit.self) }
        #expect(refusals.contains(later))
        #expect(made.count == 0)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ScopeEnd.allCases)
    func `makes nothing for the resolver of registerSynchronized`(_ end: ScopeEnd) async throws {
        let app = makeApp(.transient, noting: made)
        app.registerSynchronized([any Resolver].self) { r in [r] }.inObjectScope(EveryScope.opens)
        let resolvers = try await end.keep(of: app) { $0 ~> [any Resolver].self }
        #expect(refusals.contains(outcome { try resolvers[0].require(Audit.self) }))
        #expect(made.count == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `makes nothing for the resolver of an asynchronous factory`() async throws {
        let app = makeApp(.transient, noting: made)
        app.register([any Resolver].self, asyncFactory: { r in [r] })
            .inObjectScope(EveryScope.opens)
        let scope = app.openScope(EveryScope.opens)
        let resolver = try await scope.requireAsync([any Resolver].self)[0]
        try await scope.close()
        #expect(refusals.contains(outcome { try resolver.require(Audit.self) }))
        let later = await asyncOutcome { try await resolver.requireAsync(Audit.self) }
        #expect(refusals.contains(later))
        #expect(made.count == 0)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ScopeEnd.allCases, EveryScope.allCases)
    func `makes nothing for an AsyncLazy`(_ end: ScopeEnd, _ kept: EveryScope) async throws {
        let app = makeApp(kept, noting: made)
        let asked = try await end.keep(of: app) { $0 ~> AsyncLazy<Audit>.self }
        let inside = try await end.keep(of: makeApp(kept, noting: made)) {
            ($0 ~> Keeper.self).asyncLazy
        }
        for lazy in [asked, inside] {
            let came = await asyncOutcome { try await lazy.value }
            #expect(refusals.contains(came))
        }
        #expect(made.count == 0)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: ScopeEnd.allCases.flatMap { end in
            ["provider", "kept provider", "lazy", "kept lazy", "property"].map { (end, $0) }
        },
        [EveryScope.transient, .graph, .opened]
    )
    func `stops whom it cannot tell`(_ how: (end: ScopeEnd, way: String), _ kept: EveryScope)
        async throws
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [end = how.end as ScopeEnd, way = how.way as String, kept] in
            let made = CallCount()
            let app = makeApp(kept, noting: made)
            let ask = try await end.keep(of: app) { scope -> @Sendable () -> Void in
                let keeper = scope ~> Keeper.self
                let (provider, lazy) = (scope ~> Provider<Audit>.self, scope ~> Lazy<Audit>.self)
                let property = withSpace(\.dependenciesContainer, scope) { Injected<Audit>() }
                return {
                    switch way {
                    case "provider": use(provider.instance)
                    case "kept provider": use(keeper.provider.instance)
                    case "lazy": use(lazy.instance)
                    case "kept lazy": use(keeper.lazy.instance)
                    default: use(property.wrappedValue)
                    }
                }
            }
            ask()
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("closed"), "\(message)")
    }

    /// What keeps the resolver of a scope does not keep what the scope had.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["resolver", "provider", "lazy", "asyncLazy", "scope"]
    )
    func `is not held by what was kept of it`(_ way: String) async throws {
        let (instances, kept) = (Population(), EventLog<Any>())
        let app = Container()
        app.register(Audit.self) { Audit() }.inObjectScope(EveryScope.opens)
        app.register(Clock.self) {
            let clock = Clock()
            instances.add(clock)
            return clock
        }
        .inObjectScope(EveryScope.opens)
        for _ in 0..<100 {
            try await app.withScope(EveryScope.opens) { scope in
                use(scope ~> Clock.self)
                switch way {
                case "resolver": kept.note(scope.synchronize())
                case "provider": kept.note(scope ~> Provider<Audit>.self)
                case "lazy": kept.note(scope ~> Lazy<Audit>.self)
                case "asyncLazy": kept.note(scope ~> AsyncLazy<Audit>.self)
                default: kept.note(scope)
                }
            }
        }
        #expect(instances.alive == 0)
        #expect(kept.all.count == 100)
    }

    /// It was not closed, and nobody holds it any more but its own instance.
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `leaves nothing behind where its own instance asks later`(_ kept: EveryScope) {
        let instances = Population()
        let app = Container()
        app.register(Audit.self) {
            let audit = Audit()
            instances.add(audit)
            return audit
        }
        .inObjectScope(kept.scope)
        app.register(Keeper.self) { r in Keeper(r) }.inObjectScope(EveryScope.opens)
        for _ in 0..<100 {
            let keeper = app.openScope(EveryScope.opens) ~> Keeper.self
            let came = outcome { try keeper.resolver.require(Audit.self) }
            #expect(refusals.contains(came))
        }
        #expect(instances.total == 0)
        #expect(instances.alive == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `makes nothing for an AsyncLazy of its own instance when nobody holds it any more`()
        async throws
    {
        let app = makeApp(.transient, noting: made)
        let keeper = app.openScope(EveryScope.opens) ~> Keeper.self
        let came = await asyncOutcome { try await keeper.asyncLazy.value }
        #expect(refusals.contains(came))
        let later = await asyncOutcome { try await keeper.resolver.requireAsync(Audit.self) }
        #expect(refusals.contains(later))
        #expect(made.count == 0)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["provider", "lazy"],
        [EveryScope.transient, .graph, .opened]
    )
    func `stops its own instance when nobody holds it any more`(
        _ way: String,
        _ kept: EveryScope
    ) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [way, kept] in
            let app = makeApp(kept, noting: CallCount())
            let keeper = app.openScope(EveryScope.opens) ~> Keeper.self
            if way == "lazy" { use(keeper.lazy.instance) } else { use(keeper.provider.instance) }
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("no longer exists"), "\(message)")
    }

    // MARK: - A request that has passed the check

    private final class ClosingObserver: ResolutionObserver {
        let scope: Container
        let closing = EventLog<Task<Void, any Error>>()
        private let isClosed = Latch()

        init(_ scope: Container) { self.scope = scope }

        func observe(_ event: ResolutionEvent) {
            guard event.outcome == .requested, closing.all.isEmpty else { return }
            closing.note(
                Task { [scope, isClosed] in
                    try await scope.close()
                    isClosed.open()
                }
            )
            // The end of the scope waits for this request, or is over soon.
            isClosed.wait(within: 0.5)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `makes nothing for a request that was begun before, or closes it`(_ kept: EveryScope)
        async throws
    {
        let closed = CallCount()
        let app = Container()
        app.register(Audit.self) { [made] in
            made.add()
            return Audit()
        }
        .inObjectScope(kept.scope)
        .onClose { _ in closed.add() }
        let scope = app.openScope(EveryScope.opens)
        let observer = ClosingObserver(scope)
        let observation = scope.addObserver(observer)
        let audit = try await inTime {
            Work { try? scope.require(Audit.self) }.value(within: 10) ?? nil
        }
        observation.end()
        for task in observer.closing.all { try await inTime { try await task.value } }
        try await app.close()
        #expect(closed.count == made.count)
        withExtendedLifetime(audit) {}
    }

    @Test(.timeLimit(.minutes(5)), arguments: [EveryScope.transient, .graph, .opened])
    func `closes all that it has made for requests that race with its end`(_ kept: EveryScope)
        async throws
    {
        let closed = CallCount()
        let app = Container()
        app.register(Audit.self) { [made] in
            made.add()
            return Audit()
        }
        .inObjectScope(kept.scope)
        .onClose { _ in closed.add() }
        for _ in 0..<500 {
            let scope = app.openScope(EveryScope.opens)
            async let asked: Void = {
                for _ in 0..<4 { use((try? scope.require(Audit.self)) as Any) }
                use((try? await scope.requireAsync(Audit.self)) as Any)
            }()
            async let ended: Void = scope.close()
            use(try await (asked, ended))
        }
        #expect(closed.count == made.count)
    }
}

struct `A container that was closed` {
    private let container = Container()

    @Test(.timeLimit(.minutes(5)), arguments: ["app", "scope"])
    func `refuses withScope`(_ kind: String) async throws {
        let home = kind == "app" ? container : container.openScope(EveryScope.opens)
        try await home.close()
        let wasInside = EventLog<Bool>()
        let came = await asyncOutcome {
            try await home.withScope(EveryScope.opens) { _ in wasInside.note(true) }
        }
        #expect(came == "containerClosed")
        #expect(wasInside.all.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `opens no scope that makes something`() async throws {
        let made = CallCount()
        container.register(Audit.self) {
            made.add()
            return Audit()
        }
        .inObjectScope(EveryScope.opens)
        try await container.close()
        let scope = container.openScope(EveryScope.opens) {
            $0.register(Clock.self) {
                made.add()
                return Clock()
            }
        }
        #expect(outcome { try scope.require(Audit.self) } == "containerClosed")
        #expect(outcome { try scope.require(Clock.self) } == "containerClosed")
        #expect(made.count == 0)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["factory", "async", "instance", "contribute", "decorate"]
    )
    func `keeps nothing of what is registered on it`(_ way: String) async throws {
        try await container.close()
        let held = Population()
        func register() {
            let clock = Clock()
            held.add(clock)
            switch way {
            case "factory": container.register(Clock.self) { clock }
            case "async": container.register(Clock.self, asyncFactory: { clock })
            case "instance": container.register(Clock.self, instance: clock)
            case "contribute": container.contribute(Clock.self) { clock }
            default: container.decorate(Clock.self) { _, _ in clock }
            }
        }
        register()
        #expect(held.total == 1 && held.alive == 0)
        #expect(outcome { try container.require(Clock.self) } == "containerClosed")
    }

    @Test func `says that something is registered on it`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let container = Container()
            try await container.close()
            container.register(Clock.self) { Clock() }
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("Depin: Clock, registered at "), "\(message)")
        #expect(message.contains("the container was closed at "), "\(message)")
    }
}

private protocol Page: Sendable {
    var clock: Clock? { get }
}

private struct PlainPage: Page {
    var clock: Clock? { nil }
}

private struct ClockedPage: Page {
    let resolver: any Resolver
    var clock: Clock? { try? resolver.require(Clock.self) }
}

private final class Screen: Sendable {
    let page = Injected<any Page>()
}

struct `A child inside an open scope` {
    private let scope = ObjectScope(opened: "request")

    @Test func `is open for as long as a property has what it put around the scope's instance`() {
        let app = Container()
        app.register((any Page).self) { PlainPage() }.inObjectScope(scope)
        func makeScreen() -> Screen {
            let child = Container(parent: app.openScope(scope))
            child.register(Clock.self) { Clock() }
            child.decorate((any Page).self) { r, _ in ClockedPage(resolver: r) }
            return withSpace(\.dependenciesContainer, child) {
                let screen = Screen()
                #expect(screen.page.wrappedValue.clock != nil)
                return screen
            }
        }
        let screen = makeScreen()
        #expect(screen.page.wrappedValue.clock != nil)
    }
}
