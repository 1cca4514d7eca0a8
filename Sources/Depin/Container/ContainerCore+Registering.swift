extension ContainerCore: RegistrationSink {
    func forward<Type, Service>(
        _ type: Type.Type,
        name: String?,
        to entry: ServiceEntry<Service>,
        place: CodePlace
    ) {
        let core = inForce
        guard core === self else {
            return core.forward(type, name: name, to: core.counterpart(of: entry), place: place)
        }
        guard !isGone else { return }
        let key = ServiceKey(
            Type.self,
            tuple: entry.key.tupleType,
            name: name,
            option: entry.key.option
        )
        if let replaced = registry.register(entry, for: key) {
            noteOverwrite(of: replaced, by: entry, at: place, for: key)
        }
        // If the container went since it was looked at, nobody else empties the registry again, and
        // the entry holds it.
        guard !isGone else { return empty() }
        container?.tell(of: type, entry, name: name)
    }

    /// What stands in this fork for a registration, where that is one of its originals'.
    private func counterpart<Service>(of entry: ServiceEntry<Service>) -> ServiceEntry<Service> {
        let holder = chain.first { $0.originals.contains { $0 === entry.sink } }
        guard let holder else { return entry }
        let found = holder.registry.entry(for: entry.key) ?? entry.copy(for: holder)
        return found as? ServiceEntry<Service> ?? entry
    }

    func forgetInstances(of entry: AnyServiceEntry) {
        registry.forgetReady { $0 === entry }
    }

    /// The keys that have a registration here or in a parent.
    var keys: [ServiceKey] {
        registry.registrations.map(\.key) + (parent?.keys ?? [])
    }

    /// Drops the instances that a scope keeps, or all, of a service or of all, here and in the parents.
    func reset(_ scope: (any ObjectScopeProtocol)? = nil, serviceType: Any.Type? = nil) {
        // An entry that others forward to is found more than once, and reset once.
        var dropped: [ObjectIdentifier: AnyServiceEntry.Dropped] = [:]
        for entry in registry.registrations.map(\.entry)
        where dropped[ObjectIdentifier(entry)] == nil {
            guard serviceType == nil || entry.serviceType == serviceType else { continue }
            dropped[ObjectIdentifier(entry)] = entry.reset(scope)
            if entry.sink !== self { entry.sink.forgetInstances(of: entry) }
        }
        registry.forgetReady { dropped[ObjectIdentifier($0)] != nil }
        withExtendedLifetime(dropped) {}
        parent?.reset(scope, serviceType: serviceType)
    }

    /// A core with copies of the registrations, and nothing built.
    func fork(parent: ContainerCore?) -> ContainerCore {
        let fork = ContainerCore(
            parent: parent,
            defaultScope: defaultScope,
            originals: originals + [self]
        )
        var copies: [ObjectIdentifier: AnyServiceEntry] = [:]
        for (key, entry) in registry.registrations {
            let copy = copies[ObjectIdentifier(entry)] ?? entry.copy(for: fork)
            copies[ObjectIdentifier(entry)] = copy
            fork.registry.register(copy, for: key)
        }
        fork.copyNotes(from: self)
        return fork
    }
}
