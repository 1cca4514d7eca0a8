import Synchronization

/// What a container is inside: it answers requests.
///
/// Nothing here knows a service's type. ``answer(_:_:)`` is the one way through: look up, take what is ready, or
/// make a new instance or share one. The typed shell around it takes the service out of its box.
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
    /// What keeps the core open, also when the container itself has gone.
    // Set once, before anyone else sees the core; the runtime guards reading against the end.
    nonisolated(unsafe) weak var opening: CoreOwner.Opening?
    /// What keeps a request from the fast path.
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
        /// Something here, or in a parent, is to be closed: what needs what is noted.
        case tracksNeeds = 128
        /// It is closing, or has been closed.
        case isClosing = 256
        /// It has registrations that yield to others.
        case hasDefaults = 512

        /// Those that leave a request on the fast path.
        static let passing =
            Flag.isOverride.rawValue | Flag.hasDecorators.rawValue | Flag.hasDefaults.rawValue
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

    /// True where a request has nothing to pay attention to but registrations.
    var isPlain: Bool { flags.load(ordering: .relaxed) & ~Flag.passing == 0 }

    /// Drops everything: the container is gone.
    func close() {
        guard !exchangeFlag(.isClosed) else { return }
        leaveFamily()
        empty()
    }

    func empty() {
        // What forwards to a container that is still there is that one's.
        let held = state.withLock { state in
            defer { (state.watchers, state.order) = ([], CloseOrder()) }
            return (state.watchers, state.order)
        }
        withExtendedLifetime(held) {}
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
        var removed = registry.removeAll()
        if let opened { removed += opened.removeAll() }
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
        /// The registration of its type, whose instances nobody keeps or hears of: see ``make(_:_:_:)``.
        case factory(AnyServiceEntry)
        case nothing
    }

    /// Answers a request of the shell.
    @inline(__always)
    func answer(
        _ key: ServiceKey,
        _ arguments: Arguments?,
        _ owner: CoreOwner?,
        isNeeded: Bool
    ) throws -> Answer {
        let flags = flags.load(ordering: .relaxed)
        guard flags & ~Flag.passing == 0 else {
            return try slowAnswer(key, arguments, owner, isNeeded) { try answer(&$0, $1) }
        }
        switch registry.lookUp(key) {
        case .ready(let box):
            return .instance(box)
        case .registration(let entry):
            if entry.isPlainFactory(for: key),
                flags & Flag.hasDecorators.rawValue == 0 || isPlain(entry, for: key)
            {
                return .factory(entry)
            }
            return try slowAnswer(key, arguments, owner, isNeeded) {
                try answer(&$0, with: entry, of: self, $1)
            }
        case .nothing:
            guard parent == nil, flags & Flag.hasDefaults.rawValue == 0 else {
                return try slowAnswer(key, arguments, owner, isNeeded) { try answer(&$0, $1) }
            }
            guard let derivation = derivation(of: key.serviceType) else { return .nothing }
            return try slowAnswer(key, arguments, owner, isNeeded) {
                try derivation.derive($0, $1)
            }
        }
    }

    /// The instance that the fast path finds in a core.
    func ready(_ key: ServiceKey, in holder: Core) -> AnyBox? {
        guard isPlain, case .ready(let box) = holder.registry.lookUp(key) else { return nil }
        return box
    }

    @inline(never)
    private func slowAnswer(
        _ key: ServiceKey,
        _ arguments: Arguments?,
        _ owner: CoreOwner?,
        _ isNeeded: Bool,
        _ answer: (inout ServiceRequest, Path) throws -> AnyBox?
    ) throws -> Answer {
        let box = try Path.withCurrent { path in
            var request = ServiceRequest(key, arguments, to: self, owner)
            request.isNeeded = isNeeded
            return try answer(&request, path)
        }
        return box.map(Answer.instance) ?? .nothing
    }

    // MARK: - Answering

    /// Answers a request, with nil where nothing is registered.
    ///
    /// - Throws: `ResolutionError` for every other failure.
    func answer(_ request: inout ServiceRequest, _ path: Path) throws -> AnyBox? {
        if flags.load(ordering: .relaxed) & ~Flag.passing != 0, request.watchers == nil {
            if hasFlag(.isValidated) { request.beginsGraph = false }
            if let (core, owner) = inForce(path), core !== self {
                (request.asked, request.owner) = (core, owner)
                return try core.answer(&request, path)
            }
            if hasFlag(.isClosing) { try checkIsOpen(for: request, path) }
            if hasFlag(.isWatched) { return try answerWatched(&request, path) }
        }
        return try answer(&request, from: self, path)
    }

    /// The service for a request of the library's own, whose key names its type.
    func service<Service>(_ request: inout ServiceRequest, _ path: Path) throws -> Service? {
        try answer(&request, path).map { unsafeDowncast($0, to: Box<Service>.self).value }
    }

    /// Answers a request with what stands in a core or its parents, or else with what is derived from that.
    func answer(_ request: inout ServiceRequest, from core: Core?, _ path: Path) throws
        -> AnyBox?
    {
        switch core?.lookUp(request.key, isDecorated: false) {
        case .ready(let box): return box
        case .registration(let found):
            return try answer(&request, with: found.entry, of: found.holder, path)
        case nil: break
        }
        if let found = fallback(for: request.key) {
            return try answer(&request, with: found.entry, of: found.holder, path)
        }
        if isGone {
            throw ResolutionError(.containerGone, request.forError, path: path.forError)
        }
        return try derivation(of: request.key.serviceType)?.derive(request, path)
    }

    /// Answers a request with a registration, or with what decorates it for those who ask here.
    func answer(
        _ request: inout ServiceRequest,
        with entry: AnyServiceEntry,
        of holder: Core,
        _ path: Path,
        isDecorated: Bool = false
    ) throws -> AnyBox {
        if !isDecorated, hasDecorators(upTo: holder) {
            let found = decorated(Found(entry: entry, holder: holder), for: request.key)
            if found.entry !== entry {
                return try answer(
                    &request,
                    with: found.entry,
                    of: found.holder,
                    path,
                    isDecorated: true
                )
            }
        }
        let traits = entry.currentTraits
        if traits.contains(.isMainActor), let stage = path.stage, stage.hasMainThread,
            !CurrentThread.isMain
        {
            return try answer(&request, with: entry, of: holder, path, isDecorated, on: stage)
        }
        let isShared = !traits.kind.isUnshared && traits.kind != .opened
        let made =
            if isShared {
                try holder.share(entry, &request, path)
            } else if traits.kind == .opened {
                try shareInOpenScope(entry, &request, path)
            } else {
                try construct(entry, traits, &request, path)
            }
        return try give(
            made,
            of: entry,
            holder,
            isFound: isShared && !isDecorated,
            for: &request,
            path
        )
    }

    /// The same for a main-actor registration, in a validation, whose factories run on a thread of its own.
    @inline(never)
    private func answer(
        _ request: inout ServiceRequest,
        with entry: AnyServiceEntry,
        of holder: Core,
        _ path: Path,
        _ isDecorated: Bool,
        on stage: any Stage
    ) throws -> AnyBox {
        try stage.onMainThread(path) {
            try answer(&request, with: entry, of: holder, path, isDecorated: isDecorated)
        }
    }

    /// An instance as the type that was requested, which may be found at once the next time.
    @inline(__always)
    func give(
        _ made: AnyBox,
        of entry: AnyServiceEntry,
        _ holder: Core,
        isFound: Bool,
        for request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        let isForwarded = entry.key.serviceType != request.key.serviceType
        let box = isForwarded ? try convert(made, of: entry, for: &request, path) : made
        // Another container's registration, which was forwarded to, does not know that it is found
        // here, and would not have it forgotten. Where needs are noted, every request is.
        if isFound, entry.sink === holder, !holder.hasFlag(.tracksNeeds),
            let generation = entry.generation(keeping: made)
        {
            holder.registry.publish(box, for: request.key, of: entry, builtIn: generation)
            // They may be since a moment ago.
            if holder.hasFlag(.tracksNeeds) { holder.registry.forgetReady(entry) }
        }
        return box
    }

    /// The instance of a forwarded registration as the type that was requested.
    private func convert(
        _ made: AnyBox,
        of entry: AnyServiceEntry,
        for request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        let product = made.anyValue
        func convert<Service>(_: Service.Type) -> AnyBox? {
            (product as? Service).map(Box.init)
        }
        if let box = _openExistential(request.key.serviceType, do: convert) { return box }
        throw ResolutionError(
            .forwardMismatch(product: type(of: product), registeredAt: entry.place),
            request.forError,
            path: path.forError
        )
    }

    /// True for a fork that was validated: what it made may go on by itself, and keeps it open.
    var isForValidation: Bool { hasFlag(.isValidated) || hasFlag(.keepsNothing) }

    // MARK: - Finding

    private enum LookedUp {
        /// The instance is ready.
        case ready(AnyBox)
        case registration(Found)
    }

    /// What stands under a key here, or in the nearest parent; nothing that is ready, where a container between
    /// may decorate it.
    ///
    /// PERF: recursive, because a loop retains each container of the hierarchy three times (row 15-ten).
    private func lookUp(_ key: ServiceKey, isDecorated: Bool) -> LookedUp? {
        switch registry.lookUp(key) {
        case .ready(let box) where !isDecorated:
            return .ready(box)
        case .registration(let entry):
            return .registration(Found(entry: entry, holder: self))
        case .ready:
            if let entry = registry.entry(for: key) {
                return .registration(Found(entry: entry, holder: self))
            }
        case .nothing:
            break
        }
        return parent?.lookUp(key, isDecorated: isDecorated || hasFlag(.hasDecorators))
    }

    /// The nearest registration for a key: here, or in a parent.
    func find(_ key: ServiceKey) -> Found? {
        for holder in chain {
            if let entry = holder.registry.entry(for: key) {
                return Found(entry: entry, holder: holder)
            }
        }
        return fallback(for: key)
    }

    /// True where a request would not be a miss.
    func provides(_ request: borrowing ServiceRequest) -> Bool {
        find(request.key) != nil
            || derivation(of: request.key.serviceType)?.isDerivable(request) ?? false
    }
}
