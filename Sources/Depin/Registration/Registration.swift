import Synchronization

/// How a service is made: its key, its factory, its scope, and what is done with each instance.
///
/// It knows no instance: those are in a ``Slot``. So a container and its forks share it. This is the part that does not
/// depend on the service's type; see ``ServiceRegistration``.
package class Registration: @unchecked Sendable {
    // Constants and atomics need no guard; the rest is guarded by the lock.
    package let key: ServiceKey
    /// Names the registration for good, unlike its address.
    package let number = Serial.next()
    package let place: CodePlace
    /// What the factory resolves or takes as arguments, if that is known from an initializer.
    package let dependencies: [ServiceKey]?
    /// Changed under the lock, so that no change is lost.
    private let bits: Atomic<UInt16>
    private let lock = Lock()
    private var scope: any ObjectScopeProtocol
    private var allCallbacks: [Callback] = []
    private var allClosers: [Closer] = []
    private var allForwardedKeys: [ServiceKey] = []
    private var allForwardingEngines: [WeakObject] = []
    private var forwardingEngineLimit = 8

    typealias Callback = @Sendable (any Resolver, AnyBox) -> Void

    /// Closes an instance with its container.
    enum Closer: Sendable {
        case sync(@Sendable (AnyBox, ScopeOutcome) throws -> Void)
        case async(@Sendable (AnyBox, ScopeOutcome) async throws -> Void)
    }

    /// What a registration form says, besides the factory.
    struct Options {
        let scope: any ObjectScopeProtocol
        var dependencies: [ServiceKey]?
    }

    init(_ key: ServiceKey, at place: CodePlace, _ options: Options, _ traits: Traits) {
        self.key = key
        self.place = place
        scope = options.scope
        dependencies = options.dependencies
        bits = Atomic(traits.union(.of(options.scope, for: key, at: place)).rawValue)
    }

    // MARK: - What the service's type says

    /// The registered instance, in a box; nil for a factory.
    var instance: AnyBox? { nil }

    /// Makes a service, in a box.
    func make(_ resolver: any Resolver, _ arguments: Arguments?) throws -> AnyBox {
        preconditionFailure("a registration without a service")
    }

    /// Makes an asynchronous service, in a box.
    func makeAsync(_ resolver: any Resolver, _ arguments: Arguments?) async throws -> AnyBox {
        preconditionFailure("a registration without a service")
    }

    // MARK: - Configuration

    package final var traits: Traits { Traits(rawValue: bits.load(ordering: .acquiring)) }

    package final var kind: ScopeKind { traits.kind }

    final func insert(_ trait: Traits) {
        lock.withLock { set(traits.union(trait)) }
    }

    private final func set(_ traits: Traits) { bits.store(traits.rawValue, ordering: .releasing) }

    /// The scope in force.
    package final var objectScope: any ObjectScopeProtocol { lock.withLock { scope } }

    final func setScope(_ scope: any ObjectScopeProtocol) {
        let ofScope = Traits.of(scope, for: key, at: place)
        let dropped = lock.withLock {
            defer { self.scope = scope }
            set(traits.subtracting(.ofScope).union(ofScope))
            return self.scope
        }
        withExtendedLifetime(dropped) {}
    }

    final func addCallback(_ callback: @escaping Callback) {
        lock.withLock { allCallbacks.append(callback) }
        insert(.hasCallbacks)
    }

    final func addCloser(_ closer: Closer) {
        lock.withLock { allClosers.append(closer) }
        insert(.hasClosers)
    }

    /// Adds a key that forwards to this registration, in whatever container.
    final func addForwardedKey(_ key: ServiceKey) {
        lock.withLock { if !allForwardedKeys.contains(key) { allForwardedKeys.append(key) } }
    }

    final var forwardedKeys: [ServiceKey] { lock.withLock { allForwardedKeys.copied } }

    /// Adds an engine that forwards to this registration of another one.
    final func addForwardingEngine(_ engine: AnyObject) {
        // Released outside of the lock: they may be the last references.
        var looked: [AnyObject?] = []
        lock.withLock {
            allForwardingEngines.append(WeakObject(engine))
            // Those that have gone are looked for once the count has doubled.
            guard allForwardingEngines.count > forwardingEngineLimit else { return }
            looked = allForwardingEngines.map(\.object)
            allForwardingEngines = looked.compactMap { $0.map(WeakObject.init) }
            forwardingEngineLimit = 2 * allForwardingEngines.count
        }
        withExtendedLifetime(looked) {}
    }

    /// The engines that forward to this registration of another one.
    final var forwardingEngines: [AnyObject] {
        lock.withLock { allForwardingEngines.copied }.compactMap(\.object)
    }

    // True copies by `map`, which is compiled for the type (row 15-closer: a twentieth): see `Copies.swift`.

    final var callbacks: [Callback] { lock.withLock { allCallbacks.map { $0 } } }

    /// The closers in the order in which they were added; they run in the reverse order.
    @inline(never)
    final var closers: [Closer] { lock.withLock { allClosers.map { $0 } } }
}

