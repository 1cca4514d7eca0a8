// What a protocol of an app's own asks of a container, in Swinject's very signatures, so that
// `extension Container: Facade {}` goes on to compile. A parameter pack, a `@Sendable` factory and a
// parameter with a default satisfy no requirement that is written without them.
//
// `@_disfavoredOverload` keeps calls of a `Container` away from here, where an argument of existential
// type would be opened and the place of a registration is not known.
// So there is none beside a form that is disfavored itself: the compiler would take it for the better one.

extension Container {
    /// Registers a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @discardableResult
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (any Resolver) -> Service
    ) -> ServiceEntry<Service> {
        // As safe as the code that was written for Swinject: see the factories of `register`.
        nonisolated(unsafe) let factory = factory
        let make: @Sendable (any Resolver) -> Service = { factory($0) }
        return register(serviceType, name: name, factory: make, file: #fileID, line: #line)
    }

    /// Registers a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @discardableResult
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func registerSynchronized<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (any Resolver) -> Service
    ) -> ServiceEntry<Service> {
        nonisolated(unsafe) let factory = factory
        let make: @Sendable (any Resolver) -> Service = { factory($0) }
        return registerSynchronized(
            serviceType,
            name: name,
            factory: make,
            file: #fileID,
            line: #line
        )
    }

    /// Forwards another type to a registration, for a protocol that requires this signature.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func forward<Type, Service>(
        _ type: Type.Type,
        name: String?,
        to entry: ServiceEntry<Service>
    ) {
        forward(type, name: name, to: entry, file: #fileID, line: #line)
    }

    /// Whether the type and name are registered, for a protocol that requires this signature.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func hasAnyRegistration<Service>(of serviceType: Service.Type, name: String?) -> Bool {
        let name: (any ServiceName)? = name
        return hasAnyRegistration(of: serviceType, name: name)
    }

    /// Resolves a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service? {
        (self as any Resolver).resolve(serviceType, name: name)
    }

    /// Resolves a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func resolve<Service, Argument>(
        _ serviceType: Service.Type,
        argument: Argument
    ) -> Service? {
        (self as any Resolver).resolve(serviceType, argument: argument)
    }

    /// Resolves a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func resolve<Service, Argument>(
        _ serviceType: Service.Type,
        name: String?,
        argument: Argument
    ) -> Service? {
        (self as any Resolver).resolve(serviceType, name: name, argument: argument)
    }

    /// Resolves a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func resolve<Service, First, Second>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ second: Second
    ) -> Service? {
        (self as any Resolver).resolve(serviceType, arguments: first, second)
    }
}
