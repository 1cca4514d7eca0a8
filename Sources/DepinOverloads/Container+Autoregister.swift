import Depin

// There are two of each form, as in `Container+Register.swift`.

@_documentation(visibility: internal)
extension Container {
    /// Registers a service by its initializer.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        initializer: @escaping @Sendable (repeat each Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, initializer: initializer, file: #fileID)
    }

    /// Registers a service by its initializer.
    @discardableResult
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        initializer: @escaping (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: nil as String?, initializer: initializer)
    }

    /// Registers a service under a name by its initializer.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: String?,
        initializer: @escaping @Sendable (repeat each Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, initializer: initializer, file: #fileID)
    }

    /// Registers a service under a name by its initializer.
    @discardableResult
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: String?,
        initializer: @escaping (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        nonisolated(unsafe) let initializer = initializer
        return autoregister(
            serviceType,
            name: name,
            initializer: { (dependencies: repeat each Dependency) in
                try initializer(repeat each dependencies)
            },
            file: #fileID
        )
    }

    /// Registers a service by its initializer, one of whose parameters is a runtime argument.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, Argument, each Dependency>(
        _ serviceType: Service.Type,
        argument: Argument.Type,
        initializer: @escaping @Sendable (repeat each Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, argument: argument, initializer: initializer, file: #fileID)
    }

    /// Registers a service by its initializer, one of whose parameters is a runtime argument.
    @discardableResult
    public func autoregister<Service, Argument, each Dependency>(
        _ serviceType: Service.Type,
        argument: Argument.Type,
        initializer: @escaping (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: nil as String?,
            argument: argument,
            initializer: initializer
        )
    }

    /// Registers a service under a name by its initializer, one of whose parameters is a runtime argument.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: String?,
        argument: Argument.Type,
        initializer: @escaping @Sendable (repeat each Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name,
            argument: argument,
            initializer: initializer,
            file: #fileID
        )
    }

    /// Registers a service under a name by its initializer, one of whose parameters is a runtime argument.
    @discardableResult
    public func autoregister<Service, Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: String?,
        argument: Argument.Type,
        initializer: @escaping (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        nonisolated(unsafe) let initializer = initializer
        return autoregister(
            serviceType,
            name: name,
            argument: argument,
            initializer: { (dependencies: repeat each Dependency) in
                try initializer(repeat each dependencies)
            },
            file: #fileID
        )
    }
}
