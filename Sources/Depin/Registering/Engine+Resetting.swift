// A reset drops the instances that slots keep. During a build it detaches the build from its slot (`SlotState.detach`):
// the build goes on, and gives its instance to its waiters and to the path that it is part of. The slot does not keep
// that instance, the container does not close it, and the next request builds anew. An instance that a task has awaited
// for its decorators is treated alike (`AwaitedInner`).

extension Engine {
    /// The slots that may keep an instance of a service here, or of any service, each once.
    ///
    /// Those of other containers that the service's type forwards to are among them.
    @_optimize(size)
    func keptSlots(of serviceType: Any.Type? = nil, withOthers: Bool = true) -> [Found] {
        func isMeant(_ slot: Slot) -> Bool {
            serviceType == nil || slot.key.serviceType == serviceType
        }
        var kept = registry.slots.filter(isMeant)
            .map(target)
            .filter { withOthers || $0.holder === self }
        if opened != nil {
            // The registrations of an open scope's slots are further up, perhaps under more keys.
            let registered =
                serviceType == nil ? [] : chain.flatMap { $0.registry.slots }.filter(isMeant)
            kept += scopeSlots.filter { slot in
                isMeant(slot) || registered.contains { $0.registration === slot.registration }
            }
            .map { Found(slot: $0, holder: self) }
        }
        var seen = RareSet<ObjectIdentifier>()
        return kept.filter { seen.insert(ObjectIdentifier($0.slot)) }
    }

    /// The slots around some slots.
    @_optimize(size)
    private func decoratedSlots(around inner: [Found]) -> [Found] {
        if inner.isEmpty { return [] }
        var seen = RareSet<ObjectIdentifier>()
        let decorated = ([root] + inner.map(\.holder.root))
            .filter { seen.insert(ObjectIdentifier($0)) }.flatMap(\.decoratedSlots)
        if decorated.isEmpty { return [] }
        var known = RareSet<ObjectIdentifier>()
        for found in inner { known[ObjectIdentifier(found.slot)] = () }
        return decorated.filter { found in
            // For a slot of an open scope, the scope's slot.
            let inner = found.holder.home(of: found.innermost).found.slot
            return known.contains(ObjectIdentifier(inner))
        }
    }

    /// Drops the instances that a scope keeps, or all of them: of one service or all, in this container and, unless
    /// this is a fork, in those that types here forward to; decorated instances, too.
    ///
    /// The parents are left alone.
    ///
    /// With arguments, only the instances for these are dropped. For a closing, the needs of the dropped instances stay
    /// noted, because they order the closers. The caller releases the result.
    @inline(never)
    func reset(
        _ scope: (any ObjectScopeProtocol)?,
        serviceType: Any.Type? = nil,
        arguments: Arguments? = nil,
        isForClosing: Bool = false
    ) -> [Slot.Detached] {
        var dropped: [Slot.Detached] = []
        func drop(_ slots: [Found]) {
            for found in slots {
                let (slot, engine) = (found.slot, found.holder)
                guard arguments == nil || slot.key.arguments == arguments.map({ type(of: $0) }),
                    !slot.registration.traits.contains(.isInstance),
                    scope?.includes(slot.registration.objectScope) ?? true
                else { continue }
                let kept =
                    slot.traits.contains(.perArguments)
                    ? slot.removeArgumentSlots(for: arguments) : arguments == nil ? [slot] : []
                let detached = kept.map {
                    $0.traits.kind == .stored ? engine.emptyStorage(of: $0) : $0.detach()
                }
                if engine !== self { engine.forgetNeeds(detached.map(\.node)) }
                dropped += detached
            }
        }
        let own = keptSlots(of: serviceType, withOthers: !isForClosing && originals.isEmpty)
        drop(own)
        // The decorated slots come last: otherwise one of them might be filled again, around an instance that is about
        // to be dropped.
        drop(decoratedSlots(around: own))
        // All at once, so that what was made last goes first.
        if !isForClosing { forgetNeeds(dropped.map(\.node)) }
        return dropped
    }

    /// Drops the instances that a scope keeps here and in the parents.
    package func resetChain(
        _ scope: (any ObjectScopeProtocol)? = nil,
        serviceType: Any.Type? = nil,
        arguments: Arguments? = nil
    ) {
        // The parents first, because a child's instance may be built anew meanwhile, around one of theirs.
        for engine in chain.reversed() {
            let dropped = engine.reset(scope, serviceType: serviceType, arguments: arguments)
            withExtendedLifetime(dropped) {}
        }
    }

    /// Drops instances for the user, who may have meant to close them: observers hear of it first.
    @inline(never)
    func resetAndTell(
        _ scope: any ObjectScopeProtocol,
        serviceType: Any.Type? = nil,
        arguments: Arguments? = nil
    ) {
        for observer in observers {
            for found in chain.flatMap({ $0.keptSlots(of: serviceType) })
            where scope.includes(found.registration.objectScope)
                && found.holder.hasShared(in: found.slot, for: arguments)
            {
                observer.willDropInstances(of: found.registration)
            }
        }
        resetChain(scope, serviceType: serviceType, arguments: arguments)
    }

    /// The instance that a slot keeps, for whatever graph.
    @inline(never)
    func keptInstance(in slot: Slot) -> AnyBox? {
        slot.traits.kind == .stored ? storedInstance(in: slot) : slot.kept?.box
    }

    /// True if a slot has handed out a shared instance; of a registered instance nobody knows.
    @inline(never)
    func hasShared(in slot: Slot, for arguments: Arguments? = nil) -> Bool {
        guard !slot.registration.traits.contains(.isInstance), slot.forward == nil else {
            return false
        }
        let slots = arguments.map { slot.argumentSlots(for: $0, before: .max) }
        return (slots ?? [slot] + slot.argumentSlots).contains { keptInstance(in: $0) != nil }
    }

    /// Drops everything that a slot keeps, and detaches its build: the next request begins anew.
    @_optimize(size)
    func empty(_ slot: Slot) {
        let dropped = slot.removeArgumentSlots().map { $0.dropAll() } + [slot.dropAll()]
        forgetNeeds(dropped.map(\.node))
        withExtendedLifetime(dropped) {}
    }

    /// Sets another scope for a slot's registration, and drops the instances of the former one.
    @_optimize(size)
    func setScope(_ scope: any ObjectScopeProtocol, of slot: Slot) {
        let registration = slot.registration
        var places = [Found(slot: slot, holder: self)] + counterparts(of: slot)
        places += places.flatMap(\.holder.decoratedSlots)
            .filter { $0.slot.registration === registration }
        if registration.kind == .opened {
            places += places.flatMap { $0.holder.scopeSlots(of: $0.slot) }
        }
        registration.setScope(scope)
        for place in places { place.holder.empty(place.slot) }
        // The container that builds an instance closes it, and with another scope that may be another container.
        if registration.traits.contains(.hasClosers) { noteCloser(of: slot) }
    }
}
