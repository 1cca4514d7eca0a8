import Synchronization

/// What a container is inside: it answers requests.
///
/// A request of the typed shell begins with ``ready(_:else:)``, which looks up, and takes what is ready.
/// ``answer(_:_:)`` is the one way through for every other: make a new instance or share one. It knows no service's
/// type: the shell takes the service out of its box.
///
/// A core does not hold its container, and is closed by it: see ``CoreOwner``. Closing empties the registry,
/// which ends whatever cycles lead through instances and factories.
final class Core: Sendable {
    let registry: Registry
    /// Names the core forever, as an address does not.
    let number = Serial.next()
    let parent: Core?
    let defaultScope: any ObjectScopeProtocol & Sendable
    /// The cores of which this one is a fork, in whose place it stands in its resolutions.
    let originals: [Core]
    /// What makes this the core of an open scope.
    let opened: OpenScope?
    let state = Guarded(State())
    /// How many owners keep it open.
    let ownerCount = Atomic<Int>(0)
    /// What a request must pay attention to.
    private let flags = Atomic<UInt16>(0)
    /// How many instances are being built that are kept here, or closed.
    let buildCount = Atomic<Int>(0)

    struct State {
        /// Another one, where the container has gone and something still needs one.
        weak var facade: (any CoreFacade)?
        var watchers: [any Watcher] = []
        /// By their numbers, until they close.
        var children = HashTable<UInt, Core>()
        var decorations = Decorations()
        var forkCount = 0
        /// Who validates this fork, or has.
        var validator: Runner?
        /// What assemblers have applied, which only they can read.
        var assemblies: (any Sendable)?
        /// What an open scope has of registrations, by their numbers.
        var copies = HashTable<UInt, EntryCopy>()
        var order = CloseOrder<ClosedInstance>()
        /// Set for good when it begins to close.
        var closing: Closing?
    }

    enum Flag: UInt16 {
        case hasForks = 1
        case isClosed = 2
        case isWatched = 4
        /// A validation is under way, in which everything is shared.
        case isValidated = 8
        /// Instances are shared no more: the validation has ended that they were made for.
        case keepsNothing = 16
        /// Registrations replace those of their key where they stand in the hierarchy.
        case isOverride = 32
        /// It has decorators.
        case hasDecorators = 64
        /// Something here, or in a parent, is to be closed: what is needed by who asks is noted.
        case tracksNeeds = 128
        /// It is closing, or has been closed.
        case isClosing = 256
        /// It has registrations that yield to others.
        case hasDefaults = 512
        /// Something here is to be closed: what is built here is noted, for the order.
        case notesBuilds = 1024
        /// Something that children build is to be closed.
        case notesBuildsOfChildren = 2048

        /// Those that leave every request on the fast path, as ``tracksNeeds`` leaves most.
        static let passing =
            Flag.isOverride.rawValue | Flag.hasDecorators.rawValue | Flag.hasDefaults.rawValue
            | Flag.notesBuilds.rawValue | Flag.notesBuildsOfChildren.rawValue
    }

    init(
        parent: Core?,
        defaultScope: any ObjectScopeProtocol & Sendable,
        originals: [Core] = [],
        opened: OpenScope? = nil
    ) {
        self.parent = parent
        self.defaultScope = defaultScope
        self.originals = originals
        self.opened = opened
        registry = opened == nil ? Registry() : Registry(tableCount: 1)
        for watcher in parent?.inheritedWatchers ?? [] { watch(watcher) }
    }

    func hasFlag(_ flag: Flag) -> Bool {
        flags.load(ordering: .sequentiallyConsistent) & flag.rawValue != 0
    }

    /// The core in which a registration of a key belongs.
    func home(of key: ServiceKey) -> Core {
        let core = inForce
        guard core.hasFlag(.isOverride) else { return core }
        return core.find(key)?.holder ?? core
    }

    func setFlag(_ flag: Flag, _ isSet: Bool) {
        if isSet {
            flags.bitwiseOr(flag.rawValue, ordering: .sequentiallyConsistent)
        } else {
            flags.bitwiseAnd(~flag.rawValue, ordering: .sequentiallyConsistent)
        }
    }

    /// Sets a flag; false if it was not set before.
    private func exchangeFlag(_ flag: Flag) -> Bool {
        let old = flags.bitwiseOr(flag.rawValue, ordering: .sequentiallyConsistent).oldValue
        return old & flag.rawValue != 0
    }

    var isGone: Bool { hasFlag(.isClosed) }

    /// True where no request has anything to pay attention to but registrations, whoever asks.
    var isPlain: Bool { flags.load(ordering: .relaxed) & ~Flag.passing == 0 }

    /// True where a request of this thread may take what is ready.
    var isOnFastPath: Bool { isOnFastPath(flags.load(ordering: .relaxed)) }

    @inline(__always)
    private func isOnFastPath(_ flags: UInt16) -> Bool {
        let others = flags & ~Flag.passing
        // Where needs are noted, an instance may be what asks.
        return others == 0 || others == Flag.tracksNeeds.rawValue && !Path.hasNeeder
    }

    /// Drops everything: the container is gone.
    func close() {
        guard !exchangeFlag(.isClosed) else { return }
        leaveFamily()
        empty()
    }

