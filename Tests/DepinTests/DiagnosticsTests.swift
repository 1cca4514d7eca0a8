import Testing

@testable import Depin

struct DiagnosticsTests {
    private final class Leaf: Sendable {}
    private struct Nobody: ResolutionObserver {
        func observe(_ event: ResolutionEvent) {}
    }

    @Test func `a validation leaves the container as fast as it was`() throws {
        let parent = Container()
        let container = Container(parent: parent)
        parent.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        try container.validate()
        #expect(container.core.detours.load(ordering: .relaxed) == 0)
        #expect(parent.core.detours.load(ordering: .relaxed) == 0)
    }

    @Test func `a container is on the short way again when its last fork has gone`() {
        let container = Container()
        var forks = [container.fork(), container.fork()]
        let forkOfFork = forks[0].fork()
        #expect(container.core.detours.load(ordering: .relaxed) != 0)
        forks = []
        #expect(container.core.detours.load(ordering: .relaxed) != 0)
        withExtendedLifetime(forkOfFork) {}
    }

    @Test func `a container is on the short way again when nobody observes`() {
        let container = Container()
        let one = container.addObserver(Nobody())
        let other = container.addObserver(Nobody())
        one.end()
        #expect(container.core.detours.load(ordering: .relaxed) != 0)
        other.end()
        #expect(container.core.detours.load(ordering: .relaxed) == 0)
    }

    @Test func `nothing is noted of a container in which nothing is remarkable`() throws {
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Leaf.self, name: "other") { Leaf() }.implements(AnyObject.self)
        #expect(container.resolve(Leaf.self) != nil)
        #expect(container.core.notes == nil)
        container.register(Leaf.self) { Leaf() }
        #expect(container.core.notes != nil)
    }

    @Test func `overwrites of one key are remembered up to a limit`() {
        let container = Container()
        for _ in 0..<100 {
            container.register(Leaf.self) { Leaf() }
        }
        let key = container.core.noted(ServiceKey(Leaf.self)).key
        let overwrites = container.core.notes?.known.overwrites[key]
        #expect(overwrites?.count == CoreNotes.limit)
    }

    @Test func `a parent knows the children that live`() {
        let parent = Container()
        var child: Container? = Container(parent: parent)
        #expect(parent.core.children.count == 1)
        #expect(child != nil)
        child = nil
        #expect(parent.core.children.isEmpty)
    }
}
