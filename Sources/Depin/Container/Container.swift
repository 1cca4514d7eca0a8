/// Holds registrations and resolves services.
///
/// ```swift
/// let container = Container()
/// container.register(Animal.self) { Cat(name: "Mimi") }
/// container.register(Person.self) { r in PetOwner(pet: r ~> Animal.self) }
///
/// let person = container ~> Person.self
/// ```
///
/// A child container finds its parents' registrations, uses their shared instances, and may register over
/// them. The parents never see the child's registrations. An unshared instance is built with the resolver
/// of the container that received the request, so it gets a child's services. A shared instance belongs to
/// the container that holds the registration, and is built with that container's resolver.
///
/// You may call everything from any thread at any time. Your code never runs under a lock of the library.
public final class Container: Resolver, Sendable {
    package let engine: Engine
    /// Held, so that a parent lives as long as its children.
    package let parent: Container?
    private let ownOwner: Owner

    /// Makes a container.
    ///
    /// - Parameters:
    ///   - parent: The container to search for what is not registered here.
    ///   - defaultObjectScope: The scope of registrations that do not set one.
    ///   - behaviors: Called for every registration. Children do not inherit them.
    ///   - registeringClosure: Called with the new container, to register services.
    public convenience init(
        parent: Container? = nil,
        defaultObjectScope: ObjectScope = .graph,
        behaviors: [any Behavior] = [],
        registeringClosure: (Container) -> Void = { _ in }
    ) {
        let parent = parent?.inForce
        let engine = Engine(parent: parent?.engine, defaultScope: defaultObjectScope)
        for behavior in behaviors { engine.addBehavior(behavior) }
        self.init(of: Owner(engine, parent: parent?.ownOwner), parent)
        registeringClosure(self)
    }

    /// The container of an engine that an owner keeps open.
    init(of owner: Owner, _ parent: Container?) {
        engine = owner.engine
        self.parent = parent
        ownOwner = owner
        engine.setFacade(self)
    }

    // MARK: - Resolving

