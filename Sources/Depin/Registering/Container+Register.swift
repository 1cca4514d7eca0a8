// Factories are `@Sendable` under `@preconcurrency`: code in Swift 5 mode hears nothing of it, and in Swift 6 mode a
// closure with a forbidden capture compiles with a warning.
//
// All but the plainest form are disfavored. Labels do not keep a form from matching a trailing closure, so the compiler
// would check the body of each factory once for every form: 3.5 times the time of a container with one form. The plain
// forms without a name are methods of their own, because a defaulted name would cost an app 26 bytes of machine code
// for each registration (see `Tests/Benchmarks/buildcost`).
//
// Rarely used forms (with arguments, asynchronous, decorators by initializer, of older code, and so on) are emitted
// into the app, since the linker would keep every public function: 80 KB of what an app carries (see "What an app
// carries" in `Tests/Benchmarks/README.md`). A form that many registrations of an app may call is emitted once, and not
// for each type.

extension Container {
    /// Registers a service with the closure that makes it.
    ///
    /// ```swift
    /// container.register(Feed.self) { resolver in LiveFeed(api: resolver ~> API.self) }
    /// ```
    ///
    /// The last registration of a type, name and argument types wins. Only static types count: a variable
    /// of type `Animal.Type` means `Animal`, even if it holds `Cat.self`. The factory may throw; `require`
    /// throws its error with the path that led to it. The factory runs on the thread of the request.
    /// <doc:EveryWayToRegister> shows all forms.
    ///
    /// - Returns: The entry, which you can configure further.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        factory: @escaping @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        add(ServiceKey(Service.self), CodePlace(file: file, line: line), .resolving(factory))
    }

    /// Registers a service under a name with the closure that makes it.
    ///
    /// ```swift
    /// container.register(API.self, name: "test") { resolver in TestAPI(clock: resolver ~> Clock.self) }
    /// let api = container ~> (API.self, name: "test")
    /// ```
    ///
    /// A request finds it by its type and this name only; see <doc:Names>. The factory resolves its
    /// dependencies from the resolver that it receives, runs on the thread of the request, and may throw.
    /// <doc:EveryWayToRegister> shows all forms, and <doc:Scopes> who shares the instance.
    ///
    /// - Parameters:
    ///   - serviceType: The type by which requests find the service, most often a protocol.
    ///   - name: The name of the registration: a string, a ``ServiceName``, or nil for none.
    ///   - factory: Makes an instance, with a resolver for its dependencies.
    ///   - file: The file that messages about the registration show.
    ///   - line: The line that they show.
    /// - Returns: The entry, which you can configure further.
    @discardableResult
    @preconcurrency
    public func register<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        factory: @escaping @Sendable (any Resolver) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = ServiceKey(Service.self, name: name?.name)
        return add(key, CodePlace(file: file, line: line), .resolving(factory))
    }

    /// Registers a service with a closure that has no dependencies.
    ///
    /// ```swift
    /// container.register(I18n.self) { BundleI18n() }
    /// ```
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func register<Service>(
        _ serviceType: Service.Type,
        factory: @escaping @Sendable () throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        add(ServiceKey(Service.self), CodePlace(file: file, line: line), .withoutResolver(factory))
    }

    /// Registers a service under a name with a closure that has no dependencies.
    ///
    /// ```swift
    /// container.register(I18n.self, name: "plain") { PlainI18n() }
    /// let i18n = container ~> (I18n.self, name: "plain")
    /// ```
    ///
    /// A request finds it by its type and this name only; see <doc:Names>. The factory runs on the thread
    /// of the request, and may throw. <doc:EveryWayToRegister> shows all forms, and
    /// <doc:Scopes> who shares the instance.
    ///
    /// - Parameters:
    ///   - serviceType: The type by which requests find the service, most often a protocol.
    ///   - name: The name of the registration: a string, a ``ServiceName``, or nil for none.
    ///   - factory: Makes an instance.
    ///   - file: The file that messages about the registration show.
    ///   - line: The line that they show.
    /// - Returns: The entry, which you can configure further.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func register<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        factory: @escaping @Sendable () throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = ServiceKey(Service.self, name: name?.name)
        return add(key, CodePlace(file: file, line: line), .withoutResolver(factory))
    }

    /// Registers a service that is made from runtime arguments.
    ///
    /// ```swift
    /// container.register(Profile.self) { resolver, id in
    ///     LiveProfile(database: resolver ~> Database.self, id: id)
    /// }
    /// let profile = container ~> (Profile.self, argument: userID)
    /// ```
    ///
    /// The arguments' static types are a part of the key. In graph scope an instance is shared only
    /// with requests for equal arguments; scopes that keep it longer ignore them, and the first wins, unless
    /// they are in their ``ObjectScope/perArguments`` form.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    public func register<Service, First, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        factory: @escaping @Sendable (any Resolver, First, repeat each Argument) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = key(for: Service.self, name, ArgumentPack<First, repeat each Argument>.self)
        let make = ArgumentPack<First, repeat each Argument>.erased(factory)
        return add(key, CodePlace(file: file, line: line), .withArguments(make))
    }

    /// Registers an existing instance.
    ///
    /// Every request gets this instance. No reset drops it.
    @discardableResult
    @_disfavoredOverload
    public func register<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        instance: Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = ServiceKey(Service.self, name: name?.name)
        return add(key, CodePlace(file: file, line: line), .instance(Box(instance)))
    }

    // MARK: - What every form comes to

    /// The key of a service with a name and arguments, if there are any.
    @usableFromInline
    func key(
        for serviceType: Any.Type,
        _ name: (any ServiceName)?,
        _ arguments: _Arguments.Type? = nil
    ) -> ServiceKey {
        ServiceKey(serviceType, arguments: arguments?.ifAny, name: name?.name)
    }

    /// Registers a factory: here, or in place of the registration that an override replaces.
    @usableFromInline
    func add<Service>(
        _ key: ServiceKey,
        _ place: CodePlace,
        _ factory: Factory<Service>,
        needing needs: [ServiceKey]? = nil
    ) -> ServiceEntry<Service> {
        let home = engine.holder(of: key)
        let scope = factory.traits.contains(.isInstance) ? .container : home.defaultScope
        let options = Registration.Options(scope: scope, dependencies: needs)
        let registration = ServiceRegistration(key, at: place, options, factory)
        guard !home.refusesChange("\(readableName(of: Service.self)), registered", at: place) else {
            return ServiceEntry(Slot(registration, Lock()), in: home, nil)
        }
        let (slot, replaced) = home.register(registration)
        RunningTests.known?.didRegister(key, at: place, in: home)
        let entry = ServiceEntry<Service>(slot, in: home, replaced)
        if home.hasFlag(.hasBehaviors) {
            home.container?.tell(of: Service.self, entry, name: key.name)
        }
        return entry
    }
}

// Factories with runtime arguments, as those that take them erased.
extension ArgumentPack {
    @_alwaysEmitIntoClient
    static func erased<Service>(
        _ make: @escaping @Sendable (any Resolver, repeat each Argument) throws -> Service
    ) -> @Sendable (any Resolver, _Arguments) throws -> Service {
        { resolver, arguments in try make(resolver, repeat each given(by: arguments)) }
    }
}
