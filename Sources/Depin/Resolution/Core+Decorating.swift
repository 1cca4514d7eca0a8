import Synchronization

// A registration's own decorators stand in its entry, and wrap each new instance where that is made. A type that
// forwards to it, and a child of its container, have an entry of their own around it: see ``Core/decorated(_:for:)``.

/// The decorators of a container.
struct Decorations {
    /// Whether there ever was one: where none was, nobody has to look for what they wrap.
    static let wereAdded = Atomic(false)

    /// An entry whose instances are another one's, wrapped.
    fileprivate struct Wrapping {
        let entry: AnyServiceEntry
        let inner: AnyServiceEntry
        /// The generation of the inner entry for which it was made.
        let generation: UInt32
    }

    /// The last decorator of each type.
    fileprivate(set) var last = HashTable<TypeKey, AnyDecorator>()
    fileprivate var wrappings: [ServiceKey: Wrapping] = [:]
}

extension Core {
    /// Has a decorator wrap each new instance of what is, or will be, registered here for its type and name.
    func decorate(_ type: Any.Type, _ make: (_ earlier: AnyDecorator?) -> AnyDecorator) {
        while true {
            let earlier = lastDecorator(of: type)
            let decorator = make(earlier)
            let isAdded = state.withLock { state in
                guard state.decorations.last[TypeKey(type)] === earlier else { return false }
                state.decorations.last[TypeKey(type)] = decorator
                return true
            }
            if isAdded { break }
        }
        Decorations.wereAdded.store(true, ordering: .relaxed)
        setFlag(.hasDecorators, true)
        let entries = registry.registrations.map(\.entry) + wrappings.map(\.entry)
        for entry in entries where entry.serviceType == type { decorateOwn(entry) }
    }

    /// Gives an entry of this container the decorators that are for its key.
    func decorateOwn(_ entry: AnyServiceEntry) {
        guard entry.sink === self, let last = lastDecorator(of: entry.serviceType) else { return }
        entry.decorate(by: last)
    }

    /// Has the decorators of the core whose registrations have been copied.
    func copyDecorators(of other: Core) {
        guard other.hasFlag(.hasDecorators) else { return }
        let all = other.state.withLock { $0.decorations.last.all }
        state.withLock { state in
            for (type, decorator) in all { state.decorations.last[type] = decorator }
        }
        setFlag(.hasDecorators, true)
        // One may have been added since they were copied.
        for (_, entry) in registry.registrations { decorateOwn(entry) }
    }

    /// Forgets the decorators, and gives back the entries that were made for them.
    func removeDecorations() -> [AnyServiceEntry] {
        let removed = state.withLock { state in
            defer { state.decorations = Decorations() }
            return state.decorations
        }
        return removed.wrappings.values.map(\.entry)
    }

    /// The entries around those of other containers and of forwarding types, each with its key.
    var wrappings: [(key: ServiceKey, entry: AnyServiceEntry)] {
        guard hasFlag(.hasDecorators) else { return [] }
        return state.withLock { state in
            state.decorations.wrappings.map { (key: $0.key, entry: $0.value.entry) }
        }
    }

    /// The entries around those of a container, here and in the children, each with all of its keys.
    func wrappings(around holder: Core) -> [(keys: [ServiceKey], entry: AnyServiceEntry)] {
        guard Decorations.wereAdded.load(ordering: .relaxed) else { return [] }
        let own = wrappings.compactMap { key, entry in
            find(key).flatMap { found in
                found.holder === holder ? (keys: [key] + found.entry.keys, entry: entry) : nil
            }
        }
        return own + children.flatMap { $0.wrappings(around: holder) }
    }

    /// Forgets the entries, here and in the children, around those that are no longer found.
    func dropWrappings() {
        guard Decorations.wereAdded.load(ordering: .relaxed) else { return }
        let stale = wrappings.filter { find($0.key)?.entry.origin != $0.entry.origin }
        let dropped = state.withLock { state in
            stale.filter { state.decorations.wrappings[$0.key]?.entry === $0.entry }
                .compactMap { state.decorations.wrappings.removeValue(forKey: $0.key) }
        }
        dropInstances(of: dropped.map(\.entry))
        for child in children { child.dropWrappings() }
    }

    /// Every decorator of this container.
    var decorators: [AnyDecorator] {
        let last = state.withLock { $0.decorations.last.all }
        return last.flatMap { _, last in
            sequence(first: last, next: \.earlier)
        }
    }

