// Requests that stop the program, like those of `~>`, but know their line, which an operator cannot.

extension Resolver {
    /// The service registered for the type; stops the program if it cannot be resolved.
    ///
    /// ```swift
    /// container.register(Feed.self) { r in LiveFeed(api: r(API.self), cache: r(Cache.self, name: "disk")) }
    /// ```
    ///
    /// This is the request of `resolver ~> API.self`. If it fails, the message names the line of this call.
    public func callAsFunction<Service>(
        _ serviceType: Service.Type,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        called(nil, nil, file, line)
    }

    /// The service registered for the type and name; stops the program if it cannot be resolved.
    public func callAsFunction<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        called(name?.name, nil, file, line)
    }

    /// The service registered for the type, the name and the argument's static type; stops the program if it
    /// cannot be resolved.
    ///
    /// ```swift
    /// r(Profile.self, argument: id)
    /// ```
    @_alwaysEmitIntoClient
    public func callAsFunction<Service, Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument,
        _ argumentType: Argument.Type = Argument.self,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        called(name?.name, ArgumentPack(argument), file, line)
    }

    /// The service registered for the type and the arguments' static types; stops the program if it cannot be
    /// resolved.
    @_alwaysEmitIntoClient
    public func callAsFunction<Service, First, each Argument>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ further: repeat each Argument,
        type: First.Type = First.self,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        called(nil, ArgumentPack(first, repeat each further), file, line)
    }

    /// The service registered for the type, the name and the arguments' static types; stops the program if it
    /// cannot be resolved.
    @_alwaysEmitIntoClient
    @_disfavoredOverload
    public func callAsFunction<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        called(name?.name, ArgumentPack(repeat each arguments), file, line)
    }

    /// The service of the type that the context determines; stops the program if it cannot be resolved.
    ///
    /// ```swift
    /// container.register(Feed.self) { r in LiveFeed(api: r(), cache: r(name: "disk")) }
    /// ```
    public func callAsFunction<Service>(
        name: (any ServiceName)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        called(name?.name, nil, file, line)
    }
}
