import Synchronization

/// What a container is inside: it answers requests.
///
/// Nothing here knows a service's type. ``answer(_:_:)`` is the one way through: look up, take what is ready, or
/// make a new instance or share one. The typed shell around it takes the service out of its box.
///
/// A core does not hold its container, and is closed by it: see ``CoreOwner``. Closing empties the registry,
/// which ends whatever cycles lead through instances and factories.
final class Core: Sendable {
    let registry = Registry()
    /// Names the core for ever, as an address does not.
    let number = Serial.next()
    let parent: Core?
    let defaultScope: any ObjectScopeProtocol & Sendable
    /// The cores of which this one is a fork, in whose place it stands in its resolutions.
    let originals: [Core]
    /// What makes this the core of an open scope.
    let opened: OpenScope?
    let state = Guarded(State())
    // Set once, before anyone else sees the core; the runtime guards reading against the end.
    nonisolated(unsafe) weak var facade: (any CoreFacade)?
    /// What keeps the core open, also when the container itself has gone.
    ///
    /// Set as that is.
    nonisolated(unsafe) weak var opening: CoreOwner.Opening?
    /// What keeps a request from the fast path.
    private let flags = Atomic<UInt16>(0)
    /// How many instances are being built that are kept here, or closed.
    private let buildCount = Atomic<Int>(0)

    struct State {
        struct Child {
            weak var opening: CoreOwner.Opening?
        }

        var watchers: [any Watcher] = []
        /// By the numbers of their cores.
        var children: [UInt: Child] = [:]
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
        let watchers = state.withLock { state in
            defer { state.watchers = [] }
            return state.watchers
        }
        withExtendedLifetime(watchers) {}
        empty()
    }

    func empty() {
        // What forwards to a container that is still there is that one's.
        let held = state.withLock { state in
            defer { state.order = CloseOrder() }
            return state.order
        }
        withExtendedLifetime(held) {}
        for entry in removeAll() where entry.sink === self || entry.sink.isGone {
            withExtendedLifetime(entry.close()) {}
        }
    }

    /// Removes the registrations whose keys match.
    func remove(where matches: (ServiceKey) -> Bool) {
        dropInstances(of: registry.remove(where: matches))
    }

