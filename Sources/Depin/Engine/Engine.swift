import Synchronization

/// What a container is inside: it answers requests.
///
/// A request goes one way. ``find(_:)`` looks up the slot, and ``begin(_:_:_:)`` says what to do with it: take what is
/// ready, make it, or wait for who does. ``finish(_:_:_:_:)`` follows the factory: it decorates, keeps, and tells.
/// Between the two a driver calls the factory or waits: ``answer(_:_:)`` on a thread, ``answer(_:in:)`` in a task. The
/// engine knows no service's type: the resolvers take the service out of its box (`EngineResolver.swift`). They look
/// first whether it is ready; where they meet its slot, they enter the way at ``instance(of:_:_:)``.
///
/// An engine does not hold its container, and is ended by it: see ``Owner``. That empties all slots, which ends
/// whatever cycles lead through instances and factories.
package final class Engine: Sendable {
    package let registry: Registry
    /// Names the engine forever, as an address does not, and in the wait-for graph the work under way in it.
    package let number = Serial.next()
    package let parent: Engine?
    let defaultScope: any ObjectScopeProtocol & Sendable
    /// The engines of which this one is a fork, in whose place it stands in its resolutions.
    package let originals: [Engine]
    /// What makes this the engine of an open scope.
    let opened: OpenScope?
    let state = Guarded(State())
    /// What a hierarchy lets one thread have at a time.
    let turns: Turns

    final class Turns: Sendable {
        let serial = Turn()
        let assembling = Turn()
    }
    /// How many owners keep it open.
    let ownerCount = Atomic<Int>(0)
    /// How many resolutions are under way here that have made a step.
    let workCount = Atomic<Int>(0)
    /// What a request must pay attention to.
    private let flags = Atomic<UInt16>(0)

    struct State {
        /// The container; another one is made by `Container.of`, where it has gone and something still needs one.
        weak var facade: (any AnyObject & Sendable)?
        /// By their numbers, until they end.
        var children = SmallTable<UInt, Engine>()
        /// By their numbers, until they end.
        var forks = SmallTable<UInt, Engine>()
        /// What an open scope keeps, by the number of the slot in whose place each stands.
        var scopeSlots = SmallTable<UInt, Slot>()
        var needs = NeedsGraph()
        /// Set for good when it begins to close.
        var closing: Closing?
        var additions = EngineAdditions()
    }

    package enum Flag: UInt16 {
        case hasForks = 1
        case isEnded = 2
        case isObserved = 4
        /// A validation is under way, in which everything is shared.
        case isValidated = 8
        /// Instances are shared no more: the validation has ended that they were made for.
        case keepsNothing = 16
        /// Registrations replace those of their key where they stand in the hierarchy.
        case isOverride = 32
        case hasDecorators = 64
        /// Something here, or in a parent, is to be closed: what is needed by who asks is noted.
        case notesNeeds = 128
        /// It is closing, or has been closed.
        case isClosing = 256
        /// It has registrations that yield to others.
        case hasDefaults = 512
        /// Something here is to be closed: what is built here is noted, for the order.
        case notesBuilds = 1024
        /// Something that children build is to be closed.
        case notesBuildsOfChildren = 2048
        /// Some of its decorators take time.
        case hasAsyncDecorators = 4096
        /// It has registrations for any name.
        case hasAnyNames = 8192
        /// A child has decorators, or had some.
        case hasDecoratingChildren = 16384
        /// Somebody hears of its registrations.
        case hasBehaviors = 32768

        /// Those that a request must pay attention to, whoever asks.
        static let heeded =
            Flag.hasForks.rawValue | Flag.isEnded.rawValue | Flag.isObserved.rawValue
            | Flag.isValidated.rawValue | Flag.keepsNothing.rawValue | Flag.notesNeeds.rawValue
            | Flag.isClosing.rawValue
    }

    init(
        parent: Engine?,
        defaultScope: any ObjectScopeProtocol & Sendable,
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

    @inline(__always)
    package func hasFlag(_ flag: Flag) -> Bool {
        flags.load(ordering: .sequentiallyConsistent) & flag.rawValue != 0
    }

    package func setFlag(_ flag: Flag, _ isSet: Bool = true) {
        guard hasFlag(flag) != isSet else { return }
        if isSet {
            flags.bitwiseOr(flag.rawValue, ordering: .sequentiallyConsistent)
        } else {
            flags.bitwiseAnd(~flag.rawValue, ordering: .sequentiallyConsistent)
        }
    }

    var isEnded: Bool { hasFlag(.isEnded) }

    /// True where no request has anything to pay attention to but registrations, whoever asks.
    @inline(__always)
    var heedsNothing: Bool { flags.load(ordering: .relaxed) & Flag.heeded == 0 }

    /// True where a request of this thread may take what is ready.
    @inline(__always)
    var isOnFastPath: Bool {
        let others = flags.load(ordering: .relaxed) & Flag.heeded
        // Where needs are noted, an instance may be what asks.
        return others == 0 || others == Flag.notesNeeds.rawValue && !Self.hasDependent
    }

    @inline(never)
    private static var hasDependent: Bool {
        Resolution.withCurrent { $0.path.dependent != nil }
    }

    /// True for a fork that was validated: what it made may go on by itself, and keeps it open.
    var isForValidation: Bool { hasFlag(.isValidated) || hasFlag(.keepsNothing) }

    // MARK: - Family

    /// This engine and its parents, the nearest first.
    package var chain: UnfoldFirstSequence<Engine> { sequence(first: self) { $0.parent } }

    /// True if another engine is this one or one of its parents.
    // Recursive, because a loop retains each engine (row 15-ten).
    func isWithin(_ other: Engine) -> Bool { self === other || parent?.isWithin(other) == true }

    /// The engines of which this one is the parent.
    var children: [Engine] { state.withLock { $0.children.inOrder } }

    /// The outermost parent.
    var root: Engine { parent?.root ?? self }

    /// The container, if it is still there.
    var facade: (any AnyObject & Sendable)? { state.withLock { $0.facade } }

    /// Notes the container, unless another thread has been quicker to make one.
    func setFacade(_ facade: any AnyObject & Sendable) {
        let known = state.withLock { state in
            let known = state.facade
            if known == nil { state.facade = facade }
            return known
        }
        withExtendedLifetime(known) {}
    }

    /// Notes the engine as its parent's child.
    func joinParent() {
        guard let parent else { return }
        parent.state.withLock { $0.children[number] = self }
        // From now on the parent finds this one; what it has begun before, it has not told.
        if parent.hasFlag(.notesNeeds) { setFlag(.notesNeeds) }
        if parent.hasFlag(.isClosing) { setFlag(.isClosing) }
    }

    // MARK: - Ending

    /// Drops everything: the container is gone.
    func end() {
        let old = flags.bitwiseOr(Flag.isEnded.rawValue, ordering: .sequentiallyConsistent).oldValue
        guard old & Flag.isEnded.rawValue == 0 else { return }
        leaveFamily()
        empty()
    }

    func empty() {
        let needs = hasFlag(.notesBuilds) ? takeNeeds() : nil
        let (slots, additions) = removeRegistered(upTo: .container)
        for slot in slots { withExtendedLifetime(slot.dropAll()) {} }
        withExtendedLifetime((needs, additions)) {}
    }

    private func leaveFamily() {
        parent?.state.withLock { $0.children[number] = nil }
        for original in originals { original.endFork(self) }
    }

    /// Removes every registration, contribution and decorator, what is remembered of them, and the needs of the
    /// instances; gives back the slots, for the caller to release.
    func removeAll() -> [Slot] {
        let opened = registry.slots.filter { $0.registration.kind == .opened }
        let (removed, additions) = removeRegistered(upTo: .registrations)
        withExtendedLifetime(additions) {}
        forgetNeeds(removed)
        for slot in removed where slot.registration.kind == .opened { empty(slot) }
        for slot in opened { dropScopeSlots(of: slot) }
        dropDecoratedSlots()
        return removed
    }

    private func removeRegistered(
        upTo lifetime: EngineAddition.Lifetime
    ) -> (slots: [Slot], additions: [EngineAddition]) {
        var scopeSlots = SmallTable<UInt, Slot>()
        let additions = state.withLock { state in
            swap(&scopeSlots, &state.scopeSlots)
            return state.additions.drop(upTo: lifetime)
        }
        var removed = registry.remove()
        if !scopeSlots.isEmpty { removed += scopeSlots.cells.map(\.value) }
        for addition in additions { removed += addition.slots }
        if !removed.isEmpty {
            // What is under no key of its own goes with those that forward to it, and so does what has no container.
            removed += removed.compactMap { slot in
                guard let target = slot.forward?.target else { return nil }
                return target.holder === self || target.holder.isEnded ? target.slot : nil
            }
        }
        return (removed, additions)
    }
}

/// What a feature of the library keeps in an engine, which knows of it only that it ends.
///
/// It is guarded by the lock of the engine's state, and made when something is first put into it.
// Classes, and no structures in a generic box, whose code each of them would have once more (20 KB).
class EngineAddition {
    /// The longer, the greater.
    enum Lifetime: Int {
        case registrations
        case container
        case engine
    }

    /// What it goes with.
    var lifetime: Lifetime { .registrations }
    /// The slots in it, which end with it.
    var slots: [Slot] { [] }
    /// What a fork begins with.
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

    /// What a fork begins with.
    var forked: [EngineAddition] { all.compactMap(\.forked) }

    /// Begins with what a fork does, beside what is there.
    mutating func adopt(_ forked: [EngineAddition]) { all += forked }

    /// Removes what goes with the registrations, or with the container too; whoever calls it releases that without the
    /// lock.
    mutating func drop(upTo lifetime: EngineAddition.Lifetime) -> [EngineAddition] {
        if all.isEmpty { return [] }
        let removed = all.filter { $0.lifetime.rawValue <= lifetime.rawValue }
        all = all.filter { $0.lifetime.rawValue > lifetime.rawValue }
        return removed
    }
}
