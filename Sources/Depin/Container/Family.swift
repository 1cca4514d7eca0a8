/// Who is whose child and whose fork: a core itself knows no more than its parent and its originals.
final class Family: @unchecked Sendable {  // Its lock guards it.
    static let shared = Family()

    // Weak to the container, not to its core, whose count of references is to stay without a side
    // table.
    private struct Child {
        weak var container: Container?
    }

    private let lock = Lock()
    // By the address of the parent, which lives as long as its children, then of the child.
    private var children: [ObjectIdentifier: [ObjectIdentifier: Child]] = [:]  // guarded by lock
    // How many forks each core has, by its address; a fork holds it.
    private var forks: [ObjectIdentifier: Int] = [:]  // guarded by lock

    /// Notes a new container, as a child and as a fork.
    func add(_ container: Container) {
        let core = container.core
        guard core.parent != nil || !core.originals.isEmpty else { return }
        let child = Child(container: container)
        lock.withLock {
            if let parent = core.parent {
                children[ObjectIdentifier(parent), default: [:]][ObjectIdentifier(core)] = child
            }
            for original in core.originals {
                forks[ObjectIdentifier(original), default: 0] += 1
                original.detours.bitwiseOr(
                    ContainerCore.hasForks,
                    ordering: .sequentiallyConsistent
                )
            }
        }
    }

    /// Notes that a container has gone.
    ///
    /// One whose last fork has gone is as fast as before.
    func remove(_ core: ContainerCore) {
        guard core.parent != nil || !core.originals.isEmpty else { return }
        lock.withLock {
            if let parent = core.parent.map(ObjectIdentifier.init) {
                children[parent]?[ObjectIdentifier(core)] = nil
                if children[parent]?.isEmpty == true {
                    children[parent] = nil
                }
            }
            for original in core.originals {
                let left = forks[ObjectIdentifier(original), default: 1] - 1
                forks[ObjectIdentifier(original)] = left == 0 ? nil : left
                if left == 0 {
                    original.detours.bitwiseAnd(
                        ~ContainerCore.hasForks,
                        ordering: .sequentiallyConsistent
                    )
                }
            }
        }
    }

    func children(of core: ContainerCore) -> [ContainerCore] {
        let containers = lock.withLock {
            children[ObjectIdentifier(core)]?.values.compactMap(\.container) ?? []
        }
        return containers.map(\.core)
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
