/// The containers in force besides the one that was asked.
///
/// Messages name them, later requests go to the open scope among them, and a scope that is opened on a forked container
/// finds the fork here. Containers know nothing of the space, so `Injection` says how to list them.
struct Neighbors: Sendable {
    typealias List = [(name: String, engine: Engine)]

    /// None, until a container is set in the space or read from it.
    // In a type of its own, because a bare function is wrapped anew each time a generic type lends it.
    static let known = Guarded(Neighbors(injecting: { nil }, list: { _ in [] }))
    static var shared: Neighbors { known.withLock { $0 } }

    /// The owner of the container that properties are injected from.
    let injecting: @Sendable () -> Owner?
    /// The containers that were set or overridden, or the defaults of the others.
    let list: @Sendable (_ ofDefaults: Bool) -> List

    /// The containers that were set or overridden.
    var inForce: List { list(false) }

    /// The defaults, except under the given names.
    ///
    /// They hold for the whole process, and reading one may run user code.
    func defaults(besides names: [String]) -> List {
        list(true).filter { known in !names.contains(known.name) }
    }

    /// The owner of the nearest open scope in force that was opened on a container.
    ///
    /// The container that properties are injected from comes first, since listing all of them took a third of a
    /// `Provider`'s time.
    func scope(openedOn engine: Engine) -> Owner? {
        if let injecting = injecting(), injecting.engine.isOpened(on: engine) { return injecting }
        let scope = inForce.lazy.map(\.engine).first { $0.isOpened(on: engine) }
        return scope.flatMap(Owner.init(beside:))
    }

    /// The owner of an override's fork that is in force and stands for a container, even if the fork has been closed.
    static func fork(of engine: Engine) -> Owner? {
        guard engine.hasFlag(.wasForked), let injecting = shared.injecting() else { return nil }
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
