/// Holds registrations and gives out services.
///
/// ```swift
/// let container = Container()
/// container.register(Animal.self) { Cat(name: "Mimi") }
/// container.register(Person.self) { r in PetOwner(pet: r ~> Animal.self) }
///
/// let person = container ~> Person.self
/// ```
///
/// A child container finds its parents' registrations, shares their shared instances, and may register
/// over them; the parents never see the child's. What is not shared is built with the resolver of the
/// container that was asked, so a child's registrations reach it. What is shared belongs to the
/// container that holds the registration and is built with that one's resolver.
///
/// Everything may be called from any thread at any time. No code of yours runs under a lock of the
/// library's.
public final class Container: Resolver, Sendable {
    @usableFromInline let core: ContainerCore
    /// Held, so that a parent lives as long as its children.
    let parent: Container?
    private let behaviors: BehaviorList

    /// Makes a container.
    ///
    /// - Parameters:
    ///   - parent: Asked for what is not registered here.
    ///   - defaultObjectScope: The scope of registrations that name none.
    ///   - behaviors: Told of every registration. They are not inherited by children.
    ///   - registeringClosure: Called with the new container, to register services.
    public convenience init(
        parent: Container? = nil,
        defaultObjectScope: ObjectScope = .graph,
        behaviors: [any Behavior] = [],
        registeringClosure: (Container) -> Void = { _ in }
    ) {
        let parent = parent?.inForce
        let core = ContainerCore(parent: parent?.core, defaultScope: defaultObjectScope)
        self.init(core, parent: parent, behaviors: BehaviorList(behaviors))
        registeringClosure(self)
    }

    private init(_ core: ContainerCore, parent: Container?, behaviors: BehaviorList) {
        self.core = core
        self.parent = parent
        self.behaviors = behaviors
        core.open(for: self)
    }

    deinit {
        core.close()
    }

    // MARK: - Asking

