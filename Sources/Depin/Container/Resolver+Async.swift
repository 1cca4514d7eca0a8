// Every shape of a request that may take time. The services are not asked to be `Sendable`: each form runs
// where its caller does, and takes the service from its box there.

extension Resolver {
    /// The service registered for the type, which may take time to make.
    ///
    /// ```swift
    /// let database = try await resolver.requireAsync(Database.self)
    /// ```
    ///
    /// This awaits an asynchronous factory. However many tasks request a shared service at the same time,
    /// its factory runs once, in the first of them, and the others wait without blocking a thread. An
    /// ordinary service is made as with `require`, on the main actor if it belongs there. For one
    /// registered with `autoregister`, this first awaits the declared dependencies that take time.
    ///
    /// - Throws: ``ResolutionError``, or `CancellationError` if the task is canceled while it waits for the
    ///   service or makes it.
    public func requireAsync<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        try await awaited(Service.self, name?.name, nil, isolation, file, line)
    }

    /// The service registered for the type, the name and the argument's static type, which may take time
    /// to make.
    ///
    /// - Throws: ``ResolutionError`` or `CancellationError`.
    @_disfavoredOverload
    public func requireAsync<Service, Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument,
        _ argumentType: Argument.Type = Argument.self,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        let arguments = ArgumentPack(argument)
        return try await awaited(Service.self, name?.name, arguments, isolation, file, line)
    }

    /// The service registered for the type, the name and the arguments' static types, which may take time
    /// to make.
    ///
    /// - Throws: ``ResolutionError`` or `CancellationError`.
    @_disfavoredOverload
    public func requireAsync<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        arguments: repeat each Argument,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        let arguments = ArgumentPack(repeat each arguments)
        return try await awaited(Service.self, name?.name, arguments, isolation, file, line)
    }

    private func awaited<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: Arguments?,
        _ isolation: isolated (any Actor)?,
        _ file: StaticString?,
        _ line: UInt
    ) async throws -> Service {
        guard let resolver = self as? any CoreResolver else {
            return try _require(Service.self, name, arguments, file, line)
        }
        let arguments = Arguments.any(arguments)
        let key = ServiceKey(Service.self, name, arguments)
        var request = AsyncRequest(key, arguments, to: resolver.core, resolver.owner)
        request.needer = (resolver as? NeedingResolver)?.needer
        let box = try await resolver.core.answer(request, file, line)
        return unsafeDowncast(box, to: Box<Service>.self).value
    }

    /// A dependency: what `requireAsync` gives, without a place in the source code.
    func awaited<Dependency>(
        _ type: Dependency.Type,
        name: String?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> Dependency {
        try await awaited(Dependency.self, name, nil, isolation, nil, 0)
    }
}
