/// The containers in force besides the one that was asked: for messages, for what is asked later by way of an open scope
/// that is in force then, and for scopes that are opened on a container in the place of which a fork stands.
///
/// The space is nothing that a container knows of, so `Injection` says how to list them.
package final class Neighbors: Sendable {
    package typealias List = [(name: String, engine: Engine)]

    package static let shared = Neighbors()

    /// In a type of its own: a bare function is wrapped anew each time a generic type lends it.
    private final class Lister: Sendable {
        let injecting: @Sendable () -> Owner?
        let list: @Sendable (_ ofDefaults: Bool) -> List

        init(
            injecting: @escaping @Sendable () -> Owner?,
            by list: @escaping @Sendable (_ ofDefaults: Bool) -> List
        ) {
            (self.injecting, self.list) = (injecting, list)
        }
    }

    private let lister = Guarded<Lister?>(nil)

    /// Says how to list them, and the one that properties are injected from, as they are in force when it is called.
    ///
    /// The list is of those that were set or overridden, or of the defaults of the others.
    func setLister(
        injecting: @escaping @Sendable () -> Owner?,
        by list: @escaping @Sendable (_ ofDefaults: Bool) -> List
    ) {
        lister.withLock { $0 = Lister(injecting: injecting, by: list) }
    }

    /// Those that were set or overridden.
    package var inForce: List { lister.withLock { $0 }?.list(false) ?? [] }

    /// Those that nobody has set or overridden; the names are of those that somebody has.
    ///
    /// They stand for the whole process, and reading one may run the user's code.
    package func defaults(besides names: [String]) -> List {
        let defaults = lister.withLock { $0 }?.list(true) ?? []
        return defaults.filter { known in !names.contains(known.name) }
    }

    /// The nearest open scope in force that was opened on a container, and what keeps it open.
    ///
    /// The one that properties are injected from comes first, since listing all took a third of a
    /// `Provider`'s time.
    func scope(openedOn engine: Engine) -> Owner? {
        guard let lister = lister.withLock({ $0 }) else { return nil }
        if let injecting = lister.injecting(), injecting.engine.isOpened(on: engine) {
            return injecting
        }
        let scope = lister.list(false).lazy.map(\.engine).first { $0.isOpened(on: engine) }
        return scope.flatMap(Owner.init(beside:))
    }

    /// The fork in force that stands for a container: that of an override.
    func fork(of engine: Engine) -> Owner? {
        guard engine.hasFlag(.hasForks), let injecting = lister.withLock({ $0 })?.injecting() else {
            return nil
        }
        let fork = injecting.engine.chain.first { fork in
            fork.originals.contains { $0 === engine }
        }
        return fork.flatMap { injecting.owner(of: $0) }
    }
}
