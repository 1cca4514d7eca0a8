import Foundation

@testable import Depin

/// One thread of a program.
final class ModelThread {
    private let world: ModelWorld
    private let containers: [ModelProgram.Place: Container]
    private var held: [Node] = []

    init(_ world: ModelWorld, _ containers: [ModelProgram.Place: Container]) {
        self.world = world
        self.containers = containers
    }

    func run(_ operations: [ModelProgram.Operation]) {
        for operation in operations {
            Thread.current.threadDictionary[Self.key] = world.registrationCount
            run(operation)
        }
    }

    private static let key = "registrations at the start of the operation"

    /// The registrations that were there, with scope and callbacks, when this thread's operation
    /// began.
    static var registrationsAtStart: Int {
        Thread.current.threadDictionary[key] as? Int ?? 0
    }

    private func run(_ operation: ModelProgram.Operation) {
        switch operation {
        case .resolve(let place, let index):
            resolve(index, place)
        case .register(let place, let index):
            guard let container = containers[place] else { return }
            world.register(index, in: container, place)
        case .reset(let scope):
            guard let container = containers[.child] else { return }
            world.reset(scope, in: container)
        case .lazy(let place, let index):
            lazy(index, place)
        case .provider(let place, let index):
            provider(index, place)
        case .fork(let place, let index):
            fork(index, place)
        case .newChild(let index):
            newChild(index)
        case .injected(let place, let index):
            injected(index, place)
        case .overriding(let index):
            override(index)
        case .drop:
            held = []
        }
    }

    private func isSafe(_ index: Int) -> Bool { world.expectation.outcomes[index] == .success }

    private func resolve(_ index: Int, _ place: ModelProgram.Place) {
        guard let container = containers[place] else { return }
        let oldest = world.oldest(of: index, in: place)
        guard let node = require(index, container) else { return }
        world.judge(node, index, since: oldest)
        world.judgePermanence(of: node)
        guard node.isJudged else { return }
        if !node.scope.isShared, node.asked != ObjectIdentifier(container) {
            world.fail("\(index) was made for another container")
        }
        hold(node)
    }

    /// A weak instance that this thread holds is the one that everyone gets.
    private func hold(_ node: Node) {
        if node.scope == .weak, !world.changesAnything,
            let mine = held.first(where: { $0.registration == node.registration }), mine !== node
        {
            world.fail("\(node.service) is held and was built again")
        }
        held.append(node)
    }

    private func require(_ index: Int, _ resolver: any Resolver) -> Node? {
        do {
            let node = try resolver.require(Node.self, name: NodeName(index))
            if world.expectation.outcomes[index] == .failure {
                world.fail("\(index) was built although it cannot be")
            }
            return node
        } catch {
            world.judge(error, index)
            return nil
        }
    }

    private func lazy(_ index: Int, _ place: ModelProgram.Place) {
        guard isSafe(index), let container = containers[place] else { return }
        let lazy = container ~> (Lazy<Node>.self, name: NodeName(index))
        let oldest = world.oldest(of: index, in: place)
        let node = lazy.instance
        if lazy.instance !== node { world.fail("a Lazy has two instances") }
        world.judge(node, index, since: oldest)
        world.judgePermanence(of: node)
    }

    private func provider(_ index: Int, _ place: ModelProgram.Place) {
        guard isSafe(index), let container = containers[place] else { return }
        let provider = container ~> (Provider<Node>.self, name: NodeName(index))
        let oldest = world.oldest(of: index, in: place)
        let (one, other) = (provider.instance, provider.instance)
        world.judge(one, index, since: oldest)
        if one.isJudged, one === other, !one.scope.isShared {
            world.fail("a Provider has one instance")
        }
    }

    private func fork(_ index: Int, _ place: ModelProgram.Place) {
        guard let fork = containers[place]?.fork(), let node = require(index, fork) else { return }
        world.judge(node, index, since: 0)
        if containers.values.contains(where: { ObjectIdentifier($0) == node.asked }) {
            world.fail("a fork got \(index) of the original")
        }
        guard node.isJudged else { return }
        if node.scope.isPermanent || node.scope == .weak, require(index, fork) !== node {
            // A weak one is held here.
            world.fail("a fork has two instances of \(index)")
        }
    }

    private func newChild(_ index: Int) {
        guard let parent = containers[.parent] else { return }
        let child = Container(parent: parent)
        guard let node = require(index, child) else { return }
        world.judgePermanence(of: node)
        guard node.isJudged else { return }
        let owner = node.scope.isShared ? parent : child
        if node.asked != ObjectIdentifier(owner) { world.fail("\(index) has the wrong resolver") }
    }

    private func injected(_ index: Int, _ place: ModelProgram.Place) {
        guard isSafe(index), let container = containers[place] else { return }
        let oldest = world.oldest(of: index, in: place)
        let injected = withSpace(\.dependenciesContainer, container) {
            Injected<Node>(NodeName(index))
        }
        let node = injected.wrappedValue
        if injected.wrappedValue !== node { world.fail("an Injected has two instances") }
        world.judge(node, index, since: oldest)
        world.judgePermanence(of: node)
    }

    private func override(_ index: Int) {
        guard isSafe(index), let container = containers[.parent] else { return }
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: { world.register(index, in: $0) }) {
                let oldest = world.oldest(of: index, in: .parent)
                let node = Injected<Node>(NodeName(index)).wrappedValue
                world.judge(node, index, since: 0)
                if node.registration < oldest, world.changesAnything == false {
                    world.fail("an override of \(index) has no effect")
                }
            }
        }
    }
}
