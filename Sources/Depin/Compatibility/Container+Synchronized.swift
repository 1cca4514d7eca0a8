extension Container {
    /// Registers a service whose factory is handed a view that is in no graph.
    ///
    /// Each request of the factory begins a graph of its own, as older code knows it, where
    /// ``register(_:name:factory:file:line:)`` has all of them share the graph under way. Any factory's
    /// resolver may be used from any thread, so new code needs this for nothing else.
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
            if let service = try _find(Service.self, name, arguments) { return service }
            let request = request(Service.self, name, .any(arguments))
            throw Path.withCurrent { core.missing(request, $0) }
        } catch {
            throw Core.error(error, file, line)
        }
    }

    private func request(
        _ serviceType: Any.Type,
        _ name: String?,
        _ arguments: Arguments?
    ) -> ServiceRequest {
        let key = ServiceKey(serviceType, arguments: arguments.map { type(of: $0) }, name: name)
        var request = ServiceRequest(key, arguments, to: core, owner)
        request.beginsGraph = true
        return request
    }
}
