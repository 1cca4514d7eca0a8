extension Container {
    /// Registers a service that is made asynchronously.
    ///
    /// ```swift
    /// container.register(Database.self, asyncFactory: { resolver in
    ///     try await LiveDatabase.open(resolver ~> Config.self)
    /// })
    /// .inObjectScope(.container)
    /// ```
    ///
    /// The factory of a shared service runs once, in the task of the first request, with that task's
    /// priority and task-local values. Other requests wait for it without blocking a thread. If it fails or
    /// is canceled, nothing is kept, and the next request that waits runs the factory again. Requests of
    /// the factory belong to its resolution, even after a suspension. To run the factory on an actor, write
    /// `asyncFactory: { @DatabaseActor resolver in … }`.
    ///
    /// Resolve it with ``Resolver/requireAsync(_:name:isolation:file:line:)`` or through an ``AsyncLazy``.
    /// Synchronous code gets a ready instance, and otherwise an error that says what to do.
    ///
    /// The closure may take runtime arguments after the resolver:
    ///
    /// ```swift
    /// container.register(Profile.self, asyncFactory: { resolver, id in
    ///     try await LiveProfile.load(id, from: resolver.requireAsync(Database.self))
    /// })
    /// let profile = try await container.requireAsync(Profile.self, argument: userID)
    /// ```
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    public func register<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        asyncFactory:
            @escaping @Sendable (any Resolver, repeat each Argument) async throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let pack = ArgumentPack<repeat each Argument>.self
        let factory = Factory<Service>.async { resolver, arguments in
            try await asyncFactory(resolver, repeat each pack.given(by: arguments))
        }
        return add(key(for: Service.self, name, pack), CodePlace(file: file, line: line), factory)
    }

    /// Registers a service that is made asynchronously, without dependencies.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func register<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        asyncFactory: @escaping @Sendable () async throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let factory = Factory<Service>.async { _, _ in try await asyncFactory() }
        return add(key(for: Service.self, name), CodePlace(file: file, line: line), factory)
    }

    /// Registers a service by its asynchronous initializer, whose parameters are awaited by their types.
    ///
    /// ```swift
    /// container.autoregister(Index.self, asyncInitializer: LiveIndex.init)
    /// container.autoregister(Report.self, names: ["main", "copy"], asyncInitializer: LiveReport.init)
    /// ```
    ///
    /// `names` gives the parameters their names in turn, as in
    /// ``autoregister(_:name:names:initializer:file:line:)``.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        names: [(any ServiceName)?] = [],
        asyncInitializer: @escaping @Sendable (repeat each Dependency) async throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let place = CodePlace(file: file, line: line)
        return autoregister(key(for: Service.self, name), place, names, asyncInitializer)
    }

    /// Registers an asynchronous initializer: the end of every such form.
    @_alwaysEmitIntoClient
    func autoregister<Service, each Dependency>(
        _ key: ServiceKey,
        _ place: CodePlace,
        _ names: [(any ServiceName)?],
        _ initializer: @escaping @Sendable (repeat each Dependency) async throws -> Service
    ) -> ServiceEntry<Service> {
        let needs = keys(of: Service.self, repeat (each Dependency).self, named: names, place)
        let names = names.map { $0?.name }
        let factory = Factory<Service>.async { resolver, _ in
            var names = names[...]
            return try await initializer(
                repeat try await resolver.awaited(names.popFirst() ?? nil) as each Dependency
            )
        }
        return add(key, place, factory, needing: needs)
    }
}
