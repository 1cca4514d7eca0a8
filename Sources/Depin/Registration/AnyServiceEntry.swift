import Synchronization

/// A registration of any service: the part of ``ServiceEntry`` that does not depend on the type.
public class AnyServiceEntry: @unchecked Sendable {
    // Guarded: constants and atomics by nothing, `state` by `withState`.

    let key: ServiceKey
    /// Names the entry forever: an address may come back with the next entry.
    let number: UInt
    /// The number of the registration of which this one is a copy, in a fork; or else its own.
    let origin: UInt
    let place: CodePlace
    /// What the factory resolves, or is given as an argument, where that is known from an initializer.
    let dependencies: [ServiceKey]?
    private let traits: Atomic<UInt16>
    /// Counts resets, so that what was built before one is not kept after it.
    private let generationCount = Atomic<UInt32>(0)
    /// Its container, as far as an entry must know it.
    let sink: any RegistrationSink
    @exclusivity(unchecked) private var state: State

    struct State {
        // Not `objectScope`: those who know that word from elsewhere would be told that it is private.
        var scope: any ObjectScopeProtocol
        var keeper: Keeper?
        /// The instance of a ``ScopeKind/permanent`` scope.
        var instance: AnyBox?
        /// The further keys under which its own container finds it.
        var forwards: [ServiceKey] = []

        var gate: StorageGate? {
            if case .storage(let gate) = keeper { gate } else { nil }
        }

        /// The instance of a ``ScopeKind/weak`` scope.
        var weakInstance: WeakInstance? {
            if case .weak(let instance) = keeper { instance } else { nil }
        }
    }

    /// What keeps instances outside of the entry.
    enum Keeper {
        case weak(WeakInstance)
        case storage(StorageGate)
        case copies(ArgumentCopies)

        init?(for traits: Traits) {
            guard traits.contains(.perArguments) else { return nil }
            self = .copies(ArgumentCopies())
        }
    }

    init(
        key: consuming ServiceKey,
        place: CodePlace,
        scope: consuming any ObjectScopeProtocol,
        traits: Traits,
        dependencies: consuming [ServiceKey]?,
        instance: consuming AnyBox? = nil,
        origin: UInt? = nil,
        sink: consuming any RegistrationSink
    ) {
        let traits = traits.with(copy scope, for: key, at: place)
        number = Serial.next()
        self.origin = origin ?? number
        self.key = consume key
        self.place = place
        self.traits = Atomic(traits.rawValue)
        self.dependencies = consume dependencies
        self.sink = consume sink
        state = State(
            scope: consume scope,
            keeper: Keeper(for: traits),
            instance: consume instance
        )
    }

    /// A copy that keeps instances of its own; see ``EntryCopy``.
    init(copying original: AnyServiceEntry, _ traits: Traits, sink: any RegistrationSink) {
        number = Serial.next()
        origin = original.origin
        key = original.key
        place = original.place
        self.traits = Atomic(traits.union(.isCopy).rawValue)
        dependencies = original.dependencies
        self.sink = sink
        state = State(scope: original.objectScope, keeper: Keeper(for: traits))
    }

    // MARK: - What a user sees

    /// The type that was registered.
    public final var serviceType: Any.Type { key.serviceType }

    /// The types of the factory's parameters: `Resolver`, or a tuple that begins with it.
    public var argumentsType: Any.Type { (any Resolver).self }

    /// What the factory resolves, where that is known from an initializer.
    final var declaredNeeds: [ServiceKey] {
        guard let dependencies, !key.argumentTypes.isEmpty else { return dependencies ?? [] }
        return ArgumentFit(of: key.argumentTypes, to: dependencies).needs
    }

    /// The scope in force.
    ///
    /// Change it with ``ServiceEntry/inObjectScope(_:)-(ObjectScope)``.
    public final var objectScope: any ObjectScopeProtocol {
        withState { $0.scope }
    }

    /// The scope as messages name it.
    final var scopeName: String {
        let scope = objectScope
        let name = (scope as? any CustomStringConvertible)?.description ?? ""
        return name.isEmpty ? readableName(of: type(of: scope)) : name
    }

    // MARK: - What subclasses know more of

    var callbackCount: Int { 0 }

    /// An entry with the same registration and nothing built.
    func copy(for sink: any RegistrationSink) -> AnyServiceEntry {
        preconditionFailure("an entry without a service")
    }

    /// What was added to the registration of which this is an ``EntryCopy``.
    var additions: Traits { [] }

