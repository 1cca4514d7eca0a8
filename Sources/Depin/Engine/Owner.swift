/// Keeps a container open: the engine ends with its last owner, and then no closer runs.
///
/// A ``Container`` has an owner, and so has each of its views. A factory gets, as its resolver, the owner through which
/// its instance was requested, because the instance may ask for more later. But a container must never keep itself
/// alive, so there are two exceptions:
///
/// - An instance that the container or a parent holds (because its scope shares it, or because it is to be closed), and
///   everything made or registered for it, gets the engine instead, which keeps nothing alive.
/// - For an instance that belongs to an object graph, nobody knows yet whether a container will hold it. It gets an
///   owner of the graph's, one for each container. When an instance that a container holds takes one from the graph
///   (`Engine+Begin.swift`), the graph lets go: its owners keep nothing open any more.
///
/// Instances that a validation's fork makes may stay in use, so all of them keep the fork open.
///
/// A request through an owner holds that owner: if a factory drops the last reference to the container, the container
/// ends after the request. A request through an engine holds no owner, and finds such a container ended at once.
package final class Owner: Sendable {
    let engine: Engine
    /// The parent's owner, held because a parent stays open as long as its children; nil for an owner of a graph.
    let parent: Owner?
    /// The number of the graph that the owner belongs to; 0 for none.
    let graph: UInt
    /// For an owner of a graph: the owner that keeps the container open, until the graph lets go.
    ///
    /// Else nil.
    private let source: Guarded<Owner?>?

    /// The first owner of an engine.
    convenience init(_ engine: Engine, parent: Owner?) {
        self.init(ofNewOrEnded: engine, parent: parent)
        engine.joinParent()
    }

    init(ofNewOrEnded engine: Engine, parent: Owner? = nil) {
        engine.ownerCount.add(1, ordering: .relaxed)
        self.engine = engine
        self.parent = parent
        graph = 0
        source = nil
    }

    /// A further owner; nil if the container has gone.
    init?(beside engine: Engine) {
        // The parent's owner first, because the engine's last owner may go meanwhile, and the parent's along with it.
        let parent = engine.parent.flatMap(Owner.init(beside:))
        guard engine.parent == nil || parent != nil, engine.countOwnerIfAny() else { return nil }
        self.engine = engine
        self.parent = parent
        graph = 0
        source = nil
    }

    /// An owner that belongs to a graph.
    init(of graph: UInt, through source: Owner) {
        engine = source.engine
        parent = nil
        self.graph = graph
        self.source = Guarded(source)
    }

    deinit {
        if source == nil { engine.endOwner() }
    }

    /// The container's own owner; nil if the graph has let go of it.
    var own: Owner? {
        guard let source else { return self }
        return source.withLock { $0 }
    }

    /// Stops keeping the container open.
    ///
    /// The caller releases the result, since the container may go with it.
    func letGo() -> Owner? {
        source?.exchange(nil)
    }

    /// The owner of an engine that this one keeps open: its own engine, or a parent.
    func owner(of other: Engine) -> Owner? {
        if engine === other { return self }
        var owner = own
        while let known = owner, known.engine !== other { owner = known.parent }
        return owner
    }
}

extension Engine {
    /// Counts a further owner, unless the last one has gone; it does not matter whether the container has been closed.
    // A weak reference to a shared object would do, but takes 800 instructions of a scope (row 15).
    fileprivate func countOwnerIfAny() -> Bool {
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

    /// True while a container, a view of it or what holds one keeps the engine open.
    package var hasOwner: Bool { ownerCount.load(ordering: .relaxed) > 0 }

    /// Counts an owner off, and ends the engine with the last one.
    fileprivate func endOwner() {
        let count = ownerCount.subtract(1, ordering: .acquiringAndReleasing).newValue
        guard count == 0 else { return }
        willEnd()
        end()
    }

    /// The owner for what this engine makes, given the owner of the request; nil if the container holds the instance,
    /// or the one that it is made for.
    @inline(__always)
    func handed(_ owner: Owner?, isHeld: Bool = false, _ path: Path) -> Owner? {
        guard isHeld || path?.pointee.isForHeld == true else { return owner }
        if isForValidation { return owner?.owner(of: self) }
        return isHeld || path.isHeld(by: self) ? nil : owner
    }
}

extension Path {
    /// True if a container or its parent holds what the path makes, or what that is made for.
    func isHeld(by engine: Engine) -> Bool {
        guard let self, self.pointee.isForHeld, !engine.isForValidation else { return false }
        return steps.contains { step in
            step.pointee.traits.isHeld && step.pointee.withEngine(engine.isWithin)
        }
    }
}

extension Resolution {
    /// The owner for an instance that is made or registered here and captures a container: the container's own or the
    /// graph's, as for the instance itself; nil if the container holds the instance.
    func captured(_ owner: Owner) -> Owner? {
        func isInChain(_ other: Engine) -> Bool { owner.engine.isWithin(other) }
        if registering.contains(where: isInChain) || path.isHeld(by: owner.engine) { return nil }
        guard let step = path.builder, isInChain(step.pointee.engine) else { return owner }
        // An instance that the container holds asked for it, or took it from the graph.
        if step.pointee.owner?.own == nil { return nil }
        return path.graph?.owner(beside: owner) ?? owner
    }
}

// MARK: - Owners of a graph

extension Resolution.Step {
    /// Joins the graph under way, or begins one; the owner is then the graph's.
    @inline(__always)
    mutating func joinGraph() {
        if root == nil { graph = ObjectGraph() }
        guard let graph = graph ?? root.madeGraph, let owner, owner.graph != graph.number else {
            return
        }
        // Held here, because the graph of a factory that left a task running may end before this step.
        hold(graph.owner(beside: owner))
    }
}

extension ObjectGraph {
    /// The owners of the graph that still exist.
    @inline(never)
    private var owners: [Owner] {
        let (first, known) = state.withLock { ($0.owner, $0.parts?.owners.copied ?? []) }
        let others = known.compactMap { $0.object as? Owner }
        return first.map { [$0] + others } ?? others
    }

    /// Keeps an owner that belongs to the graph, and knows it for as long as it exists.
    private func keepOwner(_ owner: Owner) {
        let isFirst = state.withLock { state in
            if state.owner == nil, state.isUnderWay {
                state.owner = owner
                return true
            }
            state.madeParts.owners.append(WeakObject(owner))
            return false
        }
        if !isFirst { keep(owner) }
    }

    /// The owner that keeps a container open for the graph's instances, until the graph lets go.
    func owner(beside owner: Owner) -> Owner {
        // An owner that the graph has let go of keeps nothing open, and neither does anything made through it.
        guard let own = owner.own else { return owner }
        if let known = owners.first(where: { $0.engine === own.engine }) { return known }
        let made = Owner(of: number, through: own)
        keepOwner(made)
        return made
    }

    /// Stops keeping containers open, because an instance that one of them holds took an instance from the graph.
    func letGo() {
        let dropped = owners.map { $0.letGo() }
        withExtendedLifetime(dropped) {}
    }
}
