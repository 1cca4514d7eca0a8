// SwinjectAutoregistration takes initializers as functions of one tuple, so code that keeps them in variables has such
// functions. A reference to an initializer, or a closure of several parameters, never comes here.
//
// Without these the compiler takes the tuple for one parameter, and crashes.

extension Container {
    /// Registers a service by a function of one tuple, whose elements are resolved by their types.
    ///
    /// ```swift
    /// let make: ((API, Clock)) -> LiveRanking = { LiveRanking(api: $0.0, clock: $0.1) }
    /// container.autoregister(Ranking.self, initializer: make)
    /// ```
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func autoregister<Service, First, Second, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        initializer:
            @escaping @Sendable ((First, Second, repeat each Dependency)) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let make = spread(initializer)
        return autoregister(serviceType, name: name, initializer: make, file: file, line: line)
    }

    /// Registers a service by a function of one tuple, one of whose elements is a runtime argument.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func autoregister<Service, Argument, First, Second, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument.Type,
        initializer:
            @escaping @Sendable ((First, Second, repeat each Dependency)) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let make = spread(initializer)
        return autoregister(
            serviceType,
            name: name,
            argument: argument,
            initializer: make,
            file: file,
            line: line
        )
    }

    /// Registers a service by a function of one tuple, some of whose elements are runtime arguments.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func autoregister<Service, Argument, each Further, First, Second, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        arguments argument: Argument.Type,
        _ further: repeat (each Further).Type,
        initializer:
            @escaping @Sendable ((First, Second, repeat each Dependency)) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let make = spread(initializer)
        return autoregister(
            serviceType,
            name: name,
            arguments: argument,
            repeat each further,
            initializer: make,
            file: file,
            line: line
        )
    }

    /// Registers a service by a main-actor function of one tuple, whose elements are resolved by their types.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func autoregister<Service, First, Second, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        mainActorInitializer:
            @escaping @MainActor @Sendable ((First, Second, repeat each Dependency)) throws ->
            Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name,
            mainActorInitializer: {
                @MainActor (first: First, second: Second, further: repeat each Dependency) in
                try mainActorInitializer((first, second, repeat each further))
            },
            file: file,
            line: line
        )
    }
}

/// A function of several parameters in place of one of a tuple.
@_alwaysEmitIntoClient
func spread<Service, First, Second, each Dependency>(
    _ make: @escaping @Sendable ((First, Second, repeat each Dependency)) throws -> Service
) -> @Sendable (First, Second, repeat each Dependency) throws -> Service {
    { (first: First, second: Second, further: repeat each Dependency) in
        try make((first, second, repeat each further))
    }
}
