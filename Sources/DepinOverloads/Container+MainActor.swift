import Depin

// A function of the main actor is `Sendable`, so one form of each is enough.

@_documentation(visibility: internal)
extension Container {
    /// Registers a service that is made on the main actor.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        mainActorFactory: @escaping @MainActor @Sendable (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, mainActorFactory: mainActorFactory, file: #fileID)
    }

    /// Registers a service under a name that is made on the main actor.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String?,
        mainActorFactory: @escaping @MainActor @Sendable (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, mainActorFactory: mainActorFactory, file: #fileID)
    }

    /// Registers a service that is made on the main actor from runtime arguments.
    @discardableResult
    @preconcurrency
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        mainActorFactory:
            @escaping @MainActor @Sendable (any Resolver, First, repeat each Argument)
            throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, mainActorFactory: mainActorFactory, file: #fileID)
    }

    /// Registers a service under a name that is made on the main actor from runtime arguments.
    @discardableResult
    @preconcurrency
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        mainActorFactory:
            @escaping @MainActor @Sendable (any Resolver, First, repeat each Argument)
            throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, mainActorFactory: mainActorFactory, file: #fileID)
    }
}
