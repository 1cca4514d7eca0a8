import Testing

@testable import Depin

struct `Instances of a graph are found by registration, not by address` {
    // A registration that goes frees memory that the next one of the same size is given.

    @Test func `a registration made after another went finds nothing of it in a kept graph`() {
        let container = Container()
        let graph = GraphIdentifier()
        for _ in 0..<100 {
            container.register(First.self) { First() }
            let first = container.withObjectGraph(graph) { $0 ~> First.self }
            container.unregister(First.self)
            container.register(Second.self) { Second() }
            let second: Second = container.withObjectGraph(graph) { $0 ~> Second.self }
            #expect(ObjectIdentifier(first) != ObjectIdentifier(second))
            container.unregister(Second.self)
        }
    }

    @Test func `nor in a graph under way`() {
        let container = Container()
        container.register(Int.self) { [unowned container] in
            var reused = 0
            for _ in 0..<100 {
                container.register(First.self) { First() }
                let first = container ~> First.self
                container.unregister(First.self)
                container.register(Second.self) { Second() }
                let second: Second = container ~> Second.self
                reused += ObjectIdentifier(first) == ObjectIdentifier(second) ? 1 : 0
                container.unregister(Second.self)
            }
            return reused
        }
        #expect((container ~> Int.self) == 0)
    }

    @Test func `a child made after another went finds nothing of it`() {
        let parent = Container()
        parent.register(First.self) { First() }
        let graph = GraphIdentifier()
        var kept: [First] = []
        for _ in 0..<100 {
            let child = Container(parent: parent)
            kept.append(child.withObjectGraph(graph) { $0 ~> First.self })
        }
        #expect(Set(kept.map(ObjectIdentifier.init)).count == kept.count)
    }

    //  Root ──► Keeping, which keeps its resolver
    //   └────► Single (container) ──► the same Keeping
    @Test func `a graph made after another went keeps its container open by itself`() {
        for _ in 0..<100 {
            weak var engine: Engine?
            do {
                let container = Container()
                engine = container.engine
                container.register(Keeping.self) { Keeping($0) }
                container.register(Single.self) { Single($0 ~> Keeping.self) }
                    .inObjectScope(.container)
                container.register(Int.self) { r in
                    let keeping = r ~> Keeping.self
                    return (r ~> Single.self).keeping === keeping ? 1 : 0
                }
                let first = container ~> Keeping.self
                #expect((first.resolver ~> Int.self) == 1)
            }
            #expect(engine == nil)
        }
    }
}

private final class Keeping: Sendable {
    let resolver: any Resolver
    init(_ resolver: any Resolver) { self.resolver = resolver }
}

private final class Single: Sendable {
    let keeping: Keeping
    init(_ keeping: Keeping) { self.keeping = keeping }
}

private final class First: Sendable {}
private final class Second: Sendable {}
