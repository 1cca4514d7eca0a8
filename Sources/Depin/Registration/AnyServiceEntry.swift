import Synchronization

/// A registration, whatever its service: what ``ServiceEntry`` has in common for all types.
public class AnyServiceEntry: @unchecked Sendable {
    // Guarded: constants and atomics by nothing, the variables by `lock`.

    @usableFromInline let key: ServiceKey
    /// Names the entry for ever: an address may come back with the next entry.
    let serial = Serial()
    let place: CodePlace
    /// What the factory resolves, where that is known from the types of an initialiser.
    let dependencies: [Any.Type]?
    @usableFromInline let traits: Atomic<UInt8>
    /// Counts resets, so that what was built before one is not kept after it.
    private let generationCount = Atomic<UInt32>(0)
    // Not `scope`: those who know that word from elsewhere would be told that it is private.
    private var scopeInForce: any ObjectScopeProtocol
    private var gate: StorageGate?
    /// The instance of a ``ScopeKind/permanent`` scope: a `Box` of the service.
    private var instance: AnyObject?
    /// Its container, as far as an entry must know it.
    ///
    /// PERF: a weak reference would move the reference count of the container's core into a side
    /// table, which made each resolution 15 % dearer. A container that goes lets go of its entries, so
    /// this ends no later than they do, and is deaf from then on.
    let sink: any RegistrationSink

    init(
        key: consuming ServiceKey,
        place: CodePlace,
        scope: consuming any ObjectScopeProtocol,
        traits: Traits,
        dependencies: consuming [Any.Type]?,
        instance: consuming AnyObject? = nil,
        sink: consuming any RegistrationSink
    ) {
        self.key = key
        self.place = place
        self.traits = Atomic(traits.with(ScopeKind(of: copy scope)).rawValue)
        scopeInForce = scope
        self.dependencies = dependencies
        self.instance = instance
        self.sink = sink
    }

    @inline(__always)
    final var lock: Lock { .guarding(Unmanaged.passUnretained(self).toOpaque()) }

    // MARK: - What a user sees

    /// The type that was registered.
    public final var serviceType: Any.Type { key.serviceType }

    /// The types of what the factory takes: `Resolver`, or a tuple that begins with it.
    public final var argumentsType: Any.Type { key.argumentsType }

    /// The scope in force.
    ///
    /// It is changed with ``ServiceEntry/inObjectScope(_:)-(ObjectScope)``.
    public final var objectScope: any ObjectScopeProtocol {
        lock.withLock { scopeInForce }
    }

    // MARK: - What subclasses know more of

    var argumentTypes: [Any.Type] { [] }
    var callbackCount: Int { 0 }

    /// An entry with the same registration and nothing built.
    func copy(for sink: any RegistrationSink) -> AnyServiceEntry {
        preconditionFailure("an entry without a service")
    }

    /// A copy whose factory tells an observer before it runs.
    func observed(
        for sink: any RegistrationSink,
        by observer: @escaping @Sendable () -> Void
    ) -> AnyServiceEntry {
        preconditionFailure("an entry without a service")
    }

    /// Shows each new instance to a body, after the callbacks.
    func watch(for token: AnyObject, _ body: @escaping @Sendable (Any) -> Void) {
        preconditionFailure("an entry without a service")
    }

    /// Ends ``watch(for:_:)`` of a token.
    func endWatching(for token: AnyObject) {
        preconditionFailure("an entry without a service")
    }

    /// Shows the entry with its type to a visitor.
    func accept<Visitor: EntryVisitor>(_ visitor: Visitor) throws -> Visitor.Result {
        preconditionFailure("an entry without a service")
    }

    // MARK: - Scope and instances

    final var generation: UInt32 { generationCount.load(ordering: .sequentiallyConsistent) }

