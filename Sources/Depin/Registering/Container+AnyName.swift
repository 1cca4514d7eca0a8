extension Container {
    /// Registers a service for every name that has no registration of its own.
    ///
    /// ```swift
    /// container.register(Logger.self, anyName: { r, name in Logger(label: name) })
    /// container.register(Logger.self, name: "audit") { AuditLogger() }
    ///
    /// let network = container ~> (Logger.self, name: "network")    // Logger(label: "network")
    /// let audit = container ~> (Logger.self, name: "audit")        // AuditLogger()
    /// ```
    ///
    /// The factory gets the name of the request. A registration under exactly that name wins, wherever it is
    /// in the hierarchy. If several containers have one for any name, the nearest container answers. A
    /// request without a name does not find it. A scope that shares instances keeps one for each name, as
    /// with ``ObjectScope/perArguments``, until the scope is reset or its container ends.
    ///
    /// It cannot be a default, and warming up leaves it out. `unregister` removes it with the registration
    /// without a name.
    ///
    /// - Parameters:
    ///   - serviceType: The type by which requests find the service.
    ///   - factory: Makes an instance, with a resolver for its dependencies and the name. Write it between the
    ///     parentheses: a trailing closure with two parameters takes a runtime argument.
    ///   - file: The file that messages about the registration show.
    ///   - line: The line that they show.
    /// - Returns: The entry, which you can configure further.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func register<Service>(
        _ serviceType: Service.Type,
        anyName factory: @autoclosure () -> @Sendable (any Resolver, String) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        // An autoclosure, because a trailing closure cannot be one: otherwise it would match factories with an
        // argument.
        let key = ServiceKey(Service.self, role: .anyName)
        let make = ArgumentPack<String>.erased(factory())
        return add(key, CodePlace(file: file, line: line), .withArguments(make))
    }
}
