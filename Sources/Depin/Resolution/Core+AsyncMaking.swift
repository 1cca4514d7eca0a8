// An instance is made in a task: shared ones by one task while the others wait, as the ``Site`` says.

extension Core {
    func shared(
        _ found: Found,
        _ request: inout AsyncRequest,
        in frame: AsyncFrame
    ) async throws -> AnyBox {
        let plain = request.plain
        let home = try Path.joining(frame) { try self.home(of: found, for: plain, $0) }
        return try await home.holder.share(home.entry, &request, in: frame)
    }

    /// What stands for a shared registration: where its scope is open, a copy.
    func home(of found: Found, for request: borrowing ServiceRequest, _ path: Path) throws -> Found
    {
        guard found.entry.kind == .opened else { return found }
        let (home, copy) = try opening(of: found.entry, for: request, path)
        return Found(entry: copy, holder: home)
    }

    /// The instance of a registration that is kept in the graph, or nowhere.
    func construct(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ request: inout AsyncRequest,
        in parent: AsyncFrame
    ) async throws -> AnyBox {
        let isInGraph = traits.kind == .graph || hasFlag(.isValidated)
        let begun = try Path.joining(parent) { path -> Begun in
            let graph = isInGraph ? path.nextGraph : nil
            if let graph, let known = known(entry, in: graph, request.arguments, path) {
                return .known(known)
            }
            let owner = traits.isHeld ? nil : lent(request.owner, to: graph, path)
            let frame = try path.frame(
                entry,
                traits,
                asked: self,
                owner: owner,
                arguments: request.arguments,
                in: parent
            )
            return .frame(frame, owner: owner)
        }
        switch begun {
        case .known(let known):
            return known
        case .frame(let frame, let owner):
            return try await frame.run {
                let plain = request.plain
                let isClosed = hasFlag(.tracksNeeds) && traits.contains(.hasClosers)
                if isClosed { try Path.joining(frame) { try beginBuild(for: plain, $0) } }
                defer { if isClosed { endBuild() } }
                if hasFlag(.tracksNeeds) {
                    let needer = Path.joining(frame) { path in
                        let needer = self.needer(for: entry, traits, path)
                        if let needer, isInGraph {
                            path.nextGraph?
                                .setNeeder(needer, of: entry, for: number, plain.arguments)
                        }
                        return needer
                    }
                    frame.setNeeder(needer)
                }
                let inner = try await make(entry, owner, &request, in: frame)
                let answered = request.plain
                return try Path.joining(frame) { path in
                    let graph = isInGraph ? path.nextGraph : nil
                    return try finish(
                        inner,
                        of: entry,
                        traits,
                        graph,
                        owner,
                        answered.arguments,
                        answered.watchers,
                        path,
                        path.innermost
                    )
                }
            }
        }
    }

    private func share(
        _ entry: AnyServiceEntry,
        _ request: inout AsyncRequest,
        in frame: AsyncFrame
    ) async throws -> AnyBox {
        if let copies = entry.argumentCopies, let arguments = request.arguments {
            let plain = request.plain
            try Path.joining(frame) { try $0.checkDepth(of: entry, for: plain) }
            return try await copies.withCopy(of: entry, for: arguments) { copy in
                try await share(copy, &request, in: frame)
            }
        }
        let shared = try await instance(of: entry, &request, in: frame)
        if hasFlag(.tracksNeeds) {
            Path.joining(frame) { note($0.needer, needs: entry) }
        }
        return shared
    }

    /// The instance of a shared registration of this container, built if need be.
    ///
    /// One task builds it, and the others wait, as the ``Site`` says.
    private func instance(
        of entry: AnyServiceEntry,
        _ request: inout AsyncRequest,
        in parent: AsyncFrame
    ) async throws -> AnyBox {
        while true {
            let generation = entry.generation
            let traits = entry.currentTraits
            let begun = try Path.joining(parent) { path -> Begun in
                if let kept = try kept(entry, path) { return .known(kept) }
                let owner = isForValidation ? request.owner?.owner(of: self) : nil
                let frame = try path.frame(
                    entry,
                    traits,
                    asked: self,
                    owner: owner,
                    arguments: request.arguments,
                    generation: generation,
                    in: parent
                )
                return .frame(frame, owner: owner)
            }
            let (frame, owner): (AsyncFrame, CoreOwner?)
            switch begun {
            case .known(let known): return known
            case .frame(let begun, let lent): (frame, owner) = (begun, lent)
            }
            let subject = Site.Subject.instance(entry: entry.number, generation: generation)
            let built: AnyBox? = try await frame.run {
                switch try await Site.shared.request(subject, by: frame) {
                case .build:
                    do {
                        return try await build(
                            entry,
                            traits,
                            owner,
                            subject,
                            generation,
                            &request,
                            in: frame
                        )
                    } catch {
                        Site.shared.abandon(subject)
                        throw error
                    }
                case .take(let product):
                    if traits.kind != .permanent {
                        Path.joining(frame) { $0.madeGraph(of: $0.innermost).keep(product) }
                    }
                    return product
                case .built(let product):
                    return try Path.joining(frame) { path in
                        try given(product, of: entry, traits, generation, path)
                    }
                case .circular(let otherPath):
                    throw ResolutionError(
                        .circularDependency(otherPath: otherPath),
                        request.plain.forError,
                        path: frame.path
                    )
                }
            }
            if let built { return built }
        }
    }

    /// The instance, unless there is one by now or the build has come too late.
    private func build(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ owner: CoreOwner?,
        _ subject: Site.Subject,
        _ generation: UInt32,
        _ request: inout AsyncRequest,
        in frame: AsyncFrame
    ) async throws -> AnyBox? {
        // A last look before the factory, in the order of the synchronous one.
        let isKept = try Path.joining(frame) { try kept(entry, $0) != nil }
        if isKept || entry.generation != generation {
            Site.shared.abandon(subject)
            return nil
        }
        let plain = request.plain
        try Path.joining(frame) { try beginBuild(for: plain, $0) }
        defer { endBuild() }
        let isTracked = hasFlag(.tracksNeeds)
        let needer = isTracked ? Path.joining(frame) { self.needer(for: entry, traits, $0) } : nil
        frame.setNeeder(needer)
        let inner = try await make(entry, owner, &request, in: frame)
        if Task.isCancelled {
            // What is made for nobody is not kept; what its closers throw is nobody's either.
            if traits.contains(.hasClosers) { _ = await entry.runClosers(inner) }
            throw CancellationError()
        }
        let watchers = request.watchers
        return try Path.joining(frame) { path in
            try finish(
                inner,
                of: entry,
                traits,
                owner,
                needer,
                subject,
                generation,
                watchers,
                path,
                path.innermost
            )
        }
    }

    private func make(
        _ entry: AnyServiceEntry,
        _ owner: CoreOwner?,
        _ request: inout AsyncRequest,
        in frame: AsyncFrame
    ) async throws -> AnyBox {
        request.isMade = true
        let plain = request.plain
        if plain.watchers != nil {
            try Path.joining(frame) { path in try tellWillMake(entry, plain, path) }
        }
        let resolver = Path.joining(frame) { self.resolver(owner, $0) }
        return try await entry.makeAsync(resolver, request.arguments)
    }
}
