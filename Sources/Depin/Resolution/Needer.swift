// Which instance needs which is seen only in containers that close something: everyone else pays nothing.

/// An instance that asks for others: while it is built, and later through the `Lazy`s, the `Provider`s and the
/// resolver that it was given, which hold this.
final class Needer: Sendable {
    let core: Core
    let number = Serial.next()

    /// Notes an instance that is about to be built.
    fileprivate init(_ core: Core, of entry: UInt = 0) {
        self.core = core
        core.setOnce(.notesBuilds)
        _ = core.state.withLock { [number] in $0.order.begin(number, of: entry) }
    }

    deinit {
        core.state.withLock { [number] in $0.order.endAsking(number) }
    }
}

/// An instance that a container closes, or that needs such ones.
///
/// PERF: a class, because it is moved about with what is known of its needs (row 15-closer).
final class ClosedInstance: Sendable {
    let entry: AnyServiceEntry
    /// What a copy asks, and may not hold.
    private let original: AnyServiceEntry?
    /// What the factory made, where no scope keeps it, or what is kept is wrapped.
    private let held: AnyBox?
    /// The same where the scope keeps what is wrapped weakly.
    private let reference: WeakReference?
    /// True where it is closed only for as long as the scope keeps it.
    let isKept: Bool

    init(_ entry: AnyServiceEntry, _ made: AnyBox? = nil) {
        self.entry = entry
        original = (entry as? EntryCopy)?.original
        let traits = entry.currentTraits
        isKept = !traits.kind.isUnshared && !traits.contains(.pinned)
        let isWrapped = isKept && traits.contains(.isDecorated)
        reference = isWrapped && traits.kind == .weak ? WeakReference.to(made?.anyValue) : nil
        let isHeld = isWrapped ? traits.kind != .weak : !isKept && traits.contains(.hasClosers)
        held = isHeld ? made : nil
    }

    /// The instance to be closed, if it is still kept.
    var box: AnyBox? { isKept ? entry.keptInstance.flatMap(bare) : held }

    /// True where it is closed here: what was registered as an instance is shared with forks, which do not close it.
    var hasClosers: Bool {
        let traits = entry.currentTraits
        let isShared = traits.contains(.pinned) && entry.origin != entry.number
        return traits.contains(.hasClosers) && !isShared
    }

    /// What the factory made, of what is kept.
    func bare(_ kept: AnyBox) -> AnyBox? {
        if let reference { return reference.object.flatMap(entry.box) }
        return held ?? kept
    }
}

/// The resolver of an instance whose needs are noted.
struct NeedingResolver: CoreResolver {
    let core: Core
    let owner: CoreOwner?
    let needer: Needer

    @inline(__always)
    func asking<Result>(_ body: (Core, CoreOwner?) throws -> Result) rethrows -> Result {
        try Path.withCurrent { path in
            try path.needing(needer) { try body(core, owner) }
        }
    }
}

extension Core {
    /// Notes the needs of instances from now on, here and in the children.
    func trackNeeds() {
        guard !hasFlag(.tracksNeeds) else { return }
        setFlag(.tracksNeeds, true)
        for child in children { child.trackNeeds() }
    }

    /// True where what is built is noted, since it may be closed here, or need what is.
    ///
    /// PERF: not wherever a parent closes something (row 15-app: 94,000 instructions instead of 141,000).
    var notesBuilds: Bool {
        hasFlag(.tracksNeeds)
            && (hasFlag(.notesBuilds) || chain.contains { $0.hasFlag(.notesBuildsOfChildren) })
    }

    /// Notes what is built from now on, here or also in the children, where needs are noted.
    func noteBuilds(ofChildren: Bool) {
        setOnce(.notesBuilds)
        if ofChildren { setOnce(.notesBuildsOfChildren) }
    }

    fileprivate func setOnce(_ flag: Flag) {
        if !hasFlag(flag) { setFlag(flag, true) }
    }

