/// Keeps a container open: its engine ends when the last owner goes, which closes nothing that was not closed before.
///
/// A ``Container``, its views, and the resolvers of what a container makes without keeping it are owners. What
/// a container keeps is handed the engine instead, which does not keep it open, so there is no cycle.
///
/// Whoever makes a request holds what it makes it through. So where a factory drops the last reference to the
/// container, that ends when the request has ended; a request through the resolver of what the container keeps finds it
/// ended at once.
///
/// What belongs to a graph is handed an owner of the graph's, which can let go of the container: something
/// that the container keeps may take it from the graph later.
package final class Owner: Sendable {
    let engine: Engine
    /// Held, so that a parent is open as long as its children; nil for an owner that is lent.
    let parent: Owner?
    /// The number of the graph that it is lent to, 0 for none.
    let graph: UInt
    /// Who keeps the container open for the graph; nil for an owner that is not lent.
    private let lender: Guarded<Owner?>?

    /// The first owner of an engine.
    convenience init(_ engine: Engine, parent: Owner?) {
        self.init(ofNewOrGone: engine, parent: parent)
        engine.joinParent()
    }

    init(ofNewOrGone engine: Engine, parent: Owner? = nil) {
        engine.countOwner()
        self.engine = engine
        self.parent = parent
        graph = 0
        lender = nil
    }

    /// One more; nil where the container has gone.
    package init?(beside engine: Engine) {
        // The parent's first: the last owner of the engine may go meanwhile, and the parent's with it.
        let parent = engine.parent.flatMap(Owner.init(beside:))
        guard engine.parent == nil || parent != nil, engine.countOwnerIfAny() else { return nil }
        self.engine = engine
        self.parent = parent
        graph = 0
        lender = nil
    }

    /// Lends an owner to a graph.
    init(lentBy lender: Owner, to graph: UInt) {
        engine = lender.engine
        parent = nil
        self.graph = graph
        self.lender = Guarded(lender)
    }

    deinit {
        if lender == nil { engine.endOwner() }
    }

    /// The container's own owner; nil where the graph has let go of it.
    var own: Owner? {
        guard let lender else { return self }
        return lender.withLock { $0 }
    }

    /// Keeps the container open no more.
    ///
    /// The caller releases the result: the container may go with it.
    func letGo() -> Owner? {
        lender?.withLock { lender in
            defer { lender = nil }
            return lender
        }
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
    func countOwner() {
        ownerCount.add(1, ordering: .relaxed)
    }

    /// Counts one more, unless the last one has gone, whether the container has been closed or not.
    // A weak reference to what the owners share would do, and takes 800 instructions of a scope (row 15).
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

    /// Ends the engine where this was the last one.
    func endOwner() {
        let count = ownerCount.subtract(1, ordering: .acquiringAndReleasing).newValue
        guard count == 0 else { return }
        willEnd()
        end()
    }

    /// Who keeps the container open for what is made for a request: nobody, where the container keeps it.
    @inline(__always)
    func lent(_ owner: Owner?, _ path: Path) -> Owner? {
        (path?.pointee.heldCount ?? 0) > 0 && path.isKept(by: self) ? nil : owner
    }

    /// The same for what belongs to a graph.
    func lent(_ owner: Owner?, to graph: ObjectGraph?, _ path: Path) -> Owner? {
        guard let owner = lent(owner, path) else { return nil }
        guard let graph, graph.number != owner.graph else { return owner }
        return graph.owner(lentBy: owner)
    }
}

extension Resolution {
    /// True where what is made must not keep a container open: that one keeps it, or a parent of it does, or it
    /// was asked by what they keep.
    func isMade(for engine: Engine) -> Bool {
        func isInChain(_ other: Engine) -> Bool { engine.chain.contains { $0 === other } }
        if registering.contains(where: isInChain) || path.isKept(by: engine) { return true }
        guard let step = path.builder else { return false }
        return step.pointee.owner?.own == nil && isInChain(step.pointee.engine)
    }

    /// Who keeps a container open for what is made here: the graph, where what the container keeps may find
    /// that there.
    func owner(lentBy owner: Owner) -> Owner {
        guard let graph = path.graph, let step = path.builder,
            owner.engine.chain.contains(where: { $0 === step.pointee.engine })
        else { return owner }
        return graph.owner(lentBy: owner)
    }
}
