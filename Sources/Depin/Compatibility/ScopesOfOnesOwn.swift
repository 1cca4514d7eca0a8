// Forms for an app's own scope class, like Swinject's.

extension ServiceEntry {
    /// Sets how long an instance is kept and who shares it, with a scope of your own.
    @discardableResult
    public func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
        setScope(objectScope)
        return self
    }
}

extension Container {
    /// Drops the instances that a scope of your own keeps, here and in the parents.
    public func resetObjectScope(_ objectScope: any ObjectScopeProtocol) {
        engine.inForce.resetAndTell(objectScope)
    }

    /// Drops the instances of one service that a scope of your own keeps, here and in the parents.
    public func resetObjectScope(_ objectScope: any ObjectScopeProtocol, serviceType: Any.Type) {
        engine.inForce.resetAndTell(objectScope, serviceType: serviceType)
    }
}
