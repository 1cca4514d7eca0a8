// A fork copies the registrations of a container. In its resolutions it stands for the containers that it
// was copied from, where a factory has captured one of them.

/// Keeps a container open: its core closes when the last owner goes.
///
/// A ``Container``, its views, and the resolvers of what a container makes without keeping it are owners. What
/// a container keeps is handed the core instead, which does not keep it open, so there is no cycle.
///
/// Whoever makes a request holds what it makes it through. So where a factory drops the last reference to the
/// container, that closes when the request has ended; a request through the resolver of what the container keeps
/// finds it closed at once.
///
/// What belongs to a graph is handed an owner of the graph's, which can let go of the container: something
/// that the container keeps may take it from the graph later.
final class CoreOwner: Sendable {
    let core: Core
    /// Held, so that a parent is open as long as its children; nil for an owner that is lent.
    let parent: CoreOwner?
    /// The number of the graph that it is lent to, 0 for none.
    let graph: UInt
    /// Who keeps the container open for the graph; nil for an owner that is not lent.
    private let lender: Guarded<CoreOwner?>?

    /// The first owner of a core.
    convenience init(_ core: Core, parent: CoreOwner?) {
        self.init(ofNewOrGone: core, parent: parent)
        core.join()
    }

    init(ofNewOrGone core: Core, parent: CoreOwner? = nil) {
        core.countOwner()
        self.core = core
        self.parent = parent
        graph = 0
        lender = nil
    }

    /// One more; nil where the container has gone.
    init?(beside core: Core) {
        // The parent's first: the last owner of the core may go meanwhile, and the parent's with it.
        let parent = core.parent.flatMap(CoreOwner.init(beside:))
        guard core.parent == nil || parent != nil, core.countOwnerIfAny() else { return nil }
        self.core = core
        self.parent = parent
        graph = 0
        lender = nil
    }

    /// Lends an owner to a graph.
    init(lentBy lender: CoreOwner, to graph: UInt) {
        core = lender.core
        parent = nil
        self.graph = graph
        self.lender = Guarded(lender)
    }

    deinit {
        if lender == nil { core.endOwner() }
    }

    /// The container's own owner; nil where the graph has let go of it.
    var own: CoreOwner? {
        guard let lender else { return self }
        return lender.withLock { $0 }
    }

    /// Keeps the container open no more.
    ///
    /// The caller releases the result: the container may go with it.
    func letGo() -> CoreOwner? {
        lender?.withLock { lender in
            defer { lender = nil }
            return lender
        }
    }

    /// The owner of a core that this one keeps open: its own, or a parent's.
    func owner(of other: Core) -> CoreOwner? {
        if core === other { return self }
        var owner = own
        while let known = owner, known.core !== other { owner = known.parent }
        return owner
    }
}

/// A container as its core knows it.
protocol CoreFacade: AnyObject, Sendable {
    var core: Core { get }
    /// Tells the behaviors of a forwarding.
    func tell<Type, Service>(of type: Type.Type, _ entry: ServiceEntry<Service>, name: String?)
}

extension Core {
    /// A core with copies of the registrations, and nothing built.
    func fork(parent: Core?) -> Core {
        let fork = Core(
            parent: parent,
            defaultScope: defaultScope,
            originals: originals + [self],
            opened: opened?.forked
        )
        var copies: [ObjectIdentifier: AnyServiceEntry] = [:]
        for (key, entry) in registry.registrations {
            let copy = copies[ObjectIdentifier(entry)] ?? entry.copy(for: fork)
            copies[ObjectIdentifier(entry)] = copy
            if key.requested != copy.key { copy.addForward(key.requested) }
            fork.registry.register(copy, for: key)
            if let overwrites = registry.overwrites(of: key) {
                _ = fork.registry.changeOverwrites(of: key) { $0 = overwrites }
            }
        }
        let assemblies = state.withLock { $0.assemblies }
        fork.state.withLock { $0.assemblies = assemblies }
        fork.registry.contributions.place(as: registry.contributions)
        fork.copyDecorators(of: self)
        if hasFlag(.tracksNeeds) { fork.trackNeeds() }
        for flag in [Flag.notesBuilds, .notesBuildsOfChildren, .hasDefaults] {
            fork.setFlag(flag, hasFlag(flag))
        }
        for watcher in inheritedWatchers { fork.watch(watcher) }
        fork.joinOriginals()
        return fork
    }

    /// The watchers of children and forks.
    var inheritedWatchers: [any Watcher] {
        guard hasFlag(.isWatched) else { return [] }
        return state.withLock { $0.watchers.filter(\.isInherited) }
    }

