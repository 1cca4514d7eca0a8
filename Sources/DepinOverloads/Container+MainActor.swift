import Depin

// A function of the main actor is `Sendable`, so one form of each is enough.

@_documentation(visibility: internal)
extension Container {
    /// Registers a service that is made on the main actor, perhaps from runtime arguments.
    @discardableResult
    @preconcurrency
    public func register<Service, each Argument>(
        _ serviceType: Service.Type,
        mainActorFactory:
            @escaping @MainActor @Sendable (any Resolver, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, mainActorFactory: mainActorFactory, file: #fileID)
    }

    /// Registers a service under a name that is made on the main actor, perhaps from runtime arguments.
    @discardableResult
    @preconcurrency
    public func register<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        mainActorFactory:
            @escaping @MainActor @Sendable (any Resolver, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, mainActorFactory: mainActorFactory, file: #fileID)
    }
}
