// A main-actor factory is stored like an ordinary one. Its trait is checked before each build, so it runs on the main
// thread only.

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
    /// available on any thread. From asynchronous code, use ``Resolver/requireOnMainActor(_:name:file:line:)``.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func register<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        mainActorFactory: @escaping @MainActor @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = ServiceKey(Service.self, name: name?.name)
        return addMainActorFactory(key, CodePlace(file: file, line: line)) { resolver, _ in
            try mainActorFactory(resolver)
        }
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
        let factory = Factory<Service>.withoutResolver { try assumingMainActor(mainActorFactory) }
        let key = ServiceKey(Service.self, name: name?.name)
        return add(key, CodePlace(file: file, line: line), factory, .init(traits: .isMainActor))
    }

    /// Registers a service that is made on the main actor from runtime arguments.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        mainActorFactory:
            @escaping @MainActor @Sendable (any Resolver, First, repeat each Argument)
            throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = key(for: Service.self, name, ArgumentPack<First, repeat each Argument>.self)
        let make = ArgumentPack<First, repeat each Argument>.erased(onMainActor: mainActorFactory)
        return addMainActorFactory(key, CodePlace(file: file, line: line), make)
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
        let options = Registration.Options(traits: .isMainActor, names: names)
        return autoregister(key, CodePlace(file: file, line: line), options) {
            (dependencies: repeat each Dependency) in
            let given = ArgumentPack(repeat each dependencies)
            return try assumingMainActor { try mainActorInitializer(repeat each given.pack) }
        }
    }

    /// Registers a main-actor factory that takes its arguments erased, if there are any.
    @usableFromInline
    func addMainActorFactory<Service>(
        _ key: ServiceKey,
        _ place: CodePlace,
        _ make: @escaping @MainActor @Sendable (any Resolver, _Arguments?) throws -> Service
    ) -> ServiceEntry<Service> {
        let factory = Factory<Service>.withArguments { resolver, arguments in
            try assumingMainActor { try make(resolver, arguments) }
        }
        return add(key, place, factory, .init(traits: .isMainActor))
    }
}

/// Runs a main-actor closure on the main thread, from code that the compiler does not know to be there.
///
/// `MainActor.assumeIsolated` insists on a `Sendable` result, although nothing leaves the actor.
private func assumingMainActor<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    nonisolated(unsafe) var result: Result?
    try MainActor.assumeIsolated { result = try body() }
    guard let result else { preconditionFailure("the body neither returned nor threw") }
    return result
}
