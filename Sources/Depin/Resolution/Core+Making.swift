// An instance is made: by its factory, in its graph, with its decorators around it.

extension Core {
    /// An instance that nobody keeps, and of which nobody hears, returned to where it is wanted.
    ///
    /// The registration must be the service's. PERF: untyped, because casting it sooner retains it once more
    /// (row 4: 15,200 instructions instead of 14,800).
    @inline(__always)
    func make<Service>(
        _ serviceType: Service.Type,
        _ entry: AnyServiceEntry,
        _ arguments: Arguments?,
        _ owner: CoreOwner?
    ) throws -> Service {
        try Path.withCurrent { try make(Service.self, entry, arguments, owner, $0) }
    }

    @inline(__always)
    func make<Service>(
        _ serviceType: Service.Type,
        _ entry: AnyServiceEntry,
        _ arguments: Arguments?,
        _ owner: CoreOwner?,
        injectedAt: CodePlace? = nil,
        _ path: Path
    ) throws -> Service {
        let owner = lent(owner, path)
        return try path.step(
            entry,
            entry.currentTraits,
            asked: self,
            owner: owner,
            arguments: arguments,
            injectedAt: injectedAt,
            beginsGraph: false
        ) { index in
            let resolver = resolver(owner)
            let entry = unsafeDowncast(entry, to: ServiceEntry<Service>.self)
            let made = try entry.makeService(resolver, arguments)
            guard let decorator = entry.decoratorInForce else { return made }
            return try wrap(made, by: decorator, resolver, path, index)
        }
    }

    /// The instance of a registration that is kept in the graph, and of which nobody hears: it has no callbacks and
    /// no closers, nobody watches, and no needs are noted.
    ///
    /// PERF: so it needs no ``ServiceRequest`` (row 4g: 26,300 instructions instead of 35,400).
    @inline(never)
    func makeInGraph(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ arguments: Arguments?,
        _ owner: CoreOwner?
    ) throws -> AnyBox {
        try Path.withCurrent { path in
            guard let graph = path.nextGraph else {
                let (graph, owner) = ObjectGraph.make(lentBy: lent(owner, path))
                return try make(entry, traits, in: graph, isNew: true, arguments, owner, path)
            }
            if let known = known(entry, in: graph, arguments, path) { return known }
            guard path.keptSteps == 0, owner == nil || owner?.graph == graph.number else {
                let owner = lent(owner, to: graph, path)
                return try make(entry, traits, in: graph, isNew: false, arguments, owner, path)
            }
            return try make(entry, traits, in: graph, isNew: false, arguments, owner, path)
        }
    }

    // PERF: a function of its own, whose callers hold the graph and the owner, which is why one that need not be lent
    // is passed on as it is (row 4g: 900 instructions).
    @inline(never)
    private func make(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        in graph: ObjectGraph,
        isNew: Bool,
        _ arguments: Arguments?,
        _ owner: CoreOwner?,
        _ path: Path
    ) throws -> AnyBox {
        try path.step(
            entry,
            traits,
            asked: self,
            owner: owner,
            arguments: arguments,
            injectedAt: nil,
            beginsGraph: false
        ) { index in
            if isNew { path.setGraph(graph, of: index) }
            let inner = try entry.make(resolver(owner), arguments)
            // PERF: apart, or each instance would be retained once more (row 4g: 500 instructions).
            guard traits.contains(.isDecorated) else {
                return graph.add(inner, of: entry, for: number, arguments)
            }
            let made = try decorate(inner, of: entry, traits, owner, path, index)
            return graph.add(made, of: entry, for: number, arguments)
        }
    }

    /// The instance of a registration that is kept in the graph, or nowhere.
    func construct(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        guard traits.kind == .graph || hasFlag(.isValidated) else {
            return try construct(entry, traits, in: nil, isNew: false, &request, path)
        }
        guard !request.beginsGraph, let graph = path.nextGraph else {
            return try construct(entry, traits, in: ObjectGraph(), isNew: true, &request, path)
        }
        if let known = known(entry, in: graph, request.arguments, path) { return known }
        return try construct(entry, traits, in: graph, isNew: false, &request, path)
    }

