import Depin
import DepinInspection
import Testing

private protocol Tracker: Sendable {
    var name: String { get }
}
private struct Plain: Tracker {
    let name: String
}
private struct Wrapped: Tracker {
    let inner: any Tracker
    let config: Config
    let word: String
    var name: String { "\(word)(\(inner.name))" }

    init(_ inner: any Tracker, config: Config) { self.init(inner, config, "logged") }
    init(_ inner: any Tracker, _ config: Config, _ word: String) {
        (self.inner, self.config, self.word) = (inner, config, word)
    }
    static func open(_ config: Config, _ inner: any Tracker) async throws -> any Tracker {
        await Task.yield()
        return Wrapped(inner, config, "cached")
    }
}
private final class Config: Sendable {}
private struct Failed: Error {}
private struct Screen: Sendable {
    let tracker: any Tracker
}

struct `A contribution that takes time` {
    private let container = Container()

    init() {
        container.autoregister(Config.self, asyncInitializer: { Config() }).inObjectScope(
            .container
        )
        container.contribute((any Tracker).self, order: 2) { _ in Plain(name: "plain") }
        container.contribute(
            (any Tracker).self,
            order: 1,
            name: "factory",
            asyncFactory: { r in
                use(try await r.requireAsync(Config.self))
                return Plain(name: "factory")
            }
        )
        container.contribute(
            (any Tracker).self,
            name: "bare",
            asyncFactory: { Plain(name: "bare") }
        )
        container.contribute(
            (any Tracker).self,
            order: 3,
            asyncInitializer: { (_: Config) in Plain(name: "initializer") }
        )
        container.contribute(
            (any Tracker).self,
            order: 4,
            initializer: { Plain(name: "plain init") }
        )
    }

    @Test func `is awaited first for an initializer that needs its collection`() async throws {
        container.autoregister(Int.self) { (all: [any Tracker], named: [String: any Tracker]) in
            10 * all.count + named.count
        }
        #expect(try await container.requireAsync(Int.self) == 52)
    }

    @Test func `is had with its collection, in order, by who can wait`() async throws {
        let all = try await container.requireAsync([any Tracker].self)
        #expect(all.map(\.name) == ["bare", "factory", "plain", "initializer", "plain init"])
        let named = try await container.requireAsync([String: any Tracker].self)
        #expect(named.mapValues(\.name) == ["factory": "factory", "bare": "bare"])
    }

    @Test func `is told to who cannot`() throws {
        let error = #expect(throws: ResolutionError.self) {
            try container.require([any Tracker].self)
        }
        #expect(error?.reason == .needsAwait)
    }

    @Test func `is ready where it is eager`() async throws {
        let container = Container(defaultObjectScope: .container)
        container.contribute((any Tracker).self, asyncFactory: { Plain(name: "eager") }).eager()
        try await container.warmUp()
        #expect((container ~> [any Tracker].self).map(\.name) == ["eager"])
    }

    @Test func `is in forks, children, overrides and validations`() async throws {
        let child = Container(parent: container)
        child.contribute((any Tracker).self, order: 9, asyncFactory: { Plain(name: "child") })
        #expect(try await child.requireAsync([any Tracker].self).last?.name == "child")
        #expect(try await child.fork().requireAsync([any Tracker].self).count == 6)
        try await withSpace(\.dependenciesContainer, container) {
            try await withSpace(overriding: {
                $0.contribute(
                    (any Tracker).self,
                    name: "bare",
                    asyncFactory: { Plain(name: "fake") }
                )
            }) {
                let all = try await SpaceValues.current.dependenciesContainer
                    .requireAsync([any Tracker].self)
                #expect(all.first?.name == "fake")
            }
        }
        let report = try await container.validateAsync()
        #expect(report.problems.filter { $0.severity == .error }.isEmpty)
    }
}

struct `A decorator that takes time` {
    private let container = Container()

    init() {
        container.autoregister(Config.self, initializer: { Config() }).inObjectScope(.container)
    }

    private func register(_ scope: EveryScope = .graph) {
        container.register((any Tracker).self) { Plain(name: "live") }.inObjectScope(scope.scope)
        container.decorate((any Tracker).self, initializer: Wrapped.init(_:config:))
        container.decorate((any Tracker).self, asyncInitializer: Wrapped.open)
        container.decorate(
            (any Tracker).self,
            asyncDecorator: { r, inner in
                Wrapped(inner, try await r.requireAsync(Config.self), "closure")
            }
        )
    }

