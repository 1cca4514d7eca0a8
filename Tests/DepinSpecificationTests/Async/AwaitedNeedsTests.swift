import Depin
import DepinInspection
import Testing

private final class Source: Sendable {}
private final class Chart: Sendable {
    let source: Source
    init(source: Source) { self.source = source }
}
private final class Atlas: Sendable {
    init(chart: Chart) {}
}
private final class Page: Sendable {
    let number: Int
    init(source: Source, number: Int) { self.number = number }
}
private struct Named: Sendable {
    let name: String
}
private struct Pair: Sendable {
    init(first: Named, second: Named) {}
}
private final class Poller: Sendable {}
private struct Failed: Error {}

extension ObjectScope {
    fileprivate static let eachGraph = ObjectScope(storageFactory: GraphStorage.init)
    fileprivate static let kept = ObjectScope(named: "kept")
}

/// The declared needs that a task awaits before it calls a synchronous factory.
struct `What is awaited before a factory` {
    private let container = Container()
    private let made = CallCount()

    @discardableResult
    private func registerSource() -> ServiceEntry<Source> {
        container.register(
            Source.self,
            asyncFactory: { [made] in
                _ = made.add()
                return Source()
            }
        )
    }

    @Test func `belongs to the graph of the request that begins one`() async throws {
        registerSource()
        container.autoregister(Chart.self, initializer: Chart.init)
        container.autoregister(Page.self, argument: Int.self, initializer: Page.init)
        use(try await (container ~> ServiceFactory<Chart>.self).requireAsync())
        let page = try await (container ~> ServiceFactory<Page, Int>.self).requireAsync(7)
        #expect(page.number == 7)
        #expect(made.count == 2)
    }

    @Test func `is not made for an instance that its arguments have already`() async throws {
        let isDown = EventLog<Bool>()
        container.register(
            Source.self,
            asyncFactory: {
                if !isDown.all.isEmpty { throw Failed() }
                return Source()
            }
        )
        container.autoregister(Page.self, argument: Int.self, initializer: Page.init)
            .inObjectScope(.container.perArguments)
        let first = try await container.requireAsync(Page.self, argument: 7)
        isDown.note(true)
        let second = try await container.requireAsync(Page.self, argument: 7)
        #expect(first === second)
    }

    @Test func `has every name of a registration for any`() async throws {
        container.register(Named.self, anyName: { _, name in Named(name: name) })
        container.decorate(Named.self, asyncDecorator: { _, inner in inner })
        container.autoregister(Pair.self, names: ["x", "y"], initializer: Pair.init)
        use(try await container.requireAsync(Pair.self))
    }

    @Test func `is made for what nothing keeps, and for what that needs`() async throws {
        registerSource()
        container.autoregister(Chart.self, initializer: Chart.init).inObjectScope(.transient)
        container.autoregister(Atlas.self, initializer: Atlas.init).inObjectScope(.transient)
        use(try await container.requireAsync(Atlas.self))
        #expect(made.count == 1)
    }

    /// It is no need of a synchronous factory.
    @Test func `is not what an asynchronous initializer awaits itself, in order`() async throws {
        let log = EventLog<String>()
        container.register(Poller.self) {
            log.note("poller")
            return Poller()
        }
        container.register(
            Source.self,
            asyncFactory: {
                log.note("source")
                return Source()
            }
        )
        container.autoregister(
            Chart.self,
            asyncInitializer: { (_: Poller, source: Source) in Chart(source: source) }
        )
        use(try await container.requireAsync(Chart.self))
        #expect(log.all == ["poller", "source"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `is not made for what a closing container refuses`() async throws {
        registerSource().inObjectScope(.container)
        let goOn = AsyncGate()
        let child = Container(parent: container)
        child.autoregister(Chart.self, initializer: Chart.init).inObjectScope(.container)
        child.register(Poller.self) { Poller() }.inObjectScope(.container)
            .onClose { _ in await goOn.wait() }
        use(child ~> Poller.self)
        let closing = await child.beginToClose()
        let outcome = await asyncOutcome { try await child.requireAsync(Chart.self) }
        #expect(outcome == "containerClosed")
        #expect(made.count == 0)
        goOn.open()
        try await closing.value
    }

