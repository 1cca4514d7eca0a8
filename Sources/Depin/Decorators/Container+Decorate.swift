extension Container {
    /// Wraps each new instance of a service.
    ///
    /// ```swift
    /// container.decorate(API.self) { r, inner in LoggedAPI(inner, log: r ~> Log.self) }
    /// ```
    ///
    /// A decorator applies to all registrations of the type and name here, earlier and later ones, with any
    /// arguments. It also applies to contributions to the type, whatever their names. Several decorators
    /// wrap each other in the order in which they were added: the last one is outermost. A decorator runs
    /// once for each new instance, right after the factory. The scope keeps its result, and requests get
    /// it; `initCompleted` gets the innermost instance. An existing instance is not wrapped.
    ///
    /// A type that forwards to a registration has its own decorators outside those of the registration.
    ///
    /// A child's decorator also wraps services of a parent, but only for requests to the child, and once
    /// for the child if the parent shares the instance. A parent's decorators do not wrap services of a
    /// child. In `withSpace(overriding:)` a decorator applies where the service is registered:
    ///
    /// ```swift
    /// withSpace(overriding: { $0.decorate(API.self) { _, live in SpyAPI(live) } }) { … }
    /// ```
    ///
    /// `validate()` warns about a decorator whose service is not registered. A decorator has no closer: see
    /// <doc:Modules>.
    @preconcurrency
    public func decorate<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        decorator: @escaping @Sendable (any Resolver, Service) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let body = Decorator.Body.sync { inner, resolver in
            let inner = unsafeDowncast(inner, to: Box<Service>.self)
            // Asking the box for its type spares the runtime a lookup.
            return type(of: inner).init(try decorator(resolver, inner.value))
        }
        let place = CodePlace(file: file, line: line)
        add(body, to: ServiceKey(Service.self, name: name?.name), place)
    }

    /// Wraps each new instance of a service asynchronously.
    ///
    /// ```swift
    /// container.decorate(API.self, asyncDecorator: { r, inner in
    ///     try await CachedAPI.open(around: inner, r ~> Config.self)
    /// })
    /// ```
    ///
    /// The decorated service is then asynchronous, too: resolve it with
    /// ``Resolver/requireAsync(_:name:isolation:file:line:)``, or keep it in a scope, mark it
    /// ``ServiceEntry/eager()`` and warm up. Synchronous code gets a ready instance, and otherwise an error
    /// that says what to do. Everything else is as in the synchronous form.
    @preconcurrency
    @_disfavoredOverload
    public func decorate<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        asyncDecorator: @escaping @Sendable (any Resolver, Service) async throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let body = Decorator.Body.async { inner, resolver in
            let inner = unsafeDowncast(inner, to: Box<Service>.self)
            return Box(try await asyncDecorator(resolver, inner.value))
        }
        let place = CodePlace(file: file, line: line)
        add(body, to: ServiceKey(Service.self, name: name?.name), place)
    }

    /// Wraps each new instance of a service by an initializer.
    ///
    /// ```swift
    /// container.decorate(API.self, initializer: LoggedAPI.init)      // init(_ inner: API, log: Log)
    /// ```
    ///
    /// The first parameter of the service's type gets the instance that is wrapped. The others are resolved by
    /// their types.
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func decorate<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let place = CodePlace(file: file, line: line)
        checkParameters(of: serviceType, repeat (each Dependency).self, at: place)
        let decorator: @Sendable (any Resolver, Service) throws -> Service = { resolver, inner in
            var inner: Service? = inner
            return try initializer(
                repeat try takeInner(&inner, as: (each Dependency).self)
                    ?? resolver._require(nil, nil)
            )
        }
        decorate(serviceType, name: name, decorator: decorator, file: file, line: line)
    }

    /// Wraps each new instance of a service by an asynchronous initializer.
    ///
    /// ```swift
    /// container.decorate(API.self, asyncInitializer: CachedAPI.init)
    /// ```
    ///
    /// The first parameter of the service's type gets the instance that is wrapped. The others are awaited by
    /// their types.
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func decorate<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        asyncInitializer: @escaping @Sendable (repeat each Dependency) async throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let place = CodePlace(file: file, line: line)
        checkParameters(of: serviceType, repeat (each Dependency).self, at: place)
        let decorator: @Sendable (any Resolver, Service) async throws -> Service = {
            resolver,
            inner in
            var inner: Service? = inner
            return try await asyncInitializer(
                repeat try await parameter((each Dependency).self, of: &inner, awaiting: resolver)
            )
        }
        decorate(serviceType, name: name, asyncDecorator: decorator, file: file, line: line)
    }

    private func add(_ body: Decorator.Body, to key: ServiceKey, _ place: CodePlace) {
        let engine = engine.inForce
        let name = readableName(of: key.serviceType)
        guard !engine.refusesChange("a decorator of \(name), added", at: place) else { return }
        let homes = engine.hasFlag(.isOverride) ? engine.holders(of: key) : []
        let decorator = Decorator(key, at: place, wrapsInherited: homes.isEmpty, body)
        for home in homes.isEmpty ? [engine] : homes { home.addDecorator(decorator) }
    }

    /// Stops the program if a decorator's initializer has no parameter for the decorated instance.
    @usableFromInline
    func checkParameters<each Dependency>(
        of serviceType: Any.Type,
        _ types: repeat (each Dependency).Type,
        at place: CodePlace
    ) {
        for type in repeat each types {
            if type == serviceType { return }
        }
        let name = readableName(of: serviceType)
        place.stop(
            """
            Depin: the initializer that decorates \(name) has no parameter of type \(name)
              fix: add one, for the instance to wrap
            """
        )
    }
}

/// The argument for the next parameter of an asynchronous decorator's initializer.
@_alwaysEmitIntoClient
func parameter<Service, Dependency>(
    _ type: Dependency.Type,
    of inner: inout Service?,
    awaiting resolver: any Resolver
) async throws -> Dependency {
    if let inner = takeInner(&inner, as: type) { return inner }
    return try await resolver.awaited(nil)
}

/// The decorated instance, for the first parameter of its type.
@_alwaysEmitIntoClient
func takeInner<Service, Dependency>(
    _ inner: inout Service?,
    as type: Dependency.Type
) -> Dependency? {
    guard type == Service.self, let taken = inner as? Dependency else { return nil }
    inner = nil
    return taken
}

extension Engine {
    /// The containers that hold what an override's decorator wraps, whatever the arguments.
    @_optimize(size)
    fileprivate func holders(of key: ServiceKey) -> [Engine] {
        let keys = chain.flatMap { $0.registry.slots }.map(\.key).filter { known in
            let isOfAnyName = known.isForAnyName || known.isContribution && key.name == nil
            return known.serviceType == key.serviceType && (isOfAnyName || known.name == key.name)
        }
        let homes = keys.map { holder(of: $0.isForAnyName && key.name != nil ? key : $0.requested) }
        return chain.filter { engine in homes.contains { $0 === engine } }
    }
}