    /// Removes every registration, and gives back what was registered.
    @discardableResult
    func removeAll() -> [AnyServiceEntry] {
        let removed = registry.removeAll() + (opened?.removeAll() ?? []) + removeDecorations()
        dropInstances(of: removed)
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
            return try slowAnswer(key, arguments, owner, nil, isNeeded)
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
            return try slowAnswer(key, arguments, owner, entry, isNeeded)
        case .nothing:
            if parent == nil, flags & Flag.hasDefaults.rawValue == 0,
                derivation(of: key.serviceType) == nil
            {
                return .nothing
            }
            return try slowAnswer(key, arguments, owner, nil, isNeeded)
        }
    }

    /// The instance that the fast path finds.
    func ready(_ key: ServiceKey) -> AnyBox? {
        guard flags.load(ordering: .relaxed) & ~Flag.passing == 0,
            case .ready(let box) = registry.lookUp(key)
        else { return nil }
        return box
    }

    @inline(never)
    private func slowAnswer(
        _ key: ServiceKey,
        _ arguments: Arguments?,
        _ owner: CoreOwner?,
        _ found: AnyServiceEntry?,
        _ isNeeded: Bool
    ) throws -> Answer {
        let box = try Path.withCurrent { path in
            var request = ServiceRequest(key, arguments, to: self, owner)
            request.isNeeded = isNeeded
            guard let found else { return try answer(&request, path) }
            return try answer(&request, with: found, of: self, path)
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
        var next = core
        var isDecorated = false
        while let holder = next {
            switch holder.registry.lookUp(request.key) {
            case .ready(let box) where !isDecorated: return box
            case .ready:
                if let entry = holder.registry.entry(for: request.key) {
                    return try answer(&request, with: entry, of: holder, path)
                }
            case .registration(let entry):
                return try answer(&request, with: entry, of: holder, path)
            case .nothing: isDecorated = isDecorated || holder.hasFlag(.hasDecorators)
            }
            next = holder.parent
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
        let isShared = !traits.kind.isUnshared
        let made =
            if !isShared {
                try construct(entry, traits, &request, path)
            } else if traits.kind == .opened {
                try shareInOpenScope(entry, &request, path)
            } else {
                try holder.share(entry, &request, path)
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

    // MARK: - Making

    /// An instance that nobody keeps, and of which nobody hears, returned to where it is wanted.
    @inline(__always)
    func make<Service>(
        _ entry: ServiceEntry<Service>,
        _ arguments: Arguments?,
        _ owner: CoreOwner?
    ) throws -> Service {
        try Path.withCurrent { path in
            let owner = lent(owner, path)
            return try path.step(
                entry,
                entry.currentTraits,
                asked: self,
                owner: owner,
                arguments: arguments,
                injectedAt: nil,
                beginsGraph: false
            ) { index in
                let made = try entry.makeService(resolver(owner), arguments)
                guard let decorator = entry.decoratorOfNew else { return made }
                return try wrap(made, by: decorator, resolver(owner), path, index)
            }
        }
    }

    /// The instance of a registration that is kept in the graph, or nowhere.
    private func construct(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        let isInGraph = traits.kind == .graph || hasFlag(.isValidated)
        let begun = isInGraph && !request.beginsGraph ? path.nextGraph : nil
        if let begun, let known = begun.find(entry, for: number, request.arguments) {
            if path.keptSteps > 0, path.isKept(by: self) { begun.letGo() }
            if hasFlag(.tracksNeeds),
                let known = begun.needer(of: entry, for: number, request.arguments)
            {
                note(path.needer, needs: known.number)
            }
            return known
        }
        let graph = begun ?? (isInGraph ? ObjectGraph() : nil)
        let owner = traits.isHeld ? nil : lent(request.owner, to: graph, path)
        return try path.step(
            entry,
            traits,
            asked: self,
            owner: owner,
            arguments: request.arguments,
            injectedAt: request.injectedAt,
            beginsGraph: request.beginsGraph
        ) { index in
            if begun == nil, let graph { path.setGraph(graph, of: index) }
            guard hasFlag(.tracksNeeds) else {
                return try construct(entry, traits, graph, owner, &request, path, index)
            }
            return try constructClosing(entry, traits, graph, owner, &request, path, index)
        }
    }

    @inline(__always)
    func construct(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ graph: ObjectGraph?,
        _ owner: CoreOwner?,
        _ request: inout ServiceRequest,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        let inner = try make(entry, owner, &request, path)
        return try finish(
            inner,
            of: entry,
            traits,
            graph,
            owner,
            request.arguments,
            request.watchers,
            path,
            index
        )
    }

    /// Ends the construction of an instance, after its factory.
    @inline(__always)
    func finish(
        _ inner: AnyBox,
        of entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ graph: ObjectGraph?,
        _ owner: CoreOwner?,
        _ arguments: Arguments?,
        _ watchers: [any Watcher]?,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        let made = try decorate(inner, of: entry, traits, resolver(owner, path), path, index)
        if let graph {
            // A cycle, or another task, may have stored one meanwhile. The first wins.
            let kept = graph.add(made, of: entry, for: number, arguments)
            guard kept === made else { return kept }
        }
        complete(entry, traits, inner, made, owner, watchers, path, index)
        if traits.contains(.hasClosers), let needer = path.needer {
            complete(needer, entry, inner)
        }
        return made
    }

    /// The instance of a shared registration of this container, built if need be.
    ///
    /// It is built with this container's own resolver, never with a child's, and by one thread only,
    /// as the ``Site`` says.
    ///
    /// - Throws: `ResolutionError`
    private func share(
        _ entry: AnyServiceEntry,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        if entry.currentTraits.contains(.perArguments), let copies = entry.argumentCopies {
            return try share(entry, among: copies, &request, path)
        }
        let shared = try instance(of: entry, &request, path)
        if hasFlag(.tracksNeeds) { note(path.needer, needs: entry) }
        return shared
    }

    private func instance(
        of entry: AnyServiceEntry,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        while true {
            // What this thread is building comes first, also when a reset came between.
            if let own = path.ownProduct(of: entry) { return own }
            // A way back into a build goes on with the generation that the build began with.
            let begun = path.begunGeneration(of: entry)
            let generation = begun ?? entry.generation
            if begun == nil, let kept = try kept(entry, path) { return kept }

            let traits = entry.currentTraits
            let subject = Site.Subject.instance(entry: entry.number, generation: generation)
            let owner = isForValidation ? request.owner?.owner(of: self) : nil
            let built: AnyBox? = try path.step(
                entry,
                traits,
                asked: self,
                owner: owner,
                arguments: request.arguments,
                injectedAt: request.injectedAt,
                beginsGraph: request.beginsGraph,
                generation: generation
            ) { index in
                switch Site.shared.request(subject, by: path) {
                case .build:
                    do {
                        // A last look before the factory: another thread may have built the instance,
                        // or a reset may have come, since the entry was looked at. In this order: a
                        // reset counts first and drops then, so an instance that is missing because
                        // of one that comes in between is not taken for one that was never built.
                        if begun == nil,
                            try kept(entry, path) != nil || entry.generation != generation
                        {
                            Site.shared.abandon(subject)
                            return nil
                        }
                        return try build(
                            entry,
                            traits,
                            owner,
                            subject,
                            generation,
                            &request,
                            path,
                            index
                        )
                    } catch {
                        Site.shared.abandon(subject)
                        throw error
                    }
                case .take(let product):
                    if traits.kind != .permanent { path.madeGraph(of: index).keep(product) }
                    return product
                case .built(let product):
                    return try given(product, of: entry, traits, generation, path)
                case .circular(let otherPath):
                    throw ResolutionError(
                        .circularDependency(otherPath: otherPath),
                        request.forError,
                        path: path.forError
                    )
                }
            }
            if let built { return built }
        }
    }

    /// The instance of a shared registration for the arguments of a request.
    @inline(never)
    private func share(
        _ entry: AnyServiceEntry,
        among copies: ArgumentCopies,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        guard let arguments = request.arguments else {
            preconditionFailure("a request without the arguments of its key")
        }
        try path.checkDepth(of: entry, for: request)
        return try copies.withCopy(of: entry, for: arguments) { copy in
            try share(copy, &request, path)
        }
    }

    /// The instance of a registration in an opened scope: that of the nearest open one.
    @inline(never)
    private func shareInOpenScope(
        _ entry: AnyServiceEntry,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        let (home, copy) = try opening(of: entry, for: request, path)
        return try home.share(copy, &request, path)
    }

    private func build(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ owner: CoreOwner?,
        _ subject: Site.Subject,
        _ generation: UInt32,
        _ request: inout ServiceRequest,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        try beginBuild(for: request, path)
        defer { endBuild() }
        let needer = hasFlag(.tracksNeeds) ? needer(for: entry, traits, path) : nil
        return try path.needing(needer) {
            let inner = try make(entry, owner, &request, path)
            return try finish(
                inner,
                of: entry,
                traits,
                owner,
                needer,
                subject,
                generation,
                request.watchers,
                path,
                index
            )
        }
    }

    /// Ends the build of an instance, after its factory.
    func finish(
        _ inner: AnyBox,
        of entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ owner: CoreOwner?,
        _ needer: Needer?,
        _ subject: Site.Subject,
        _ generation: UInt32,
        _ watchers: [any Watcher]?,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        let made = try decorate(inner, of: entry, traits, resolver(owner, path), path, index)
        let (kept, isFirst) = Site.shared.construct(subject, made)
        if isFirst {
            path.setProduct(kept, of: entry)
            complete(entry, traits, inner, kept, owner, watchers, path, index)
            if !hasFlag(.keepsNothing) { try keep(kept, of: entry, generation, path, index) }
            if let needer { complete(needer, entry, inner) }
        }
        Site.shared.complete(subject)
        return kept
    }

    // MARK: - Builds under way

    /// Counts an instance that is about to be built, and kept or closed here.
    ///
    /// - Throws: `ResolutionError`, where the container closes and nothing waits for what is requested.
    func beginBuild(for request: borrowing ServiceRequest, _ path: Path) throws {
        countBuild()
        guard hasFlag(.isClosing), !isAwaited(path, without: 1) else { return }
        endBuild()
        throw closed(for: request, path)
    }

    func countBuild() {
        buildCount.add(1, ordering: .sequentiallyConsistent)
    }

    func endBuild() {
        let count = buildCount.subtract(1, ordering: .sequentiallyConsistent).newValue
        if count == 0, hasFlag(.isClosing) { tellBuildsHaveEnded() }
    }

    var isBuilding: Bool { buildCount.load(ordering: .sequentiallyConsistent) > 0 }

    /// What another has built, for this resolution; nil where it is to be requested again.
    func given(
        _ product: AnyBox,
        of entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ generation: UInt32,
        _ path: Path
    ) throws -> AnyBox? {
        guard traits.kind == .stored, entry.generation == generation else { return product }
        // A storage may keep an instance for one graph only, and not for this one.
        let kept = try kept(entry, path)
        return withExtendedLifetime(product) { kept }
    }

    /// The instance that is kept, and kept alive until the graph has ended.
    func kept(_ entry: AnyServiceEntry, _ path: Path) throws -> AnyBox? {
        switch kindInForce(of: entry) {
        case .weak:
            let kept = entry.weakInstance
            if let kept, !path.steps.isEmpty {
                path.madeGraph(of: path.steps.count - 1).keep(kept)
            }
            return kept
        case .stored:
            return try path.withGraph(asked: self) { graph in
                let kept = try entry.storedInstance(in: GraphIdentifier(graph))
                if let kept {
                    graph.keep(kept)
                    graph.keep(KeptGate(entry.storageGate, self))
                }
                return kept
            }
        default:
            return entry.permanentInstance
        }
    }

    private func keep(
        _ box: AnyBox,
        of entry: AnyServiceEntry,
        _ generation: UInt32,
        _ path: Path,
        _ index: Int
    ) throws {
        let kind = kindInForce(of: entry)
        switch kind {
        case .weak:
            path.madeGraph(of: index).keep(box)
            entry.keep(box, as: kind, builtIn: generation)
        case .stored:
            let graph = path.madeGraph(of: index)
            graph.keep(box)
            graph.keep(KeptGate(entry.storageGate, self))
            try entry.store(box, builtIn: generation, in: GraphIdentifier(graph))
        default:
            entry.keep(box, as: kind, builtIn: generation)
        }
    }

    /// What the scope of an entry does: in a validation every instance that is shared is kept.
    private func kindInForce(of entry: AnyServiceEntry) -> ScopeKind {
        let kind = entry.kind
        return hasFlag(.isValidated) && !kind.isUnshared ? .permanent : kind
    }

    private func make(
        _ entry: AnyServiceEntry,
        _ owner: CoreOwner?,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        request.isMade = true
        if request.watchers != nil { try tellWillMake(entry, request, path) }
        return try entry.make(resolver(owner, path), request.arguments)
    }

    /// Runs the callbacks of an instance that is kept, or of the one in its decorators.
    func complete(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ inner: AnyBox,
        _ made: AnyBox,
        _ owner: CoreOwner?,
        _ watchers: [any Watcher]?,
        _ path: Path,
        _ index: Int
    ) {
        path.complete(index)
        if traits.contains(.hasCallbacks) {
            entry.complete(resolver(owner, path), inner)
        }
        for watcher in watchers ?? [] { watcher.made(made, by: entry, path) }
    }

    /// What a factory resolves from: it keeps the container open, or not.
    @inline(__always)
    func resolver(_ owner: CoreOwner?) -> any Resolver {
        if let owner { return owner }
        return self
    }

    /// The same, noting who asks through it where that is of use.
    func resolver(_ owner: CoreOwner?, _ path: Path) -> any Resolver {
        guard hasFlag(.tracksNeeds), let needer = path.needer else { return resolver(owner) }
        return NeedingResolver(core: self, owner: owner, needer: needer)
    }

    /// Who keeps the container open for what is made for a request: nobody, where the container keeps it.
    @inline(__always)
    func lent(_ owner: CoreOwner?, _ path: Path) -> CoreOwner? {
        path.keptSteps > 0 && path.isKept(by: self) ? nil : owner
    }

    /// The same for what belongs to a graph.
    @inline(__always)
    func lent(_ owner: CoreOwner?, to graph: ObjectGraph?, _ path: Path) -> CoreOwner? {
        guard let owner = lent(owner, path) else { return nil }
        guard let graph, graph.number != owner.graph else { return owner }
        return graph.owner(lentBy: owner)
    }

    /// True for a fork that was validated: what it made may go on by itself, and keeps it open.
    var isForValidation: Bool { hasFlag(.isValidated) || hasFlag(.keepsNothing) }

    // MARK: - Finding

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
