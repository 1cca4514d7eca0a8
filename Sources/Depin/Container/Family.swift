/// Who is whose child, for messages only: a core itself knows no more than its parent.
final class Family: @unchecked Sendable {  // Its lock guards it.
    static let shared = Family()

    private struct Child {
        weak var core: ContainerCore?
    }

    private let lock = Lock()
    // By the address of the parent, which lives as long as its children, then of the child.
    private var children: [ObjectIdentifier: [ObjectIdentifier: Child]] = [:]  // guarded by lock

    func add(_ core: ContainerCore) {
        guard let parent = core.parent else { return }
        let child = Child(core: core)
        lock.withLock {
            children[ObjectIdentifier(parent), default: [:]][ObjectIdentifier(core)] = child
        }
    }

    func remove(_ core: ContainerCore) {
        guard let parent = core.parent.map(ObjectIdentifier.init) else { return }
        lock.withLock {
            children[parent]?[ObjectIdentifier(core)] = nil
            if children[parent]?.isEmpty == true {
                children[parent] = nil
            }
        }
    }

    func children(of core: ContainerCore) -> [ContainerCore] {
        lock.withLock { children[ObjectIdentifier(core)]?.values.compactMap(\.core) ?? [] }
    }
}

/// The containers that can be named besides the one that was asked, for messages only.
///
/// The space is nothing that a container knows of, so who knows it says how to list them.
final class Neighbours: @unchecked Sendable {  // Its lock guards it.
    typealias List = @Sendable () -> [(name: String, core: ContainerCore)]

    static let shared = Neighbours()

    private let lock = Lock()
    private var list: List?  // guarded by lock

    func list(by list: @escaping List) {
        lock.withLock { self.list = list }
    }

    var all: [(name: String, core: ContainerCore)] {
        lock.withLock { list }?() ?? []
    }
}
