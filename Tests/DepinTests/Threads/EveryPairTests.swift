import DepinInspection
import Testing

@testable import Depin

/// What one can do with a container, each on a thread of its own beside each other.
///
/// The results are nobody's concern here, but that each ends, and what ThreadSanitizer says: the model
/// test looks at the results.
@Suite(.timeLimit(.minutes(5)))
struct `Whatever two threads do with one container at once` {
    enum Use: CaseIterable {
        case resolve, resolveOptional, resolveCircle, resolveInGraph, deferred, register, override
        case unregister, removeAll, reset, resetType, changeScope, addCallback, forward, fork, child
        case validate, drawGraph, observe, addBehavior, describe, setSpace, describeSpace
    }

    @Test(arguments: Use.allCases)
    func `ends`(_ one: Use) {
        for other in Use.allCases {
            let fixture = Fixture()
            use(
                onThreads(2) { thread in
                    for _ in 0..<25 { fixture.perform(thread == 0 ? one : other) }
                }
            )
        }
    }
}

private final class Left: Sendable {
    let right: Right?

    init(_ right: Right?) {
        self.right = right
    }
}

private final class Right: Sendable {}

// Of this file alone: a test here sets a container for the whole process, and the hints of others name what is in it.
private protocol Plant: AnyObject {}
private final class Leaf: Plant, Sendable {}

private struct LeafKey: SpaceKey {
    static let defaultValue = Container()
}

extension SpaceValues {
    fileprivate var leaves: Container {
        get { self[LeafKey.self] }
        set { self[LeafKey.self] = newValue }
    }
}

private struct Watching: Behavior, ResolutionObserver {
    func container<Type, Service>(
        _: Container,
        didRegisterType _: Type.Type,
        toService _: ServiceEntry<Service>,
        withName _: String?
    ) {}

    func observe(_: ResolutionEvent) {}
}

private final class Fixture: Sendable {
    private let parent = Container()
    private let container: Container
    private let graph = GraphIdentifier()

    init() {
        container = Container(parent: parent)
        register(in: parent)
        register(in: container)
    }

    private func register(in container: Container) {
        container.register(Left.self) { Left(try? $0.require(Right.self)) }
        container.register(Right.self) { Right() }
            .inObjectScope(.container)
            .initCompleted { resolver, _ in _ = try? resolver.require(Left.self) }
        container.register(Leaf.self) { Leaf() }.inObjectScope(.weak)
        container.register(Leaf.self, name: "another") { Leaf() }.inObjectScope(.container)
        container.register((any Plant).self) { Leaf() }.inObjectScope(.transient)
    }

    func perform(_ use: `Whatever two threads do with one container at once`.Use) {
        switch use {
        case .resolve: resolve(container)
        case .resolveOptional: DepinTests.use((container ~> Leaf?.self, parent ~> Leaf?.self))
        case .resolveCircle: _ = try? container.require(Right.self)
        case .resolveInGraph: container.withObjectGraph(graph) { resolve($0) }
        case .deferred:
            DepinTests.use((container ~> Lazy<Leaf?>.self).instance)
        case .register: register(in: container)
        case .override: container.register(Leaf.self) { Leaf() }.overriding()
        case .unregister: container.unregister(Leaf.self)
        case .removeAll: container.removeAll()
        case .reset: parent.resetObjectScope(.container)
        case .resetType: container.resetObjectScope(.weak, serviceType: Leaf.self)
        case .changeScope, .addCallback, .forward: configure(use)
        case .fork: resolve(container.fork())
        case .child: resolve(Container(parent: container))
        case .validate: _ = try? container.validate()
        case .drawGraph: _ = container.dependencyGraph().mermaid
        case .observe:
            let observation = container.addObserver(Watching())
            resolve(container)
            observation.end()
        case .addBehavior: container.addBehavior(Watching())
        case .describe: _ = parent.description + container.description
        case .setSpace: SpaceValues.updateShared { $0.leaves = container }
        case .describeSpace: _ = SpaceValues.current.description
        }
    }

    private func configure(_ use: `Whatever two threads do with one container at once`.Use) {
        let entry = container.register(Leaf.self, name: "configured") { Leaf() }
        resolve(container)
        switch use {
        case .changeScope: entry.inObjectScope(.container).inObjectScope(.weak)
        case .addCallback: entry.initCompleted { _, _ in }
        default: entry.implements((any Plant).self, name: "configured")
        }
    }

    private func resolve(_ resolver: any Resolver) {
        _ = try? resolver.require(Left.self)
        _ = try? resolver.require(Leaf.self)
        _ = try? resolver.require(Leaf.self, name: "configured")
        _ = try? resolver.require((any Plant).self)
    }
}