    @Test(arguments: EveryScope.allCases)
    func `wraps in order what a task makes, once`(_ scope: EveryScope) async throws {
        register(scope)
        let place = scope.place(in: container)
        let tracker = try await place.requireAsync((any Tracker).self)
        #expect(tracker.name == "closure(cached(logged(live)))")
        #expect((tracker as? Wrapped)?.config === (container ~> Config.self))
        if EveryScope.shared.contains(scope), scope != .weak {
            #expect((place ~> (any Tracker).self).name == tracker.name)
        } else {
            let error = #expect(throws: ResolutionError.self) {
                try place.require((any Tracker).self)
            }
            #expect(error?.reason == .needsAwait)
        }
    }

    @Test(arguments: EveryScope.allCases)
    func `is told to who cannot wait, and nothing is made for that`(_ scope: EveryScope) throws {
        let count = CallCount()
        container.register((any Tracker).self) {
            count.add()
            return Plain(name: "live")
        }
        .inObjectScope(scope.scope)
        container.decorate((any Tracker).self, asyncInitializer: Wrapped.open)
        let place = scope.place(in: container)
        let error = #expect(throws: ResolutionError.self) { try place.require((any Tracker).self) }
        #expect(error?.reason == .needsAwait)
        #expect(count.count == 0)
    }

    @Test func `is there for synchronous code where the app has warmed up`() async throws {
        container.register((any Tracker).self) { Plain(name: "live") }
            .inObjectScope(.container).eager()
        container.autoregister(Screen.self, initializer: Screen.init)
        container.decorate((any Tracker).self, asyncInitializer: Wrapped.open)
        try await container.warmUp()
        #expect((container ~> Screen.self).tracker.name == "cached(live)")
        try container.validate()
    }

    @Test func `is awaited first for an initializer that needs the service`() async throws {
        register(.container)
        container.autoregister(Screen.self, initializer: Screen.init)
        let screen = try await container.requireAsync(Screen.self)
        #expect(screen.tracker.name == "closure(cached(logged(live)))")
    }

    @Test func `wraps what is made asynchronously, on the main actor, with arguments and by name`()
        async throws
    {
        container.register((any Tracker).self, name: "async", asyncFactory: { Plain(name: "a") })
        container.register(
            (any Tracker).self,
            name: "main",
            mainActorFactory: { _ in
                MainActor.assertIsolated()
                return Plain(name: "m")
            }
        )
        container.register((any Tracker).self, name: "of") { (_, word: String) in Plain(name: word)
        }
        for name in ["async", "main", "of"] {
            container.decorate((any Tracker).self, name: name, asyncInitializer: Wrapped.open)
        }
        let tracker = try await container.requireAsync((any Tracker).self, name: "async")
        #expect(tracker.name == "cached(a)")
        let main = try await container.requireAsync((any Tracker).self, name: "main")
        #expect(main.name == "cached(m)")
        let of = try await container.requireAsync((any Tracker).self, name: "of", argument: "o")
        #expect(of.name == "cached(o)")
    }

    @Test func `wraps in a child, a fork and an override`() async throws {
        container.register((any Tracker).self) { Plain(name: "live") }.inObjectScope(.container)
        let child = Container(parent: container)
        child.decorate((any Tracker).self, asyncInitializer: Wrapped.open)
        let tracker = try await child.requireAsync((any Tracker).self)
        #expect(tracker.name == "cached(live)")
        #expect((container ~> (any Tracker).self).name == "live")
        #expect(try await child.fork().requireAsync((any Tracker).self).name == "cached(live)")
        let body = Wrapped.open
        try await withSpace(\.dependenciesContainer, container.fork()) {
            try await withSpace(overriding: {
                $0.decorate((any Tracker).self, asyncInitializer: body)
            }) {
                let container = SpaceValues.current.dependenciesContainer
                let tracker = try await container.requireAsync((any Tracker).self)
                #expect(tracker.name == "cached(live)")
            }
        }
    }

    @Test func `wraps contributions and what was registered as an instance`() async throws {
        container.contribute((any Tracker).self) { _ in Plain(name: "c") }
        container.register((any Tracker).self, instance: Plain(name: "i"))
        container.decorate((any Tracker).self, asyncInitializer: Wrapped.open)
        #expect(try await container.requireAsync([any Tracker].self).map(\.name) == ["cached(c)"])
        #expect(try await container.requireAsync((any Tracker).self).name == "cached(i)")
    }

    @Test func `keeps nothing where it fails, and tells its place`() async throws {
        let (closed, attempts) = (CallCount(), CallCount())
        container.register((any Tracker).self) { Plain(name: "live") }.inObjectScope(.container)
            .onClose { _ in closed.add() }
        container.decorate(
            (any Tracker).self,
            asyncDecorator: { r, inner in
                if attempts.add() == 1 { throw Failed() }
                use(try await r.requireAsync(String.self))
                return inner
            }
        )
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync((any Tracker).self)
        }
        try Golden("an asynchronous decorator threw").check("\(try #require(error))")
        let missing = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync((any Tracker).self)
        }
        try Golden("missing behind an asynchronous decorator").check("\(try #require(missing))")
        container.register(String.self) { "" }
        use(try await container.requireAsync((any Tracker).self))
        try await container.close()
        #expect(closed.count == 3)
    }

    @Test func `is canceled with its task, and what it wraps is closed`() async throws {
        let closed = CallCount()
        container.register((any Tracker).self) { Plain(name: "live") }.inObjectScope(.container)
            .onClose { _, outcome in if case .canceled = outcome { closed.add() } }
        container.decorate(
            (any Tracker).self,
            asyncDecorator: { _, inner in
                withUnsafeCurrentTask { $0?.cancel() }
                return inner
            }
        )
        let task = Task { [container] in try await container.requireAsync((any Tracker).self) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(closed.count == 1)
    }

    @Test func `blocks no thread that asks while it runs`() async throws {
        let (began, goOn) = (AsyncGate(), AsyncGate())
        container.register((any Tracker).self) { Plain(name: "live") }.inObjectScope(.container)
        container.decorate(
            (any Tracker).self,
            asyncDecorator: { _, inner in
                began.open()
                await goOn.wait()
                return inner
            }
        )
        let task = Task { [container] in try await container.requireAsync((any Tracker).self) }
        await began.wait()
        let error = #expect(throws: ResolutionError.self) {
            try container.require((any Tracker).self)
        }
        #expect(error?.reason == .needsAwait)
        goOn.open()
        #expect(try await task.value.name == "live")
    }

    @Test func `is a problem for synchronous code that needs it`() async throws {
        register(.container)
        container.autoregister(Screen.self, initializer: Screen.init)
        let error = #expect(throws: ValidationError.self) { try container.validate() }
        #expect(error?.problems.map(\.kind) == [.needsAwait])
    }

    @Test func `must take what it wraps`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            Container().decorate((any Tracker).self, initializer: { Plain(name: "") })
        }
        try Golden("a decorating initializer that wraps nothing").check(Golden.trap(in: result))
    }
}
