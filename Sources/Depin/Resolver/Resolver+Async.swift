// Every shape of a request that may take time. The services are not asked to be `Sendable`: each form runs
// where its caller does, and takes the service from its box there.

extension Resolver {
    /// The service registered for the type, awaited if it is asynchronous.
    ///
    /// ```swift
    /// let database = try await resolver.requireAsync(Database.self)
    /// ```
    ///
    /// This awaits an asynchronous factory. However many tasks request a shared service at the same time,
    /// its factory runs once, in the first of them, and the others wait without blocking a thread. An
    /// ordinary service is made as with `require`, on the main actor if it belongs there. For one
    /// registered with `autoregister`, this first awaits the declared dependencies that are asynchronous.
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

    /// The service registered for the type, the name and the argument's static type, awaited if it is
    /// asynchronous.
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

    /// The service registered for the type, the name and the arguments' static types, awaited if it is
    /// asynchronous.
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
        guard let resolver = self as? any EngineResolver else {
            return try _require(Service.self, name, arguments, file, line)
        }
        let arguments = Arguments.any(arguments)
        var request = Request(ServiceKey(Service.self, name, arguments), arguments, resolver.owner)
        (request.isAsync, request.isNeeded) = (true, true)
        request.takesTurn = resolver.takesTurn
        let box = try await resolver.engine.answer(request, for: resolver.dependent, file, line)
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

extension Engine {
    /// The instance for a key, in a task.
    func awaited(_ key: ServiceKey, _ owner: Owner?) async throws -> AnyBox {
        var request = Request(key, nil, owner)
        (request.isAsync, request.isNeeded) = (true, true)
        return try await instance(for: request, nil)
    }

    /// The instance for a request of a task.
    fileprivate func answer(
        _ request: Request,
        for dependent: Dependent?,
        _ file: StaticString?,
        _ line: UInt
    ) async throws -> AnyBox {
        do {
            return try await instance(for: request, dependent)
        } catch {
            throw Self.error(error, file, line, by: .requireAsync)
        }
    }

    /// The instance for a request of whoever asks in the task in force.
    func instance(for request: Request, _ dependent: Dependent?) async throws -> AnyBox {
        let outer = TaskFrame.current
        if let outer, dependent == nil || outer.step.pointee.dependent === dependent {
            return try await needed(request, in: outer)
        }
        let graph = outer == nil ? ObjectGraph() : nil
        var step = Step(in: self, graph: graph, dependent: dependent, after: outer?.step)
        step.owner = request.owner
        let frame: TaskFrame
        do {
            frame = try TaskFrame(step, in: outer)
        } catch {
            throw refused(error, .nowhere, request, outer?.step)
        }
        return try await frame.run { try await needed(request, in: frame) }
    }

    /// - Throws: `ResolutionError`, also where nothing is registered; `CancellationError`.
    package func needed(_ request: Request, in frame: TaskFrame) async throws -> AnyBox {
        let box =
            request.takesTurn
            ? try await answerInTurn(request, in: frame) : try await answer(request, in: frame)
        if let box { return box }
        throw Resolution.joining(frame) { missing(request, $0.path) }
    }
}
