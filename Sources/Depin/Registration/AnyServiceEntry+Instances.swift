// What a registration keeps: instances, and where a scope of the user's keeps them, the way there.

extension AnyServiceEntry {
    /// Drops what is kept, for some arguments or for all, if the given scope includes the one in force.
    ///
    /// The result is what ``reset(_:)`` gives, and who kept it: the entry, or copies of it.
    final func resetAll(
        _ expected: (any ObjectScopeProtocol)?,
        for arguments: Arguments? = nil
    ) -> [(entry: AnyServiceEntry, dropped: Dropped)] {
        if let copies = argumentCopies {
            return expected?.includes(objectScope) ?? true ? copies.reset(arguments) : []
        }
        guard arguments == nil else { return [] }
        return reset(expected).map { [(self, $0)] } ?? []
    }

    /// Drops what is kept, if the given scope includes the one in force.
    ///
    /// The result is what the caller releases after it had the registry forget it too, nil if there
    /// was nothing to do.
    final func reset(_ expected: (any ObjectScopeProtocol)?) -> Dropped? {
        guard !currentTraits.contains(.pinned) else { return nil }
        let scope = objectScope
        guard expected?.includes(scope) ?? true else { return nil }
        guard ScopeKind(of: scope) == .stored else { return beginGeneration(in: scope) }
        // The storage is made if need be: what a scope hands out may hold something already. The new
        // generation begins inside its gate, where nothing that is built in it can be dropped.
        return withStorage(of: scope) { gate, storage in
            guard beginGeneration(in: scope) != nil else { return nil }
            defer {
                storage.instance = nil
                gate.note(nil)
            }
            return Dropped(instance: storage.instance)
        }
    }

    struct Dropped {
        /// What a storage kept, the object of a weak scope, or the box of a permanent one.
        let instance: Any?
    }

    /// Has an instance that the entry was registered with wrapped by a decorator that has been added since.
    final func makeAnewIfPinned() {
        guard currentTraits.contains(.pinned) else { return }
        // The factory gives the bare one again.
        let dropped = beginGeneration(in: objectScope)
        sink.forgetInstances(of: self)
        withExtendedLifetime(dropped) {}
    }

    /// The instance that was dropped.
    final func box(of dropped: Dropped) -> AnyBox? {
        dropped.instance.flatMap { $0 as? AnyBox ?? box($0) }
    }

    /// Counts a reset and drops the instance, if the scope is still in force.
    ///
    /// It is all one step: what another scope has kept since is not touched.
    private func beginGeneration(in scope: any ObjectScopeProtocol) -> Dropped? {
        withState { state in
            guard state.scope === scope else { return nil }
            defer {
                state.instance = nil
                if state.weakInstance != nil { state.keeper = nil }
            }
            countReset()
            return Dropped(instance: state.instance ?? state.weakInstance?.object)
        }
    }

    /// Drops all that is kept, when the container has gone.
    ///
    /// A storage is only released, for its scope may have lent it to others. The caller releases the
    /// result.
    final func close() -> Closed {
        withState { state in
            defer { (state.instance, state.keeper) = (nil, nil) }
            countReset()
            return Closed(instance: state.instance, keeper: state.keeper)
        }
    }

    struct Closed {
        fileprivate let instance: AnyBox?
        fileprivate let keeper: Keeper?
    }

    /// What keeps its instances where there is one for each value of the arguments.
    final var argumentCopies: ArgumentCopies? {
        guard currentTraits.contains(.perArguments) else { return nil }
        return withState { if case .copies(let copies) = $0.keeper { copies } else { nil } }
    }

    /// The instance of a permanent scope.
    final var permanentInstance: AnyBox? { withState { $0.instance } }

    /// The instance that the scope in force keeps, for no graph alone.
    final var keptInstance: AnyBox? {
        switch kind {
        case .permanent: permanentInstance
        case .weak: weakInstance
        case .stored: (try? storageGate.enter(sink) { $0.instance }).flatMap { $0 }.flatMap(box)
        case .transient, .graph, .opened: nil
        }
    }

