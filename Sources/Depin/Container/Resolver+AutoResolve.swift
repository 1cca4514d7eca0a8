extension Resolver {
    // MARK: - autoResolve

    /// The service of the type that the context asks for; stops the program when there is none.
    ///
    /// ```swift
    /// let feed: Feed = resolver.autoResolve()
    /// ```
    @inlinable
    @inline(__always)
    public func autoResolve<Service>() -> Service {
        trapping { try demand(Service.self) }
    }

    /// The service of the type and name; stops the program when there is none.
    @inlinable
    @inline(__always)
    public func autoResolve<Service>(name: any ServiceName) -> Service {
        trapping { try demand(Service.self, name: name.name) }
    }

    // MARK: - On the main actor

    /// The service, resolved from beginning to end on the main actor.
    ///
    /// ```swift
    /// let model = try await resolver.requireOnMainActor(FeedViewModel.self)
    /// ```
    ///
    /// - Throws: ``ResolutionError``
    @MainActor
    public func requireOnMainActor<Service: Sendable>(
        _ serviceType: Service.Type,
        name: String? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        try require(serviceType, name: name, file: file, line: line)
    }
}
