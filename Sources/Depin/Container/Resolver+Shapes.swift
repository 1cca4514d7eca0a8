// Every shape of a request. Each is one call into the library and one move out of the place where the
// service then lies, so an app that is compiled with optimization knows the service's type and pays for
// no more than that.
//
// PERF: inlinable, or each would look up the metadata of optionals and the like at run time: row 1 takes 416
// instructions instead of 2,500 with nothing inlinable. What an app pays when it builds is measured by
// `Tests/Benchmarks/buildcost`.
//
// `Argument.Type = Argument.self`: a generic parameter that a second parameter mentions is not opened (SE-0352),
// so an existential argument keeps its static type and finds the key.
//
// PERF: the rarer shapes are disfavored, and none has a pack that may be empty: a shape that the compiler
// tries in vain costs every request of an app that builds.

extension Resolver {
    // MARK: - resolve

    /// The service registered for the type, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service>(
        _ serviceType: Service.Type
    ) -> Service? {
        defer { withExtendedLifetime(self) {} }
        return _resolve(Service.self, nil, nil)?.take(Service.self)
    }

    /// The service registered for the type and name, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?
    ) -> Service? {
        defer { withExtendedLifetime(self) {} }
        return _resolve(Service.self, name?.name, nil)?.take(Service.self)
    }

    /// The service registered for the type, the name and the argument's static type, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service, Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument,
        _ argumentType: Argument.Type = Argument.self
    ) -> Service? {
        defer { withExtendedLifetime(self) {} }
        let arguments = ArgumentPack(argument)
        return _resolve(Service.self, name?.name, arguments)?.take(Service.self)
    }

    /// The service registered for the type and the arguments' static types, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service, First, each Argument>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ further: repeat each Argument,
        type: First.Type = First.self
    ) -> Service? {
        defer { withExtendedLifetime(self) {} }
        let arguments = ArgumentPack(first, repeat each further)
        return _resolve(Service.self, nil, arguments)?.take(Service.self)
    }

    // MARK: - require

    /// The service registered for the type.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service>(
        _ serviceType: Service.Type,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        defer { withExtendedLifetime(self) {} }
        return try _require(Service.self, nil, nil, file, line).take(Service.self)
    }

    /// The service registered for the type and name.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        defer { withExtendedLifetime(self) {} }
        return try _require(Service.self, name?.name, nil, file, line).take(Service.self)
    }

    /// The service registered for the type, the name and the argument's static type.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service, Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument,
        _ argumentType: Argument.Type = Argument.self,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        defer { withExtendedLifetime(self) {} }
        let arguments = ArgumentPack(argument)
        return try _require(Service.self, name?.name, arguments, file, line).take(Service.self)
    }

    /// The service registered for the type and the arguments' static types.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service, First, each Argument>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ further: repeat each Argument,
        type: First.Type = First.self,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        defer { withExtendedLifetime(self) {} }
        let arguments = ArgumentPack(first, repeat each further)
        return try _require(Service.self, nil, arguments, file, line).take(Service.self)
    }

    /// The service registered for the type, the name and the arguments' static types.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    @_disfavoredOverload
    public func require<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        defer { withExtendedLifetime(self) {} }
        let arguments = ArgumentPack(repeat each arguments)
        return try _require(Service.self, name?.name, arguments, file, line).take(Service.self)
    }

    // MARK: - autoResolve

    /// The service of the type that the context asks for; stops the program when there is none.
    ///
    /// ```swift
    /// let feed: Feed = resolver.autoResolve()
    /// ```
    @inlinable
    @inline(__always)
    public func autoResolve<Service>() -> Service {
        demand(Service.self)
    }

    /// The service of the type and name; stops the program when there is none.
    @inlinable
    @inline(__always)
    public func autoResolve<Service>(name: any ServiceName) -> Service {
        demand(Service.self, name.name)
    }

    /// What `~>` gives.
    @inlinable
    @inline(__always)
    func demand<Service>(
        _ serviceType: Service.Type,
        _ name: String? = nil,
        _ arguments: _Arguments? = nil
    ) -> Service {
        defer { withExtendedLifetime(self) {} }
        return _demand(Service.self, name, arguments).take(Service.self)
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
}
