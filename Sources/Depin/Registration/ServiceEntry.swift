import Synchronization

/// A registration, which you configure after ``Container/register(_:name:factory:file:line:)``.
///
/// ```swift
/// container.register(Cat.self) { resolver in Cat(food: resolver ~> Food.self) }
///     .inObjectScope(.container)
///     .implements(Animal.self)
///     .initCompleted { resolver, cat in cat.owner = resolver ~> Owner.self }
/// ```
///
/// You may configure it from any thread. A change takes effect with the next resolution.
public final class ServiceEntry<Service>: AnyServiceEntry, @unchecked Sendable {
    private let factory: Factory<Service>
    // Set once, under the entry's lock, which guards what stands in it.
    @exclusivity(unchecked) private var extras: Extras<Service>?
    /// The type of its boxes, once it has been looked up, as a number; or else 0.
    private let boxType = Atomic<UInt>(0)

    // PERF: parameters are consumed, or each would be retained, stored and released.
    init(
        key: consuming ServiceKey,
        place: CodePlace,
        scope: consuming any ObjectScopeProtocol,
        traits: Traits = [],
        dependencies: consuming [ServiceKey]? = nil,
        factory: consuming Factory<Service>,
        callbacks: consuming CallbackList<Service>? = nil,
        decorator: consuming Decorator<Service>? = nil,
        closers: consuming CloserList<Service>? = nil,
        instance: consuming AnyBox? = nil,
        origin: UInt? = nil,
        sink: consuming any RegistrationSink
    ) {
        self.factory = factory
        if callbacks != nil || decorator != nil || closers != nil {
            extras = Extras(callbacks: callbacks, decorator: decorator, closers: closers)
        }
        super.init(
            key: key,
            place: place,
            scope: scope,
            traits: traits,
            dependencies: dependencies,
            instance: instance,
            origin: origin,
            sink: sink
        )
    }

    // MARK: - Configuring

    /// Sets how long an instance is kept and who shares it.
    @discardableResult
    public func inObjectScope(_ objectScope: ObjectScope) -> Self {
        inObjectScope(objectScope as any ObjectScopeProtocol)
    }