    /// This core, or its fork, where the thread resolves in one.
    func inForce(_ path: Path) -> (core: Core, owner: CoreOwner?)? {
        guard hasFlag(.hasForks) else { return nil }
        for step in path.steps.reversed() {
            var asked: Core? = step.asked
            while let core = asked {
                if core.originals.contains(where: { $0 === self }) {
                    return (core, step.owner?.owner(of: core))
                }
                asked = core.parent
            }
        }
        return nil
    }

    /// The same for whoever registers.
    var inForce: Core {
        guard hasFlag(.hasForks) else { return self }
        return Path.withCurrent { inForce($0)?.core } ?? self
    }

    // MARK: - Owners

    func countOwner() {
        ownerCount.add(1, ordering: .relaxed)
    }

    /// Counts one more, unless the last one has gone, whether the container has been closed or not.
    // PERF: a weak reference to what the owners share would do, and takes 800 instructions of a scope (row 15).
    func countOwnerIfAny() -> Bool {
        var count = ownerCount.load(ordering: .relaxed)
        while count > 0 {
            let (isDone, current) = ownerCount.weakCompareExchange(
                expected: count,
                desired: count + 1,
                ordering: .relaxed
            )
            if isDone { return true }
            count = current
        }
        return false
    }

    /// Closes the core where this was the last one.
    func endOwner() {
        let count = ownerCount.subtract(1, ordering: .acquiringAndReleasing).newValue
        guard count == 0 else { return }
        tellIfUnclosed()
        close()
    }

    // MARK: - Family

    /// The container, if it is still there.
    var facade: (any CoreFacade)? { state.withLock { $0.facade } }

    /// Notes the container, unless another thread has been quicker to make one.
    func setFacade(_ facade: any CoreFacade) {
        let known = state.withLock { state in
            let known = state.facade
            if known == nil { state.facade = facade }
            return known
        }
        withExtendedLifetime(known) {}
    }

    /// Notes the core as its parent's child.
    func join() {
        guard let parent else { return }
        parent.state.withLock { $0.children[number] = self }
        // From now on the parent finds this core; what it has begun before, it has not told.
        if parent.hasFlag(.tracksNeeds) { setFlag(.tracksNeeds, true) }
        if parent.hasFlag(.isClosing) { setFlag(.isClosing, true) }
    }

    /// Notes a new fork.
    private func joinOriginals() {
        for original in originals {
            original.state.withLock { state in
                state.forkCount += 1
                original.setFlag(.hasForks, true)
            }
        }
    }

    /// Notes that it has gone.
    func leaveFamily() {
        _ = parent?.state.withLock { $0.children.remove(number) }
        for original in originals {
            original.state.withLock { state in
                state.forkCount -= 1
                original.setFlag(.hasForks, state.forkCount > 0)
            }
        }
    }

    /// The cores of which this one is the parent.
    var children: [Core] { state.withLock { $0.children.cells.map(\.value) } }

    /// The outermost parent.
    var root: Core { parent?.root ?? self }

    /// This core and its parents, the nearest first.
    var chain: Chain { Chain(first: self) }

    struct Chain: Sequence, IteratorProtocol {
        fileprivate var first: Core?

        mutating func next() -> Core? {
            defer { first = first?.parent }
            return first
        }
    }
}

/// The containers that can be named besides the one that was asked, for messages only.
///
/// The space is nothing that a container knows of, so who knows it says how to list them.
final class Neighbors: Sendable {
    typealias List = @Sendable () -> [(name: String, core: Core)]

    static let shared = Neighbors()

    /// In a type of its own: a bare function is wrapped anew each time a generic type lends it.
    private struct Lister {
        let injecting: @Sendable () -> CoreOwner?
        let list: @Sendable () -> List
    }

    private let lister = Guarded<Lister?>(nil)

    /// Says how to list them, and the one that properties are injected from, as they are in force when it is called.
    func list(
        injecting: @escaping @Sendable () -> CoreOwner?,
        by list: @escaping @Sendable () -> List
    ) {
        lister.withLock { $0 = Lister(injecting: injecting, list: list) }
    }

    /// The nearest open scope in force that was opened on a container, and what keeps it open.
    ///
    /// PERF: the one that properties are injected from comes first, since listing all took a third of a
    /// `Provider`'s time.
    func scope(openedOn core: Core) -> CoreOwner? {
        guard let lister = lister.withLock({ $0 }) else { return nil }
        if let injecting = lister.injecting(), injecting.core.isOpened(on: core) {
            return injecting
        }
        let scope = lister.list()().lazy.map(\.core).first { $0.isOpened(on: core) }
        return scope.flatMap(CoreOwner.init(beside:))
    }

    /// Lists what is in force now, later.
    var current: List { lister.withLock { $0 }?.list() ?? { [] } }
}
