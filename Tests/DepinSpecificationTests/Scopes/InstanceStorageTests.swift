import Depin
import Testing

struct `Instance storages` {
    private let graph = GraphIdentifier()

    @Test func `a permanent storage keeps until it is set`() {
        let storage = PermanentStorage()
        storage.instance = 5
        storage.graphResolutionCompleted()
        #expect(storage.instance as? Int == 5)
        #expect(storage.instance(inGraph: graph) as? Int == 5)
        storage.setInstance(6, inGraph: graph)
        #expect(storage.instance as? Int == 6)
        storage.instance = nil
        #expect(storage.instance == nil)
    }

    @Test func `a transient storage keeps nothing`() {
        let storage = TransientStorage()
        storage.instance = 5
        #expect(storage.instance == nil)
        storage.setInstance(5, inGraph: graph)
        #expect(storage.instance(inGraph: graph) == nil)
    }

    @Test func `a weak storage keeps an object while someone holds it`() {
        let storage = WeakStorage()
        var part: Part? = Part()
        storage.instance = part
        #expect(storage.instance as? Part === part)
        storage.graphResolutionCompleted()
        #expect(storage.instance as? Part === part)
        part = nil
        #expect(storage.instance == nil)
        storage.instance = 5
        #expect(storage.instance == nil, "a value is not kept")
    }

    @Test func `a graph storage keeps an instance for each graph`() {
        let storage = GraphStorage()
        let (part, other) = (Part(), Part())
        let otherGraph = GraphIdentifier()
        storage.setInstance(part, inGraph: graph)
        #expect(storage.instance(inGraph: graph) as? Part === part)
        #expect(storage.instance(inGraph: otherGraph) == nil)
        storage.setInstance(other, inGraph: otherGraph)
        #expect(storage.instance(inGraph: graph) as? Part === part)
        #expect(storage.instance(inGraph: otherGraph) as? Part === other)
        #expect(GraphStorage().instance(inGraph: graph) == nil, "another storage has its own")
    }

    @Test func `a graph storage holds what it stored last until the graph is complete`() {
        let storage = GraphStorage()
        weak var part: Part?
        do {
            let made = Part()
            part = made
            storage.setInstance(made, inGraph: graph)
        }
        #expect(part != nil)
        #expect(storage.instance as? Part === part)
        storage.graphResolutionCompleted()
        #expect(part == nil)
        #expect(storage.instance == nil)
        #expect(storage.instance(inGraph: graph) == nil)
    }

    @Test func `a graph storage finds again what still lives when the graph is complete`() {
        let storage = GraphStorage()
        let part = Part()
        storage.setInstance(part, inGraph: graph)
        storage.graphResolutionCompleted()
        #expect(storage.instance(inGraph: graph) as? Part === part)
    }

    @Test func `a composite storage asks in turn and keeps in all`() {
        let (first, second) = (PermanentStorage(), PermanentStorage())
        let storage = CompositeStorage([first, TransientStorage(), second])
        #expect(storage.instance == nil)
        second.instance = 2
        #expect(storage.instance as? Int == 2)
        first.instance = 1
        #expect(storage.instance as? Int == 1)
        #expect(storage.instance(inGraph: graph) as? Int == 1)
        storage.instance = 3
        #expect(first.instance as? Int == 3)
        #expect(second.instance as? Int == 3)
        storage.setInstance(4, inGraph: graph)
        #expect(second.instance as? Int == 4)
        storage.instance = nil
        #expect(first.instance == nil)
    }

    @Test func `a composite storage passes on that a graph is complete`() {
        let part = Part()
        let (graphStorage, spy) = (GraphStorage(), CompletionSpy())
        let storage = CompositeStorage([graphStorage, spy])
        storage.setInstance(part, inGraph: graph)
        storage.graphResolutionCompleted()
        #expect(graphStorage.instance == nil)
        #expect(spy.completions == 1)
    }

    @Test func `every scope makes storages of its kind, one for each registration`() {
        let scopes: [ObjectScopeProtocol] = [
            ObjectScope.transient, ObjectScope.graph, ObjectScope.container, ObjectScope.weak,
            ObjectScope(named: "x"),
        ]
        for scope in scopes {
            #expect(scope.makeStorage() !== scope.makeStorage())
        }
        let kept = ObjectScope.container.makeStorage()
        kept.instance = 5
        #expect(kept.instance as? Int == 5)
        let dropped = ObjectScope.transient.makeStorage()
        dropped.instance = 5
        #expect(dropped.instance == nil)
        let parent = ObjectScope(storageFactory: PermanentStorage.init, parent: ObjectScope.weak)
        #expect(parent.makeStorage() is CompositeStorage)
    }

    @Test func `a storage need only have an instance`() {
        let storage: InstanceStorage = Minimal()
        storage.setInstance(5, inGraph: graph)
        storage.graphResolutionCompleted()
        #expect(storage.instance as? Int == 5)
        #expect(storage.instance(inGraph: GraphIdentifier()) as? Int == 5)
    }
}

private final class Part {}

private final class Minimal: InstanceStorage {
    var instance: Any?
}

private final class CompletionSpy: InstanceStorage {
    var instance: Any?
    private(set) var completions = 0

    func graphResolutionCompleted() { completions += 1 }
}