    private func lastDecorator(of type: Any.Type) -> AnyDecorator? {
        state.withLock { $0.decorations.last[TypeKey(type)] }
    }

    // MARK: - Around a registration

    /// True where this container, or one between it and a parent, has decorators.
    @inline(__always)
    func hasDecorators(upTo holder: Core) -> Bool {
        var next: Core? = self
        while let core = next {
            if core.hasFlag(.hasDecorators) { return true }
            next = core === holder ? nil : core.parent
        }
        return false
    }

    /// True where an entry is all that answers requests for a key: nothing here decorates it for them.
    func answersAlone(_ entry: AnyServiceEntry, for key: ServiceKey) -> Bool {
        entry.sink === self && entry.key == key
    }

    /// What answers requests to this container for a key under which a registration was found.
    ///
    /// That is the registration, unless this container, or one between, decorates the key: then it is an
    /// entry of the same scope there, which wraps what the registration gives.
    func decorated(_ found: Found, for key: ServiceKey) -> Found {
        let isHolder = self === found.holder
        let inner = isHolder ? found : parent?.decorated(found, for: key) ?? found
        guard !(isHolder && answersAlone(found.entry, for: key)), hasFlag(.hasDecorators),
            let decorator = lastDecorator(of: key.serviceType)?.only(
                for: key,
                isInherited: !isHolder
            )
        else { return inner }
        return Found(entry: wrapping(of: inner, for: key, decorator), holder: self)
    }

    private func wrapping(
        of inner: Found,
        for key: ServiceKey,
        _ decorator: AnyDecorator
    ) -> AnyServiceEntry {
        let generation = inner.entry.generation
        func known(_ state: State) -> AnyServiceEntry? {
            guard let known = state.decorations.wrappings[key], known.inner === inner.entry,
                known.generation == generation
            else { return nil }
            return known.entry
        }
        if let known = state.withLock({ known($0) }) { return known }
        let entry = decorator.entry(for: key, around: inner.entry, sink: self) {
            resolver,
            arguments in
            guard let resolver = resolver as? any CoreResolver else {
                preconditionFailure("a resolver without a core")
            }
            let core = resolver.core
            var request = ServiceRequest(key, arguments, to: core, resolver.owner)
            // They have heard of the request for what is around it.
            request.watchers = []
            return try Path.withCurrent { path in
                try core.answer(
                    &request,
                    with: inner.entry,
                    of: inner.holder,
                    path,
                    isDecorated: true
                )
            }
        }
        let made = Decorations.Wrapping(entry: entry, inner: inner.entry, generation: generation)
        let (kept, dropped) = state.withLock { state in
            if let known = known(state) { return (known, nil as Decorations.Wrapping?) }
            return (entry, state.decorations.wrappings.updateValue(made, forKey: key))
        }
        if let dropped { dropInstances(of: [dropped.entry]) }
        return kept
    }

    // MARK: - Around an instance

    /// A new instance with the decorators of its registration around it.
    @inline(__always)
    func decorate(
        _ made: AnyBox,
        of entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ owner: CoreOwner?,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        guard traits.contains(.isDecorated), let last = entry.lastDecorator else { return made }
        return try wrap(made, by: last, resolver(owner, path), path, index)
    }

    private func wrap(
        _ made: AnyBox,
        by decorator: AnyDecorator,
        _ resolver: any Resolver,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        var inner = made
        if let earlier = decorator.earlier {
            inner = try wrap(made, by: earlier, resolver, path, index)
        }
        return try path.decorating(index, by: decorator) {
            try decorator.wrap(inner, resolver)
        }
    }

    /// The same for a service that is in no box.
    func wrap<Service>(
        _ made: Service,
        by decorator: Decorator<Service>,
        _ resolver: any Resolver,
        _ path: Path,
        _ index: Int
    ) throws -> Service {
        guard let earlier = decorator.earlier else {
            return try path.decorating(index, by: decorator) {
                try decorator.wrap(made, resolver)
            }
        }
        let others = unsafeDowncast(earlier, to: Decorator<Service>.self)
        let inner = try wrap(made, by: others, resolver, path, index)
        return try path.decorating(index, by: decorator) {
            try decorator.wrap(inner, resolver)
        }
    }
}