    func empty() {
        if hasFlag(.isWatched) || hasFlag(.notesBuilds) {
            let held = state.withLock { state in
                defer { (state.watchers, state.order) = ([], CloseOrder()) }
                return (state.watchers, state.order)
            }
            withExtendedLifetime(held) {}
        }
        // What forwards to a container that is still there is that one's.
        for entry in removeAll() where entry.sink === self || entry.sink.isGone {
            withExtendedLifetime(entry.close()) {}
        }
    }

    /// Removes the registrations whose keys match.
    func remove(where matches: (ServiceKey) -> Bool) {
        dropInstances(of: registry.remove(where: matches))
        dropWrappings()
    }

    /// Removes every registration, and gives back what was registered.
    @discardableResult
    func removeAll() -> [AnyServiceEntry] {
        var removed: [AnyServiceEntry] = []
        registry.removeAll(into: &removed)
        removeCopies(into: &removed)
        if hasFlag(.hasDecorators) { removed += removeDecorations() }
        dropInstances(of: removed)
        dropWrappings()
        return removed
    }

    // MARK: - Entering

    /// What a request of the shell comes to.
    enum Answer {
        /// The service, in a box of its type.
        case instance(AnyBox)
        /// The service of a weak scope, and the object in it.
        case weak(WeakInstance, AnyObject)
        /// The registration of its type, whose instances nobody keeps or hears of: see ``make(_:_:_:)``.
        case factory(AnyServiceEntry)
        case nothing
    }

    /// What ``ready(_:else:)`` has seen that finds nothing ready: ``answer(_:_:_:isNeeded:_:)`` must come after it.
    ///
    /// PERF: not thrown, because an error's registration is retained twice (row 4: 15,000 instructions instead of
    /// 14,000).
    struct Seen {
        /// The flags of a request on the fast path; or else all of them, and nothing has been looked up.
        fileprivate var flags = UInt16.max
        /// Nil where nothing is registered.
        fileprivate var entry: AnyServiceEntry?
    }

    /// The service, where it is shared and ready.
    @inline(__always)
    func ready<Service>(_ key: ServiceKey, else seen: inout Seen) throws(Registry.NotReady)
        -> Service
    {
        let flags = flags.load(ordering: .relaxed)
        guard isOnFastPath(flags) else { throw Registry.NotReady() }
        seen.flags = flags & Flag.passing
        return try registry.ready(key, else: &seen.entry) { box in
            unsafeDowncast(box, to: Box<Service>.self).value
        }
    }

    /// Answers a request of the shell for what is not ready.
    @inline(__always)
    func answer(
        _ key: ServiceKey,
        _ arguments: Arguments?,
        _ owner: CoreOwner?,
        isNeeded: Bool,
        _ seen: consuming Seen
    ) throws -> Answer {
        let flags = seen.flags
        guard flags & ~Flag.passing == 0 else {
            return try slowAnswer(key, arguments, owner, isNeeded, .anything)
        }
        guard let entry = seen.entry else {
            guard parent == nil, flags & Flag.hasDefaults.rawValue == 0 else {
                return try slowAnswer(key, arguments, owner, isNeeded, .anything)
            }
            guard let derivation = derivation(of: key.serviceType) else { return .nothing }
            return try slowAnswer(key, arguments, owner, isNeeded, .derivation(derivation))
        }
        let traits = entry.currentTraits
        if entry.needsOnlyFactory(traits, for: key),
            flags & Flag.hasDecorators.rawValue == 0 || answersAlone(entry, for: key)
        {
            switch traits.kind {
            case .transient: return .factory(entry)
            case .graph where !notesBuilds:
                return .instance(try makeInGraph(entry, traits, arguments, owner))
            default: break
            }
        }
        if traits.kind == .weak, let (instance, object) = living(entry, for: key) {
            return .weak(instance, object)
        }
        return try slowAnswer(key, arguments, owner, isNeeded, .registration(entry))
    }

    /// The instance that the fast path finds in a core.
    func ready(_ key: ServiceKey, in holder: Core) -> AnyBox? {
        guard isOnFastPath else { return nil }
        return holder.registry.ready(for: key)
    }

    /// The instance of a weak registration, where no factory runs whose graph would hold it.
    @inline(never)
    private func living(
        _ entry: AnyServiceEntry,
        for key: ServiceKey
    ) -> (WeakInstance, AnyObject)? {
        guard key.serviceType == entry.key.serviceType, !hasFlag(.hasDecorators),
            Path.withCurrent({ $0.steps.isEmpty })
        else { return nil }
        return entry.livingInstance
    }

    /// With what a request is answered.
    private enum Source {
        case anything
        case registration(AnyServiceEntry)
        case derivation(any DerivedService.Type)
    }

    // PERF: with a closure instead, what that names was retained twice a step (row 4g).
    @inline(never)
    private func slowAnswer(
        _ key: ServiceKey,
        _ arguments: Arguments?,
        _ owner: CoreOwner?,
        _ isNeeded: Bool,
        _ source: Source
    ) throws -> Answer {
        let box = try Path.withCurrent { path -> AnyBox? in
            var request = ServiceRequest(key, arguments, to: self, owner)
            request.isNeeded = isNeeded
            switch source {
            case .anything: return try answer(&request, path)
            case .registration(let entry):
                return try answer(&request, with: entry, of: self, path)
            case .derivation(let derivation): return try derivation.derive(request, path)
            }
        }
        return box.map(Answer.instance) ?? .nothing
    }
}
