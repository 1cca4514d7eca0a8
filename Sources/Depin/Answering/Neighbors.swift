/// The containers in force besides the one that was asked.
///
/// Messages name them, later requests go to the open scope among them, and a scope that is opened on a forked container
/// finds the fork here. Containers know nothing of the space, so `Injection` says how to list them.
final class Neighbors: Sendable {
    typealias List = [(name: String, engine: Engine)]

    static let shared = Neighbors()

    /// A type of its own, because a bare function is wrapped anew each time a generic type lends it.
    private struct Lister: Sendable {
        let injecting: @Sendable () -> Owner?
        let list: @Sendable (_ ofDefaults: Bool) -> List
    }

    private let lister = Guarded<Lister?>(nil)

    /// Sets how to list the containers in force, and how to find the one that properties are injected from.
    ///
    /// The list has the containers that were set or overridden, or the defaults of the others.
    func setLister(
        injecting: @escaping @Sendable () -> Owner?,
        by list: @escaping @Sendable (_ ofDefaults: Bool) -> List
    ) {
        lister.withLock { $0 = Lister(injecting: injecting, list: list) }
    }

    /// The containers that were set or overridden.
    var inForce: List { lister.withLock { $0 }?.list(false) ?? [] }

    /// The defaults, except under the given names.
    ///
    /// They hold for the whole process, and reading one may run user code.
    func defaults(besides names: [String]) -> List {
        let defaults = lister.withLock { $0 }?.list(true) ?? []
        return defaults.filter { known in !names.contains(known.name) }
    }

    /// The owner of the nearest open scope in force that was opened on a container.
    ///
    /// The container that properties are injected from comes first, since listing all of them took a third of a
    /// `Provider`'s time.
    func scope(openedOn engine: Engine) -> Owner? {
        guard let lister = lister.withLock({ $0 }) else { return nil }
        if let injecting = lister.injecting(), injecting.engine.isOpened(on: engine) {
            return injecting
        }
        let scope = lister.list(false).lazy.map(\.engine).first { $0.isOpened(on: engine) }
        return scope.flatMap(Owner.init(beside:))
    }

    /// The owner of an override's fork that is in force and stands for a container.
    func fork(of engine: Engine) -> Owner? {
        guard engine.hasFlag(.hasForks), let injecting = lister.withLock({ $0 })?.injecting() else {
            return nil
        }
        return injecting.engine.fork(of: engine).flatMap { injecting.owner(of: $0) }
    }
}

extension Engine {
    /// The containers of the space: those that were set or overridden, and the defaults under other names.
    package static var inSpace: [(name: String, engine: Engine)] {
        let inForce = Neighbors.shared.inForce
        return inForce + Neighbors.shared.defaults(besides: inForce.map(\.name))
    }
}
