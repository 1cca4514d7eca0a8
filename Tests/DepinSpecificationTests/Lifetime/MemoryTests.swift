import Depin
import Foundation
import Testing

/// After any number of resolutions, live objects and live memory are what they were.
///
/// The work runs in a process of its own, where nobody else allocates.
struct `Memory` {
    @Test func `objects and memory are what they were after 100,000 resolutions of a graph`() async
    {
        await #expect(processExitsWith: .success) {
            let container = Container()
            container.register(Leaf.self) { _ in Leaf() }
            container.register(Leaf.self, name: "transient") { _ in Leaf() }
                .inObjectScope(.transient)
            container.register(Leaf.self, name: "weak") { _ in Leaf() }.inObjectScope(.weak)
            container.register(Leaf.self, name: "shared") { _ in Leaf() }
                .inObjectScope(.container)
                .implements(AnyObject.self, name: "forwarded")
            container.register(Leaf.self) { (_, _: String) in Leaf() }
            container.register(Tree.self) { resolver in
                let tree = Tree()
                tree.kept = [
                    resolver, resolver ~> Leaf.self, resolver ~> (Leaf.self, name: "transient"),
                    resolver ~> (Leaf.self, name: "weak"), resolver ~> Lazy<Leaf>.self,
                    resolver ~> (Leaf.self, argument: "text"), resolver ~> Provider<Leaf>.self,
                    resolver ~> (AnyObject.self, name: "forwarded"),
                    (resolver ~> Leaf?.self) as Any,
                    resolver ~> GraphIdentifier.self,
                ]
                return tree
            }
            .initCompleted { resolver, tree in
                let lazy = resolver ~> Lazy<Leaf>.self
                precondition(lazy.instance === resolver.resolve(Leaf.self))
                tree.kept.append(lazy)
            }
            expectSteady("a graph") { _ = container.resolve(Tree.self) }
        }
    }

    @Test func `objects and memory are what they were after 100,000 circles`() async {
        await #expect(processExitsWith: .success) {
            for scope in [ObjectScope.graph, .weak] {
                let container = Container()
                container.register(Tree.self) { resolver in
                    let tree = Tree()
                    tree.kept = [resolver ~> Branch.self]
                    return tree
                }
                .inObjectScope(scope)
                container.register(Branch.self) { _ in Branch() }
                    .inObjectScope(scope)
                    .initCompleted { resolver, branch in branch.tree = resolver.resolve(Tree.self) }
                expectSteady("a circle in \(scope) scope") { _ = container.resolve(Tree.self) }
            }
        }
    }

    @Test func `objects and memory are what they were after 100,000 uses of a kept graph`() async {
        await #expect(processExitsWith: .success) {
            let container = Container()
            container.register(Leaf.self) { _ in Leaf() }
            container.register(Int.self) { _ in 5 }
            let graph = GraphIdentifier()
            expectSteady("a kept graph") {
                container.withObjectGraph(graph) { container in
                    _ = (container.resolve(Leaf.self), container.resolve(Int.self))
                }
            }
            let storage = GraphStorage()
            expectSteady("a graph storage") {
                storage.setInstance(Leaf(), inGraph: GraphIdentifier())
                storage.graphResolutionCompleted()
            }
        }
    }

    @Test func `objects and memory are what they were after many containers`() async {
        await #expect(processExitsWith: .success) {
            let original = Container()
            original.register(Leaf.self) { _ in Leaf() }.inObjectScope(.container)
            original.register(Tree.self) { resolver in
                let tree = Tree()
                tree.kept = [resolver, resolver ~> Leaf.self, resolver ~> Lazy<Tree>.self]
                return tree
            }
            .inObjectScope(.container)
            _ = original.resolve(Tree.self)
            expectSteady("children and forks", times: 2_000) {
                _ = Container(parent: original.fork()).resolve(Tree.self)
            }
        }
    }

    @Test func `memory is what it was after many instances that nobody holds, where some close`()
        async
    {
        await #expect(processExitsWith: .success) {
            let container = Container()
            container.register(Leaf.self) { _ in Leaf() }.inObjectScope(.weak).onClose { _ in }
            container.register(Tree.self) { resolver in
                let tree = Tree()
                tree.kept = [resolver ~> Leaf.self]
                return tree
            }
            .inObjectScope(.weak)
            container.register(Int.self) { _ in 5 }.inObjectScope(.weak)
            expectSteady("what is held weakly") {
                _ = (container.resolve(Tree.self), container.resolve(Int.self))
            }
        }
    }

    @Test func `memory is what it was after many contributions that were removed`() async {
        await #expect(processExitsWith: .success) {
            let container = Container()
            nonisolated(unsafe) var number = 0
            expectSteady("contributions", times: 10_000) {
                number += 1
                container.contribute(Int.self, name: "\(number)", instance: number)
                precondition(container.resolve([Int].self) == [number])
                container.unregister(Int.self, name: "\(number)")
            }
        }
    }

    @Test func `memory is what it was after many misses and resets`() async {
        await #expect(processExitsWith: .success) {
            // Nothing throws here: Swift Testing keeps a backtrace of each error it sees thrown.
            let container = Container()
            container.register(Leaf.self) { _ in Leaf() }.inObjectScope(.container)
            container.register(Tree.self) { _ in Tree() }
            expectSteady("misses and resets", times: 10_000) {
                precondition(container.resolve(String.self) == nil)
                precondition(container.resolve(String.self, name: "n", argument: 5) == nil)
                _ = (container.resolve(Leaf.self), container.resolve(Tree.self))
                container.resetObjectScope(.container)
            }
        }
    }
}

/// Live objects of this file; one thread counts.
nonisolated(unsafe) private var liveObjects = 0

private class Counted {
    init() { liveObjects += 1 }

    deinit { liveObjects -= 1 }
}

private final class Leaf: Counted {}

private final class Branch: Counted {
    weak var tree: Tree?
}

private final class Tree: Counted {
    var kept: [Any] = []
}

/// Stops the process unless objects and memory are the same after a thousand and a hundred thousand.
private func expectSteady(_ name: String, times: Int = 100_000, _ body: () -> Void) {
    let times = isSanitized ? 1000 : times
    for _ in 0..<1000 { body() }
    let (objects, bytes) = (liveObjects, bytesInUse())
    for _ in 0..<times { body() }
    let (moreObjects, moreBytes) = (liveObjects - objects, bytesInUse() - bytes)
    if moreObjects != 0 { fatalError("\(name): \(moreObjects) objects more") }
    // Room for what the runtime caches once: a leak in each of the fewest resolutions is twice that.
    if abs(moreBytes) >= 16 * 1024 { fatalError("\(name): \(moreBytes) bytes more") }
}
