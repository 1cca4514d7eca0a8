@testable import Depin

/// An instance that knows how it came to be.
final class Node: Sendable {
    let service: Int
    let scope: ModelProgram.Scope
    /// The registration, numbered in the order in which they were made.
    let registration: Int
    /// The container that was asked, as the factory's resolver says.
    let asked: ObjectIdentifier
    let needs: [Node]
    /// False when its registration may not have had its scope and callbacks yet.
    let isJudged: Bool
    let completions = Shared()
    /// What the callback got; a circle of references, which the world cuts at the end.
    let later = Shared<[Node]>([])
    private let world: ModelWorld

    init(
        _ service: Int,
        _ scope: ModelProgram.Scope,
        _ registration: Int,
        _ asked: ObjectIdentifier,
        _ needs: [Node],
        in world: ModelWorld
    ) {
        self.service = service
        self.scope = scope
        self.registration = registration
        self.asked = asked
        self.needs = needs
        self.world = world
        isJudged = registration <= ModelThread.registrationsAtStart
        world.living.change { $0[ObjectIdentifier(self)] = WeakNode(node: self) }
    }

    deinit {
        world.living.change { $0[ObjectIdentifier(self)] = nil }
    }
}

struct WeakNode: @unchecked Sendable {  // The runtime guards weak references.
    weak var node: Node?
}

struct NodeName: ServiceName {
    let name: String
    init(_ service: Int) { name = "\(service)" }
}
