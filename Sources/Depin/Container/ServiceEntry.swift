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
public final class ServiceEntry<Service>: Sendable {
    let slot: Slot
    /// The engine that holds the registration.
    let engine: Engine
    /// The slots that the registration has replaced, for ``asDefault()``; they go when nothing can ask for them any
    /// more.
    let replaced: Guarded<[ReplacedSlot]>

    init(_ slot: Slot, in engine: Engine, _ replaced: ReplacedSlot?) {
        self.slot = slot
        self.engine = engine
        self.replaced = Guarded(replaced.map { [$0] } ?? [])
    }

    /// The type that was registered.
    public var serviceType: Any.Type { slot.registration.serviceType }

    /// The types of the factory's parameters: `Resolver`, or a tuple that begins with it.
    public var argumentsType: Any.Type { slot.registration.argumentsType }

    /// The scope in force.
    ///
    /// Change it with ``inObjectScope(_:)-(ObjectScope)``.
    public var objectScope: any ObjectScopeProtocol { slot.registration.objectScope }

    var found: Found { Found(slot: slot, holder: engine) }
}

// MARK: - Configuring

extension ServiceEntry {
    /// Sets how long an instance is kept and who shares it.
    ///
    /// Another scope drops the instance made so far; the scope that the entry has already changes nothing.
    @discardableResult
    public func inObjectScope(_ objectScope: ObjectScope) -> Self {
        setScope(objectScope)
        return self
    }

    func setScope(_ objectScope: any ObjectScopeProtocol) {
        let registration = slot.registration
        let before = registration.objectScope
        guard before !== objectScope else { return }
        let leavesInstance = engine.keepsClosed(slot)
        engine.setScope(objectScope, of: slot)
        if leavesInstance { registration.tellUnclosed(keptIn: before) }
        registration.tellIfNeverClosed()
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
        slot.registration.addCallback { resolver, box in
            callback(resolver, unsafeDowncast(box, to: Box<Service>.self).value)
        }
        return self
    }

    /// Makes an instance when the app warms up; see ``Container/warmUp(width:)``.
    ///
    /// ```swift
    /// container.register(Database.self, asyncFactory: { try await LiveDatabase.open() })
    ///     .inObjectScope(.container)
    ///     .eager()
    /// ```
    ///
    /// This only helps if the scope keeps the instance. Synchronous code may request an eager service that is
    /// made asynchronously, and `validate()` accepts that.
    @discardableResult
    public func eager() -> Self {
        slot.registration.insert(.isEager)
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
    /// replacement, and an `overriding()` that has replaced nothing. It covers the registration and all types that
    /// forward to it.
    @discardableResult
    public func overriding() -> Self {
        engine.noteOverriding(by: slot)
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
        if slot.key.isContribution || slot.key.isForAnyName { refuseDefault() }
        engine.makeDefault(slot, givingBack: replaced.exchange([]))
        return self
    }

    private func refuseDefault() -> Never {
        let place = slot.registration.place
        var (what, verb) = ("registered for any name", "registered")
        var reason = "it already yields to every registration under a name"
        if slot.key.isContribution {
            (what, verb) = ("a contribution", "contributed")
            reason = "contributions never replace one another"
        }
        place.stop(
            """
            Depin: \(readableName(of: serviceType)) is \(what) and cannot be a default
              \(verb) at \(place)
              fix: remove `.asDefault()`: \(reason)
            """
        )
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
        engine.inForce.forward(type, name?.name, to: self, at: place)
        return self
    }

    /// Makes the registration available under more types.
    ///
    /// ```swift
    /// container.register(Cat.self) { Cat() }.implements(Animal.self, Pet.self, Named.self)
    /// ```
    @discardableResult
    @_alwaysEmitIntoClient
    public func implements<Type, Second, each Further>(
        _ type: Type.Type,
        _ second: Second.Type,
        _ further: repeat (each Further).Type,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        implements(type, file: file, line: line)
        implements(second, file: file, line: line)
        for type in repeat each further { implements(type, file: file, line: line) }
        return self
    }
}

/// A slot that a registration has replaced.
///
/// Whatever may still ask for the slot holds this; when the last reference goes, the slot's instance is dropped.
final class ReplacedSlot: Sendable {
    let slot: Slot
    let engine: Engine

    init(_ slot: Slot, in engine: Engine) {
        self.slot = slot
        self.engine = engine
    }

    deinit {
        engine.forgetUnfound(slot)
        engine.dropDecoratedSlots(under: [slot.key])
    }
}

extension Guarded<[ReplacedSlot]> {
    /// Adds a slot that a forwarding has replaced.
    func addReplaced(_ slot: ReplacedSlot) {
        for known in [slot] + exchange([]) where !known.engine.isEnded {
            withLock { $0.append(known) }
        }
    }
}