    func noteCloser(of entry: AnyServiceEntry) {
        // What is noted is held, and nobody empties what has gone.
        guard !isGone else { return }
        noteBuilds(ofChildren: !entry.kind.isOfHolder)
        trackNeeds()
        // Where the registration was made with one, its factory gives it without the decorators.
        let pinned = entry.currentTraits.contains(.pinned) ? try? entry.make(self, nil) : nil
        if pinned != nil || entry.keptInstance != nil { note(pinned, of: entry) }
        for copy in copies(of: entry) { copy.sink.noteCloser(of: copy) }
    }

    /// Notes an instance that there is already, with what the factory made, if that is known.
    func note(_ made: AnyBox?, of entry: AnyServiceEntry) {
        setOnce(.notesBuilds)
        state.withLock { state in
            guard state.order.number(of: entry.number) == nil else { return }
            let number = Serial.next()
            // Nothing is dropped, since nothing is known.
            _ = state.order.begin(number, of: entry.number, isAsking: false)
            state.order.complete(number, ClosedInstance(entry, made))
        }
    }

    /// The copies of a registration that keep instances of it: in open scopes, and for arguments.
    private func copies(of entry: AnyServiceEntry) -> [AnyServiceEntry] {
        let opened = entry.kind == .opened ? copiesInScopes(of: entry) : []
        return opened + (entry.argumentCopies?.entries ?? [])
    }

    /// Those in the open scopes below this container, and in itself.
    private func copiesInScopes(of entry: AnyServiceEntry) -> [AnyServiceEntry] {
        (knownCopy(of: entry).map { [$0] } ?? [])
            + children.flatMap { $0.copiesInScopes(of: entry) }
    }

    /// An instance that a registration is about to build, nil where its needs are those of who asks, if anyone's.
    func needer(for entry: AnyServiceEntry, _ traits: AnyServiceEntry.Traits, _ path: Path)
        -> Needer?
    {
        guard traits.contains(.hasClosers) || notesBuilds else { return nil }
        switch traits.kind {
        case .transient where !traits.contains(.hasClosers): return nil
        case .transient, .graph:
            let needer = Needer(self)
            note(path.needer, needs: needer.number)
            return needer
        case .permanent, .weak, .stored, .opened:
            return Needer(self, of: entry.number)
        }
    }

    /// Constructs an instance of a registration that is kept in a graph, or nowhere, noting its needs.
    @inline(never)
    func constructClosing(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ graph: ObjectGraph?,
        _ owner: CoreOwner?,
        _ request: inout ServiceRequest,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        let needer = needer(for: entry, traits, path)
        if let needer, let graph {
            graph.setNeeder(needer, of: entry, for: number, request.arguments)
        }
        let isClosed = traits.contains(.hasClosers)
        if isClosed { try beginBuild(for: request, path) }
        defer { if isClosed { endBuild() } }
        return try path.needing(needer) {
            try construct(entry, traits, graph, owner, &request, path, index)
        }
    }

    /// Notes that an instance is built: what the factory made is closed with the container.
    func complete(_ needer: Needer, _ entry: AnyServiceEntry, _ made: AnyBox) {
        guard needer.core === self else { return }
        let instance = ClosedInstance(entry, made)
        state.withLock { $0.order.complete(needer.number, instance) }
    }

    /// Notes that who asks needs the instance that a registration shares.
    func note(_ needer: Needer?, needs entry: AnyServiceEntry) {
        guard let needer, needer.core === self else { return }
        state.withLock { state in
            guard let needed = state.order.number(of: entry.number) else { return }
            state.order.need(of: needer.number, for: needed)
        }
    }

    /// Notes that who asks needs an instance.
    func note(_ needer: Needer?, needs number: UInt) {
        guard let needer, needer.core === self else { return }
        state.withLock { $0.order.need(of: needer.number, for: number) }
    }

    /// Forgets what registrations keep that are no longer there.
    func dropInstances(of entries: [AnyServiceEntry]) {
        guard hasFlag(.notesBuilds), !state.withLock({ $0.order.isEmpty }) else { return }
        let gone = entries.filter { entry in
            !entry.keys.contains { registry.entry(for: $0) === entry }
        }
        .flatMap { [$0] + ($0.argumentCopies?.entries ?? []) }
        let dropped = state.withLock { state in gone.map { state.order.drop(of: $0.number) } }
        withExtendedLifetime(dropped) {}
    }
}
