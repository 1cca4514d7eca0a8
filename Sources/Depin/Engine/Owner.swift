/// Keeps a container alive: its engine ends when the last owner goes, and no closer runs then.
///
/// A ``Container`` has one, and so have its views. What a container makes is handed, as its resolver, the owner by
/// which it was requested, because it may ask for more later. But a container must never keep itself alive, so there
/// are two exceptions:
///
/// - What the container or a parent holds (its scope shares it, or it is to be closed), and what is made or registered
///   for that, is handed the engine instead, which keeps nothing alive.
/// - Of what belongs to a graph nobody knows yet whether a container will hold it. It is handed an owner of the
///   graph's, one for each container. When something that a container holds takes an instance from the graph
///   (`Engine+Begin.swift`), the graph lets go: its owners keep nothing alive any more.
///
/// What a validation's fork makes may go on by itself, and all of it keeps the fork alive.
///
/// A request through an owner holds that owner. So where a factory drops the last reference to the container, the
/// container ends when the request has ended. A request through an engine holds no owner, and finds the container ended
/// at once.
package final class Owner: Sendable {
    let engine: Engine
    /// Held, so that a parent is open as long as its children; nil for an owner of a graph.
    let parent: Owner?
    /// The number of the graph that it belongs to, 0 for none.
    let graph: UInt
    /// Who keeps the container open for the graph; nil for an owner that belongs to none.
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

    /// One more; nil where the container has gone.
    package init?(beside engine: Engine) {
        // The parent's first: the last owner of the engine may go meanwhile, and the parent's with it.
        let parent = engine.parent.flatMap(Owner.init(beside:))
        guard engine.parent == nil || parent != nil, engine.countOwnerIfAny() else { return nil }
        self.engine = engine
        self.parent = parent
        graph = 0
        source = nil
    }

    /// An owner of a graph's.
    init(of graph: UInt, through source: Owner) {
        engine = source.engine
        parent = nil
        self.graph = graph
        self.source = Guarded(source)
    }

    deinit {
        if source == nil { engine.endOwner() }
    }

    /// The container's own owner; nil where the graph has let go of it.
    var own: Owner? {
        guard let source else { return self }
        return source.withLock { $0 }
    }

    /// Keeps the container open no more.
    ///
    /// The caller releases the result: the container may go with it.
    func letGo() -> Owner? {
        source?.exchange(nil)
    }

    /// The owner of an engine that this one keeps open: its own, or a parent's.
    func owner(of other: Engine) -> Owner? {
        if engine === other { return self }
        var owner = own
        while let known = owner, known.engine !== other { owner = known.parent }
        return owner
    }
}

extension Engine {
    /// Counts one more, unless the last one has gone, whether the container has been closed or not.
    // A weak reference to what the owners share would do, and takes 800 instructions of a scope (row 15).
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

    /// Ends the engine where this was the last one.
    fileprivate func endOwner() {
        let count = ownerCount.subtract(1, ordering: .acquiringAndReleasing).newValue
        guard count == 0 else { return }
        willEnd()
        end()
    }

    /// The owner that is handed to what this container makes, of the one by which it was requested; nil where the
    /// container holds that, or what it is made for.
    @inline(__always)
    func handed(_ owner: Owner?, isHeld: Bool = false, _ path: Path) -> Owner? {
        guard isHeld || path?.pointee.isForHeld == true else { return owner }
        if isForValidation { return owner?.owner(of: self) }
        return isHeld || path.isHeld(by: self) ? nil : owner
    }
}

extension Path {
    /// True where a container, or a parent of it, holds what is being made, or what that is made for.
    func isHeld(by engine: Engine) -> Bool {
        guard let self, self.pointee.isForHeld, !engine.isForValidation else { return false }
        return steps.contains { step in
            step.pointee.traits.isHeld && step.pointee.withEngine(engine.isWithin)
        }
    }
}

extension Resolution {
    /// What keeps a container open for an instance, being made or registered here, that captures the container: its own
    /// owner, or the graph's, as for the instance itself; nil for what the container holds.
    func captured(_ owner: Owner) -> Owner? {
        func isInChain(_ other: Engine) -> Bool { owner.engine.isWithin(other) }
        if registering.contains(where: isInChain) || path.isHeld(by: owner.engine) { return nil }
        guard let step = path.builder, isInChain(step.pointee.engine) else { return owner }
        // It was asked by what the container holds, or taken from its graph.
        if step.pointee.owner?.own == nil { return nil }
        return path.graph?.owner(beside: owner) ?? owner
    }
}

// MARK: - Owners of a graph

extension Resolution.Step {
    /// Becomes a part of the graph under way, or else begins one, which has the owner from now on.
    @inline(__always)
    mutating func join(_ known: ObjectGraph?) {
        guard let known else {
            let begun = ObjectGraph()
            graph = begun
            // The graph holds it.
            owner = owner.map(begun.owner(beside:))
            return
        }
        // Held: the graph of a factory that has left a task running may end before that.
        if let owner, owner.graph != known.number { hold(known.owner(beside: owner)) }
    }
}

extension ObjectGraph {
    /// The owner that keeps a container open for what belongs to the graph, until that lets go of it.
    func owner(beside owner: Owner) -> Owner {
        // The owner of a graph that has let go keeps nothing open, and neither does what is made through it.
        guard let own = owner.own else { return owner }
        if let known = owners.first(where: { $0.engine === own.engine }) { return known }
        let made = Owner(of: number, through: own)
        keepOwner(made)
        return made
    }

    /// Keeps no container open any more: one that holds something took an instance from here.
    func letGo() {
        let dropped = owners.map { $0.letGo() }
        withExtendedLifetime(dropped) {}
    }
}
