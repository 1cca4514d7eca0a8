/// The storage of a slot whose scope is the user's, which keeps the instance in place of the slot.
///
/// It lets one thread at a time call the ``InstanceStorage``.
final class SlotStorage: Sendable {
    /// The scope that made it, which is only compared.
    fileprivate nonisolated(unsafe) let scope: any ObjectScopeProtocol
    private let turn = Turn()
    // Both are touched by who has the turn alone.
    private nonisolated(unsafe) let storage: any InstanceStorage
    fileprivate nonisolated(unsafe) weak var last: AnyObject?

    fileprivate init(of scope: any ObjectScopeProtocol) {
        self.scope = scope
        storage = scope.makeStorage()
    }

    /// Runs a body with the storage.
    ///
    /// What the storage drops meanwhile goes only after its turn: its `deinit` may use the container.
    ///
    /// - Throws: `ResolutionError`, where waiting for the storage would close a circle.
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

/// A storage that was used in a graph, and is told when that ends.
private final class UsedStorage: GraphCompanion {
    private let use: SlotStorage
    private let engine: Engine

    init(_ use: SlotStorage, _ engine: Engine) {
        self.use = use
        self.engine = engine
    }

    func graphHasEnded() {
        // What cannot wait for the storage without a deadlock does not tell it.
        try? use(in: engine) { $0.graphResolutionCompleted() }
    }
}

extension Slot {
    /// The way to the storage of the scope in force, which is made when first needed.
    fileprivate var storage: SlotStorage {
        let scope = registration.objectScope
        func known(_ parts: SlotParts) -> SlotStorage? {
            let known = parts.storage as? SlotStorage
            return known?.scope === scope ? known : nil
        }
        if let known = withPartsIfAny({ known($0) }) { return known }
        let made = SlotStorage(of: scope)
        let (kept, dropped) = withParts { parts -> (SlotStorage, AnyObject?) in
            if let known = known(parts) { return (known, nil) }
            defer { parts.storage = made }
            return (made, parts.storage)
        }
        withExtendedLifetime(dropped) {}
        return kept
    }

    /// A box of the key's type with an instance that a storage kept; nil for an instance of another type.
    fileprivate func box(_ instance: Any) -> AnyBox? {
        func box<Service>(_: Service.Type) -> AnyBox? { (instance as? Service).map(Box.init) }
        return _openExistential(key.serviceType, do: box)
    }
}

extension Engine {
    /// True where a storage of the user's keeps the instance: in a validation none does.
    func isStored(_ traits: Registration.Traits) -> Bool {
        traits.kind == .stored && !hasFlag(.isValidated)
    }

    /// The instance that a storage has for the graph, which keeps it until its end.
    func storedInstance(in slot: Slot, _ path: Path) throws -> AnyBox? {
        let (use, known) = (slot.storage, path.madeGraph)
        let graph = known ?? ObjectGraph()
        // One of its own ends at once.
        defer { if known == nil { graph.endResolution() } }
        let kept = try use(in: self) { storage -> AnyBox? in
            let kept = storage.instance(inGraph: GraphIdentifier(graph)).flatMap(slot.box)
            // In its turn: a reset that comes after it passes on what is needed by way of what it drops.
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

    /// The same for who has begun a build, which ends where there is one, or the storage cannot be waited for.
    func storedInstance(
        in slot: Slot,
        insteadOf building: Slot.Building,
        _ path: Path
    ) throws -> AnyBox? {
        var isOver = true
        defer { if isOver { slot.abandon(building)?.tell() } }
        // As a part of the build, so that a storage that waits for that is told.
        let kept = try Resolution.withCurrent { resolution in
            // No turn, but waits blame the build for it as they blame a turn.
            try resolution.inside(Resolution.Step(in: self, turn: building, after: path)) {
                try storedInstance(in: slot, path)
            }
        }
        isOver = kept != nil
        return kept
    }

    /// Has a storage keep an instance, unless a reset came since its build began.
    func store(_ box: AnyBox, in slot: Slot, _ building: Slot.Building, _ path: Path) throws {
        guard let graph = path.madeGraph else { return }
        let use = slot.storage
        graph.keep(box)
        // In a graph that has ended it is told at once.
        defer { graph.keep(UsedStorage(use, self)) }
        let replaced = try use(in: self) { storage -> Any? in
            guard slot.isCurrent(building) else { return nil }
            let replaced = storage.instance
            storage.setInstance(box.anyValue, inGraph: GraphIdentifier(graph))
            use.last = heapObject(in: box.anyValue)
            return replaced
        }
        withExtendedLifetime(replaced) {}
    }

    /// Empties the storage of a slot, which is made if need be: what a scope hands out may hold something already.
    func emptyStorage(of slot: Slot) -> Slot.Detached {
        let use = slot.storage
        do {
            // Inside its turn, where nothing that is built from now on can be dropped.
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
            // A reset can wait for the storage, or never end.
            Resolution.withCurrent { stop(for: error, "Depin: \(error)", at: nil, $0) }
        }
    }

    /// The instance that a storage has, for no graph alone.
    func storedInstance(in slot: Slot) -> AnyBox? {
        let instance = try? slot.storage(in: self) { $0.instance }
        return instance.flatMap { $0 }.flatMap(slot.box)
    }
}