    final func setScope(_ scope: any ObjectScopeProtocol) {
        let (dropped, hasHistory) = lock.withLock { () -> ([Any?], Bool) in
            let dropped: [Any?] = [instance, gate, scopeInForce]
            // A reset may have dropped an instance that the container has yet to forget.
            let hasHistory = instance != nil || generation != 0
            scopeInForce = scope
            setTraits { $0.with(ScopeKind(of: scope)) }
            gate = nil
            instance = nil
            generationCount.add(1, ordering: .sequentiallyConsistent)
            return (dropped, hasHistory)
        }
        // PERF: this looks at every registration, which the first scope of a new one need not pay for.
        if hasHistory {
            sink.forgetInstances(of: self)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Drops what is kept, if the scope in force is the given one.
    ///
    /// The result is what the caller lets go of after it had the registry forget it too, nil if there
    /// was nothing to do.
    final func reset(_ expected: (any ObjectScopeProtocol)?) -> Dropped? {
        guard !currentTraits.contains(.pinned) else { return nil }
        let scope = objectScope
        guard expected == nil || scope === expected else { return nil }
        guard ScopeKind(of: scope) == .stored else { return beginGeneration(in: scope) }
        // The storage is made if need be: what a scope hands out may hold something already. The new
        // generation begins inside its gate, where nothing that is built in it can be dropped.
        return storageGate(of: scope).enter { storage in
            guard beginGeneration(in: scope) != nil else { return nil }
            defer { storage.instance = nil }
            return Dropped(instance: storage.instance)
        }
    }

    /// Counts a reset and drops the instance of a permanent scope, if the scope is still in force.
    ///
    /// It is all one step: what another scope has kept since is not touched.
    private func beginGeneration(in scope: any ObjectScopeProtocol) -> Dropped? {
        lock.withLock {
            guard scopeInForce === scope else { return nil }
            defer { instance = nil }
            generationCount.add(1, ordering: .sequentiallyConsistent)
            return Dropped(instance: instance)
        }
    }

    struct Dropped {
        let instance: Any?
    }

    /// Lets go of all that is kept, when the container has gone.
    ///
    /// A storage is only let go of, for its scope may have lent it to others. The caller releases the
    /// result.
    final func close() -> (AnyObject?, StorageGate?) {
        lock.withLock {
            defer { (instance, gate) = (nil, nil) }
            generationCount.add(1, ordering: .sequentiallyConsistent)
            return (instance, gate)
        }
    }

    /// The instance of a permanent scope.
    final var permanentInstance: AnyObject? {
        lock.withLock { instance }
    }

    /// The present generation, when a box is what it keeps.
    ///
    /// A resolution can get what is not kept: its own instance under construction, or one that a
    /// reset has come over.
    final func generation(keeping box: AnyObject) -> UInt32? {
        lock.withLock { instance === box ? generation : nil }
    }

    /// Keeps an instance that was built in a generation, if it is still that one.
    ///
    /// Who asked for a shared instance may come to build it when another scope is in force.
    final func keep(_ box: AnyObject, builtIn generation: UInt32) {
        lock.withLock {
            if generation == self.generation, kind == .permanent {
                instance = box
            }
        }
    }

    /// True when there is an instance that it shares and has given out: not one that it was registered
    /// with, of which nobody knows.
    final var hasShared: Bool {
        let (kept, way) = lock.withLock { (instance, gate) }
        if kept != nil { return !currentTraits.contains(.pinned) }
        return way?.enter { $0.instance != nil } ?? false
    }

    /// The way to the storage of a ``ScopeKind/stored`` scope, which is made when first needed.
    final var storageGate: StorageGate {
        let (known, scope) = lock.withLock { (gate, scopeInForce) }
        return known ?? storageGate(of: scope)
    }

    /// The same for a scope that is no longer in force, if another has come since it was asked for.
    private func storageGate(of scope: any ObjectScopeProtocol) -> StorageGate {
        let known = lock.withLock { scopeInForce === scope ? gate : nil }
        if let known { return known }
        let made = StorageGate(scope.makeStorage())
        return lock.withLock {
            guard scopeInForce === scope else { return made }
            if let gate { return gate }
            gate = made
            return made
        }
    }
}

extension AnyServiceEntry {
    /// What a resolution must know of an entry at first sight, in one byte.
    @usableFromInline
    struct Traits: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt8

        @inlinable
        init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// True where there is nothing to do after the factory.
        @inlinable var isBare: Bool {
            rawValue & (Self.kindMask | Self.hasCallbacks.rawValue) == ScopeKind.transient.rawValue
        }

        @inlinable var hasCallbacks: Bool { rawValue & Self.hasCallbacks.rawValue != 0 }

        /// The bits that hold the ``ScopeKind``.
        @inlinable static var kindMask: UInt8 { 3 }

        @inlinable static var hasCallbacks: Traits { Traits(rawValue: 1 << 2) }
        static var isMainActor: Traits { Traits(rawValue: 1 << 3) }
        /// Registered as an instance: no reset drops it, and a fork shares it.
        static var pinned: Traits { Traits(rawValue: 1 << 4) }

        @usableFromInline
        var kind: ScopeKind {
            ScopeKind(rawValue: rawValue & Self.kindMask) ?? .stored
        }

        func with(_ kind: ScopeKind) -> Traits {
            Traits(rawValue: rawValue & ~Self.kindMask | kind.rawValue)
        }
    }

    @inlinable
    var currentTraits: Traits {
        Traits(rawValue: traits.load(ordering: .acquiring))
    }

    var kind: ScopeKind { currentTraits.kind }

    /// Called with the lock held.
    func setTraits(_ change: (Traits) -> Traits) {
        traits.store(change(currentTraits).rawValue, ordering: .releasing)
    }
}

/// All that an entry knows of its container.
protocol RegistrationSink: AnyObject, Sendable {
    /// Registers a further key for an entry.
    func forward<Type, Service>(
        _ type: Type.Type,
        name: String?,
        to entry: ServiceEntry<Service>,
        place: CodePlace
    )
    /// Notes that what an entry has replaced was meant to be.
    func noteOverriding(by entry: AnyServiceEntry)
    /// True when the container has gone.
    var isGone: Bool { get }
    /// Drops the copies of an entry's instance that make look-ups fast.
    func forgetInstances(of entry: AnyServiceEntry)
}

/// Works on an entry whose service's type only the entry knows.
protocol EntryVisitor {
    associatedtype Result
    func visit<Service>(_ entry: ServiceEntry<Service>) throws -> Result
}
