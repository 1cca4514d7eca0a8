import Testing

@testable import Depin

private final class Disk: Sendable {}
private final class Page: Sendable {}

/// Has an instance for one graph alone.
private final class GraphStorage: InstanceStorage {
    var instance: Any?
    func graphResolutionCompleted() { instance = nil }
    func instance(inGraph graph: GraphIdentifier) -> Any? { nil }
    func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) { self.instance = instance }
}

/// A container that closes something notes what its instances need.
struct `A container that closes something` {
    private let container = Container()

    init() {
        container.register(Disk.self) { Disk() }.inObjectScope(.container).onClose { _ in }
    }

    private var noted: Int { container.engine.state.withLock { $0.needs.order().instances.count } }

    @Test(arguments: [ObjectScope.graph, .transient, .weak])
    func `notes nothing of what has gone and is not closed`(_ scope: ObjectScope) {
        container.register(Page.self) { r in
            use(r ~> Disk.self)
            return Page()
        }
        .inObjectScope(scope)
        for _ in 0..<20 { use(container ~> Page.self) }
        #expect(noted < 5)
    }

    @Test func `notes nothing of what a storage has dropped for another instance`() {
        container.register(Page.self) { Page() }
            .inObjectScope(ObjectScope(storageFactory: GraphStorage.init))
        for _ in 0..<20 { use(container ~> Page.self) }
        #expect(noted < 5)
    }

    @Test func `notes nothing of what has gone that was one for each argument`() {
        container.register(Page.self) { (_, _: Int) in Page() }.inObjectScope(.weak.perArguments)
        for number in 0..<20 { use(container ~> (Page.self, argument: number)) }
        #expect(noted < 5)
    }
}
