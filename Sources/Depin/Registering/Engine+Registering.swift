/// The overwrites under each key of a container, the last ones.
private final class Overwrites: EngineAddition {
    var byKey = RareTable<ServiceKey, [Overwrite]>()

    override var forked: EngineAddition? {
        let forked = Overwrites()
        forked.byKey = byKey.copied
        return forked
    }
}

extension Engine {
    // MARK: - Registering

    /// The engine that a registration of a key belongs to.
    @_optimize(size)
    func holder(of key: ServiceKey) -> Engine {
        let engine = inForce
        guard engine.hasFlag(.isOverride) else { return engine }
        var asked = engine
        while let child = asked.children.first(where: { $0.hasFlag(.isOverride) }) { asked = child }
        func holders(_ key: ServiceKey) -> [Engine] {
            asked.chain.filter { $0.registry.slot(of: key) != nil }
        }
        // As a request finds them: the nearest, the nearest for any name, and the topmost default.
        let other =
            key.keyForAnyName.flatMap { holders($0).first } ?? holders(key.with(.fallback)).last
        return holders(key).first ?? (key.role == .service ? other : nil) ?? engine
    }

    /// Lets a body's registrations replace those of their keys, here or in a parent.
    package func replacing(_ body: () throws -> Void) rethrows {
        for engine in chain { engine.setFlag(.isOverride) }
        defer { for engine in chain { engine.setFlag(.isOverride, false) } }
        try Resolution.withCurrent { try $0.registering(on: self, body) }
    }

    /// Registers a service under its key; gives its slot, and the replaced one.
    func register(_ registration: Registration) -> (slot: Slot, replaced: ReplacedSlot?) {
        let key = registration.key
        let instance = registration.instance
        func isDecorated() -> Bool {
            hasFlag(.hasDecorators) && !decorators(for: key).isEmpty
        }
        let ready = isDecorated() ? nil : instance
        let (slot, known) = registry.put(for: key) { lock in
            Slot(registration, lock, ready: ready)
        }
        // A thread that did not see the slot yet may have added a decorator meanwhile.
        if ready != nil, isDecorated() {
            withExtendedLifetime(slot.detach()) {}
        }
        // If the container has gone meanwhile, nothing else empties the registry again.
        if isEnded { empty() }
        return (slot, known.flatMap { replaced($0, by: registration, at: registration.place) })
    }

    /// Notes that a registration has replaced another one under a key.
    private func replaced(
        _ slot: Slot,
        by registration: Registration,
        at place: CodePlace
    ) -> ReplacedSlot? {
        guard slot.registration !== registration else { return nil }
        let overwrite = Overwrite(
            registration: registration.number,
            place: place,
            replaced: slot.registration.place,
            wasHandedOut: hasShared(in: slot),
            isMeant: registration.traits.contains(.overrides)
        )
        changeOverwrites(of: slot.key) { $0 = $0.suffix(Overwrite.limit - 1) + [overwrite] }
        return ReplacedSlot(slot, in: self)
    }

    /// Registers a further key for a slot, and gives back the replaced slot.
    @_optimize(size)
    func forward(_ key: ServiceKey, to found: Found, at place: CodePlace) -> ReplacedSlot? {
        let target = counterpart(of: found)
        let own = target.registration.key
        var role = target.registration.traits.contains(.isDefault) ? .fallback : own.role
        // Under a name of its own it is found like any other registration.
        if own.isForAnyName, key.name != nil { role = .service }
        var key = ServiceKey(key.serviceType, arguments: own.arguments, name: key.name, role: role)
        var home = holder(of: key)
        if key.isContribution { (key, home) = home.placeOfContribution(key) }
        guard !home.isEnded else { return nil }
        // The target's dependents may be built here.
        if target.holder !== home { home.noteBuilds(ofChildren: true) }
        // Only the holder and the containers inside it are told of the first closer.
        if !home.isWithin(found.holder) { home.noteNeeds() }
        if key.isContribution {
            home.placeContribution(key, order: target.holder.orderOfContribution(own) ?? 0)
        }
        let replaced = home.put(key, to: target, at: place)
        // If the container has gone meanwhile, nothing else empties the registry again.
        if home.isEnded { home.empty() }
        return replaced
    }