    /// Makes a service, in a box.
    func make(_ resolver: any Resolver, _ arguments: Arguments?) throws -> AnyBox {
        preconditionFailure("an entry without a service")
    }

    /// Makes a service that takes time, in a box.
    func makeAsync(_ resolver: any Resolver, _ arguments: Arguments?) async throws -> AnyBox {
        preconditionFailure("an entry without a service")
    }

    /// Runs the callbacks.
    func complete(_ resolver: any Resolver, _ instance: AnyBox) {
        preconditionFailure("an entry without a service")
    }

    /// The last decorator that wraps each new instance.
    var lastDecorator: AnyDecorator? { nil }

    /// Has those of a decorator, and of the earlier ones, that are for its key wrap each new instance.
    func decorate(by decorator: AnyDecorator) {
        preconditionFailure("an entry without a service")
    }

    /// Runs the closers of an instance, and gives back what they threw.
    func runClosers(_ instance: AnyBox) -> [any Error] {
        preconditionFailure("an entry without a service")
    }

    /// The same where one of them suspends.
    func runClosers(_ instance: AnyBox) async -> [any Error] {
        preconditionFailure("an entry without a service")
    }

    /// True where one of the closers suspends.
    var closesAsynchronously: Bool { false }

    /// An instance that nobody has to hold, where it is an object.
    func weakInstance(_ instance: AnyBox) -> WeakInstance? {
        preconditionFailure("an entry without a service")
    }

    /// The same in a box, if it is still there.
    func box(_ instance: WeakInstance) -> AnyBox? {
        preconditionFailure("an entry without a service")
    }

    /// A box of the service's type with an instance that a storage or a graph kept.
    func box(_ instance: Any) -> AnyBox? {
        preconditionFailure("an entry without a service")
    }

    // MARK: - State

    /// The entry owns its state and the lock: see ``Guarded``.
    @inline(__always)
    final func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try Lock(of: self).withLock { try body(&state) }
    }

    /// What was built before is not kept from now on.
    final func countReset() {
        generationCount.add(1, ordering: .sequentiallyConsistent)
    }

    final var generation: UInt32 { generationCount.load(ordering: .sequentiallyConsistent) }

    final func setScope(_ scope: any ObjectScopeProtocol) {
        let traits = currentTraits.with(scope, for: key, at: place)
        let (dropped, hasHistory) = withState { state in
            // A reset may have dropped an instance that the container has yet to forget.
            let hasHistory = state.instance != nil || generation != 0
            let forwards = state.forwards
            let old = state
            state = State(scope: scope, keeper: Keeper(for: traits), forwards: forwards)
            setTraits { $0.with(scopeOf: traits) }
            countReset()
            return (old, hasHistory)
        }
        // PERF: the first scope of a new registration need not pay for this (row 7).
        if hasHistory {
            sink.forgetInstances(of: self)
        }
        withExtendedLifetime(dropped) {}
    }

    final func setDefault() {
        withState { _ in setTraits { $0.union(.isDefault) } }
    }

    /// All keys under which its own container finds it.
    final var keys: [ServiceKey] {
        let keys = [key] + forwards
        return currentTraits.contains(.isDefault) ? keys.map { $0.with(.fallback) } : keys
    }

    /// The further keys under which its own container finds it.
    final var forwards: [ServiceKey] { withState { $0.forwards.copied } }

    final func addForward(_ key: ServiceKey) {
        withState { state in
            if !state.forwards.contains(key) { state.forwards.append(key) }
        }
    }
}

extension AnyServiceEntry {
    final var currentTraits: Traits {
        let own = Traits(rawValue: traits.load(ordering: .acquiring))
        return own.contains(.isCopy) ? own.union(additions) : own
    }

    final var kind: ScopeKind { currentTraits.kind }

    /// True where synchronous code finds an instance only if somebody happens to have awaited one: it takes
    /// time to make, and warming up does not have it made and kept.
    final var isAwaitedFirst: Bool {
        let traits = currentTraits
        return traits.contains(.isAsync)
            && !(traits.contains(.isEager) && ScopeKind(of: objectScope).keeps)
    }

    /// True where an instance for a key takes a factory of its type, and decorators, alone.
    @inline(__always)
    final func needsOnlyFactory(_ traits: Traits, for key: ServiceKey) -> Bool {
        traits.isDisjoint(with: .needMoreThanFactory) && self.key.serviceType == key.serviceType
    }

    /// Called with the lock held.
    final func setTraits(_ change: (Traits) -> Traits) {
        traits.store(change(currentTraits).rawValue, ordering: .releasing)
    }
}
