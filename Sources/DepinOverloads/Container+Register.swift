import Depin

// Depin's forms without a place. In a module that imports this one, an app's own method that calls `register` in its
// body means these forms: of several methods that fit, the compiler takes the one with fewer defaulted parameters, and
// these have none.
//
// There are two of each. The `@Sendable` one checks a closure as Depin's does, and is preferred because it does not
// throw. The other takes what Swift 6 mode does not pass on to the first: a parameter of a method that was written
// without `@Sendable`. As with Swinject, the author of that method guards what the function captures: hence
// `nonisolated(unsafe)`. It throws only because two forms that differ in `@Sendable` alone would be ambiguous.

@_documentation(visibility: internal)
extension Container {
    /// Registers a service with a closure that has no dependencies.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        factory: @escaping @Sendable () -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory, file: #fileID)
    }

    /// Registers a service with a closure that has no dependencies.
    @discardableResult
    public func register<Service>(
        _ serviceType: Service.Type,
        factory: @escaping () throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: nil as String?, factory: factory)
    }

    /// Registers a service under a name with a closure that has no dependencies.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping @Sendable () -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory, file: #fileID)
    }

    /// Registers a service under a name with a closure that has no dependencies.
    @discardableResult
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping () throws -> Service
    ) -> ServiceEntry<Service> {
        nonisolated(unsafe) let factory = factory
        return register(serviceType, name: name, factory: { try factory() }, file: #fileID)
    }

    /// Registers a service with the closure that makes it.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        factory: @escaping @Sendable (any Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory, file: #fileID)
    }

    /// Registers a service with the closure that makes it.
    @discardableResult
    public func register<Service>(
        _ serviceType: Service.Type,
        factory: @escaping (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: nil as String?, factory: factory)
    }

    /// Registers a service under a name with the closure that makes it.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping @Sendable (any Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory, file: #fileID)
    }

    /// Registers a service under a name with the closure that makes it.
    @discardableResult
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        nonisolated(unsafe) let factory = factory
        return register(
            serviceType,
            name: name,
            factory: { resolver in try factory(resolver) },
            file: #fileID
        )
    }

    /// Registers a service that is made from runtime arguments.
    @discardableResult
    @preconcurrency
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        factory: @escaping @Sendable (any Resolver, First, repeat each Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory, file: #fileID)
    }

    /// Registers a service that is made from runtime arguments.
    @discardableResult
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        factory: @escaping (any Resolver, First, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: nil as String?, factory: factory)
    }

    /// Registers a service under a name that is made from runtime arguments.
    @discardableResult
    @preconcurrency
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping @Sendable (any Resolver, First, repeat each Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory, file: #fileID)
    }

    /// Registers a service under a name that is made from runtime arguments.
    @discardableResult
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (any Resolver, First, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        nonisolated(unsafe) let factory = factory
        return register(
            serviceType,
            name: name,
            factory: { (resolver: any Resolver, first: First, further: repeat each Argument) in
                try factory(resolver, first, repeat each further)
            },
            file: #fileID
        )
    }
}
