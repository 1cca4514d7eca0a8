/// What happened under each key of one container.
private final class AllOverwrites: EngineAddition {
    var byKey = RareTable<ServiceKey, Overwrites>()

    override var forked: EngineAddition? {
        let forked = AllOverwrites()
        forked.byKey = byKey.copied
        return forked
    }
}

extension Engine {
    // MARK: - Registering

    /// The engine in which a registration of a key belongs.
    func holder(of key: ServiceKey) -> Engine {
        let engine = inForce
        guard engine.hasFlag(.isOverride) else { return engine }
        var asked = engine
        while let child = asked.children.first(where: { $0.hasFlag(.isOverride) }) { asked = child }
        func holders(_ key: ServiceKey) -> [Engine] {
            asked.chain.filter { $0.registry.slot(of: key) != nil }
        }
        // As a request finds it: the nearest, for any name the nearest, and the topmost default.
        let anyName = ServiceKey(key.serviceType, role: .anyName)
        let isOfName = key.name != nil && key.arguments == nil
        let other =
            (isOfName ? holders(anyName).first : nil) ?? holders(key.with(.fallback)).last
        return holders(key).first ?? (key.role == .service ? other : nil) ?? engine
    }

    /// Lets what a body registers replace what stands under its keys, here or in a parent.
    package func replacing(_ body: () throws -> Void) rethrows {
        for engine in chain { engine.setFlag(.isOverride) }
        defer { for engine in chain { engine.setFlag(.isOverride, false) } }
        try Resolution.withCurrent { try $0.registering(on: self, body) }
    }

    /// Registers a service under its key, and gives its slot with what that replaces.
    func register(_ registration: Registration) -> (slot: Slot, replaced: ReplacedSlot?) {
        let key = registration.key
        let instance = registration.instance
        if key.isForAnyName { setFlag(.hasAnyNames) }
        if instance != nil, key.isContribution { noteInstance(key) }
        func isDecorated() -> Bool {
            instance != nil && hasFlag(.hasDecorators) && !decorators(for: key).isEmpty
        }
        let ready = isDecorated() ? nil : instance
        let (slot, known) = registry.put(for: key) { lock in
            Slot(registration, lock, ready: ready)
        }
        // A decorator may have been added meanwhile, by who did not see the slot yet.
        if ready != nil, isDecorated() {
            withExtendedLifetime(slot.detach()) {}
        }
        return (slot, known.flatMap { replaced($0, by: registration, at: registration.place) })
    }

    /// Notes that a registration has replaced another one under a key.
    private func replaced(
        _ slot: Slot,
        by registration: Registration,
        at place: CodePlace
    ) -> ReplacedSlot? {
        guard slot.registration !== registration else { return nil }
        let overwrite = Overwrites.Overwrite(
            registration: registration.number,
            place: place,
            replaced: slot.registration.place,
            wasHandedOut: hasShared(in: slot)
        )
        changeOverwrites(of: slot.key) { $0.note(overwrite) }
        return ReplacedSlot(slot, in: self)
    }

    /// Registers a further key for a slot, and gives back what that replaces.
    func forward(_ key: ServiceKey, to found: Found, at place: CodePlace) -> ReplacedSlot? {
        let target = counterpart(of: found)
        let isDefault = target.registration.traits.contains(.isDefault)
        let own = target.registration.key
        let role = isDefault ? .fallback : own.role
        // Under a name of its own it is found as any other.
        let isNamed = own.isForAnyName && key.name != nil
        let key = ServiceKey(
            key.serviceType,
            arguments: own.arguments,
            name: key.name,
            role: isNamed ? .service : role
        )
        let home = holder(of: key)
        if key.isForAnyName { home.setFlag(.hasAnyNames) }
        if isDefault { home.setFlag(.hasDefaults) }
        guard !home.isEnded else { return nil }
        // What it closes may be built here.
        if target.holder !== home { home.noteBuilds(ofChildren: true) }
        // Nobody tells a container of another hierarchy when the first closer comes.
        if target.holder.root !== home.root { home.noteNeeds() }
        if key.isContribution {
            home.placeContribution(key, order: target.holder.orderOfContribution(own) ?? 0)
        }
        let replaced = home.put(key, to: target, at: place)
        // If the container went since it was looked at, nobody else empties the registry again.
        if home.isEnded { home.empty() }
        return replaced
    }

