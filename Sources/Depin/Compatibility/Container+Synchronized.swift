extension Container {
    /// Registers a service whose factory receives a view outside every graph.
    ///
    /// Each request of the factory begins a new graph, as older code expects. With
    /// ``register(_:factory:file:line:)`` all of them share the current graph. New code does not need
    /// this: the resolver of any factory may be used from any thread.
    @discardableResult
    @preconcurrency
    public func registerSynchronized<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        factory: @escaping @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name,
            factory: { resolver in
                try factory(
                    (resolver as? any CoreResolver).map(GraphBeginningView.init) ?? resolver
                )
            },
            file: file,
            line: line
        )
    }

    /// A view that can only resolve, and runs one factory at a time if you say so.
    ///
    /// Use it for code that relied on a lock around all factories, because they change unguarded state:
    ///
    /// ```swift
    /// let resolver = container.synchronize(serializingFactories: true)
    /// ```
    ///
    /// All such views of a container, its parents and their children take turns; a fork is a hierarchy of
    /// its own. A thread takes the turn with an outermost request that finds no ready shared instance, and
    /// keeps it until that request has returned, callbacks included. It may use the view again meanwhile.
    /// Nothing else takes a turn: not the container itself, its other views, an `@Injected` property, or a
    /// resolver or `Lazy` that a factory keeps and uses later. A thread with the turn lends it to a thread
    /// whose build it waits for. But if a factory blocks on another thread in some other way, and that
    /// thread needs the turn, both wait forever.
    @_disfavoredOverload  // `container.synchronize`, unapplied, is the one that Swinject has.
    public func synchronize(serializingFactories: Bool) -> any Resolver {
        serializingFactories ? SerializingView(core: core, owner: owner) : synchronize()
    }
}

/// Has each request begin a graph, although a resolution may be under way.
private struct GraphBeginningView: CoreResolver {
    let core: Core
    let owner: CoreOwner?

    init(_ resolver: any CoreResolver) {
        core = resolver.core
        owner = resolver.owner
    }

    func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        var request = request(Service.self, name, .any(arguments))
        return try Path.withCurrent { try core.service(&request, $0) }
    }

    func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> Service {
        do {
            var request = request(Service.self, name, .any(arguments))
            return try Path.withCurrent { try core.neededService(&request, $0) }
        } catch {
            throw Core.error(error, file, line)
        }
    }

    private func request(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: Arguments?
    ) -> ServiceRequest {
        let key = ServiceKey(serviceType, name, arguments)
        var request = ServiceRequest(key, arguments, to: core, owner)
        request.beginsGraph = true
        return request
    }
}

/// A view behind which the factories of a hierarchy of containers run one at a time.
///
/// A thread takes the hierarchy's turn for its outermost request, and whatever a factory asks for on that
/// thread, by whichever resolver, is inside. The turn is no lock: factories are the user's code. Who waits
/// for it is in the graph of those who wait, so that it is lent where there would be a deadlock.
private struct SerializingView: CoreResolver {
    let core: Core
    let owner: CoreOwner?

    func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        if let ready: Service = ready(name, arguments) { return ready }
        return try inTurn { try core.find(Service.self, name, .any(arguments), owner) }
    }

    func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> Service {
        if let ready: Service = ready(name, arguments) { return ready }
        return try inTurn {
            try core.require(Service.self, name, .any(arguments), owner, file, line)
        }
    }

    private func ready<Service>(_ name: String?, _ arguments: Arguments?) -> Service? {
        core.readyInChain(ServiceKey(Service.self, name, .any(arguments)))
            .map { unsafeDowncast($0, to: Box<Service>.self).value }
    }

    private func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
        let turn = Site.Subject.turn(core.inForce.root.number)
        return try Path.withCurrent { try Site.shared.inTurn(turn, by: $0, body) }
    }
}

extension Core {
    /// The instance that is ready here or in a parent, where nobody needs to hear of the request.
    fileprivate func readyInChain(_ key: ServiceKey) -> AnyBox? {
        guard !hasFlag(.isWatched), inForce === self else { return nil }
        for holder in chain {
            if let slot = holder.registry.slot(of: key) {
                return holder.hasFlag(.tracksNeeds) && Path.hasNeeder ? nil : slot.ready
            }
            if holder.hasFlag(.hasDecorators) { return nil }
        }
        return nil
    }
}
