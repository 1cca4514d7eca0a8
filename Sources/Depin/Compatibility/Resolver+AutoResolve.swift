// SwinjectAutoregistration's name for a call of the resolver.

extension Resolver {
    /// The service of the type that the context determines; stops the program if it cannot be resolved.
    ///
    /// ```swift
    /// let feed: Feed = resolver.autoResolve()
    /// ```
    public func autoResolve<Service>(file: StaticString = #fileID, line: UInt = #line) -> Service {
        autoResolved(nil, file, line)
    }

    /// The service of the type and name; stops the program if it cannot be resolved.
    public func autoResolve<Service>(
        name: any ServiceName,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        autoResolved(name.name, file, line)
    }
}