extension Registration {
    /// The type that was registered.
    package var serviceType: Any.Type { key.serviceType }

    /// The types of the factory's parameters: `Resolver`, or a tuple that begins with it.
    var argumentsType: Any.Type {
        let arguments = key.isForAnyName ? ArgumentPack<String>.self : key.arguments
        return arguments?.tuple(after: (any Resolver).self) ?? (any Resolver).self
    }

    /// What is registered, and where, as messages name it.
    @inline(never)
    package var words: String { "\(ResolutionError.Request(key)), registered at \(place)" }

    /// The scope as messages name it.
    package var scopeName: String { name(of: objectScope) }

    /// The name of the scope to open for the instances: without ``ObjectScope/perArguments``, which no open scope has.
    var openedScopeName: String {
        let (name, form) = (scopeName, ".perArguments")
        return name.hasSuffix(form) ? String(name.dropLast(form.count)) : name
    }

    func name(of scope: any ObjectScopeProtocol) -> String {
        let name = (scope as? any CustomStringConvertible)?.description ?? ""
        return name.isEmpty ? readableName(of: type(of: scope)) : name
    }
}

/// A registration of a service, with the factory that makes it.
final class ServiceRegistration<Service>: Registration, @unchecked Sendable {  // adds constants
    private let factory: Factory<Service>
    /// The type of the boxes as a number, once it has been looked up; or else 0.
    private let boxType = Atomic<UInt>(0)

    init(_ key: ServiceKey, at place: CodePlace, _ options: Options, _ factory: Factory<Service>) {
        self.factory = factory
        super.init(key, at: place, options, factory.traits)
    }

    override var instance: AnyBox? {
        if case .instance(let box) = factory { box } else { nil }
    }

    // PERF: looking the type up takes 450 instructions for each instance of a graph (row 4g).
    private var knownBoxType: Box<Service>.Type {
        let known = boxType.load(ordering: .acquiring)
        if known != 0 { return unsafeBitCast(known, to: Box<Service>.Type.self) }
        let type = Box<Service>.self
        boxType.store(UInt(bitPattern: ObjectIdentifier(type)), ordering: .releasing)
        return type
    }

    override func make(_ resolver: any Resolver, _ arguments: Arguments?) throws -> AnyBox {
        knownBoxType.init(try factory.make(resolver, arguments))
    }

    override func makeAsync(
        _ resolver: any Resolver,
        _ arguments: Arguments?
    ) async throws -> AnyBox {
        guard case .async(let makeService) = factory else { return try make(resolver, arguments) }
        return knownBoxType.init(try await makeService(resolver, arguments ?? .none))
    }

    /// Makes a service that nobody keeps.
    @inline(__always)
    func makeService(_ resolver: any Resolver, _ arguments: Arguments?) throws -> Service {
        try factory.make(resolver, arguments)
    }
}
