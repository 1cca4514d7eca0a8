// Contributions stand in the registry under keys of their own, which name the type and differ by a number.

extension Container {
    /// Contributes a service to the collections of its type.
    ///
    /// ```swift
    /// container.contribute(Tracker.self) { r in FirebaseTracker(api: r ~> API.self) }
    /// container.contribute(Tracker.self, order: -1, name: "console") { _ in ConsoleTracker() }
    ///
    /// let all = container ~> [Tracker].self              // also [Lazy<Tracker>] and [Provider<Tracker>]
    /// let named = container ~> [String: Tracker].self    // those that have a name
    /// ```
    ///
    /// Any number of modules may contribute. A request for the single service never finds a contribution,
    /// and a registration of the single service is not a contribution. Set scope, callbacks and further
    /// types as for any registration; this contributes to the further types as well.
    ///
    /// A lower `order` comes first. With equal `order`, a parent's contributions come before its
    /// children's, and those of one container come in the order of registration. A name is the key in
    /// dictionaries, and no other contribution may have it. In `withSpace(overriding:)` a contribution
    /// replaces the one with its name.
    ///
    /// - Returns: The entry, which you can configure further.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func contribute<Service>(
        _ serviceType: Service.Type,
        order: Int = 0,
        name: (any ServiceName)? = nil,
        factory: @escaping @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = contributionKey(for: Service.self, name, order)
        return add(key, CodePlace(file: file, line: line), .resolving(factory))
    }

    /// Contributes a service that has no dependencies.
    ///
    /// ```swift
    /// container.contribute(Tracker.self) { ConsoleTracker() }
    /// ```
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func contribute<Service>(
        _ serviceType: Service.Type,
        order: Int = 0,
        name: (any ServiceName)? = nil,
        factory: @escaping @Sendable () throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = contributionKey(for: Service.self, name, order)
        return add(key, CodePlace(file: file, line: line), .withoutResolver(factory))
    }

    /// Contributes a service that is made on the main actor.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func contribute<Service>(
        _ serviceType: Service.Type,
        order: Int = 0,
        name: (any ServiceName)? = nil,
        mainActorFactory: @escaping @MainActor @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = contributionKey(for: Service.self, name, order)
        let factory = Factory<Service>.onMainActor { resolver, _ in try mainActorFactory(resolver) }
        return add(key, CodePlace(file: file, line: line), factory)
    }

    /// Contributes a service by its initializer, whose parameters are resolved by their types.
    ///
    /// ```swift
    /// container.contribute(Tracker.self, initializer: FirebaseTracker.init)
    /// ```
    ///
    /// `names` gives the parameters their names in turn, as in
    /// ``autoregister(_:name:names:initializer:file:line:)``.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func contribute<Service, each Dependency>(
        _ serviceType: Service.Type,
        order: Int = 0,
        name: (any ServiceName)? = nil,
        names: [(any ServiceName)?] = [],
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let place = CodePlace(file: file, line: line)
        let key = contributionKey(for: Service.self, name, order)
        return autoregister(key, place, names, initializer)
    }

    /// Contributes a service that is made asynchronously.
    ///
    /// ```swift
    /// container.contribute(Tracker.self, asyncFactory: { r in
    ///     try await FirebaseTracker.open(r ~> Config.self)
    /// })
    /// let all = try await container.requireAsync([Tracker].self)
    /// ```
    ///
    /// Use ``Resolver/requireAsync(_:name:isolation:file:line:)`` to get a collection with such a service.
    /// Synchronous code gets it once the service is ready: keep it in a scope, mark it
    /// ``ServiceEntry/eager()``, and warm up.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func contribute<Service>(
        _ serviceType: Service.Type,
        order: Int = 0,
        name: (any ServiceName)? = nil,
        asyncFactory: @escaping @Sendable (any Resolver) async throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = contributionKey(for: Service.self, name, order)
        let factory = Factory<Service>.async { resolver, _ in try await asyncFactory(resolver) }
        return add(key, CodePlace(file: file, line: line), factory)
    }

    /// Contributes a service that is made asynchronously, without dependencies.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func contribute<Service>(
        _ serviceType: Service.Type,
        order: Int = 0,
        name: (any ServiceName)? = nil,
        asyncFactory: @escaping @Sendable () async throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = contributionKey(for: Service.self, name, order)
        let factory = Factory<Service>.async { _, _ in try await asyncFactory() }
        return add(key, CodePlace(file: file, line: line), factory)
    }

    /// Contributes a service by its asynchronous initializer, whose parameters are awaited by their types.
    ///
    /// ```swift
    /// container.contribute(Tracker.self, asyncInitializer: FirebaseTracker.init)
    /// ```
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func contribute<Service, each Dependency>(
        _ serviceType: Service.Type,
        order: Int = 0,
        name: (any ServiceName)? = nil,
        names: [(any ServiceName)?] = [],
        asyncInitializer: @escaping @Sendable (repeat each Dependency) async throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = contributionKey(for: Service.self, name, order)
        return autoregister(key, CodePlace(file: file, line: line), names, asyncInitializer)
    }

    /// Contributes an existing instance.
    ///
    /// ```swift
    /// container.contribute(Tracker.self, order: 10, name: "console", instance: console)
    /// ```
    @discardableResult
    @_disfavoredOverload
    public func contribute<Service>(
        _ serviceType: Service.Type,
        order: Int = 0,
        name: (any ServiceName)? = nil,
        instance: Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = contributionKey(for: Service.self, name, order)
        return add(key, CodePlace(file: file, line: line), .instance(Box(instance)))
    }

    /// The key of a further contribution, which gets its place in the container that the key belongs to.
    @usableFromInline
    func contributionKey(
        for serviceType: Any.Type,
        _ name: (any ServiceName)?,
        _ order: Int
    ) -> ServiceKey {
        let new = ServiceKey(serviceType, name: name?.name, role: .newContribution())
        let (key, home) = engine.inForce.placeOfContribution(new)
        if !home.hasFlag(.isClosing) { home.placeContribution(key, order: order) }
        return key
    }
}