    /// The service registered for the type, the name and the static types of the arguments; nil when
    /// nothing is.
    ///
    /// - Throws: ``ResolutionError``, for any other failure.
    @inlinable
    public func find<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) throws -> Service? {
        try core.find(serviceType, name: name, arguments: repeat each arguments)
    }

    /// A view that only resolves.
    ///
    /// It keeps the container alive. A container is as safe for threads as its view: nothing is
    /// serialised but the building of one shared instance, and inside a factory the view shares the
    /// graph under way.
    public func synchronize() -> any Resolver {
        SynchronizedResolver(self)
    }

    /// Runs a closure in which what is resolved belongs to a graph.
    ///
    /// ```swift
    /// let graph = resolver ~> GraphIdentifier.self      // in a factory
    /// container.withObjectGraph(graph) { $0 ~> Toolbar.self }
    /// ```
    public func withObjectGraph<Result>(
        _ identifier: GraphIdentifier,
        closure: (Container) throws -> Result
    ) rethrows -> Result {
        try Resolution.within(identifier.graph, asked: core) { try closure(self) }
    }

    /// True when something is registered for the type and name, whatever the arguments, here or in a
    /// parent.
    public func hasAnyRegistration<Service>(
        of serviceType: Service.Type,
        name: String? = nil
    ) -> Bool {
        core.inForce.keys.contains { $0.serviceType == Service.self && $0.name == name }
    }

    // MARK: - Changing

    /// Tells a behavior of every registration from now on.
    public func addBehavior(_ behavior: any Behavior) {
        inForce.behaviors.add(behavior)
    }

    /// Removes every registration of this container, with what it keeps.
    public func removeAll() {
        let core = core.inForce
        core.registry.remove { _ in true }
        core.forgetHistory { _ in true }
    }

    /// Removes the registrations of a type and name, whatever their arguments.
    ///
    /// Types that forward to them stay.
    public func unregister<Service>(_ serviceType: Service.Type, name: String? = nil) {
        let isMeant = { (key: ServiceKey) in key.serviceType == Service.self && key.name == name }
        let core = core.inForce
        core.registry.remove(where: isMeant)
        core.forgetHistory(where: isMeant)
    }

    /// Drops the instances that a scope keeps, here and in the parents.
    ///
    /// What is being built goes on, serves those who wait for it, and is not kept.
    public func resetObjectScope(_ objectScope: any ObjectScopeProtocol) {
        core.inForce.reset(objectScope)
    }

    /// Drops the instances that a scope keeps, here and in the parents.
    public func resetObjectScope(_ objectScope: ObjectScope) {
        resetObjectScope(objectScope as any ObjectScopeProtocol)
    }

    /// Drops the instances of one service that a scope keeps, here and in the parents.
    public func resetObjectScope(
        _ objectScope: any ObjectScopeProtocol,
        serviceType: Any.Type
    ) {
        core.inForce.reset(objectScope, serviceType: serviceType)
    }

    /// Drops the instances of one service that a scope keeps, here and in the parents.
    public func resetObjectScope(_ objectScope: ObjectScope, serviceType: Any.Type) {
        resetObjectScope(objectScope as any ObjectScopeProtocol, serviceType: serviceType)
    }

    /// Makes a further type find an existing registration.
    ///
    /// Both share instances and callbacks.
    public func forward<Type, Service>(
        _ type: Type.Type,
        name: String? = nil,
        to entry: ServiceEntry<Service>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        core.forward(type, name: name, to: entry, place: CodePlace(file: file, line: line))
    }

    /// A container with the same registrations, the parents' too, and nothing built.
    ///
    /// Only what was registered as an instance is shared with the original. Inside a resolution of the
    /// fork, the original container stands for the fork where a factory captured it, so nothing that
    /// the fork builds comes from the original, and nothing that its factories register, remove or
    /// reset goes there.
    ///
    /// ```swift
    /// let fork = container.fork()
    /// fork.register(API.self) { FakeAPI() }
    /// ```
    public func fork() -> Container {
        let original = inForce
        guard original === self else { return original.fork() }
        let parent = parent?.fork()
        let core = core.fork(parent: parent?.core)
        return Container(core, parent: parent, behaviors: BehaviorList(behaviors.all))
    }

    /// This container, or its fork, where this thread resolves in one.
    ///
    /// So a factory that captured the container and changes it changes the fork that it is run for.
    private var inForce: Container {
        let core = core.inForce
        return core === self.core ? self : core.container ?? self
    }

    // MARK: - Registering

    /// Adds an entry; every form of registering comes here.
    @discardableResult
    func add<Service>(_ entry: ServiceEntry<Service>, ready: Box<Service>? = nil)
        -> ServiceEntry<Service>
    {
        guard entry.sink === core else {
            // It was made for the fork in force, whose container may have gone.
            let fork = inForce
            if fork !== self { fork.add(entry, ready: ready) }
            return entry
        }
        if let replaced = core.registry.register(entry, for: entry.key, ready: ready) {
            core.noteOverwrite(of: replaced, by: entry, at: entry.place, for: entry.key)
        }
        if !behaviors.isEmpty { tell(of: Service.self, entry, name: entry.key.name) }
        return entry
    }

    /// Tells the behaviors of a registration or a forwarding.
    func tell<Type, Service>(of type: Type.Type, _ entry: ServiceEntry<Service>, name: String?) {
        for behavior in behaviors.all {
            behavior.container(self, didRegisterType: type, toService: entry, withName: name)
        }
    }
}

extension Container: CustomStringConvertible {
    /// One line for each registration, sorted.
    public var description: String {
        let lines = core.inForce.registry.registrations.map {
            "\n    " + describe($0.key, $0.entry)
        }
        return "[" + lines.sorted().joined(separator: ",") + "\n]"
    }

    private func describe(_ key: ServiceKey, _ entry: AnyServiceEntry) -> String {
        var text = "{ Service: \(key.serviceType)"
        if let name = key.name {
            text += ", Name: \"\(name)\""
        }
        if let option = key.option {
            text += ", \(option)"
        }
        text += ", Factory: \(entry.argumentsType)"
        text += " -> \(entry.serviceType), ObjectScope: \(entry.objectScope)"
        if entry.callbackCount > 0 {
            text += ", InitCompleted: Specified \(entry.callbackCount) closures"
        }
        return text + " }"
    }
}