    /// Sets how long an instance is kept and who shares it, with a scope of your own.
    @discardableResult
    public func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
        let registered = registered
        registered.setScope(objectScope)
        if registered !== self { setScope(objectScope) }
        return self
    }

    /// Adds a callback for each new instance, right after its factory.
    ///
    /// Callbacks run in the order in which they were added, once for each instance that is kept, before the
    /// factory that requested the service continues. Use one for two objects that need each other:
    ///
    /// ```swift
    /// container.register(Parent.self) { resolver in Parent(child: resolver ~> Child.self) }
    /// container.register(Child.self) { Child() }
    ///     .initCompleted { resolver, child in child.parent = resolver ~> Parent.self }
    /// ```
    @discardableResult
    @preconcurrency
    public func initCompleted(
        _ callback: @escaping @Sendable (any Resolver, Service) -> Void
    ) -> Self {
        registered.add(callback)
        return self
    }

    private func add(_ callback: @escaping (any Resolver, Service) -> Void) {
        Lock(of: self).withLock {
            let extras = madeExtras
            extras.callbacks = CallbackList(callback, after: extras.callbacks)
            setTraits { $0.union(.hasCallbacks) }
        }
        sink.noteAddition(to: self)
    }

    /// Adds a closer for each instance, which runs when its container closes.
    ///
    /// ```swift
    /// container.register(Database.self) { LiveDatabase() }
    ///     .inObjectScope(.container)
    ///     .onClose { database in try await database.shutdown() }
    ///
    /// try await container.close()
    /// ```
    ///
    /// `Container.close()` runs it for every kept instance, after the closers of everything that needed the
    /// instance. Of several closers of one registration, the last one added runs first. A closer may throw:
    /// the others still run, and `close()` throws all their errors.
    ///
    /// A closer gets the instance that the factory made, without its decorators, like `initCompleted`. So it
    /// closes once, however often it is wrapped, and before the services that its decorators use.
    ///
    /// Unshared instances and registered instances are closed, too, if they have a closer; until then the
    /// container that received the request holds them. An instance dropped earlier, by a reset, by
    /// `removeAll()` or by a new registration, is not closed.
    ///
    /// Call this where you register the service: of instances built earlier the needs are unknown, and
    /// closers get them with their decorators.
    @discardableResult
    @preconcurrency
    public func onClose(_ closer: @escaping @Sendable (Service) throws -> Void) -> Self {
        addCloser(.plain(closer))
    }

    /// Adds an asynchronous closer for each instance, which runs when its container closes.
    ///
    /// Closers of instances that do not need each other run at the same time. Everything else is as in the
    /// synchronous form.
    @discardableResult
    @preconcurrency
    @_disfavoredOverload
    public func onClose(_ closer: @escaping @Sendable (Service) async throws -> Void) -> Self {
        addCloser(.async(closer))
    }

    private func addCloser(_ closer: CloserList<Service>.Closer) -> Self {
        registered.add(closer)
        return self
    }

    private func add(_ closer: CloserList<Service>.Closer) {
        Lock(of: self).withLock {
            let extras = madeExtras
            extras.closers = CloserList(closer, after: extras.closers)
            setTraits { $0.union(.hasClosers) }
        }
        sink.noteCloser(of: self)
    }

    /// Makes an instance when the app warms up; see ``Container/warmUp(width:)``.
    ///
    /// ```swift
    /// container.register(Database.self, asyncFactory: { try await LiveDatabase.open() })
    ///     .inObjectScope(.container)
    ///     .eager()
    /// ```
    ///
    /// This only helps if the scope keeps the instance. Synchronous code may request an eager service that
    /// takes time to make, and `validate()` accepts that.
    @discardableResult
    public func eager() -> Self {
        let registered = registered
        Lock(of: registered).withLock { registered.setTraits { $0.union(.isEager) } }
        return self
    }

    /// Marks this registration as a deliberate replacement of an earlier one in the same container.
    ///
    /// ```swift
    /// container.register(API.self) { LiveAPI() }
    /// container.register(API.self) { StagingAPI() }.overriding()
    /// ```
    ///
    /// The last registration of a key wins, with or without this. `validate()` reports an unmarked
    /// replacement, and an `overriding()` that has replaced nothing. Call it last: it covers what the
    /// registration and its forwardings have replaced so far.
    @discardableResult
    public func overriding() -> Self {
        sink.noteOverriding(by: registered)
        return self
    }

    /// Says that this registration yields to every other one of its type and name.
    ///
    /// ```swift
    /// container.register(Log.self) { NoLog() }.asDefault()
    /// container.register(Log.self) { FileLog() }    // this one answers, before or after the default
    /// ```
    ///
    /// It yields to those of the same container, whichever came first, and to those of the parents, also
    /// to a parent's default. What it has replaced is in force again, with the instance that it shares. Two
    /// defaults of one container are a silent overwrite: the last one wins. The types that forward to it are
    /// defaults as well. A contribution yields to nothing, so it is an error to call one a default.
    @discardableResult
    public func asDefault() -> Self {
        guard !key.isContribution else {
            place.stop(
                """
                Depin: \(readableName(of: serviceType)) is contributed, and said to be a default
                  contributed at \(place)
                  fix: take `.asDefault()` away: a contribution is beside all others
                """
            )
        }
        let replaced = Lock(of: self).withLock {
            defer { extras?.replaced = [] }
            return extras?.replaced ?? []
        }
        sink.makeDefault(registered, givingBack: replaced)
        return self
    }

    /// Makes the registration available under another type.
    ///
    /// Both share instances and callbacks. Each new instance is checked for conformance, because metatypes
    /// cannot be; one that does not conform is an error.
    @discardableResult
    public func implements<Type>(
        _ type: Type.Type,
        name: (any ServiceName)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let place = CodePlace(file: file, line: line)
        let replaced = sink.forward(type, name: name?.name, to: registered, place: place)
        return holding([replaced])
    }

    /// Makes the registration available under more types.
    ///
    /// ```swift
    /// container.register(Cat.self) { Cat() }.implements(Animal.self, Pet.self, Named.self)
    /// ```
    @discardableResult
    public func implements<Type, Second, each Further>(
        _ type: Type.Type,
        _ second: Second.Type,
        _ further: repeat (each Further).Type,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let place = CodePlace(file: file, line: line)
        let registered = registered
        var replaced = [
            sink.forward(type, name: nil, to: registered, place: place),
            sink.forward(second, name: nil, to: registered, place: place),
        ]
        repeat replaced.append(
            sink.forward((each Further).self, name: nil, to: registered, place: place)
        )
        return holding(replaced)
    }

    // MARK: - What it has replaced

    /// The entry that is registered, where this one stands for it with those who configure it.
    var registered: ServiceEntry<Service> {
        Lock(of: self).withLock { extras?.registered } ?? self
    }

    /// This entry, or one that stands for it and holds what has been replaced, for ``asDefault()``.
    ///
    /// The container holds the entry, but what is replaced goes when nobody can call for it any more.
    func holding(_ replaced: [Replaced?]) -> ServiceEntry<Service> {
        let replaced = replaced.compactMap(\.self)
        guard !replaced.isEmpty else { return self }
        let isStandIn = Lock(of: self).withLock {
            guard let extras, extras.registered != nil else { return false }
            extras.replaced += replaced
            return true
        }
        guard !isStandIn, let standIn = copy(for: sink) as? ServiceEntry<Service> else {
            return self
        }
        Lock(of: standIn).withLock {
            let extras = standIn.madeExtras
            (extras.registered, extras.replaced) = (self, replaced)
        }
        return standIn
    }

    // MARK: - For resolutions

    private var callbacks: CallbackList<Service>? {
        Lock(of: self).withLock { extras?.callbacks }
    }

    /// Called with the lock held.
    private var madeExtras: Extras<Service> {
        if let extras { return extras }
        let made = Extras<Service>()
        extras = made
        return made
    }

    /// The last decorator of the entry's own key.
    @inline(__always)
    var decoratorInForce: Decorator<Service>? {
        let traits = currentTraits
        guard traits.contains(.isDecorated) else { return nil }
        // PERF: the first one is there for good before its trait is, so it takes no lock (row decorator: 1.4
        // of a transient instead of 1.5 to 1.7).
        guard traits.contains(.isDecoratedAgain) else { return extras?.firstDecorator }
        return Lock(of: self).withLock { extras?.decorator }
    }

    override var lastDecorator: AnyDecorator? { decoratorInForce }

    override func decorate(by decorator: AnyDecorator) {
        // Of the same type: nothing else decorates what is registered for it.
        guard let decorator = decorator.only(for: key) as? Decorator<Service> else { return }
        let isNew = Lock(of: self).withLock {
            // Who registers and who decorates may both come here, in any order.
            let extras = madeExtras
            guard decorator.count > extras.decorator?.count ?? 0 else { return false }
            extras.decorator = decorator
            setTraits { $0.union($0.contains(.isDecorated) ? .isDecoratedAgain : .isDecorated) }
            return true
        }
        if isNew { makeAnewIfPinned() }
    }

    private var closers: CloserList<Service>? {
        Lock(of: self).withLock { extras?.closers }
    }

    override func takeAdditions(of other: AnyServiceEntry) {
        guard !other.currentTraits.isDisjoint(with: .additions), let other = other as? ServiceEntry
        else { return }
        let (callbacks, closers) = (other.callbacks, other.closers)
        // Several may come here in any order: no earlier list replaces a later one.
        Lock(of: self).withLock {
            let extras = madeExtras
            if let callbacks, callbacks.count > extras.callbacks?.count ?? 0 {
                extras.callbacks = callbacks
                setTraits { $0.union(.hasCallbacks) }
            }
            if let closers, closers.count > extras.closers?.count ?? 0 {
                extras.closers = closers
                setTraits { $0.union(.hasClosers) }
            }
        }
        if let decorator = other.decoratorInForce { decorate(by: decorator) }
    }

    override var closesAsynchronously: Bool { closers?.isAsync ?? false }

    override func runClosers(_ instance: AnyBox) -> [any Error] {
        closers?.run(unsafeDowncast(instance, to: Box<Service>.self).value) ?? []
    }

    override func runClosers(_ instance: AnyBox) async -> [any Error] {
        await closers?.run(unsafeDowncast(instance, to: Box<Service>.self).value) ?? []
    }

    override var callbackCount: Int { callbacks?.count ?? 0 }

    /// The types of the factory's parameters: `Resolver`, or a tuple that begins with it.
    public override var argumentsType: Any.Type { factory.argumentsType }

    override func copy(for sink: any RegistrationSink) -> AnyServiceEntry {
        let (traits, callbacks, decorator, closers) = Lock(of: self).withLock {
            (currentTraits, extras?.callbacks, extras?.decorator, extras?.closers)
        }
        let copy = ServiceEntry<Service>(
            key: key,
            place: place,
            scope: objectScope,
            traits: traits,
            dependencies: dependencies,
            factory: factory,
            callbacks: callbacks,
            decorator: decorator,
            closers: closers,
            instance: traits.contains(.pinned) ? permanentInstance : nil,
            origin: origin,
            sink: sink
        )
        copy.boxType.store(boxType.load(ordering: .relaxed), ordering: .relaxed)
        return copy
    }

    override func findBoxType() { _ = knownBoxType }

    // PERF: looking it up takes 450 instructions, which each instance of a graph would pay (row 4g).
    private var knownBoxType: Box<Service>.Type {
        let known = boxType.load(ordering: .relaxed)
        if known != 0 { return unsafeBitCast(known, to: Box<Service>.Type.self) }
        let type = Box<Service>.self
        boxType.store(UInt(bitPattern: ObjectIdentifier(type)), ordering: .relaxed)
        return type
    }

    override func make(_ resolver: any Resolver, _ arguments: Arguments?) throws -> AnyBox {
        knownBoxType.init(try factory.make(resolver, arguments))
    }

    override func makeAsync(
        _ resolver: any Resolver,
        _ arguments: Arguments?
    ) async throws -> AnyBox {
        Box(try await factory.makeAsync(resolver, arguments))
    }

    /// Makes a service that nobody keeps.
    @inline(__always)
    func makeService(_ resolver: any Resolver, _ arguments: Arguments?) throws -> Service {
        try factory.make(resolver, arguments)
    }

    override func complete(_ resolver: any Resolver, _ instance: AnyBox) {
        callbacks?.run(resolver, unsafeDowncast(instance, to: Box<Service>.self).value)
    }

    override func box(_ instance: Any) -> AnyBox? {
        // PERF: a pattern, because an optional of the service's type would be looked up (row 1-weak: 5,600
        // instructions instead of 4,300).
        guard case let service as Service = instance else { return nil }
        return knownBoxType.init(service)
    }
}

