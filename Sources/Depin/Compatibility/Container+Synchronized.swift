extension Container {
    /// Registers a service whose factory receives a view outside every graph.
    ///
    /// Each request of the factory begins a new graph, as older code expects. With
    /// ``register(_:factory:file:line:)`` all of them share the current graph. New code does not need
    /// this: the resolver of any factory may be used from any thread.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    public func registerSynchronized<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        factory: @escaping @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let make: @Sendable (any Resolver) throws -> Service = { try factory(beginningGraphs($0)) }
        return register(serviceType, name: name, factory: make, file: file, line: line)
    }

    /// A view that can only resolve, and runs one factory at a time if you ask for that.
    ///
    /// Use it for code that relied on a lock around all factories, because they change unguarded state:
    ///
    /// ```swift
    /// let resolver = container.synchronize(serializingFactories: true)
    /// ```
    ///
    /// All such views of a container, its parents and their children take turns; a fork is a hierarchy of its
    /// own. A thread or task takes the turn with an outermost request that finds no ready shared instance,
    /// `requireAsync` included, and keeps it until that request has returned, callbacks included. It may use
    /// the view again meanwhile. A `Lazy`, `Provider` or `AsyncLazy` that you resolve through the view takes
    /// the turn when you use it. Nothing else takes a turn: not the container itself, its other views, an
    /// `@Injected` property, or a resolver or `Lazy` that a factory keeps and uses later. The thread or task
    /// that has the turn lends it to one whose build it waits for. But if a factory blocks on another thread
    /// in some other way, and that thread needs the turn, both wait forever. A synchronous request blocks its
    /// thread until it has the turn, and if tasks block all threads so, a task that has the turn can never go
    /// on: in a task use `requireAsync`. On the main actor use that, too, where a task requests what is made
    /// there: with the turn, it waits for the main actor.
    @_disfavoredOverload  // `container.synchronize`, unapplied, is the one that Swinject has.
    public func synchronize(serializingFactories: Bool) -> any Resolver {
        guard serializingFactories else { return synchronize() }
        return ResolverView(engine: engine, owner: owner, takesTurn: true)
    }
}

/// A view of a resolver, each request to which begins a graph of its own.
@usableFromInline
func beginningGraphs(_ resolver: any Resolver) -> any Resolver {
    guard let known = resolver as? any EngineResolver else { return resolver }
    var view = ResolverView(engine: known.engine, owner: known.owner, beginsGraphs: true)
    view.dependent = known.dependent
    return view
}

/// A view through which each request begins a graph of its own, or takes the turn to run factories.
private struct ResolverView: EngineResolver {
    let engine: Engine
    let owner: Owner?
    var dependent: Dependent?
    var takesTurn = false
    var beginsGraphs = false
}

extension Engine {
    /// Answers a request; if it takes the turn, when its thread has the hierarchy's turn to run factories.
    func answerInTurn(_ request: Request, _ resolution: Resolution) throws -> AnyBox? {
        guard takesTurn(request) else { return try answer(request, resolution) }
        if let ready = readyInChain(request.key) { return ready }
        let engine = inForce
        func answerInTurn() throws -> AnyBox? {
            try engine.turns.serial.run(in: resolution, of: engine) { _ in
                try answer(request, resolution)
            }
        }
        guard resolution.path.root == nil else { return try answerInTurn() }
        // The graph ends after the turn, because code that runs at its end may wait for a thread that needs the turn.
        return try resolution.within(nil, of: engine, request.owner, answerInTurn)
    }

    /// True for a request that takes the turn: one for a deferred service, or for the graph, runs no factory now.
    private func takesTurn(_ request: Request) -> Bool {
        guard request.takesTurn else { return false }
        let key = request.key
        let runsNone = key.deferral != .none || key.serviceType == GraphIdentifier.self
        return !runsNone || find(key) != nil
    }

    /// The same for a task.
    func answerInTurn(_ request: Request, in frame: TaskFrame) async throws -> AnyBox? {
        guard takesTurn(request) else { return try await answer(request, in: frame) }
        if let ready = readyInChain(request.key) { return ready }
        let engine = Resolution.joining(frame) { _ in inForce }
        return try await engine.turns.serial.run(in: frame, of: engine) { frame, _ in
            try await answer(request, in: frame)
        }
    }

    /// A ready instance, here or in a parent.
    fileprivate func readyInChain(_ key: ServiceKey) -> AnyBox? {
        guard !hasFlag(.isObserved), inForce === self else { return nil }
        for holder in chain {
            if holder.isEnded { return nil }
            if holder.registry.slot(of: key) != nil { return holder.ready(key) }
            if holder.hasFlag(.hasDecorators) { return nil }
        }
        return nil
    }
}