    /// The instance that a graph has by now.
    func known(
        _ entry: AnyServiceEntry,
        in graph: ObjectGraph,
        _ arguments: Arguments?,
        _ path: Path
    ) -> AnyBox? {
        guard let known = graph.find(entry, for: number, arguments) else { return nil }
        if path.keptSteps > 0, path.isKept(by: self) { graph.letGo() }
        if hasFlag(.tracksNeeds), let known = graph.needer(of: entry, for: number, arguments) {
            note(path.needer, needs: known.number)
        }
        return known
    }

    // PERF: a function of its own, whose callers hold the graph (row 4g: retained once a step, not four times).
    private func construct(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        in graph: ObjectGraph?,
        isNew: Bool,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        let owner = traits.isHeld ? nil : lent(request.owner, to: graph, path)
        return try path.step(
            entry,
            traits,
            asked: self,
            owner: owner,
            arguments: request.arguments,
            injectedAt: request.injectedAt,
            beginsGraph: request.beginsGraph
        ) { index in
            if isNew, let graph { path.setGraph(graph, of: index) }
            guard hasFlag(.tracksNeeds) else {
                return try construct(entry, traits, graph, owner, &request, path, index)
            }
            return try constructClosing(entry, traits, graph, owner, &request, path, index)
        }
    }

    @inline(__always)
    func construct(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ graph: ObjectGraph?,
        _ owner: CoreOwner?,
        _ request: inout ServiceRequest,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        let inner = try make(entry, owner, &request, path)
        return try finish(
            inner,
            of: entry,
            traits,
            graph,
            owner,
            request.arguments,
            request.watchers,
            path,
            index
        )
    }

    /// Ends the construction of an instance, after its factory.
    func finish(
        _ inner: AnyBox,
        of entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ graph: ObjectGraph?,
        _ owner: CoreOwner?,
        _ arguments: Arguments?,
        _ watchers: [any Watcher]?,
        _ path: Path,
        _ index: Int
    ) throws -> AnyBox {
        let made = try decorate(inner, of: entry, traits, owner, path, index)
        // A cycle, or another task, may have stored one meanwhile. The first wins.
        let kept = graph?.add(made, of: entry, for: number, arguments) ?? made
        guard kept === made else { return kept }
        complete(entry, traits, inner, made, owner, watchers, path, index)
        if traits.contains(.hasClosers), let needer = path.needer {
            complete(needer, entry, inner)
        }
        return kept
    }

    func make(
        _ entry: AnyServiceEntry,
        _ owner: CoreOwner?,
        _ request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        request.isMade = true
        if request.watchers != nil { try tellWillMake(entry, request, path) }
        return try entry.make(resolver(owner, path), request.arguments)
    }

    /// Runs the callbacks of an instance that is kept, or of the one in its decorators.
    func complete(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        _ inner: AnyBox,
        _ made: AnyBox,
        _ owner: CoreOwner?,
        _ watchers: [any Watcher]?,
        _ path: Path,
        _ index: Int
    ) {
        path.complete(index)
        if traits.contains(.hasCallbacks) {
            entry.complete(resolver(owner, path), inner)
        }
        for watcher in watchers ?? [] { watcher.made(made, by: entry, path) }
    }

    /// What a factory resolves from: it keeps the container open, or not.
    @inline(__always)
    func resolver(_ owner: CoreOwner?) -> any Resolver {
        if let owner { return owner }
        return self
    }

    /// The same, noting who asks through it where that is of use.
    func resolver(_ owner: CoreOwner?, _ path: Path) -> any Resolver {
        guard hasFlag(.tracksNeeds), let needer = path.needer else { return resolver(owner) }
        return NeedingResolver(core: self, owner: owner, needer: needer)
    }

    /// Who keeps the container open for what is made for a request: nobody, where the container keeps it.
    @inline(__always)
    func lent(_ owner: CoreOwner?, _ path: Path) -> CoreOwner? {
        path.keptSteps > 0 && path.isKept(by: self) ? nil : owner
    }

    /// The same for what belongs to a graph.
    @inline(__always)
    func lent(_ owner: CoreOwner?, to graph: ObjectGraph?, _ path: Path) -> CoreOwner? {
        guard let owner = lent(owner, path) else { return nil }
        guard let graph, graph.number != owner.graph else { return owner }
        return graph.owner(lentBy: owner)
    }
}
