// Every form of registering under a name that is a value of an enumeration. In the key it is its string.

extension Container {
    /// Registers a service by the closure that makes it, under a name.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        factory: @escaping @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name.name,
            factory: factory,
            file: file,
            line: line
        )
    }

    /// Registers a service by a closure that needs nothing to make it, under a name.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        factory: @escaping @Sendable () throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name.name,
            factory: factory,
            file: file,
            line: line
        )
    }

    /// Registers a service that is made from runtime arguments, under a name.
    @discardableResult
    @preconcurrency
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        factory: @escaping @Sendable (any Resolver, First, repeat each Argument) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name.name,
            factory: factory,
            file: file,
            line: line
        )
    }

    /// Registers a service whose factory is handed a view that other threads may use, under a name.
    @discardableResult
    @preconcurrency
    public func registerSynchronized<Service>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        factory: @escaping @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        registerSynchronized(
            serviceType,
            name: name.name,
            factory: factory,
            file: file,
            line: line
        )
    }

    /// Registers a service that is made on the main actor, under a name.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        mainActorFactory: @escaping @MainActor @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name.name,
            mainActorFactory: mainActorFactory,
            file: file,
            line: line
        )
    }

    /// Registers a service that is made on the main actor and needs nothing, under a name.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        mainActorFactory: @escaping @MainActor @Sendable () throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name.name,
            mainActorFactory: mainActorFactory,
            file: file,
            line: line
        )
    }

    /// Registers a service that is made on the main actor from runtime arguments, under a name.
    @discardableResult
    @preconcurrency
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        mainActorFactory:
            @escaping @MainActor @Sendable (any Resolver, First, repeat each Argument) throws ->
            Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name.name,
            mainActorFactory: mainActorFactory,
            file: file,
            line: line
        )
    }

    /// Registers a service by its initialiser, whose parameters are resolved, under a name.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name.name,
            initializer: initializer,
            file: file,
            line: line
        )
    }

    /// Registers a service by its initialiser, one of whose parameters is a runtime argument, under a name.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        argument: Argument.Type,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name.name,
            argument: argument,
            initializer: initializer,
            file: file,
            line: line
        )
    }

    /// Registers a service by its initialiser, several of whose parameters are runtime arguments, under a name.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, First, each Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        arguments first: First.Type,
        _ further: repeat (each Argument).Type,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name.name,
            arguments: first,
            repeat each further,
            initializer: initializer,
            file: file,
            line: line
        )
    }

    /// Registers a service by its main-actor initialiser, whose parameters are resolved, under a name.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        mainActorInitializer:
            @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name.name,
            mainActorInitializer: mainActorInitializer,
            file: file,
            line: line
        )
    }

    /// Registers an instance that exists already, under a name.
    @discardableResult
    public func register<Service>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        instance: Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name.name, instance: instance, file: file, line: line)
    }
}
