import Testing

@testable import Depin

struct `A graph that has ended` {
    private let graph = GraphIdentifier()
    private let container = Container()

    private func add(
        _ service: Service,
        to graph: ObjectGraph,
        for slot: Slot,
        _ arguments: Arguments?
    ) {
        let (engine, request) = (container.engine, Engine.Request(slot.key, arguments))
        var step = Resolution.Step(
            Found(slot: slot, holder: engine),
            request,
            by: engine,
            after: nil
        )
        withUnsafeMutablePointer(to: &step) { step in
            _ = graph.insert(Box(service), of: slot, for: engine.number, step)
        }
        withExtendedLifetime(request) {}
    }

    @Test func `finds what lives of what was made in it since, whatever has gone before`() throws {
        container.register(Service.self) { Service() }
        let graph = try #require(self.graph.graph as? ObjectGraph)
        let slot = try #require(container.engine.find(ServiceKey(Service.self))).slot
        func add(_ service: Service) {
            self.add(service, to: graph, for: slot, nil)
        }
        add(Service())
        let living = Service()
        add(living)
        let found = graph.find(slot, for: container.engine.number, nil)
        #expect(found?.anyValue as? Service === living)
        withExtendedLifetime(living) {}
    }

    @Test func `finds what lives among those for equal arguments, whatever has gone before`() throws
    {
        container.register(Service.self) { (_, _: Int) in Service() }
        let graph = try #require(self.graph.graph as? ObjectGraph)
        let key = ServiceKey(Service.self, arguments: ArgumentPack<Int>.self)
        let slot = try #require(container.engine.find(key)).slot
        func add(_ service: Service) {
            self.add(service, to: graph, for: slot, ArgumentPack(1))
        }
        add(Service())
        let living = Service()
        add(living)
        let found = graph.find(slot, for: container.engine.number, ArgumentPack(1))
        #expect(found?.anyValue as? Service === living)
        withExtendedLifetime(living) {}
    }

    @Test func `keeps nothing alive that is used in it later`() throws {
        let graph = try #require(self.graph.graph as? ObjectGraph)
        weak var service: Service?
        do {
            let used = Service()
            service = used
            graph.keep(used)
        }
        #expect(service == nil)
    }

    @Test func `forgets what has gone, however many came and went in it`() throws {
        container.register(Service.self) { (_, _: Int) in Service() }
        let graph = try #require(self.graph.graph as? ObjectGraph)
        let key = ServiceKey(Service.self, arguments: ArgumentPack<Int>.self)
        let slot = try #require(container.engine.find(key)).slot
        for number in 0..<1000 {
            graph.begin()
            add(Service(), to: graph, for: slot, ArgumentPack(number))
            graph.endResolution()
        }
        #expect(graph.state.withLock { $0.parts?.weakInstances.count ?? 0 } < 200)
    }

    @Test func `is not joined by a request that comes at its end`() async throws {
        let (graph, joined) = (ObjectGraph(), Guarded<[Bool]>([]))
        container.register(Service.self) {
            let current = Resolution.withCurrent { $0.path.graph }
            joined.withLock { $0.append(current === graph) }
            return Service()
        }
        try await TaskFrame(of: graph, in: container.engine, nil).run {
            use(try await container.requireAsync(Service.self))
            for _ in 0..<2 { graph.endResolution() }
            use(try await container.requireAsync(Service.self))
            graph.begin()
        }
        #expect(joined.withLock { $0 } == [true, false])
    }

    @Test func `finds nothing where what lives goes meanwhile`() throws {
        let key = ServiceKey(Service.self)
        container.register(Service.self) { Service() }
        let slot = try #require(container.engine.find(key)).slot
        let number = container.engine.number
        for _ in 0..<20 {
            let graph = ObjectGraph()
            graph.name()
            _ = graph.end()
            let held = Guarded((0..<500).map { _ in Service() })
            for service in held.withLock({ $0 }) {
                add(service, to: graph, for: slot, nil)
            }
            _ = onThreads(2) { thread in
                while !held.withLock({ $0.isEmpty }) {
                    if thread == 0 {
                        _ = held.withLock { $0.removeFirst() }
                    } else {
                        _ = graph.find(slot, for: number, nil)
                    }
                }
            }
            #expect(graph.find(slot, for: number, nil) == nil)
        }
    }
}

private final class Service: Sendable {}
