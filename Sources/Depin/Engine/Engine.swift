import Synchronization

/// The inside of a container: it answers requests.
///
/// Every request goes one way. ``find(_:)`` looks up the slot, and ``begin(_:_:_:)`` says what to do with it: take the
/// ready instance, make it, or wait for another thread or task that makes it. After the factory, ``finish(_:_:_:_:)``
/// decorates and keeps the instance, and tells observers. In between, a driver calls the factory or waits:
/// ``answer(_:_:)`` on a thread, ``answer(_:in:)`` in a task. An engine knows no service's type; resolvers take the
/// service out of its box (`EngineResolver.swift`). They first look for a ready instance; if they find only its slot,
/// they enter the way at ``instance(of:_:_:)``.
///
/// An engine does not hold its container. It ends with its last ``Owner``: that empties all slots, which breaks the
/// cycles through instances and factories.
package final class Engine: Sendable {
    package let registry: Registry
    /// Names the engine for good, unlike its address; in the wait-for graph it stands for the engine's work under way.
    package let number = Serial.next()
    package let parent: Engine?
    let defaultScope: ObjectScope
    /// The engines that this one is a fork of.
    ///
    /// In the fork's resolutions it takes their place.
    package let originals: [Engine]
    /// The open scope that this engine belongs to; nil for other containers.
    let opened: OpenScope?
    let state = Guarded(State())
    /// The turns of the hierarchy, each for one thread or task at a time.
    let turns: Turns
    /// How many owners keep the engine open.
    let ownerCount = Atomic<Int>(0)
    /// How many resolutions with a step of this engine are under way.
    let workCount = Atomic<Int>(0)
    /// What requests must pay attention to: a ``Flag`` for each bit.
    private let flags = Atomic<UInt32>(0)

    struct State {
        /// The container.
        ///
        /// `Container.of` makes another one if it has gone and is needed.
        weak var facade: (any AnyObject & Sendable)?
        /// The child containers by their numbers, until they end.
        var children = SmallTable<UInt, Engine>()
        /// The forks by their numbers, until they end.
        var forks = SmallTable<UInt, Engine>()
        /// The slots of an open scope, by the number of the slot that each stands for.
        var scopeSlots = SmallTable<UInt, Slot>()
        var needs = NeedsGraph()
        /// Set for good when closing begins.
        var closing: Closing?
        /// How far closing has come.
        var progress = Closing.Progress()
        var additions = EngineAdditions()
    }

    enum Flag: UInt32 {
        case hasForks = 1
        case isEnded = 2
        case isObserved = 4
        /// A validation is under way, which shares every instance.
        case isValidated = 8
        /// The validation that this fork was made for has ended: nothing is shared any more.
        case keepsNothing = 16
        /// New registrations replace those of their key wherever in the hierarchy they stand.
        case isOverride = 32
        case hasDecorators = 64
        /// An instance of this container or of a parent is to be closed, so the needs of dependents are noted.
        case notesNeeds = 128
        /// The container is closing or closed.
        case isClosing = 256
        /// It has registrations that yield to others.
        case hasDefaults = 512
        /// An instance of this container is to be closed, so builds are noted for the order of closing.
        case notesBuilds = 1024
        /// An instance that a child builds is to be closed.
        case notesBuildsOfChildren = 2048
        /// Some decorators of the container are asynchronous.
        case hasAsyncDecorators = 4096
        /// It has forks, or had some.
        case wasForked = 8192
        /// A child has decorators, or had some.
        case hasDecoratingChildren = 16384
        /// Behaviors hear of its registrations.
        case hasBehaviors = 32768
        /// It has children, or had some, which may be in force still.
        case wasParent = 65536

        /// The flags that every request must pay attention to.
        static let heeded =
            Flag.hasForks.rawValue | Flag.isEnded.rawValue | Flag.isObserved.rawValue
            | Flag.isValidated.rawValue | Flag.keepsNothing.rawValue | Flag.notesNeeds.rawValue
            | Flag.isClosing.rawValue
    }

    init(
        parent: Engine?,
        defaultScope: ObjectScope,
        originals: [Engine] = [],
        opened: OpenScope? = nil
    ) {
        self.parent = parent
        turns = parent?.turns ?? Turns()
        self.defaultScope = defaultScope
        self.originals = originals
        self.opened = opened
        registry = opened == nil ? Registry() : Registry(tableCount: 1)
        for observer in parent?.inheritedObservers ?? [] { observe(by: observer) }
    }

    // MARK: - Flags

    func hasFlag(_ flag: Flag) -> Bool {
        flags.load(ordering: .sequentiallyConsistent) & flag.rawValue != 0
    }

    func setFlag(_ flag: Flag, _ isSet: Bool = true) {
        guard hasFlag(flag) != isSet else { return }
        if isSet {
            flags.bitwiseOr(flag.rawValue, ordering: .sequentiallyConsistent)
        } else {
            flags.bitwiseAnd(~flag.rawValue, ordering: .sequentiallyConsistent)
        }
    }

    var isEnded: Bool { hasFlag(.isEnded) }

    /// True if requests need to look at nothing but registrations, and perhaps note needs.
    var heedsNothing: Bool {
        flags.load(ordering: .relaxed) & Flag.heeded & ~Flag.notesNeeds.rawValue == 0
    }

    /// True if a request of this thread may take a ready instance at once.
    @inline(__always)
    var isOnFastPath: Bool {
        let others = flags.load(ordering: .relaxed) & Flag.heeded
        // If needs are noted, the request may come from an instance.
        return others == 0 || others == Flag.notesNeeds.rawValue && Dependent.current == nil
    }

    /// True for a fork made for a validation: its instances may stay in use, and keep it open.
    var isForValidation: Bool { hasFlag(.isValidated) || hasFlag(.keepsNothing) }

    // MARK: - Family

    /// This engine and its parents, the nearest first.
    package var chain: UnfoldFirstSequence<Engine> { sequence(first: self) { $0.parent } }

    /// True if another engine is this one or one of its parents.
    // Recursive, because a loop retains each engine (row 15-ten).
    func isWithin(_ other: Engine) -> Bool { self === other || parent?.isWithin(other) == true }

    /// The engines that have this one as their parent.
    var children: [Engine] { state.withLock { $0.children.inOrder } }

    /// The outermost parent.
    var root: Engine { parent?.root ?? self }

    /// The container, if it still exists.
    var facade: (any AnyObject & Sendable)? { state.withLock { $0.facade } }

    /// Sets the container, unless another thread has been quicker.
    func setFacade(_ facade: any AnyObject & Sendable) {
        let known = state.withLock { state in
            let known = state.facade
            if known == nil { state.facade = facade }
            return known
        }
        withExtendedLifetime(known) {}
    }

    /// Adds this engine to its parent's children.
    func joinParent() {
        guard let parent else { return }
        parent.state.withLock { $0.children[number] = self }
        parent.setFlag(.wasParent)
        // The parent finds this engine from now on, but has not told it what began earlier.
        if parent.hasFlag(.notesNeeds) { setFlag(.notesNeeds) }
        if parent.hasFlag(.isClosing) { setFlag(.isClosing) }
    }

    // MARK: - Ending

    /// Drops everything, since the container has gone.
    func end() {
        let old = flags.bitwiseOr(Flag.isEnded.rawValue, ordering: .sequentiallyConsistent).oldValue
        guard old & Flag.isEnded.rawValue == 0 else { return }
        parent?.state.withLock { $0.children[number] = nil }
        for original in originals { original.endFork(self) }
        empty()
    }

    func empty() {
        let needs = hasFlag(.notesBuilds) ? takeNeeds() : nil
        let (slots, additions) = removeRegistered(upTo: .container)
        for slot in slots { withExtendedLifetime(slot.dropAll()) {} }
        withExtendedLifetime((needs, additions)) {}
    }

    /// Removes every registration, contribution and decorator, and the needs of the instances.
    @_optimize(size)
    func removeAll() {
        let (removed, additions) = removeRegistered(upTo: .registrations)
        for slot in removed { forgetUnfound(slot) }
        dropDecoratedSlots()
        withExtendedLifetime((removed, additions)) {}
    }

    private func removeRegistered(
        upTo lifetime: EngineAddition.Lifetime
    ) -> (slots: [Slot], additions: [EngineAddition]) {
        var scopeSlots = SmallTable<UInt, Slot>()
        let additions = state.withLock { state in
            swap(&scopeSlots, &state.scopeSlots)
            return state.additions.drop(upTo: lifetime)
        }
        var removed = registry.remove() + scopeSlots.cells.map(\.value)
        removed += additions.flatMap(\.slots)
        // The target of a forward goes along if it has no key of its own here, or if its container has gone.
        for slot in removed {
            guard let target = slot.forward?.target,
                target.holder === self || target.holder.isEnded
            else { continue }
            removed.append(target.slot)
        }
        return (removed, additions)
    }
}

