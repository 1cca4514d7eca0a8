extension Container {
    /// Registers a service whose factory is handed a view that other threads may use.
    ///
    /// Every resolver may be used from any thread, so this is ``register(_:name:factory:file:line:)``
    /// by the name that older code knows.
    @discardableResult
    @preconcurrency
    public func registerSynchronized<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        factory: @escaping @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let place = CodePlace(file: file, line: line)
        return add(entry(serviceType, name?.name, place, factory: .resolving(factory)))
    }
}
