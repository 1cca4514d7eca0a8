/// The custom storage that keeps the instance in place of a slot.
///
/// It lets one thread at a time call the ``InstanceStorage``.
final class SlotStorage: Sendable {
    /// The scope that made the storage, which is only compared.
    fileprivate nonisolated(unsafe) let scope: any ObjectScopeProtocol
    private let turn = Turn()
    // Only the holder of the turn touches these two.
    private nonisolated(unsafe) let storage: any InstanceStorage
    fileprivate nonisolated(unsafe) weak var last: AnyObject?

    fileprivate init(of scope: any ObjectScopeProtocol) {
        self.scope = scope
        storage = scope.makeStorage()
    }

    /// Runs a body with the storage.
    ///
    /// An instance that the storage drops is released after the turn, because its `deinit` may use the container.
    ///
    /// - Throws: `ResolutionError`, if waiting for the storage would close a circle.
    // Rare, so compiled once, and not for each result: see `RareTable.swift`.
    @_semantics("optimize.sil.specialize.generic.never")
    func callAsFunction<Result>(
        in engine: Engine,
        _ body: (any InstanceStorage) throws -> Result
    ) throws -> Result {
        var held: AnyObject?
        defer { withExtendedLifetime(held) {} }
        return try Resolution.withCurrent { resolution in
            try turn.run(in: resolution, of: engine, isNeeded: true) { circle in
                if let circle {
                    let path = resolution.path.forError
                    let known = path.last?.request
                    let request = known ?? ResolutionError.Request(ServiceKey(Any.self))
                    let failure = ResolutionError.Failure.circularDependency(otherPath: circle)
                    throw ResolutionError(failure, request, path: path)
                }
                held = last
                return try body(storage)
            }
        }
    }
}

/// A storage that was used in a graph, and is told of the graph's end.
private final class UsedStorage: GraphCompanion {
    private let use: SlotStorage
    private let engine: Engine

    init(_ use: SlotStorage, _ engine: Engine) {
        self.use = use
        self.engine = engine
    }

    func graphHasEnded() {
        // A storage is not told if waiting for it would be a deadlock.
        try? use(in: engine) { $0.graphResolutionCompleted() }
    }
}

extension Slot {
    /// The storage of the scope in force, made when first needed.
    fileprivate var storage: SlotStorage {
        let scope = registration.objectScope
        let known = withParts { $0.storage }
        defer { withExtendedLifetime(known) {} }
        if let known = known as? SlotStorage, known.scope === scope { return known }
        let made = SlotStorage(of: scope)
        let isKept = withParts { parts in
            // Another thread may have been quicker.
            guard parts.storage === known else { return false }
            parts.storage = made
            return true
        }
        return isKept ? made : self.storage
    }

    /// A box of the key's type with an instance that a storage kept; nil for an instance of another type.
    fileprivate func box(_ instance: Any) -> AnyBox? { boxed(instance, as: key.serviceType) }
}

extension Engine {
    /// True if a custom storage keeps the instance; in a validation none does.
    func isStored(_ kind: ScopeKind) -> Bool { kind == .stored && !hasFlag(.isValidated) }

    /// Finds the instance that a storage has, or enters the slot that it stands for.
    func beginStored(_ request: Request, _ found: Found, _ path: Path) throws -> Disposition {
        let slot = slotForArguments(of: request, found, path).slot
        // An instance that this path has under construction comes first.
        let isOwn = path.building(of: slot) != nil
        let graph = request.joinedGraph(of: path)
        if !isOwn, let kept = try storedInstance(in: slot, for: graph) { return .ready(kept) }
        let begun = try beginShared(request, found, .stored, path)
        guard !isOwn, case .make(let claim, _) = begun,
            case .building(let building) = claim.destination
        else { return begun }
        // Another request may have filled the storage since this one looked into it. Then the build ends, as it does if
        // the storage cannot be waited for.
        var isOver = true
        defer { if isOver { withdraw(claim) } }
        // As part of the build, so that a storage that waits for the build is told: the wait-for graph treats it like a
        // turn.
        let kept = try Resolution.withCurrent { resolution in
            try resolution.inside(Resolution.Step(in: self, turn: building, after: path)) {
                try storedInstance(in: claim.found.slot, for: graph)
            }
        }
        isOver = kept != nil
        return kept.map { .ready($0) } ?? begun
    }

    /// The instance that a storage has for the graph, which the graph then keeps until its end.
    func storedInstance(in slot: Slot, for known: ObjectGraph?) throws -> AnyBox? {
        let use = slot.storage
        let graph = known ?? ObjectGraph()
        // A graph made for this request ends at once.
        defer { if known == nil { graph.endResolution() } }
        let kept = try use(in: self) { storage -> AnyBox? in
            let kept = storage.instance(inGraph: GraphIdentifier(graph)).flatMap(slot.box)
            // Within the turn: a later reset passes on the needs of the instance that it drops.
            if kept != nil, hasFlag(.notesNeeds) {
                Resolution.withCurrent { note($0.path.dependent, needs: slot.node) }
            }
            return kept
        }
        guard let kept else { return nil }
        graph.keep(kept)
        graph.keep(UsedStorage(use, self))
        return kept
    }

    /// Has a storage keep an instance, unless a reset came after its build began.
    func store(_ box: AnyBox, in slot: Slot, _ building: Slot.Building, _ path: Path) throws {
        guard let graph = path.madeGraph else { return }
        let use = slot.storage
        graph.keep(box)
        // If the graph has ended, the storage is told at once.
        defer { graph.keep(UsedStorage(use, self)) }
        let replaced = try use(in: self) { storage -> Any? in
            guard slot.isCurrent(building) else { return nil }
            let replaced = storage.instance
            storage.setInstance(box.anyValue, inGraph: GraphIdentifier(graph))
            use.last = heapObject(in: box.anyValue)
            // Within the turn: who finds the instance next notes that it is needed.
            if case let node = slot.node(of: building), node != 0 {
                if case let old = slot.node, old != node {
                    state.withLock { $0.needs.endKeeping(old) }
                }
                slot.node = node
            }
            return replaced
        }
        withExtendedLifetime(replaced) {}
    }

    /// Empties the storage of a slot, which is made if need be, because a scope may hand out a storage with an
    /// instance.
    func emptyStorage(of slot: Slot) -> Slot.Detached {
        let use = slot.storage
        do {
            // Within the turn, so that no instance of a later build can be dropped.
            return try use(in: self) { storage in
                defer {
                    storage.instance = nil
                    use.last = nil
                }
                var detached = slot.detach()
                detached.dropped = (detached.dropped, storage.instance)
                return detached
            }
        } catch {
            // A reset can only wait for the storage, and this wait would never end.
            Resolution.withCurrent { stop(for: error, "Depin: \(error)", at: nil, $0) }
        }
    }

    /// The instance that a storage has for any graph.
    func storedInstance(in slot: Slot) -> AnyBox? {
        let instance = try? slot.storage(in: self) { $0.instance }
        return instance.flatMap { $0 }.flatMap(slot.box)
    }
}