    /// Such a storage has an instance for another graph, which is none for this one.
    @Test func `is made for a storage of each graph while another graph is under way`()
        async throws
    {
        registerSource()
        container.autoregister(Chart.self, initializer: Chart.init).inObjectScope(.eachGraph)
        container.register(
            Page.self,
            asyncFactory: { [container] r in
                use(try await r.requireAsync(Chart.self))
                let other = Task.detached { try await container.requireAsync(Chart.self) }
                return Page(source: try await other.value.source, number: 1)
            }
        )
        use(try await container.requireAsync(Page.self))
        #expect(made.count == 2)
    }

    /// It would never end, if it goes on until the instance has gone.
    @Test(arguments: [ObjectScope.weak, .kept])
    func `a task that a factory leaves running does not keep its instance`(
        _ scope: ObjectScope
    ) async throws {
        let goOn = AsyncGate()
        let left = EventLog<Task<Void, Never>>()
        container.register(
            Poller.self,
            asyncFactory: { _ in
                left.note(Task { await goOn.wait() })
                return Poller()
            }
        )
        .inObjectScope(scope)
        weak let poller = try await container.requireAsync(Poller.self)
        container.resetObjectScope(.kept)
        #expect(poller == nil)
        goOn.open()
        await left.all[0].value
    }

    @Test func `a task that a factory leaves running keeps neither the container nor an argument`()
        async throws
    {
        let goOn = AsyncGate()
        let left = EventLog<Task<Void, Never>>()
        weak var poller: Poller?
        weak var given: Source?
        do {
            let container = Container()
            container.register(Poller.self, asyncFactory: { Poller() }).inObjectScope(.container)
            container.register(
                Chart.self,
                asyncFactory: { (_: any Resolver, source: Source) in
                    left.note(Task { await goOn.wait() })
                    return Chart(source: Source())
                }
            )
            let source = Source()
            use(try await container.requireAsync(Chart.self, argument: source))
            poller = try await container.requireAsync(Poller.self)
            given = source
        }
        #expect(poller == nil)
        #expect(given == nil)
        goOn.open()
        await left.all[0].value
    }

    @Test func `a child's asynchronous decorator keeps nothing for a validation`() async throws {
        container.register(Source.self, asyncFactory: { Source() }).inObjectScope(.container)
        let child = Container(parent: container)
        child.register(Poller.self) { Poller() }.inObjectScope(.container)
        child.decorate(
            Source.self,
            asyncDecorator: { r, inner in
                use(r ~> Poller.self)
                return inner
            }
        )
        let report = try await child.validateAsync()
        #expect(report.problems.isEmpty)
    }

    /// The other container waits for the build.
    @Test(.timeLimit(.minutes(5)))
    func `a callback of a build that another container awaits may request while its own closes`()
        async throws
    {
        let (isMaking, goOn) = (AsyncGate(), AsyncGate())
        let other = Container()
        other.register(Poller.self) { Poller() }
        other.register(
            Source.self,
            asyncFactory: {
                isMaking.open()
                await goOn.wait()
                return Source()
            }
        )
        .inObjectScope(.container)
        .initCompleted { r, _ in use(r ~> Poller.self) }
        container.register(
            Chart.self,
            asyncFactory: { _ in
                Chart(source: try await other.requireAsync(Source.self))
            }
        )
        let asked = Task { [container] in try await container.requireAsync(Chart.self) }
        await isMaking.wait()
        let closing = Task { try await other.close() }
        while outcome({ try other.require(Poller.self) }) == "got" { await Task.yield() }
        goOn.open()
        use(try await asked.value)
        try await closing.value
    }
}