/// What a feature of the library keeps in an engine, which knows only when it ends.
///
/// Guarded by the lock of the engine's state, and made when something is first put into it.
// Classes, because structures in a generic box are compiled anew for each type (20 KB).
class EngineAddition {
    /// How long an addition lasts, the shortest first.
    enum Lifetime: Int {
        case registrations
        case container
        case engine
    }

    /// What the addition is removed with.
    var lifetime: Lifetime { .registrations }
    /// The slots in the addition, which end with it.
    var slots: [Slot] { [] }
    /// The addition that a fork begins with.
    var forked: EngineAddition? { nil }

    required init() {}
}

/// The additions to one engine.
struct EngineAdditions {
    private var all: [EngineAddition] = []

    /// The addition of a type, if there is one.
    func find<Addition: EngineAddition>(_: Addition.Type = Addition.self) -> Addition? {
        let known = all.first { type(of: $0) == Addition.self }
        return known.map { unsafeDowncast($0, to: Addition.self) }
    }

    /// The addition of a type, made if there is none.
    mutating func made<Addition: EngineAddition>(_: Addition.Type = Addition.self) -> Addition {
        if let known = find(Addition.self) { return known }
        let made = Addition()
        all.append(made)
        return made
    }

    /// The additions that a fork begins with.
    var forked: [EngineAddition] { all.compactMap(\.forked) }

    /// Adds those that a fork begins with.
    mutating func adopt(_ forked: [EngineAddition]) { all += forked }

    /// Removes the additions that go with the registrations, or also those that go with the container.
    ///
    /// The caller releases them outside of the lock.
    mutating func drop(upTo lifetime: EngineAddition.Lifetime) -> [EngineAddition] {
        if all.isEmpty { return [] }
        let removed = all.filter { $0.lifetime.rawValue <= lifetime.rawValue }
        all = all.filter { $0.lifetime.rawValue > lifetime.rawValue }
        return removed
    }
}
