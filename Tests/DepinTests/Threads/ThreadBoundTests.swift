import Dispatch
import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `What is in progress is bound to the thread` {
    private final class Root: Sendable {
        let thing: Thing
        let other: Thing

        init(_ thing: Thing, _ other: Thing) {
            self.thing = thing
            self.other = other
        }
    }

    @Test func `a task or thread started in a factory begins anew`() async {
        let (container, task) = (Container(), Shared<Task<Bool, Never>?>(nil))
        container.register(Thing.self) { Thing() }
        container.register(Root.self) { resolver in
            let thing = resolver ~> Thing.self
            task.change {
                // It asks for what is under way here, which on this thread would be a cycle.
                guard $0 == nil else { return }
                $0 = Task { (resolver ~> Root.self).thing !== thing }
            }
            return Root(thing, Running { resolver ~> Thing.self }.value)
        }
        let root = resolveNow(container)
        #expect(root.thing !== root.other)
        #expect(await task.value?.value == true)

        func resolveNow(_ container: Container) -> Root { container ~> Root.self }
    }

    @Test func `a captured container, a view, a child of it: all join the graph under way`() {
        let container = Container()
        defer { container.removeAll() }
        container.register(Thing.self) { Thing() }
        let view = container.synchronize()
        container.register(Root.self, name: "captured") { resolver in
            Root(resolver ~> Thing.self, container ~> Thing.self)
        }
        container.register(Root.self, name: "view") { resolver in
            Root(resolver ~> Thing.self, view ~> Thing.self)
        }
        container.register(Root.self, name: "new view") { resolver in
            Root(resolver ~> Thing.self, container.synchronize() ~> Thing.self)
        }
        container.register(Root.self, name: "asked") { resolver in
            Root(resolver ~> Thing.self, (resolver ~> Container.self) ~> Thing.self)
        }
        for name in ["captured", "view", "new view", "asked"] {
            let root = container ~> (Root.self, name: name)
            #expect(root.thing === root.other, "\(name)")
        }
    }

    @Test func `a cycle through a captured container or a view is found`() throws {
        let container = Container()
        defer { container.removeAll() }
        let view = container.synchronize()
        container.register(Root.self) { _ in
            Root(try container.require(Thing.self), Thing())
        }
        container.register(Thing.self) { _ in try view.require(Root.self).thing }
        let error = try #require(throws: ResolutionError.self) {
            try container.require(Root.self)
        }
        guard case .circularDependency = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(error.path.map { "\($0.request.serviceType)" } == ["Root", "Thing"])
    }

    // MARK: - Injected, Lazy, Provider

    private final class Chicken: Sendable {
        private let egg = Injected<Egg>()
        init() { use(egg.wrappedValue) }
    }

    private final class Egg: Sendable {
        private let chicken = Injected<Chicken>()
        init() { use(chicken.wrappedValue) }
    }

    @Test func `a cycle through Injected is found`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Chicken.self) { Chicken() }
            container.register(Egg.self) { Egg() }
            withSpace(\.dependenciesContainer, container) { use(container ~> Chicken.self) }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Chicken"))
        #expect(message.contains("Egg"))
        #expect(message.contains("ircular"))
    }

    @Test func `racing first accesses of an Injected see one instance`() {
        for _ in 0..<50 {
            let container = Container()
            container.register(Thing.self) { Thing() }
            let injected = withSpace(\.dependenciesContainer, container) { Injected<Thing>() }
            let things = onThreads(4) { _ in injected.wrappedValue }
            #expect(things.allSatisfy { $0 === things[0] })
            #expect(injected.wrappedValue === things[0])
        }
    }

    @Test func `whoever asks first for a container that has gone, all get one`() {
        for _ in 0..<50 {
            let provider = Container() ~> Provider<Container>.self
            let containers = onThreads(4) { _ in provider.instance }
            #expect(containers.allSatisfy { $0 === containers[0] })
        }
    }

    @Test func `properties whose container only its core is left of find it`() {
        for _ in 0..<50 {
            let (properties, opener) = madeInContainerThatIsGone()
            let things = onThreads(4) { properties[$0].wrappedValue }
            #expect(things.allSatisfy { $0 === opener.instance })
        }
    }

    @Test func `an Injected whose first accesses meet in the factory sees the first stored`() {
        let (container, arrived, both) = (Container(), Shared(), Gate())
        container.register(Thing.self) {
            let number = arrived.count()
            if number == 2 { both.open() }
            both.wait()
            return Thing(number)
        }
        let injected = withSpace(\.dependenciesContainer, container) { Injected<Thing>() }
        let things = onThreads(2) { _ in injected.wrappedValue }
        #expect(things[0] === things[1])
        #expect(arrived.value == 2)
    }

    @Test func `a nil is kept too`() {
        let container = Container()
        let injected = withSpace(\.dependenciesContainer, container) { Injected<Thing?>() }
        #expect(onThreads(4) { _ in injected.wrappedValue == nil } == [true, true, true, true])
        container.register(Thing.self) { Thing() }
        #expect(injected.wrappedValue == nil)
    }

    @Test func `racing uses of a Lazy see one instance, of a Provider their own`() {
        for _ in 0..<50 {
            let container = Container()
            container.register(Thing.self) { Thing() }
            let lazy = container ~> Lazy<Thing>.self
            let provider = container ~> Provider<Thing>.self
            let things = onThreads(4) { _ in (lazy.instance, provider.instance) }
            #expect(things.allSatisfy { $0.0 === things[0].0 })
            #expect(Set(things.map { ObjectIdentifier($0.1) }).count == 4)
        }
    }

    @Test func `a Lazy used on another thread while its graph is under way shares it`() {
        let container = Container()
        container.register(Thing.self) { Thing() }
        container.register(Root.self) { resolver in
            let lazy = resolver ~> Lazy<Thing>.self
            let other = Running { lazy.instance }.value
            return Root(resolver ~> Thing.self, other)
        }
        let root = container ~> Root.self
        #expect(root.thing === root.other)
    }
}

/// Properties of a service that a container keeps, and what keeps the container open.
private func madeInContainerThatIsGone() -> ([Injected<Thing>], Provider<Thing>) {
    let container = Container()
    container.register(Thing.self) { Thing() }.inObjectScope(.container)
    container.register([Injected<Thing>].self) { (0..<4).map { _ in Injected() } }
        .inObjectScope(.container)
    return withSpace(\.dependenciesContainer, container) {
        (container ~> [Injected<Thing>].self, container ~> Provider<Thing>.self)
    }
}