    /// The instance of a weak scope.
    final var weakInstance: AnyBox? { withState { $0.weakInstance }.flatMap(box) }

    /// The instance of a weak scope, and its object, which the caller holds; nil where there is none, or a
    /// cast has to make the service again.
    ///
    /// PERF: without a box, which is allocated for each request (row 1-weak: 1,150 instructions instead of 1,800).
    final var livingInstance: (WeakInstance, AnyObject)? {
        guard let instance = withState({ $0.weakInstance }), instance.bits != nil,
            let object = instance.object
        else { return nil }
        return (instance, object)
    }

    /// The present generation, when a box is what it keeps.
    ///
    /// A resolution can get what is not kept: its own instance under construction, or one that a
    /// reset has come over.
    final func generation(keeping box: AnyBox) -> UInt32? {
        withState { $0.instance === box ? generation : nil }
    }

    /// Keeps an instance that was built in a generation, if it is still that one.
    ///
    /// Who requested a shared instance may come to build it when another scope is in force.
    final func keep(_ box: AnyBox, as kind: ScopeKind, builtIn generation: UInt32) {
        let instance = kind == .weak ? weakInstance(box) : nil
        withState { state in
            guard generation == self.generation else { return }
            if kind == .permanent { state.instance = box }
            if kind == .weak { state.keeper = instance.map { .weak($0) } }
        }
    }

    /// True when there is an instance that it shares and has given out: not one that it was registered
    /// with, of which nobody knows.
    final var hasShared: Bool {
        // Looked at outside the lock: who looks at an object may be the last to hold it.
        let (instance, weak, gate) = withState { ($0.instance, $0.weakInstance, $0.gate) }
        if instance != nil || weak?.object != nil { return !currentTraits.contains(.pinned) }
        if let copies = argumentCopies { return copies.hasShared }
        return (try? gate?.enter(sink) { $0.instance != nil }) ?? false
    }

    // MARK: - Storages

    /// The instance that a stored scope keeps, for a graph.
    ///
    /// - Throws: `ResolutionError`, where waiting for the storage would close a circle.
    final func storedInstance(in graph: GraphIdentifier) throws -> AnyBox? {
        let instance = try storageGate.enter(sink) { $0.instance(inGraph: graph) }
        return instance.flatMap(box)
    }

    /// Keeps an instance in a stored scope, unless a reset came since its generation.
    ///
    /// - Throws: `ResolutionError`, where waiting for the storage would close a circle.
    final func store(
        _ box: AnyBox,
        builtIn generation: UInt32,
        in graph: GraphIdentifier
    ) throws {
        let gate = storageGate
        let replaced = try gate.enter(sink) { storage -> Any? in
            guard generation == self.generation else { return nil }
            let replaced = storage.instance
            storage.setInstance(box.anyValue, inGraph: graph)
            gate.note(box.anyValue)
            return replaced
        }
        withExtendedLifetime(replaced) {}
    }

    /// The way to the storage of a ``ScopeKind/stored`` scope, which is made when first needed.
    final var storageGate: StorageGate {
        let (known, scope) = withState { ($0.gate, $0.scope) }
        return known ?? storageGate(of: scope)
    }

    /// The same for a scope that is no longer in force, if another has come since it was read.
    private func storageGate(of scope: any ObjectScopeProtocol) -> StorageGate {
        let known = withState { $0.scope === scope ? $0.gate : nil }
        if let known { return known }
        let made = StorageGate(scope.makeStorage())
        return withState { state in
            guard state.scope === scope else { return made }
            if let gate = state.gate { return gate }
            if state.keeper == nil { state.keeper = .storage(made) }
            return made
        }
    }

    private func withStorage<Result>(
        of scope: any ObjectScopeProtocol,
        _ body: (StorageGate, any InstanceStorage) -> Result
    ) -> Result {
        let gate = storageGate(of: scope)
        do {
            return try gate.enter(sink) { body(gate, $0) }
        } catch {
            // A reset can wait for the storage, or never end.
            fatalError("Depin: \(error)")
        }
    }
}
