/// The place of one instance of a registration: empty, being built, ready, or held weakly.
///
/// Of two requests at once, the first makes the instance and the other waits:
/// ``SlotState/enter(own:takesTime:number:living:)`` decides that, and the slot adds the lock, which is that of its
/// table. Slots for arguments share the lock of the slot for all arguments. A slot of an open scope, or around another
/// container's slot, stands in no table, and has a lock of its own. The instances of an object graph are in the
/// ``ObjectGraph``.
package final class Slot: Sendable {
    package let registration: Registration
    /// What distinguishes the slot from the one for its registration's own instance; nil for that one.
    let form: (any SlotForm)?
    // PERF: the lock of the slot's table, which a lookup has entered already: one of its own costs 110 instructions
    // more (row 1: a quarter).
    let lock: Lock
    // Guarded by the lock, like everything that changes here. Unchecked, as in `Guarded`: an eighth of row 1.
    @exclusivity(unchecked) private nonisolated(unsafe) var state: SlotState<AnyBox>
    @exclusivity(unchecked) private nonisolated(unsafe) var parts: SlotParts?

    typealias Building = Depin.Building<AnyBox>

    init(
        _ registration: Registration,
        _ lock: Lock,
        ready: AnyBox? = nil,
        form: (any SlotForm)? = nil
    ) {
        self.registration = registration
        self.form = form
        self.lock = lock
        state = ready.map { SlotState(ready: $0) } ?? SlotState()
    }

    /// True if the registration's factory fills the slot, for whatever arguments.
    var isOwn: Bool { form == nil }

    /// The key that the slot is found by.
    @inline(never)
    package var key: ServiceKey { isOwn ? registration.key : formKey }

    private var formKey: ServiceKey { form?.key ?? registration.key }

    /// Tells the slot's instances from others in a path and in a graph: the registration's number, or one of its own
    /// for a slot around another one.
    @inline(__always)
    var number: UInt { isOwn ? registration.number : formNumber }

    @inline(never)
    private var formNumber: UInt { form?.number ?? registration.number }

    /// The registration's traits, as far as they concern instances in this slot.
    @inline(__always)
    var traits: Registration.Traits { isOwn ? registration.traits : formTraits }

    @inline(never)
    private var formTraits: Registration.Traits {
        guard let form, form.isDecorated else { return registration.traits }
        // The instance inside the decorators has the callbacks and closers, and runs where it must.
        return registration.traits.subtracting(.needMoreThanFactory)
    }

    /// The ready instance; call it with the lock held.
    var readyInLock: AnyBox? { state.ready }

    /// The instance in the slot, and its node in the graph of needs.
    var kept: (box: AnyBox, node: UInt)? {
        lock.withLock {
            guard let box = state.kept({ $0.strengthened() }) else { return nil }
            return (box, state.node)
        }
    }

    /// Enters the slot for a request; nil if lookups find the slot no more, so that the request looks for another one.
    func enter(_ own: Building?, takesTime: Bool = false) -> SlotState<AnyBox>.Entry? {
        lock.withLock {
            if own == nil, hasLeft { return nil }
            return state.enter(own: own, takesTime: takesTime, number: Serial.next()) {
                $0.strengthened()
            }
        }
    }

    func construct(_ building: Building, _ box: AnyBox, node: UInt) -> (kept: AnyBox, isFirst: Bool)
    {
        lock.withLock { state.construct(building, box, node: node) }
    }

    /// Ends a step of a build; gives back the build's end, if waiters must be told of it.
    func leave(_ building: Building, as kind: ScopeKind) -> AwaitedEnd? {
        // Outside of the lock, because it asks the instance for its type.
        let weakened = kind == .weak ? lock.withLock { building.product }?.weakened() : nil
        return lock.withLock {
            let isEnd = state.leave(building) { _ in
                switch kind {
                case .weak: weakened.map { .weakly($0) } ?? .notHere
                case .stored: .inStorage
                case .permanent, .opened, .graph, .transient: .strongly
                }
            }
            return isEnd ? building.awaitedEnd : nil
        }
    }

    /// Ends a step of a build that has failed.
    func abandon(_ building: Building) -> AwaitedEnd? {
        let (end, dropped) = lock.withLock { () -> (AwaitedEnd?, AnyBox?) in
            let (dropped, isEnd) = state.abandon(building)
            return (isEnd ? building.awaitedEnd : nil, dropped)
        }
        withExtendedLifetime(dropped) {}
        return end
    }

    /// Ends a build whose steps have all been given up.
    func abandonWholly(_ building: Building) -> AwaitedEnd? {
        lock.withLock {
            state.abandonWholly(building)
            return building.hasWaiters ? AwaitedEnd(number: building.number) : nil
        }
    }

    /// True if nothing has detached a build from the slot.
    func isCurrent(_ building: Building) -> Bool { lock.withLock { state.isCurrent(building) } }

    /// Notes that a build has waiters; false if it is over.
    func addWaiter(to building: Building) -> Bool { lock.withLock { building.addWaiter() } }

    /// True while an instance for the slot is being built.
    var isBuilding: Bool { lock.withLock { state.current != nil } }

    /// True if a build's instance was kept: not while it is under construction, and not after a reset.
    func hasKept(_ building: Building) -> Bool { lock.withLock { building.isKept } }

    func product(of building: Building) -> AnyBox? { lock.withLock { building.product } }

    /// The node of an instance in the slot, or under construction for it; 0 for none.
    func node(of box: AnyBox) -> UInt {
        lock.withLock { () -> UInt in
            guard let current = state.current, current.product === box else { return state.node }
            return current.node
        }
    }

    /// The node of the instance that a build makes.
    ///
    /// If it is not known yet, gives 0, and remembers the dependent.
    func noteDependent(_ dependent: UInt, of building: Building) -> UInt {
        lock.withLock { building.noteDependent(dependent) }
    }

    /// Sets that node, unless a step further out has, and gives back the dependents that were remembered.
    func setNode(_ node: UInt, of building: Building) -> [UInt] {
        lock.withLock { building.setNode(node) }
    }

    /// The node of the instance that a build makes; 0 for none.
    func node(of building: Building) -> UInt { lock.withLock { building.node } }

    /// Empties the slot for a reset, and detaches its build.
    ///
    /// The caller releases the result.
    @inline(never)
    func detach() -> Detached {
        lock.withLock {
            let (box, node) = state.detach()
            let conversions = parts?.conversions
            parts?.conversions = Dictionary()
            parts?.lastReset = Serial.next()
            return Detached(box: box, node: node, dropped: conversions)
        }
    }

    /// Detaches a build: its waiters still get its instance, and later requests do not.
    ///
    /// Unlike a reset, this is nobody else's business.
    @inline(never)
    func detach(_ building: Building) {
        lock.withLock { if state.isCurrent(building) { _ = state.detach() } }
    }

    /// What stood in a slot, for the caller to release.
    package struct Detached {
        let box: AnyBox?
        let node: UInt
        /// What goes along with the instance.
        var dropped: Any?
    }

    /// The node of the slot's instance in the graph of needs; 0 for none.
    var node: UInt {
        get { lock.withLock { state.node } }
        set { lock.withLock { state.node = newValue } }
    }

    /// Drops everything, also the slots for arguments, because the container has gone.
    ///
    /// A storage is only released, since its scope may have lent it to others. The caller releases the result.
    package func dropAll() -> Detached {
        var (ended, dropped) = lock.withLock { () -> (Detached, SlotParts?) in
            let (box, node) = state.detach()
            return (Detached(box: box, node: node), parts.take())
        }
        if let dropped { ended.dropped = (dropped, dropped.arguments.all.map { $0.dropAll() }) }
        return ended
    }

    /// True if nothing stands in the slot, and nothing is built for it; call it with the lock held.
    ///
    /// The caller releases, outside of the lock, the instances that this looks at: it may have the last references to
    /// them.
    func isIdleInLock(_ toRelease: inout [AnyBox]) -> Bool {
        let kept = state.kept { $0.strengthened() }
        if let kept { toRelease.append(kept) }
        // A custom storage knows by itself what it keeps.
        return kept == nil && state.current == nil && parts?.storage == nil
    }

    /// A number that every reset changes.
    var lastReset: UInt { withParts { $0.lastReset } }

    /// Lends the parts that few slots have, made when first needed.
    func withParts<Result>(_ body: (SlotParts) -> Result) -> Result {
        lock.withLock { body(madeParts) }
    }

    private var madeParts: SlotParts {
        let known = parts ?? SlotParts()
        parts = known
        return known
    }

    /// Lends those parts, if there are any.
    func withPartsIfAny<Result>(_ body: (SlotParts) -> Result?) -> Result? {
        lock.withLock { parts.flatMap(body) }
    }

    /// The ready instance as a type that forwards to the registration, if it was converted before.
    func conversion(of box: AnyBox, to type: Any.Type) -> AnyBox? {
        lock.withLock {
            state.ready === box ? parts?.conversions[ObjectIdentifier(type)] : nil
        }
    }

    /// Keeps the ready instance as a type that forwards to the registration.
    func keepConversion(_ conversion: AnyBox, as type: Any.Type, of box: AnyBox) {
        lock.withLock {
            if state.ready === box { madeParts.conversions[ObjectIdentifier(type)] = conversion }
        }
    }
}

/// What distinguishes a slot from the one for its registration's own instance: it is for some arguments, around another
/// slot, or under a further key.
protocol SlotForm: AnyObject, Sendable {
    /// The key that the slot is found by.
    var key: ServiceKey { get }
    /// Tells the slot's instances from others in a path and in a graph.
    var number: UInt { get }
    /// True if decorators are around the registration's product.
    var isDecorated: Bool { get }
}

extension Building<AnyBox> {
    /// The build's end, if waiters must be told of it.
    var awaitedEnd: AwaitedEnd? {
        hasWaiters ? AwaitedEnd(number: number, product: product) : nil
    }
}

/// The end of something that the wait-for graph knows: a build, a turn, a container's work, or its closing.
struct AwaitedEnd {
    let number: UInt
    var product: AnyBox?
}
