// Every shape of an asynchronous request. Services need not be `Sendable`: each form runs where its caller does, and
// takes the service out of its box there.

extension Resolver {
    /// The service registered for the type, awaited if it is asynchronous.
    ///
    /// ```swift
    /// let database = try await resolver.requireAsync(Database.self)
    /// ```
    ///
    /// This awaits an asynchronous factory. However many tasks request a shared service at the same time,
    /// its factory runs once, in the first of them, and the others wait without blocking a thread. If it
    /// throws, that task alone gets the error, and the next one of the others runs the factory again. An
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
        try await awaited(name?.name, nil, isolation, CodePlace(file: file, line: line))
    }

    /// The service registered for the type, the name and the argument's static type, awaited if it is
    /// asynchronous.
    ///
    /// - Throws: ``ResolutionError`` or `CancellationError`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func requireAsync<Service, Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument,
        _ argumentType: Argument.Type = Argument.self,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        let (arguments, place) = (ArgumentPack(argument), CodePlace(file: file, line: line))
        return try await awaited(name?.name, arguments, isolation, place)
    }

    /// The service registered for the type, the name and the arguments' static types, awaited if it is
    /// asynchronous.
    ///
    /// - Throws: ``ResolutionError`` or `CancellationError`.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func requireAsync<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        arguments: repeat each Argument,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        let arguments = ArgumentPack(repeat each arguments)
        let place = CodePlace(file: file, line: line)
        return try await awaited(name?.name, arguments, isolation, place)
    }

    /// What `requireAsync` gives; or a dependency, which has no place in the source code.
    @usableFromInline
    func awaited<Service>(
        _ name: String?,
        _ arguments: _Arguments? = nil,
        _ isolation: isolated (any Actor)? = #isolation,
        _ place: CodePlace? = nil
    ) async throws -> Service {
        do {
            guard let resolver = self as? any EngineResolver else {
                return try _require(name, arguments)
            }
            let arguments = Arguments.any(arguments)
            let key = ServiceKey(Service.self, name, arguments)
            let request = resolver.newRequest(key, arguments)
            let box = try await resolver.engine.needed(request, by: resolver.dependent)
            return unsafeDowncast(box, to: Box<Service>.self).value
        } catch {
            throw place.map { located(error, at: $0, by: "requireAsync") } ?? error
        }
    }
}

extension Engine {
    /// The instance for a request in the current task, of a dependent if there is one.
    func needed(_ request: Request, by dependent: Dependent?) async throws -> AnyBox {
        // A task that a factory left running may make requests after the factory has returned. Each keeps the graph
        // under way until it ends; if the graph has ended, the request begins a new one.
        var outer = TaskFrame.current
        let path: Path = outer?.step
        let graph = path.graph
        if graph?.beginIfUnderWay() == false { outer = nil }
        defer { if outer != nil { graph?.endResolution() } }
        // A validation is one graph.
        let isValidated = outer?.step.pointee.engine.hasFlag(.isValidated) == true
        let beginsGraph = request.beginsGraph && !isValidated
        if let outer, !beginsGraph, path.root != nil,
            dependent == nil || outer.step.pointee.dependent === dependent
        {
            return try await needed(request, in: outer)
        }
        // What is awaited before the factory belongs to the graph that the request begins.
        let begun = beginsGraph ? ObjectGraph() : nil
        var step = Resolution.Step(in: self, graph: begun, dependent: dependent, after: outer?.step)
        step.owner = request.owner
        var request = request
        request.beginsGraph = false
        let frame = TaskFrame(step, in: outer)
        return try await frame.run { [request] in try await needed(request, in: frame) }
    }

    /// The instance for a request in a task's frame.
    ///
    /// - Throws: `ResolutionError`, also if nothing is registered; `CancellationError`.
    package func needed(_ request: Request, in frame: TaskFrame) async throws -> AnyBox {
        var request = request
        (request.mayAwait, request.isNeeded) = (true, true)
        if let box = try await answerInTurn(request, in: frame) { return box }
        throw Resolution.joining(frame) { missing(request, $0.path) }
    }
}
