// Witnesses for an app's own protocols, in Swinject's very signatures, so that `extension Container: Facade {}` goes on
// compiling. A form with a parameter pack, a `@Sendable` factory or a defaulted parameter satisfies no requirement that
// is written without it.
//
// `@_disfavoredOverload` keeps calls of a `Container` away from these forms, which would open an argument of
// existential type, and do not know the place of a registration. So there is no witness beside a form that is
// disfavored itself, because the compiler would prefer the witness.

@_documentation(visibility: internal)
extension Container {
    /// Registers a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @discardableResult
    @_alwaysEmitIntoClient
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (any Resolver) -> Service
    ) -> ServiceEntry<Service> {
        // As safe as code written for Swinject: see the factories of `register`.
        nonisolated(unsafe) let factory = factory
        let make: @Sendable (any Resolver) -> Service = { factory($0) }
        return register(serviceType, name: name, factory: make, file: #fileID)
    }

    /// Registers a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @discardableResult
    @_alwaysEmitIntoClient
    public func registerSynchronized<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (any Resolver) -> Service
    ) -> ServiceEntry<Service> {
        nonisolated(unsafe) let factory = factory
        let make: @Sendable (any Resolver) -> Service = { factory($0) }
        return registerSynchronized(serviceType, name: name, factory: make, file: #fileID)
    }

    /// Forwards another type to a registration, for a protocol that requires this signature.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func forward<Type, Service>(
        _ type: Type.Type,
        name: String?,
        to entry: ServiceEntry<Service>
    ) {
        forward(type, name: name, to: entry, file: #fileID)
    }

    /// Whether the type and name are registered, for a protocol that requires this signature.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func hasAnyRegistration<Service>(of serviceType: Service.Type, name: String?) -> Bool {
        let name: (any ServiceName)? = name
        return hasAnyRegistration(of: serviceType, name: name)
    }

    /// Resolves a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service? {
        (self as any Resolver).resolve(serviceType, name: name)
    }

    /// Resolves a service, for a protocol that requires this signature.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func resolve<Service, Argument>(
        _ serviceType: Service.Type,
        argument: Argument
    ) -> Service? {
        (self as any Resolver).resolve(serviceType, argument: argument)
    }

    /// Resolves a service, for a protocol that requires this signature.
    @_disfavoredOverload
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
    @_alwaysEmitIntoClient
    public func resolve<Service, First, Second>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ second: Second
    ) -> Service? {
        (self as any Resolver).resolve(serviceType, arguments: first, second)
    }
}