/// What only some registrations have.
///
/// PERF: an object of its own, because a word more takes a registration to the allocator's next size (row 12).
private final class Extras<Service> {
    // Objects too: an empty array of functions makes the runtime look up three types whose names depend on
    // the service, a third of the time of a registration.
    var callbacks: CallbackList<Service>?
    /// The last decorator.
    var decorator: Decorator<Service>? {
        didSet { if firstDecorator == nil { firstDecorator = decorator } }
    }
    /// The one that was the last when the trait was set that says there is one.
    private(set) var firstDecorator: Decorator<Service>?
    var closers: CloserList<Service>?
    /// The entry that is registered, where this one only stands for it.
    var registered: ServiceEntry<Service>?
    var replaced: [Replaced] = []

    init(
        callbacks: CallbackList<Service>? = nil,
        decorator: Decorator<Service>? = nil,
        closers: CloserList<Service>? = nil
    ) {
        self.callbacks = callbacks
        (self.decorator, firstDecorator) = (decorator, decorator)
        self.closers = closers
    }
}

/// The callbacks of an entry, the last one first.
final class CallbackList<Service> {
    private let callback: (any Resolver, Service) -> Void
    private let earlier: CallbackList?
    let count: Int

    init(_ callback: @escaping (any Resolver, Service) -> Void, after earlier: CallbackList?) {
        self.callback = callback
        self.earlier = earlier
        count = (earlier?.count ?? 0) + 1
    }

    /// Runs the callbacks in the order in which they were added.
    func run(_ resolver: any Resolver, _ service: Service) {
        earlier?.run(resolver, service)
        callback(resolver, service)
    }
}
