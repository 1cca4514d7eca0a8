/// The place of one instance of a registration: empty, being built, ready, or held weakly.
///
/// Of two who ask at once, the first makes the instance and the other waits (``SlotState/enter(own:takesTime:number:living:)``);
/// this adds the lock: that of the table in which the slot stands. Slots
/// for arguments share the lock of the slot for all arguments; those of an open scope, and around a slot of another
/// container, stand in no such table and have a lock of their own. What a graph shares is in the ``ObjectGraph``.
package final class Slot: Sendable {
    package let registration: Registration
    /// What makes it another one than that of the registration's own instance; nil for that.
    let form: (any SlotForm)?
    // PERF: the lock of the table that the slot stands in, which a look-up has entered already: one of its own costs
    // 110 instructions more (row 1: a quarter).
    let lock: Lock
    // Guarded by the lock, as all that changes here. Unchecked, as in `Guarded`: an eighth of row 1.
    @exclusivity(unchecked) private nonisolated(unsafe) var state: SlotState<AnyBox>
    @exclusivity(unchecked) private nonisolated(unsafe) var parts: SlotParts?

    package typealias Building = Depin.Building<AnyBox>

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

    /// True where the registration's factory fills it, whatever the arguments.
    @inline(__always)
    var isOwn: Bool { form == nil }

    /// What the slot is found by.
    @inline(never)
    package var key: ServiceKey { isOwn ? registration.key : formKey }

    private var formKey: ServiceKey { form?.key ?? registration.key }

    /// What tells its instances from others in a path and in a graph: the number of the registration, or its own
    /// where it is around another slot.
    @inline(__always)
    var number: UInt { isOwn ? registration.number : formNumber }

    @inline(never)
    private var formNumber: UInt { form?.number ?? registration.number }

    /// What the registration says of its instances here.
    @inline(__always)
    var traits: Registration.Traits { isOwn ? registration.traits : formTraits }

    @inline(never)
    private var formTraits: Registration.Traits {
        guard let form, form.isDecorated else { return registration.traits }
        // The instance inside has callbacks and closers, and runs where it must.
        return registration.traits.subtracting(.needMoreThanFactory)
    }

    /// The instance that is ready, for who holds the lock.
    @inline(__always)
    var readyInLock: AnyBox? { state.ready }

    /// The instance that stands here, and its number in the graph of needs.
    var kept: (box: AnyBox, node: UInt)? {
        lock.withLock {
            guard let box = state.kept({ $0.strengthened() }) else { return nil }
            return (box, state.node)
        }
    }

    /// Nil where the slot is found no more, and another one is to be looked for.
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

    /// A step of a build is done; gives the end of it, of which those who wait must hear.
    func leave(_ building: Building, as kind: ScopeKind) -> AwaitedEnd? {
        // Made outside of the lock: it asks the instance for its type.
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

    /// A step of a build has failed.
    func abandon(_ building: Building) -> AwaitedEnd? {
        let (end, dropped) = lock.withLock { () -> (AwaitedEnd?, AnyBox?) in
            let (dropped, isEnd) = state.abandon(building)
            return (isEnd ? building.awaitedEnd : nil, dropped)
        }
        withExtendedLifetime(dropped) {}
        return end
    }

    /// All steps of a build have been given up.
    func abandonWholly(_ building: Building) -> AwaitedEnd? {
        lock.withLock {
            state.abandonWholly(building)
            return building.hasWaiters ? AwaitedEnd(number: building.number) : nil
        }
    }

    /// True where nothing has detached a build.
    func isCurrent(_ building: Building) -> Bool { lock.withLock { state.isCurrent(building) } }

    /// Notes that somebody waits for a build; false where that is over.
    func addWaiter(to building: Building) -> Bool { lock.withLock { building.addWaiter() } }

    /// True while an instance is built that is to stand here.
    var isBuilding: Bool { lock.withLock { state.current != nil } }

    /// True where an instance is that of the build under way.
    func isConstructing(_ box: AnyBox) -> Bool {
        lock.withLock { state.current?.product === box }
    }

    func product(of building: Building) -> AnyBox? { lock.withLock { building.product } }

    /// An instance in the graph of needs that stands here, or is under construction; 0 for none.
    func node(of box: AnyBox) -> UInt {
        lock.withLock { () -> UInt in
            guard let current = state.current, current.product === box else { return state.node }
            return current.node
        }
    }

    /// The node of what a build constructs in the graph of needs; where that is not known yet, 0, and the one that
    /// needs it is noted for later.
    func noteDependent(_ dependent: UInt, of building: Building) -> UInt {
        lock.withLock { building.noteDependent(dependent) }
    }

    /// Says which that is, unless a step further out has said so, and gives back who was noted to need it.
    func setNode(_ node: UInt, of building: Building) -> [UInt] {
        lock.withLock { building.setNode(node) }
    }

    /// The instance that a build has constructed in the graph of needs, 0 for none.
    func node(of building: Building) -> UInt { lock.withLock { building.node } }

    /// Empties the slot, and detaches who builds.
    ///
    /// The caller releases the result.
    @inline(never)
    package func detach() -> Detached {
        lock.withLock {
            let (box, node) = state.detach()
            parts?.lastReset = Serial.next()
            return Detached(box: box, node: node, dropped: parts?.conversions.take())
        }
    }

    /// Empties the slot of a build, unless that has been detached, and has it go on by itself.
    ///
    /// This is no reset, of which others must know. The caller releases the result.
    func detach(_ building: Building) -> Detached? {
        lock.withLock {
            guard state.isCurrent(building) else { return nil }
            let (box, node) = state.detach()
            return Detached(box: box, node: node)
        }
    }

    /// What stood in a slot.
    package struct Detached {
        let box: AnyBox?
        let node: UInt
        /// What goes with the instance, nil for nothing.
        var dropped: Any?
    }

    /// The instance in the graph of needs, 0 for none.
    var node: UInt {
        get { lock.withLock { state.node } }
        set { lock.withLock { state.node = newValue } }
    }

    /// Drops everything, also for arguments, when the container has gone.
    ///
    /// A storage is only released, for its scope may have lent it to others. The caller releases the result.
    func dropAll() -> Detached {
        var (ended, dropped) = lock.withLock { () -> (Detached, SlotParts?) in
            let (box, node) = state.detach()
            return (Detached(box: box, node: node), parts.take())
        }
        if let dropped { ended.dropped = (dropped, dropped.arguments.all.map { $0.dropAll() }) }
        return ended
    }

    /// True where nothing stands here, and nobody builds; for who holds the lock.
    ///
    /// Who looks at an instance may be the last to hold it, so it goes to the caller, to be released without the lock.
    func isIdleInLock(_ toRelease: inout [AnyBox]) -> Bool {
        // A storage of the user's knows by itself what it keeps.
        parts?.storage == nil
            && state.isIdle { box in
                guard let living = box.strengthened() else { return nil }
                toRelease.append(living)
                return living
            }
    }

    /// Another number after each reset.
    var lastReset: UInt { withParts { $0.lastReset } }

    /// What few slots have.
    func withParts<Result>(_ body: (SlotParts) -> Result) -> Result {
        lock.withLock { body(madeParts) }
    }

    private var madeParts: SlotParts {
        let known = parts ?? SlotParts()
        parts = known
        return known
    }

    /// What few slots have, where this one has any.
    func withPartsIfAny<Result>(_ body: (SlotParts) -> Result?) -> Result? {
        lock.withLock { parts.flatMap(body) }
    }

    /// The instance that stands here as a type that forwards to the registration, once it has been converted.
    func conversion(of box: AnyBox, to type: Any.Type) -> AnyBox? {
        withPartsIfAny { parts in
            guard let known = parts.conversions, known.source === box else { return nil }
            return known.boxes[ObjectIdentifier(type)]
        }
    }

    /// Keeps the instance that stands here as a type that forwards to the registration.
    func keepConversion(_ conversion: AnyBox, as type: Any.Type, of box: AnyBox) {
        let dropped = lock.withLock { () -> SlotParts.Conversions? in
            guard state.ready === box else { return nil }
            return madeParts.keepConversion(conversion, as: type, of: box)
        }
        withExtendedLifetime(dropped) {}
    }
}

/// What makes a slot another one than that of its registration's own instance: one for some arguments, one around
/// another slot, or one under a further key.
protocol SlotForm: AnyObject, Sendable {
    /// What the slot is found by.
    var key: ServiceKey { get }
    /// What tells its instances from others in a path and in a graph.
    var number: UInt { get }
    /// True where decorators are around what the registration makes.
    var isDecorated: Bool { get }
}

extension Building<AnyBox> {
    /// Its end, where somebody must be told of that.
    var awaitedEnd: AwaitedEnd? {
        hasWaiters ? AwaitedEnd(number: number, product: product) : nil
    }
}

/// The end of something in the wait-for graph, of which those who wait must hear: of a build, a turn, a container's
/// work, or its closing.
struct AwaitedEnd {
    let number: UInt
    var product: AnyBox?
}