    /// Has a key forward to a slot, and gives back what that replaces.
    private func put(_ key: ServiceKey, to target: Found, at place: CodePlace) -> ReplacedSlot? {
        let (_, known) = registry.put(for: key) { lock in
            Forward(key, to: target, at: place).makeSlot(lock)
        }
        target.registration.addForwardedKey(key)
        return known.flatMap { replaced($0, by: target.registration, at: place) }
    }

    /// What stands in this fork for a slot, where that is one of its originals'.
    func counterpart(of found: Found) -> Found {
        for holder in chain where holder.originals.contains(where: { $0 === found.holder }) {
            let slot = holder.slot(of: found.registration) ?? Slot(found.registration, Lock())
            return Found(slot: slot, holder: holder)
        }
        return found
    }

    /// The slot of a registration that is found here, be it a default or under a further type alone.
    func slot(of registration: Registration) -> Slot? {
        for key in [registration.key] + registration.forwardedKeys {
            if let slot = lookUpOwn(key)?.slot, slot.registration === registration { return slot }
        }
        return nil
    }

    /// Makes a registration a default, which yields to every other one of its keys: those that it has replaced answer
    /// again.
    @_optimize(size)
    func makeDefault(_ slot: Slot, givingBack replaced: [ReplacedSlot]) {
        let own = keys(of: slot)
        setFlag(.hasDefaults)
        slot.registration.insert(.isDefault)
        // Held until what answers again does so: nothing around that is to be dropped.
        var overwritten: [ReplacedSlot?] = []
        for (key, known) in own {
            let target = Found(slot: slot, holder: self)
            let place = slot.registration.place
            overwritten.append(put(key.with(.fallback), to: target, at: place))
            let back = replaced.first { $0.slot.key == key }?.slot
            registry.withdraw(known, for: back)
            changeOverwrites(of: key) { $0.forget(slot.registration) }
        }
        withExtendedLifetime(overwritten) {}
    }

    /// The keys under which a slot's registration is found here, each with the slot that stands there.
    func keys(of slot: Slot) -> [(key: ServiceKey, slot: Slot)] {
        ([slot.key] + slot.registration.forwardedKeys).compactMap { key in
            guard let known = registry.slot(of: key),
                known === slot || known.forward?.target.slot === slot
            else { return nil }
            return (key, known)
        }
    }

    /// Notes that what a registration has replaced was meant to be.
    @_optimize(size)
    func noteOverriding(by slot: Slot) {
        let registration = slot.registration
        var hasReplaced = false
        let keys = keys(of: slot).map(\.key)
        for key in keys {
            changeOverwrites(of: key) { hasReplaced = $0.confirm(registration) || hasReplaced }
        }
        guard !hasReplaced else { return }
        let isOverParent = keys.contains { parent?.find($0.requested) != nil }
        changeOverwrites(of: registration.key) {
            if isOverParent {
                $0.overParent = registration.number
            } else {
                $0.idle = registration.place
            }
        }
    }

    // Rare, so compiled once, and not into each caller or for each closure.
    @_optimize(none)
    private func changeOverwrites(of key: ServiceKey, _ body: (inout Overwrites) -> Void) {
        state.withLock { state in
            let all = state.additions.made(AllOverwrites.self)
            var overwrites = all.byKey[key] ?? Overwrites()
            body(&overwrites)
            all.byKey[key] = overwrites
        }
    }

    /// What happened under each key.
    package var overwrites: RareTable<ServiceKey, Overwrites> {
        get { state.withLock { $0.additions.find(AllOverwrites.self)?.byKey.copied } ?? .init() }
        set { state.withLock { $0.additions.made(AllOverwrites.self).byKey = newValue } }
    }

    /// Removes the registrations whose keys match.
    @discardableResult
    func remove(where matches: (ServiceKey) -> Bool) -> [Slot] {
        let removed = registry.remove(where: matches)
        removeContributions(where: matches)
        state.withLock { state in
            let overwrites = state.additions.find(AllOverwrites.self)
            for slot in removed { overwrites?.byKey[slot.key] = nil }
        }
        for slot in removed { forgetUnfound(slot) }
        dropDecoratedSlots(under: removed.map(\.key))
        return removed
    }
}