    /// Has a key forward to a slot, and gives back the replaced slot.
    @discardableResult
    func put(_ key: ServiceKey, to target: Found, at place: CodePlace) -> ReplacedSlot? {
        let registration = target.registration
        if key.role == .fallback { setFlag(.hasDefaults) }
        // First, because a fork that finds the forward looks for the target's other keys.
        registration.addForwardedKey(key)
        let (_, known) = registry.put(for: key) { lock in
            Slot(registration, lock, form: Forward(key, to: target, at: place))
        }
        if target.holder !== self { registration.addForwardingEngine(self) }
        return known.flatMap { replaced($0, by: registration, at: place) }
    }

    /// This fork's slot for a slot of one of its originals; other slots stay as they are.
    @_optimize(size)
    func counterpart(of found: Found) -> Found {
        guard let holder = fork(of: found.holder) else { return found }
        let slot = holder.slot(of: found.registration) ?? Slot(found.registration, Lock())
        return Found(slot: slot, holder: holder)
    }

    /// The slot of a registration of this engine, even if requests find it only as a default, or under a further type.
    func slot(of registration: Registration) -> Slot? {
        places(of: registration).first.map { $0.slot.forward?.target.slot ?? $0.slot }
    }

    /// Where requests find a registration of this engine: the slots under its own key and under further ones, in this
    /// engine and in those that forward to it.
    @_optimize(size)
    func places(of registration: Registration) -> [Found] {
        let keys = [registration.key] + registration.forwardedKeys
        var places: [Found] = []
        for case let engine as Engine in [self] + registration.forwardingEngines {
            for slot in keys.compactMap({ engine.registry.slot(of: $0) }) {
                let place = Found(slot: slot, holder: engine)
                let target = engine.target(of: slot)
                guard target.registration === registration, target.holder === self else { continue }
                places.append(place)
            }
        }
        return places
    }

    /// Makes a registration a default, which yields to every other registration of its keys: replaced ones answer
    /// again.
    func makeDefault(_ slot: Slot, givingBack replaced: [ReplacedSlot]) {
        let registration = slot.registration
        let places = places(of: registration)
        registration.insert(.isDefault)
        // Held until the replaced registrations answer again, because their decorated slots are to stay.
        var overwritten: [ReplacedSlot?] = []
        for place in places {
            let (engine, key) = (place.holder, place.slot.key)
            let target = Found(slot: slot, holder: self)
            overwritten.append(engine.put(key.with(.fallback), to: target, at: registration.place))
            let back = replaced.first { $0.engine === engine && $0.slot.key == key }?.slot
            // Of two defaults, the last one answers.
            let isDefault = back?.registration.traits.contains(.isDefault) == true
            engine.registry.withdraw(place.slot, for: isDefault ? nil : back)
            engine.changeOverwrites(of: key) { overwrites in
                overwrites = overwrites.filter { $0.registration != registration.number }
            }
        }
        withExtendedLifetime(overwritten) {}
    }

    /// Notes that a registration is meant to replace others, earlier and later under further types.
    func noteOverriding(by slot: Slot) {
        // What is registered in an override is meant to anyway.
        if hasFlag(.isOverride) { return }
        let registration = slot.registration
        registration.insert(.overrides)
        for place in places(of: registration) {
            place.holder.changeOverwrites(of: place.slot.key) { all in
                for index in all.indices where all[index].registration == registration.number {
                    all[index].isMeant = true
                }
            }
        }
    }

    /// Changes what is noted of a key's overwrites: nothing while registrations are replaced on purpose.
    // Rare, so compiled once, and not into each caller or for each closure.
    @_optimize(none)
    private func changeOverwrites(of key: ServiceKey, _ body: (inout [Overwrite]) -> Void) {
        if hasFlag(.isOverride) { return }
        state.withLock { body(&$0.additions.made(Overwrites.self).byKey[key, default: []]) }
    }

    /// What is noted of a key's overwrites.
    package func overwrites(of key: ServiceKey) -> [Overwrite] {
        state.withLock { $0.additions.find(Overwrites.self)?.byKey[key] } ?? []
    }

    /// Removes the registrations whose keys match.
    func remove(where matches: (ServiceKey) -> Bool) {
        let removed = registry.remove(where: matches)
        removeContributions(where: matches)
        state.withLock { state in
            let overwrites = state.additions.find(Overwrites.self)
            for slot in removed { overwrites?.byKey[slot.key] = nil }
        }
        for slot in removed { forgetUnfound(slot) }
        dropDecoratedSlots(under: removed.map(\.key))
        withExtendedLifetime(removed) {}
    }
}
