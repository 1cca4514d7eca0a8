// A shared instance is found, or built by one thread while the others wait, as the ``Site`` says.

extension Core {
    /// The instance of a shared registration of this container, built if need be.
    ///
    /// It is built with this container's own resolver, never with a child's, and by one thread only,
    /// as the ``Site`` says.
    ///
    /// - Throws: `ResolutionError`
    func share(
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
    func shareInOpenScope(
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
        let made = try decorate(inner, of: entry, traits, owner, path, index)
        let (kept, isFirst) = Site.shared.construct(subject, made)
        if isFirst {
            path.setProduct(kept, of: entry)
            complete(entry, traits, inner, kept, owner, watchers, path, index)
            if !hasFlag(.keepsNothing) { try keep(kept, of: entry, generation, path, index) }
            if let needer {
                complete(needer, entry, inner)
            } else if hasFlag(.tracksNeeds), entry.currentTraits.contains(.hasClosers) {
                // Somebody has said how it closes since it was begun.
                note(inner, of: entry)
            }
        }
        Site.shared.complete(subject)
        return kept
    }

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
}
