import DepinInspection
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
        #expect(container.engine.isOnFastPath)
        #expect(parent.engine.isOnFastPath)
    }

    @Test func `a container is on the fast path again when its last fork has gone`() {
        let container = Container()
        var forks = [container.fork(), container.fork()]
        let forkOfFork = forks[0].fork()
        #expect(!container.engine.isOnFastPath)
        forks = []
        #expect(!container.engine.isOnFastPath)
        withExtendedLifetime(forkOfFork) {}
    }

    /// What the fork of the parent has inherited is the fork's of the child too, which the child has not.
    @Test func `a fork is observed by those who observe its parent`() {
        final class Listener: EngineObserver {}
        let (parent, listener) = (Container(), Listener())
        let child = Container(parent: parent)
        parent.engine.observe(by: listener)
        let fork = child.fork()
        #expect(fork.engine.observers.contains { $0 === listener })
        withExtendedLifetime(fork) {}
    }

    @Test func `a container is on the fast path again when nobody observes`() {
        let container = Container()
        let one = container.addObserver(Nobody())
        let other = container.addObserver(Nobody())
        one.end()
        #expect(!container.engine.isOnFastPath)
        other.end()
        #expect(container.engine.isOnFastPath)
    }

    @Test func `a warm-up leaves the container as fast as it was`() async throws {
        let parent = Container()
        let container = Container(parent: parent)
        parent.register(Leaf.self) { Leaf() }.inObjectScope(.container).eager()
        #expect(try await container.warmUp().services.count == 1)
        #expect(container.engine.isOnFastPath)
        #expect(parent.engine.isOnFastPath)
    }

    @Test func `a child notes what it builds only where that may be closed`() {
        let parent = Container()
        parent.register(Leaf.self) { Leaf() }.inObjectScope(.container).onClose { _ in }
        parent.register(Int.self) { r in (r ~> Leaf.self, 1).1 }
        let child = Container(parent: parent)
        child.register(String.self) { r in "\(r ~> Int.self)" }.inObjectScope(.container)
        #expect((child ~> String.self) == "1")
        #expect(child.engine.state.withLock { $0.needs.isEmpty })
        child.resetObjectScope(.container)
        parent.register(UInt.self) { 1 }.onClose { _ in }
        #expect((child ~> String.self) == "1")
        #expect(!child.engine.state.withLock { $0.needs.isEmpty })
    }

    @Test func `overwrites of one key are remembered up to a limit`() {
        let container = Container()
        let key = ServiceKey(Leaf.self)
        container.register(Leaf.self) { Leaf() }
        #expect(container.engine.overwrites(of: key).isEmpty)
        for _ in 0..<100 {
            container.register(Leaf.self) { Leaf() }
        }
        #expect(container.engine.overwrites(of: key).count == 8)
    }

    @Test func `of very many children some are looked through`() {
        let parent = Container()
        let children = (0..<200).map { _ in Container(parent: parent) }
        let expected = children.map(\.engine.number)
        #expect(parent.engine.children.map(\.number) == expected)
        let some = parent.engine.descendants(limit: 100).map(\.number)
        #expect(some.count == 100 && some == some.sorted())
        withExtendedLifetime(children) {}
    }

    @Test func `a parent knows the children that live`() {
        let parent = Container()
        var child: Container? = Container(parent: parent)
        #expect(parent.engine.children.count == 1)
        #expect(child != nil)
        child = nil
        #expect(parent.engine.children.isEmpty)
    }
}