    /// The service registered for the type, name and static types of the arguments, or nil.
    @inlinable
    @_disfavoredOverload
    public func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        found(name?.name, ArgumentPack(repeat each arguments))
    }

    /// The service, or nil where nothing is registered: how every `resolve` enters the library.
    public func _find<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service? {
        try engine.service(name, arguments, ownOwner)
    }

    /// The service: how every form that needs one enters the library.
    public func _require<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service {
        try engine.neededService(name, arguments, ownOwner)
    }

    /// A view that can only resolve.
    ///
    /// It keeps the registrations and instances alive, but not the `Container` object, which is just as
    /// thread-safe. Only the build of one shared instance is serialized. In a factory it joins the current graph.
    public func synchronize() -> any Resolver {
        ownOwner
    }

    /// Runs a closure whose requests belong to a graph.
    ///
    /// ```swift
    /// let graph = resolver ~> GraphIdentifier.self      // in a factory
    /// container.withObjectGraph(graph) { $0 ~> Toolbar.self }
    /// ```
    public func withObjectGraph<Result>(
        _ identifier: GraphIdentifier,
        closure: (Container) throws -> Result
    ) rethrows -> Result {
        try Resolution.withCurrent { resolution in
            try resolution.within(identifier.objectGraph, of: engine, owner) { try closure(self) }
        }
    }

    /// Whether something is registered for the type and name, with any arguments, here or in a parent.
    public func hasAnyRegistration<Service>(
        of serviceType: Service.Type,
        name: (any ServiceName)? = nil
    ) -> Bool {
        let name = name?.name
        return engine.inForce.chain.contains { engine in
            engine.registry.slots.contains {
                $0.key.serviceType == Service.self && !$0.key.isContribution
                    && ($0.key.isForAnyName ? name != nil : $0.key.name == name)
            }
        }
    }

    // MARK: - Changing

    /// Calls a behavior for every registration from now on.
    public func addBehavior(_ behavior: any Behavior) {
        engine.inForce.addBehavior(behavior)
    }

    /// Removes every registration of this container and its instances, its contributions and its decorators.
    ///
    /// You can then apply the same assemblies again, including required ones.
    public func removeAll() {
        engine.inForce.removeAll()
    }

    /// Removes the registrations of a type and name, whatever their arguments, and the contributions.
    ///
    /// Types that forward to them stay. This looks through all that is registered here; to remove very much, use
    /// ``removeAll()``.
    public func unregister<Service>(_ serviceType: Service.Type, name: (any ServiceName)? = nil) {
        let name = name?.name
        engine.inForce.remove { $0.serviceType == Service.self && $0.name == name }
    }

    /// Drops the instances that a scope keeps, here and in the parents.
    ///
    /// A build in progress continues and serves the requests that wait for it. Its instance is not kept.
    /// An instance with an ``ServiceEntry/onClose(_:)`` is dropped without being closed. To close the instances
    /// of a scope, use `close(_:)`.
    public func resetObjectScope(_ objectScope: ObjectScope) {
        engine.inForce.resetAndTell(objectScope)
    }

    /// Drops the instances of one service that a scope keeps, here and in the parents.
    ///
    /// A type that forwards to a registration resets that registration.
    public func resetObjectScope(_ objectScope: ObjectScope, serviceType: Any.Type) {
        engine.inForce.resetAndTell(objectScope, serviceType: serviceType)
    }

    /// Forwards another type to an existing registration.
    ///
    /// Both share instances and callbacks.
    public func forward<Type, Service>(
        _ type: Type.Type,
        name: (any ServiceName)? = nil,
        to entry: ServiceEntry<Service>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let place = CodePlace(file: file, line: line)
        engine.inForce.forward(type, name?.name, to: entry, at: place)
    }

    /// Copies the registrations of this container and its parents into a new one, with nothing built.
    ///
    /// The two share only what was registered as an instance. If a factory has captured the original
    /// container, that container means the fork inside a resolution of the fork. So nothing that the fork
    /// builds comes from the original, and nothing that its factories register, remove or reset affects the
    /// original. What a ``ServiceEntry`` of the original adds later, like a closer or another scope, goes for
    /// the fork too. A type that forwards to another hierarchy's registration is not copied: that hierarchy
    /// builds and keeps the shared instance, and resets of the fork leave it alone.
    ///
    /// ```swift
    /// let fork = container.fork()
    /// fork.register(API.self) { FakeAPI() }
    /// ```
    public func fork() -> Container {
        let container = inForce
        let parent = container.parent?.fork()
        let engine = container.engine.fork(parent: parent?.engine)
        return Container(of: Owner(engine, parent: parent?.ownOwner), parent)
    }

    /// The container of an engine that an owner keeps open; a new one, if the former has gone.
    static func of(_ owner: Owner) -> Container {
        if let known = owner.engine.container { return known }
        let container = Container(of: owner, owner.parent.map(Container.of))
        return owner.engine.container ?? container
    }

    /// This container, or the fork of it that this thread resolves in.
    ///
    /// So a factory that has captured the container changes the fork that it runs for.
    var inForce: Container {
        let engine = engine.inForce
        return engine === self.engine ? self : engine.container ?? self
    }

    /// The same, or the fork that an override in force has made: what runs a program or opens a scope in a test is to
    /// have the test's services.
    @usableFromInline
    var overridden: Container { Neighbors.fork(of: engine).map(Container.of) ?? inForce }
}

extension Container: EngineResolver {
    /// The owner of the container's requests.
    package var owner: Owner? { ownOwner }

    /// Tells the behaviors of a registration or a forwarding.
    func tell<Type, Service>(of type: Type.Type, _ entry: ServiceEntry<Service>, name: String?) {
        for behavior in engine.behaviors {
            behavior.container(self, didRegisterType: type, toService: entry, withName: name)
        }
    }
}

extension Engine {
    /// Has a registration answer for a further type.
    func forward<Type, Service>(
        _ type: Type.Type,
        _ name: String?,
        to entry: ServiceEntry<Service>,
        at place: CodePlace
    ) {
        let replaced = forward(ServiceKey(Type.self, name: name), to: entry.found, at: place)
        if let replaced { entry.replaced.addReplaced(replaced) }
        container?.tell(of: type, entry, name: name)
    }

    /// The container, if it still exists.
    var container: Container? { facade as? Container }
}

extension Container: ContainerValue {
    func parent(with engine: Engine) -> Container? {
        parent?.engine === engine ? parent : parent?.parent(with: engine)
    }
}

extension Container: DerivedService {
    static func compose(_ asked: DerivedRequest) -> AnyBox? {
        Owner(beside: asked.engine).map { Box<Container>(.of($0)) }
    }
}
