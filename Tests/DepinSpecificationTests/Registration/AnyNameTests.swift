import Depin
import DepinInspection
import Testing

private final class Logger: Labeled {
    let label: String
    init(_ label: String) { self.label = label }
}
private protocol Labeled: AnyObject, Sendable {
    var label: String { get }
}
private final class Loud: Labeled {
    let label: String
    init(_ inner: any Labeled) { label = inner.label + "!" }
}
private final class Feed: Sendable {
    let logger: Logger
    init(logger: Logger) { self.logger = logger }
}
private final class Screen {
    @Injected("screen") var logger: Logger
    @Injected("lazy") var lazy: Lazy<Logger>
}

struct `A registration for any name` {
    private let container = Container()

    @discardableResult
    private func register(
        _ prefix: String = "",
        in container: Container? = nil,
        _ scope: ObjectScope = .transient
    ) -> ServiceEntry<Logger> {
        (container ?? self.container)
            .register(Logger.self, anyName: { _, name in Logger(prefix + name) })
            .inObjectScope(scope)
    }

    private func label(_ name: String, in container: Container? = nil) -> String {
        ((container ?? self.container) ~> (Logger.self, name: name)).label
    }

    @Test func `answers every name, and receives it`() throws {
        register()
        #expect(label("a") == "a")
        #expect(try container.require(Logger.self, name: "b").label == "b")
        #expect(container.resolve(Logger.self, name: "c")?.label == "c")
        let name = "d"
        let provider = container ~> (Provider<Logger>.self, name: name)
        #expect(provider.instance.label == "d")
        let optional: Logger? = container ~> (Logger?.self, name: "e")
        #expect(optional?.label == "e")
    }

    @Test func `does not answer a request without a name, nor one with arguments`() throws {
        register()
        let error = #expect(throws: ResolutionError.self) { try container.require(Logger.self) }
        #expect(error?.reason == .notRegistered)
        try Golden("registered for any name, asked for without one").check("\(try #require(error))")
        #expect(container.resolve(Logger.self, name: "a", argument: 1) == nil)
        #expect(!container.hasAnyRegistration(of: Logger.self))
        #expect(container.hasAnyRegistration(of: Logger.self, name: "a"))
        #expect(container.resolve(Feed.self, name: "a") == nil)
    }

    @Test func `yields to a name of its own, wherever that stands`() {
        register("child ", in: Container(parent: container))
        let child = Container(parent: container)
        register("child ", in: child)
        register("parent ")
        container.register(Logger.self, name: "own") { Logger("exact") }
        #expect(label("own") == "exact")
        #expect(label("own", in: child) == "exact")
        #expect(label("other", in: child) == "child other")
        #expect(label("other") == "parent other")
        #expect(label("other", in: Container(parent: container)) == "parent other")
    }

    @Test(arguments: EveryScope.allCases)
    func `has one instance for each name where instances are shared`(_ scope: EveryScope) {
        register("", scope.scope)
        let place = scope.place(in: container)
        let (one, other) = (place ~> (Logger.self, name: "a"), place ~> (Logger.self, name: "b"))
        #expect(one !== other)
        let again = place ~> (Logger.self, name: "a")
        #expect((again === one) == EveryScope.shared.contains(scope))
        #expect((place ~> (Logger.self, name: "b")) !== one)
        #expect((one.label, other.label) == ("a", "b"))
    }

    @Test func `shares in a graph by the name`() {
        register("", .graph)
        container.register([Logger].self) { r in
            ["a", "a", "b"].map { r ~> (Logger.self, name: $0) }
        }
        let all = container ~> [Logger].self
        #expect(all[0] === all[1])
        #expect(all[0] !== all[2])
    }

    @Test func `is forgotten with the container, and by a reset`() {
        var other: Container? = Container()
        weak var instance: Logger?
        register("", in: other, .container)
        instance = other.map { $0 ~> (Logger.self, name: "a") }
        #expect(instance != nil)
        other?.resetObjectScope(.container)
        #expect(instance == nil)
        instance = other.map { $0 ~> (Logger.self, name: "b") }
        #expect(instance != nil)
        other = nil
        #expect(instance == nil)
    }

    @Test func `is in forks, overrides and the space`() {
        register()
        container.register(Logger.self, name: "own") { Logger("exact") }
        #expect(label("a", in: container.fork()) == "a")
        withSpace(\.dependenciesContainer, container) {
            #expect(Screen().logger.label == "screen")
            #expect(Screen().lazy.instance.label == "lazy")
            withSpace(overriding: { register("fake ", in: $0) }) {
                #expect(Screen().logger.label == "fake screen")
                let container = SpaceValues.current.dependenciesContainer
                #expect(label("own", in: container) == "exact")
            }
            withSpace(overriding: { $0.register(Logger.self, name: "screen") { Logger("mine") } }) {
                #expect(Screen().logger.label == "mine")
            }
        }
        #expect(label("a") == "a")
    }

    @Test func `is found by further types, with a name and without`() {
        register("", .container).implements((any Labeled).self)
            .implements((any Sendable).self, name: "sent")
        let labeled = container ~> ((any Labeled).self, name: "a")
        #expect(labeled === (container ~> (Logger.self, name: "a")))
        let sent = container ~> ((any Sendable).self, name: "sent")
        #expect((sent as? Logger)?.label == "sent")
        #expect(container.resolve((any Labeled).self) == nil)
    }

