extension Core: RegistrationSink {
    @discardableResult
    func forward<Type, Service>(
        _ type: Type.Type,
        name: String?,
        to entry: ServiceEntry<Service>,
        place: CodePlace
    ) -> Replaced? {
        let core = inForce
        guard core === self else {
            return core.forward(type, name: name, to: core.counterpart(of: entry), place: place)
        }
        guard !isGone else { return nil }
        let key = ServiceKey(
            Type.self,
            arguments: entry.key.arguments,
            name: name,
            role: entry.currentTraits.contains(.isDefault) ? .fallback : entry.key.role
        )
        let home = home(of: key)
        guard home === self else {
            return home.forward(type, name: name, to: entry, place: place)
        }
        if entry.sink === self {
            entry.addForward(key.requested)
        } else {
            // What it closes may be built here.
            noteBuilds(ofChildren: true)
        }
        if key.isContribution {
            let known = registry.contributions[entry.serviceType]
            registry.contributions.place(key, order: known?.order(of: entry.key) ?? 0)
        }
        let replaced = register(entry, for: key, at: place)
        // If the container went since it was looked at, nobody else empties the registry again, and
        // the entry holds it.
        guard !isGone else {
            empty()
            return nil
        }
        facade?.tell(of: type, entry, name: name)
        return replaced
    }

    /// Registers an entry under a key, notes what it replaces, and gives that back.
    @discardableResult
    func register(
        _ entry: AnyServiceEntry,
        for key: ServiceKey,
        at place: CodePlace,
        ready: AnyBox? = nil
    ) -> Replaced? {
        if hasFlag(.hasDecorators) { decorateOwn(entry) }
        let isDecorated = entry.currentTraits.contains(.isDecorated)
        let known = registry.register(entry, for: key, ready: isDecorated ? nil : ready)
        // A decorator may have been added meanwhile, by who did not see the entry yet.
        if hasFlag(.hasDecorators) { decorateOwn(entry) }
        guard let replaced = known, replaced !== entry else { return nil }
        let overwrite = Overwrites.Overwrite(
            entry: entry.number,
            place: place,
            replaced: replaced.place,
            wasHandedOut: replaced.hasShared
        )
        _ = registry.changeOverwrites(of: key) { $0.add(overwrite) }
        return Replaced(replaced, for: key, in: self)
    }

    func makeDefault(_ entry: AnyServiceEntry, givingBack replaced: [Replaced]) {
        let keys = entry.keys.map(\.requested)
        setFlag(.hasDefaults, true)
        entry.setDefault()
        for key in keys {
            register(entry, for: key.with(.fallback), at: entry.place)
            registry.withdraw(entry, for: key, replaced.first { $0.key == key }?.entry)
        }
    }

    /// The default that answers requests for a key to which nothing else does: the topmost one.
    func fallback(for key: ServiceKey) -> Found? {
        guard key.role == .service else { return nil }
        var found: Found?
        for holder in chain where holder.hasFlag(.hasDefaults) {
            guard let entry = holder.registry.entry(for: key.with(.fallback)) else { continue }
            found = Found(entry: entry, holder: holder)
        }
        return found
    }

    /// What stands in this fork for a registration, where that is one of its originals'.
    private func counterpart<Service>(of entry: ServiceEntry<Service>) -> ServiceEntry<Service> {
        let holder = chain.first { $0.originals.contains { $0 === entry.sink } }
        guard let holder else { return entry }
        let found = holder.registry.entry(for: entry.key) ?? entry.copy(for: holder)
        return found as? ServiceEntry<Service> ?? entry
    }

    func noteOverriding(by entry: AnyServiceEntry) {
        var hasReplaced = false
        for key in entry.keys where registry.entry(for: key) === entry {
            hasReplaced =
                registry.changeOverwrites(of: key) { $0.confirm(entry) } ?? false || hasReplaced
        }
        guard !hasReplaced else { return }
        let isOverParent = parent?.find(entry.key) != nil
        _ = registry.changeOverwrites(of: entry.key) { overwrites in
            if isOverParent {
                overwrites.noteOverParent(entry)
            } else {
                overwrites.noteIdle(entry.place)
            }
        }
    }

    func forgetInstances(of entry: AnyServiceEntry) {
        registry.forgetReady(entry)
    }

    /// Drops instances for the user, who may have meant to close them: those who watch are told.
    func resetAndTell(_ scope: any ObjectScopeProtocol, serviceType: Any.Type? = nil) {
        var left: [AnyServiceEntry] = []
        for core in hasFlag(.isWatched) ? Array(chain) : [] {
            left += core.keptEntries.filter { entry in
                entry.objectScope === scope && entry.currentTraits.contains(.hasClosers)
                    && (serviceType == nil || entry.keys.contains { $0.serviceType == serviceType })
                    && entry.hasShared
            }
        }
        reset(scope, serviceType: serviceType)
        guard !left.isEmpty else { return }
        for watcher in watchers { watcher.dropped(left) }
    }

    /// Drops the instances that a scope keeps, or all, of a service or of all, here and in the parents.
    ///
    /// Where there are arguments, only those are meant that are kept for them.
    func reset(
        _ scope: (any ObjectScopeProtocol)? = nil,
        serviceType: Any.Type? = nil,
        arguments: Arguments? = nil
    ) {
        // An entry that others forward to is found more than once, and reset once.
        var known: Set<UInt> = []
        var dropped: [AnyServiceEntry.Dropped] = []
        let kept = registry.registrations.map { (keys: [$0.key], entry: $0.entry) }
        let copied = copies.map { (keys: $0.original.keys, entry: $0 as AnyServiceEntry) }
        let all = kept + copied + wrappings(around: self)
        for (keys, entry) in all {
            guard serviceType == nil || keys.contains(where: { $0.serviceType == serviceType }),
                arguments == nil || entry.key.arguments == arguments.map({ type(of: $0) }),
                known.insert(entry.number).inserted
            else { continue }
            let instances = entry.resetAll(scope, for: arguments)
            guard !instances.isEmpty else { continue }
            dropped += instances.map(\.dropped)
            entry.sink.forgetInstances(of: entry)
        }
        withExtendedLifetime(dropped) {}
        parent?.reset(scope, serviceType: serviceType, arguments: arguments)
    }

    /// The registrations that may keep an instance here; one that others forward to is there more than once.
    var keptEntries: [AnyServiceEntry] {
        registry.registrations.map(\.entry) + copies
            + wrappings.map(\.entry)
    }

    // MARK: - Gates

    func enter(_ gate: StorageGate) throws {
        try Path.withCurrent { try Site.shared.enter(.storage(ObjectIdentifier(gate)), by: $0) }
    }

    func leave(_ gate: StorageGate) {
        Site.shared.abandon(.storage(ObjectIdentifier(gate)))
    }
}
