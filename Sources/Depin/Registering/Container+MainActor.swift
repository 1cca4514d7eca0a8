extension Container {
    /// Registers a service that is made on the main actor.
    ///
    /// ```swift
    /// container.register(FeedViewModel.self, mainActorFactory: { resolver in
    ///     FeedViewModel(feed: resolver ~> Feed.self)
    /// })
    /// ```
    ///
    /// Building it from synchronous code off the main thread is an error. A ready instance is
    /// available on any thread. From asynchronous code, use ``Resolver/requireOnMainActor(_:name:file:line:)``,
    /// or its forms with `argument:` and `arguments:`.
    ///
    /// The closure may take runtime arguments after the resolver.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    public func register<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        mainActorFactory:
            @escaping @MainActor @Sendable (any Resolver, repeat each Argument) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let pack = ArgumentPack<repeat each Argument>.self
        let factory = Factory<Service>.onMainActor { resolver, arguments in
            try mainActorFactory(resolver, repeat each pack.given(by: arguments))
        }
        return add(key(for: Service.self, name, pack), CodePlace(file: file, line: line), factory)
    }

    /// Registers a service that is made on the main actor, without dependencies.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func register<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        mainActorFactory: @escaping @MainActor @Sendable () throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = ServiceKey(Service.self, name: name?.name)
        let factory = Factory.onMainActorWithoutResolver(mainActorFactory)
        return add(key, CodePlace(file: file, line: line), factory)
    }

    /// Registers a service by its main-actor initializer, whose parameters are resolved.
    ///
    /// ```swift
    /// container.autoregister(FeedViewModel.self, mainActorInitializer: FeedViewModel.init)
    /// ```
    @discardableResult
    @preconcurrency
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        names: [(any ServiceName)?] = [],
        mainActorInitializer:
            @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = ServiceKey(Service.self, name: name?.name)
        let place = CodePlace(file: file, line: line)
        let parameters = keys(of: Service.self, repeat (each Dependency).self, named: names, place)
        let factory = Factory<Service>.onMainActor { resolver, _ in
            var rest = parameters[...]
            return try mainActorInitializer(
                repeat try resolver._require(rest.popFirst()?.name, nil) as each Dependency
            )
        }
        return add(key, place, factory, needing: parameters)
    }
}
