import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `Who keeps a container open` {
    /// What a child keeps, with the resolver that it was given.
    private final class Kept: Sendable {
        let resolver: any Resolver
        init(_ resolver: any Resolver) { self.resolver = resolver }
    }

    @Test func `is there together with who keeps its parent open, or not at all`() {
        for _ in 0..<3_000 {
            var child: Container? = Container(
                parent: Container { $0.register(Int.self) { 1 } }
            ) { child in
                child.register(Kept.self) { Kept($0) }.inObjectScope(.container)
            }
            guard let resolver = child?.resolve(Kept.self)?.resolver else { return }
            let begin = Gate()
            let asker = Running { () -> Bool in
                begin.wait()
                guard let found = try? resolver.require(Container.self) else { return true }
                return (try? found.require(Int.self)) == 1
            }
            begin.open()
            child = nil
            #expect(asker.value)
        }
    }

    @Test func `is not there without who keeps its parent open`() {
        let parent = Engine(parent: nil, defaultScope: ObjectScope.graph)
        let child = Engine(parent: parent, defaultScope: ObjectScope.graph)
        // The last owner is about to go, and the parent's has gone with it.
        let last = Owner(child, parent: nil)
        #expect(Owner(beside: child) == nil)
        use(last)
    }

    @Test func `is the same in a graph, however often containers are asked`() {
        let (container, counts) = (Container(), Guarded<[Int]>([]))
        let children = (0..<2).map { _ in Container(parent: container) }
        for child in children { child.register(Thing.self) { (_, _: Int) in Thing() } }
        container.register(Int.self) {
            for child in children {
                for number in 0..<20 { use(child ~> (Thing.self, argument: number)) }
            }
            let graph = Resolution.withCurrent { $0.path.graph }
            let count = graph?.state.withLock { $0.parts?.owners.count }
            counts.withLock { $0.append(count ?? 0) }
            return 1
        }
        use(container ~> Int.self)
        #expect(counts.withLock { $0 } == [2])
        container.removeAll()
    }

    @Test func `is one more while there is one`() {
        let engine = Engine(parent: nil, defaultScope: ObjectScope.graph)
        var first: Owner? = Owner(engine, parent: nil)
        use(first)
        var second = Owner(beside: engine)
        #expect(second != nil)
        first = nil
        #expect(!engine.isEnded)
        second = nil
        #expect(engine.isEnded)
        #expect(Owner(beside: engine) == nil)
    }

    @Test func `of a fork may go while the original closes, and what it leaves is closed`()
        async throws
    {
        let (container, isClosed) = (Container(), AsyncGate())
        container.register(Thing.self) { Thing() }.inObjectScope(.container)
            .onClose { _ in isClosed.open() }
        // An engine without an owner is one that its last owner has just left.
        let fork = container.engine.fork(parent: nil)
        try Resolution.withCurrent { resolution in
            use(try fork.answer(Engine.Request(ServiceKey(Thing.self), nil), resolution))
        }
        try await container.close()
        fork.willEnd()
        fork.end()
        await isClosed.wait()
    }
}
