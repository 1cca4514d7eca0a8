// Every shape of a request. Those with arguments are emitted where they are called, where the type of the argument pack
// is known: looking it up at run time takes 4,000 instructions (row 5). The others are calls, so that an app's build
// pays for no more than a call: see `Tests/Benchmarks/buildcost`.
//
// `Argument.Type = Argument.self`: a generic parameter that a second parameter mentions is not opened (SE-0352), so an
// existential argument keeps its static type and finds the key.
//
// The rarer shapes are disfavored, and none has a pack that may be empty: every shape that the compiler tries in vain
// costs time for every request of an app.

extension Resolver {
    // MARK: - resolve

    /// The service registered for the type, or nil.
    public func resolve<Service>(_ serviceType: Service.Type) -> Service? {
        found(nil, nil)
    }

    /// The service registered for the type and name, or nil.
    public func resolve<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?
    ) -> Service? {
        found(name?.name, nil)
    }

    /// The service registered for the type, the name and the argument's static type, or nil.
    @_alwaysEmitIntoClient
    public func resolve<Service, Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument,
        _ argumentType: Argument.Type = Argument.self
    ) -> Service? {
        found(name?.name, ArgumentPack(argument))
    }

    /// The service registered for the type and the arguments' static types, or nil.
    @_alwaysEmitIntoClient
    public func resolve<Service, First, each Argument>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ further: repeat each Argument,
        type: First.Type = First.self
    ) -> Service? {
        found(nil, ArgumentPack(first, repeat each further))
    }

    // MARK: - require

    /// The service registered for the type.
    ///
    /// - Throws: ``ResolutionError``
    public func require<Service>(
        _ serviceType: Service.Type,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try required(nil, nil, file, line)
    }

    /// The service registered for the type and name.
    ///
    /// - Throws: ``ResolutionError``
    public func require<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try required(name?.name, nil, file, line)
    }

    /// The service registered for the type, the name and the argument's static type.
    ///
    /// - Throws: ``ResolutionError``
    @_alwaysEmitIntoClient
    public func require<Service, Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument,
        _ argumentType: Argument.Type = Argument.self,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try required(name?.name, ArgumentPack(argument), file, line)
    }

    /// The service registered for the type and the arguments' static types.
    ///
    /// - Throws: ``ResolutionError``
    @_alwaysEmitIntoClient
    public func require<Service, First, each Argument>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ further: repeat each Argument,
        type: First.Type = First.self,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try required(nil, ArgumentPack(first, repeat each further), file, line)
    }

    /// The service registered for the type, the name and the arguments' static types.
    ///
    /// - Throws: ``ResolutionError``
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public func require<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try required(name?.name, ArgumentPack(repeat each arguments), file, line)
    }

    // MARK: - On the main actor

    /// The service, resolved from beginning to end on the main actor.
    ///
    /// ```swift
    /// let model = try await resolver.requireOnMainActor(FeedViewModel.self)
    /// ```
    ///
    /// - Throws: ``ResolutionError``
    @MainActor
    public func requireOnMainActor<Service: Sendable>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        try require(serviceType, name: name, file: file, line: line)
    }

    /// The service for an argument, resolved from beginning to end on the main actor.
    ///
    /// - Throws: ``ResolutionError``
    @MainActor
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func requireOnMainActor<Service: Sendable, Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument,
        _ argumentType: Argument.Type = Argument.self,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        try required(name?.name, ArgumentPack(argument), file, line)
    }

    /// The service for some arguments, resolved from beginning to end on the main actor.
    ///
    /// - Throws: ``ResolutionError``
    @MainActor
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func requireOnMainActor<Service: Sendable, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        try required(name?.name, ArgumentPack(repeat each arguments), file, line)
    }
}
