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

    private struct State {
        // Not `objectScope`: those who know that word from elsewhere would be told that it is private.
        var scope: any ObjectScopeProtocol
        var keeper: Keeper?
        /// The instance of a ``ScopeKind/permanent`` scope.
        var instance: AnyBox?
        /// The instance of a ``ScopeKind/weak`` scope.
        weak var object: AnyObject?
        /// The further keys under which its own container finds it.
        var forwards: [ServiceKey] = []

        var gate: StorageGate? {
            if case .storage(let gate) = keeper { gate } else { nil }
        }
    }

    /// What keeps instances outside of the entry.
    fileprivate enum Keeper {
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
        number = Serial.next()
        self.origin = origin ?? number
        self.key = key
        self.place = place
        let traits = traits.with(copy scope, for: key, at: place)
        self.traits = Atomic(traits.rawValue)
        self.dependencies = dependencies
        self.sink = sink
        state = State(scope: scope, keeper: Keeper(for: traits), instance: instance)
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

    /// The same for an open scope: what it builds is kept.
    final func openedCopy(for sink: any RegistrationSink) -> AnyServiceEntry {
        findBoxType()
        let copy = copy(for: sink)
        copy.setTraits { $0.with(.permanent) }
        return copy
    }

    /// The same for one value of its arguments.
    final var argumentCopy: AnyServiceEntry {
        let copy = copy(for: sink)
        copy.withState { $0.keeper = nil }
        copy.setTraits { [kind] in $0.subtracting(.perArguments).with(kind) }
        return copy
    }

    /// Looks the type of its boxes up, once for it and all copies.
    func findBoxType() {}

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

    /// Has the callbacks, decorators and closers, if any, of the entry of which this one is a copy.
    func takeAdditions(of other: AnyServiceEntry) {
        preconditionFailure("an entry without a service")
    }

    /// True where one of the closers suspends.
    var closesAsynchronously: Bool { false }

    /// A box of the service's type with an instance that a storage or a graph kept.
    func box(_ instance: Any) -> AnyBox? {
        preconditionFailure("an entry without a service")
    }

    // MARK: - State

    /// The entry owns its state and the lock: see ``Guarded``.
    @inline(__always)
    private final func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result
    {
        try Lock(of: self).withLock { try body(&state) }
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
            generationCount.add(1, ordering: .sequentiallyConsistent)
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

    // MARK: - Instances

    /// Drops what is kept, for some arguments or for all, if the given scope includes the one in force.
    ///
    /// The result is what ``reset(_:)`` gives, and who kept it: the entry, or copies of it.
    final func resetAll(
        _ expected: (any ObjectScopeProtocol)?,
        for arguments: Arguments? = nil
    ) -> [(entry: AnyServiceEntry, dropped: Dropped)] {
        if let copies = argumentCopies {
            return expected?.includes(objectScope) ?? true ? copies.reset(arguments) : []
        }
        guard arguments == nil else { return [] }
        return reset(expected).map { [(self, $0)] } ?? []
    }

    /// Drops what is kept, if the given scope includes the one in force.
    ///
    /// The result is what the caller releases after it had the registry forget it too, nil if there
    /// was nothing to do.
    final func reset(_ expected: (any ObjectScopeProtocol)?) -> Dropped? {
        guard !currentTraits.contains(.pinned) else { return nil }
        let scope = objectScope
        guard expected?.includes(scope) ?? true else { return nil }
        guard ScopeKind(of: scope) == .stored else { return beginGeneration(in: scope) }
        // The storage is made if need be: what a scope hands out may hold something already. The new
        // generation begins inside its gate, where nothing that is built in it can be dropped.
        return withStorage(of: scope) { gate, storage in
            guard beginGeneration(in: scope) != nil else { return nil }
            defer {
                storage.instance = nil
                gate.note(nil)
            }
            return Dropped(instance: storage.instance)
        }
    }

    struct Dropped {
        /// What a storage kept, the object of a weak scope, or the box of a permanent one.
        let instance: Any?
    }

    /// Has an instance that the entry was registered with wrapped by a decorator that has been added since.
    final func makeAnewIfPinned() {
        guard currentTraits.contains(.pinned) else { return }
        // The factory gives the bare one again.
        let dropped = beginGeneration(in: objectScope)
        sink.forgetInstances(of: self)
        withExtendedLifetime(dropped) {}
    }

    /// The instance that was dropped.
    final func box(of dropped: Dropped) -> AnyBox? {
        dropped.instance.flatMap { $0 as? AnyBox ?? box($0) }
    }

    /// Counts a reset and drops the instance, if the scope is still in force.
    ///
    /// It is all one step: what another scope has kept since is not touched.
    private func beginGeneration(in scope: any ObjectScopeProtocol) -> Dropped? {
        withState { state in
            guard state.scope === scope else { return nil }
            defer { (state.instance, state.object) = (nil, nil) }
            generationCount.add(1, ordering: .sequentiallyConsistent)
            return Dropped(instance: state.instance ?? state.object)
        }
    }

    /// Drops all that is kept, when the container has gone.
    ///
    /// A storage is only released, for its scope may have lent it to others. The caller releases the
    /// result.
    final func close() -> Closed {
        withState { state in
            defer { (state.instance, state.keeper) = (nil, nil) }
            generationCount.add(1, ordering: .sequentiallyConsistent)
            return Closed(instance: state.instance, keeper: state.keeper)
        }
    }

    struct Closed {
        fileprivate let instance: AnyBox?
        fileprivate let keeper: Keeper?
    }

    /// What keeps its instances where there is one for each value of the arguments.
    final var argumentCopies: ArgumentCopies? {
        guard currentTraits.contains(.perArguments) else { return nil }
        return withState { if case .copies(let copies) = $0.keeper { copies } else { nil } }
    }

    /// The instance of a permanent scope.
    final var permanentInstance: AnyBox? { withState { $0.instance } }

    /// The instance that the scope in force keeps, for no graph alone.
    final var keptInstance: AnyBox? {
        switch kind {
        case .permanent: permanentInstance
        case .weak: weakInstance
        case .stored: (try? storageGate.enter(sink) { $0.instance }).flatMap { $0 }.flatMap(box)
        case .transient, .graph, .opened: nil
        }
    }

    /// The instance of a weak scope.
    final var weakInstance: AnyBox? {
        guard let object = withState({ $0.object }) else { return nil }
        return box(object)
    }

    /// The present generation, when a box is what it keeps.
    ///
    /// A resolution can get what is not kept: its own instance under construction, or one that a
    /// reset has come over.
    final func generation(keeping box: AnyBox) -> UInt32? {
        withState { $0.instance === box ? generation : nil }
    }

    /// Keeps an instance that was built in a generation, if it is still that one.
    ///
    /// Who requested a shared instance may come to build it when another scope is in force.
    final func keep(_ box: AnyBox, as kind: ScopeKind, builtIn generation: UInt32) {
        let object = kind == .weak ? heapObject(in: box.anyValue) : nil
        withState { state in
            guard generation == self.generation else { return }
            if kind == .permanent { state.instance = box }
            if kind == .weak { state.object = object }
        }
    }

    /// True when there is an instance that it shares and has given out: not one that it was registered
    /// with, of which nobody knows.
    final var hasShared: Bool {
        // Looked at outside the lock: who looks at an object may be the last to hold it.
        let (instance, object, gate) = withState { ($0.instance, $0.object, $0.gate) }
        if instance != nil || object != nil { return !currentTraits.contains(.pinned) }
        if let copies = argumentCopies { return copies.hasShared }
        return (try? gate?.enter(sink) { $0.instance != nil }) ?? false
    }

    // MARK: - Storages

    /// The instance that a stored scope keeps, for a graph.
    ///
    /// - Throws: `ResolutionError`, where waiting for the storage would close a circle.
    final func storedInstance(in graph: GraphIdentifier) throws -> AnyBox? {
        let instance = try storageGate.enter(sink) { $0.instance(inGraph: graph) }
        return instance.flatMap(box)
    }

    /// Keeps an instance in a stored scope, unless a reset came since its generation.
    ///
    /// - Throws: `ResolutionError`, where waiting for the storage would close a circle.
    final func store(
        _ box: AnyBox,
        builtIn generation: UInt32,
        in graph: GraphIdentifier
    ) throws {
        let gate = storageGate
        let replaced = try gate.enter(sink) { storage -> Any? in
            guard generation == self.generation else { return nil }
            let replaced = storage.instance
            storage.setInstance(box.anyValue, inGraph: graph)
            gate.note(box.anyValue)
            return replaced
        }
        withExtendedLifetime(replaced) {}
    }

    /// The way to the storage of a ``ScopeKind/stored`` scope, which is made when first needed.
    final var storageGate: StorageGate {
        let (known, scope) = withState { ($0.gate, $0.scope) }
        return known ?? storageGate(of: scope)
    }

    /// The same for a scope that is no longer in force, if another has come since it was read.
    private func storageGate(of scope: any ObjectScopeProtocol) -> StorageGate {
        let known = withState { $0.scope === scope ? $0.gate : nil }
        if let known { return known }
        let made = StorageGate(scope.makeStorage())
        return withState { state in
            guard state.scope === scope else { return made }
            if let gate = state.gate { return gate }
            if state.keeper == nil { state.keeper = .storage(made) }
            return made
        }
    }

    private func withStorage<Result>(
        of scope: any ObjectScopeProtocol,
        _ body: (StorageGate, any InstanceStorage) -> Result
    ) -> Result {
        let gate = storageGate(of: scope)
        do {
            return try gate.enter(sink) { body(gate, $0) }
        } catch {
            // A reset can wait for the storage, or never end.
            fatalError("Depin: \(error)")
        }
    }
}

extension AnyServiceEntry {
    final var currentTraits: Traits {
        Traits(rawValue: traits.load(ordering: .acquiring))
    }

    final var kind: ScopeKind { currentTraits.kind }

    /// True where synchronous code finds an instance only if somebody happens to have awaited one: it takes
    /// time to make, and warming up does not have it made and kept.
    final var isAwaitedFirst: Bool {
        let traits = currentTraits
        return traits.contains(.isAsync)
            && !(traits.contains(.isEager) && ScopeKind(of: objectScope).keeps)
    }

    /// True where an instance for a key is of the entry's own type, and nobody keeps or hears of it.
    @inline(__always)
    final func isPlainFactory(for key: ServiceKey) -> Bool {
        let traits = currentTraits
        return traits.kind == .transient && !traits.contains(.hasCallbacks)
            && self.key.serviceType == key.serviceType
    }

    /// Called with the lock held.
    final func setTraits(_ change: (Traits) -> Traits) {
        traits.store(change(currentTraits).rawValue, ordering: .releasing)
    }
}
