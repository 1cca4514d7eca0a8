extension ContainerCore: RegistrationSink {
    func forward<Type, Service>(
        _ type: Type.Type,
        name: String?,
        to entry: ServiceEntry<Service>,
        place: CodePlace
    ) {
        guard !isGone else { return }
        let key = ServiceKey(
            type,
            tuple: entry.key.tupleType,
            name: name,
            option: entry.key.option
        )
        if let replaced = registry.register(entry, for: key) {
            noteOverwrite(of: replaced, by: entry, at: place, for: key)
        }
        container?.tell(of: type, entry, name: name)
    }

    func forgetInstances(of entry: AnyServiceEntry) {
        registry.forgetReady { $0 === entry }
    }

    /// The keys that have a registration here or in a parent.
    var keys: [ServiceKey] {
        registry.registrations.map(\.key) + (parent?.keys ?? [])
    }

    /// Drops the instances of the entries that match, here and in the parents.
    func reset(where matches: (AnyServiceEntry) -> Bool) {
        // An entry that others forward to is found more than once, and reset once.
        let entries = registry.registrations.map { (ObjectIdentifier($0.entry), $0.entry) }
            .filter { matches($0.1) }
        let once = Dictionary(entries) { entry, _ in entry }
        let dropped = once.values.map { $0.reset() }
        registry.forgetReady { once[ObjectIdentifier($0)] != nil }
        withExtendedLifetime(dropped) {}
        parent?.reset(where: matches)
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
