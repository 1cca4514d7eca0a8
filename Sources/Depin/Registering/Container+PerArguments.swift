extension Container {
    /// Drops the instance of a service that a scope keeps for one argument, here and in the parents.
    ///
    /// ```swift
    /// container.register(Draft.self) { r, id in Draft(of: id) }
    ///     .inObjectScope(.container.perArguments)
    /// container.resetObjectScope(.container, serviceType: Draft.self, argument: id)
    /// ```
    ///
    /// This resets registrations in a ``ObjectScope/perArguments`` form, under every name. A registration that
    /// ignores its arguments keeps its instance. A type that forwards to a registration resets that registration. A
    /// build in progress continues and serves the requests that wait for it. Its instance is not kept.
    @_alwaysEmitIntoClient
    public func resetObjectScope<Argument>(
        _ objectScope: ObjectScope,
        serviceType: Any.Type,
        argument: Argument
    ) {
        resetObjectScope(objectScope, serviceType: serviceType, arguments: argument)
    }

    /// Drops the instance of a service that a scope keeps for some arguments, here and in the parents.
    ///
    /// ```swift
    /// container.resetObjectScope(.weak, serviceType: Reader.self, arguments: story, 12)
    /// ```
    ///
    /// Pass arguments of the registration's types, in its order.
    @_alwaysEmitIntoClient
    public func resetObjectScope<First, each Argument>(
        _ objectScope: ObjectScope,
        serviceType: Any.Type,
        arguments first: First,
        _ further: repeat each Argument
    ) {
        reset(objectScope, serviceType, ArgumentPack(first, repeat each further))
    }

    @usableFromInline
    func reset(_ scope: ObjectScope, _ serviceType: Any.Type, _ arguments: _Arguments) {
        engine.inForce.resetAndTell(scope, serviceType: serviceType, arguments: arguments)
    }
}