    @Test func `is decorated for a name, and for every name by a decorator without one`() {
        container.register((any Labeled).self, anyName: { _, name in Logger(name) })
            .inObjectScope(.container)
        let child = Container(parent: container)
        container.decorate((any Labeled).self) { _, inner in Loud(inner) }
        container.decorate((any Labeled).self, name: "loud") { _, inner in Loud(inner) }
        child.decorate((any Labeled).self) { _, inner in Loud(inner) }
        let quiet = container ~> ((any Labeled).self, name: "a")
        #expect(quiet.label == "a!")
        #expect(quiet === (container ~> ((any Labeled).self, name: "a")))
        #expect((container ~> ((any Labeled).self, name: "loud")).label == "loud!!")
        #expect((child ~> ((any Labeled).self, name: "a")).label == "a!!")
        #expect((try? container.validate())?.problems.isEmpty == true)
    }

    @Test func `is not decorated where there is an instance already`() {
        container.register((any Labeled).self, anyName: { _, name in Logger(name) })
            .inObjectScope(.container)
        let first = container ~> ((any Labeled).self, name: "a")
        container.decorate((any Labeled).self) { _, inner in Loud(inner) }
        #expect(first === (container ~> ((any Labeled).self, name: "a")))
        #expect((container ~> ((any Labeled).self, name: "b")).label == "b!")
        container.resetObjectScope(.container)
        #expect((container ~> ((any Labeled).self, name: "a")).label == "a!")
    }

    @Test func `closes each instance`() async throws {
        let closed = EventLog<String>()
        register("", .request).onClose { logger in closed.note(logger.label) }
        try await container.withScope(.request) { scope in
            for name in ["a", "b", "a"] { use(scope ~> (Logger.self, name: name)) }
        }
        #expect(closed.all.sorted() == ["a", "b"])
    }

    @Test func `is awaited, observed and left out of a warm-up`() async throws {
        let events = EventLog<String>()
        register("", .container).eager()
        container.addObserver(Observer(events: events))
        #expect(try await container.warmUp().services.isEmpty)
        #expect(try await container.requireAsync(Logger.self, name: "a").label == "a")
        #expect(events.all == [#"Logger named "a" built"#])
    }

    private struct Observer: ResolutionObserver {
        let events: EventLog<String>

        func observe(_ event: ResolutionEvent) {
            if event.outcome != .requested { events.note("\(event.request) \(event.outcome)") }
        }
    }

    @Test func `is told of with the name in errors, once`() throws {
        container.register(
            Logger.self,
            anyName: { r, name in
                use(try r.require(Feed.self))
                return Logger(name)
            }
        )
        container.register(Feed.self) { r in Feed(logger: try r.require(Logger.self, name: "b")) }
        let error = #expect(throws: ResolutionError.self) {
            try container.require(Logger.self, name: "b")
        }
        try Golden("circular, by a registration for any name").check("\(try #require(error))")
    }

    @Test func `is named where a request misses it`() throws {
        let child = Container(parent: container)
        child.register(Logger.self, anyName: { _, name in Logger(name) })
        func message(_ request: () throws -> Logger) throws -> String {
            "\(try #require(#expect(throws: ResolutionError.self) { try request() }))"
        }
        let below = try message { try container.require(Logger.self, name: "b") }
        #expect(below.contains("request it from the child container that registers it"))
        let given = try message { try child.require(Logger.self, name: "b", argument: 1) }
        #expect(given.contains("request Logger of any name without arguments, registered at"))
    }

    @Test func `is told of with the name where it takes time, which no warm-up spares`() throws {
        container.register(Logger.self, anyName: { _, name in Logger(name) })
            .inObjectScope(.container)
        container.decorate(Logger.self, asyncDecorator: { _, inner in inner })
        let error = #expect(throws: ResolutionError.self) {
            try container.require(Logger.self, name: "b")
        }
        let message = "\(try #require(error))"
        #expect(message.hasPrefix("Logger named \"b\" is made asynchronously"))
        #expect(!message.contains("eager"))
    }

    @Test func `is shown by the description, the graph and a validation`() throws {
        register("", .container)
        container.autoregister(Feed.self, names: ["feed"], initializer: Feed.init)
        #expect(
            container.description.contains(
                "Service: Logger, Name: any, Factory: (Resolver, String) -> Logger"
            )
        )
        let graph = container.dependencyGraph()
        #expect(graph.mermaid.contains("Logger of any name"))
        let report = try container.validate()
        #expect(report.problems.isEmpty, "\(report)")
        container.autoregister(Screenful.self, initializer: Screenful.init)
        let error = #expect(throws: ValidationError.self) { try container.validate() }
        #expect(error?.problems.map(\.kind) == [.missing])
    }

    private struct Screenful {
        let logger: Logger
    }

    @Test func `leaves a trailing closure with two parameters to arguments`() {
        container.register(Logger.self) { _, label in Logger("argument " + label) }
        #expect((container ~> (Logger.self, argument: "a")).label == "argument a")
        #expect(container.resolve(Logger.self, name: "a") == nil)
    }

    @Test func `replaces one before it, and goes with the type`() {
        register("first ")
        register("second ").overriding()
        #expect(label("a") == "second a")
        container.unregister(Logger.self)
        #expect(container.resolve(Logger.self, name: "a") == nil)
    }

    @Test func `beats a default, and cannot be one`() async throws {
        container.register(Logger.self, name: "a") { Logger("default") }.asDefault()
        #expect(label("a") == "default")
        register()
        #expect(label("a") == "a")
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            Container().register(Logger.self, anyName: { _, name in Logger(name) }).asDefault()
        }
        try Golden("a registration for any name as a default").check(Golden.trap(in: result))
    }
}
