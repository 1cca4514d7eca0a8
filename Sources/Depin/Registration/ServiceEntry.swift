import Synchronization

/// A registration, which you configure after ``Container/register(_:factory:file:line:)``.
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
    @exclusivity(unchecked) private(set) var extras: Extras<Service>?
    /// The type of its boxes, once it has been looked up, as a number; or else 0.
    private let boxType = Atomic<UInt>(0)

    // PERF: parameters are consumed, or each would be retained, stored and released (with `consume`, without
    // which the compiler copies some: row 7: 2,700 instructions instead of 3,400).
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
        self.factory = consume factory
        if callbacks != nil || decorator != nil || closers != nil {
            extras = Extras(callbacks: callbacks, decorator: decorator, closers: closers)
        }
        super.init(
            key: consume key,
            place: place,
            scope: consume scope,
            traits: traits,
            dependencies: consume dependencies,
            instance: consume instance,
            origin: origin,
            sink: consume sink
        )
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
    var madeExtras: Extras<Service> {
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
        (instance as? Service).map { knownBoxType.init($0) }
    }

    override func weakInstance(_ instance: AnyBox) -> WeakInstance? {
        heapObject(in: instance.anyValue).map {
            WeakInstance($0, as: unsafeDowncast(instance, to: Box<Service>.self).value)
        }
    }

    override func box(_ instance: WeakInstance) -> AnyBox? {
        guard let object = instance.object else { return nil }
        defer { withExtendedLifetime(object) {} }
        guard let bits = instance.bits else { return box(object) }
        return knownBoxType.init(bits.service(Service.self))
    }
}

/// What only some registrations have.
///
/// PERF: an object of its own, because a word more takes a registration to the allocator's next size (row 12).
final class Extras<Service> {
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
