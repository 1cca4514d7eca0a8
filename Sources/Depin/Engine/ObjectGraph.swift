/// The instances of one object graph: a table by registration, container and arguments.
///
/// The graph holds its instances while a resolution is under way in it. After the last resolution it dies; or, if a
/// ``GraphIdentifier`` or a `Lazy` still names it, it goes on holding the objects weakly, and drops the values. The
/// next resolution in it finds the objects that still live. A task that a factory left running may go on in an ended
/// graph: what it makes there is held weakly from the beginning.
package final class ObjectGraph: Sendable {
    /// What an instance is found by.
    struct Key: Hashable {
        let slot: UInt
        let asked: UInt
        /// 0 for no arguments, else their hash; or the next number behind it at which nothing stands.
        private(set) var arguments = 0

        init(_ slot: Slot, for asked: UInt, _ arguments: Arguments?) {
            (self.slot, self.asked) = (slot.number, asked)
            guard let arguments else { return }
            // What equals nothing stands apart, so that no lookup compares with it.
            self.arguments = arguments.hash ?? ObjectIdentifier(arguments).hashValue
            if self.arguments == 0 { self.arguments = 1 }
        }

        /// Where to look for arguments with the same hash as other ones.
        var next: Key {
            var next = self
            next.arguments &+= 1
            return next
        }
    }

    struct Instance {
        let box: AnyBox
        var arguments: Arguments?
        /// The dependent that stands for the instance, if needs are noted.
        var dependent: Dependent?
    }

    typealias Cell = (key: Key, value: Instance)

    struct State {
        var instances = SmallTable<Key, Instance>()
        var resolutions = 1
        var isUnderWay: Bool { resolutions > 0 }
        var isNamed = false
        /// The first owner that belongs to the graph.
        var owner: Owner?
        var parts: Parts?

        var madeParts: Parts {
            mutating get {
                let known = parts ?? Parts()
                parts = known
                return known
            }
        }

        /// What stands at a key, which may have gone if it is held weakly.
        func occupant(of key: Key) -> Instance? {
            instances[key] ?? (parts == nil ? nil : weakInstance(key))
        }

        // Apart, because few graphs have any (row 4g: 2,000 instructions).
        @inline(never)
        private func weakInstance(_ key: Key) -> Instance? { parts?.weakInstances[key] }
    }

    /// The parts that few graphs have.
    ///
    /// Guarded by the lock of the state.
    final class Parts {
        /// The owners of the graph besides ``State/owner``, and those from before its end.
        var owners: [WeakObject] = []
        /// The instances from before the graph's end, held weakly.
        var weakInstances = SmallTable<Key, Instance>()
        /// With more weak instances than this, the graph looks for those that have gone.
        var weakLimit = 64
        var companions: [AnyObject] = []
        var stored = RareTable<UInt, Any>()
        var storedWeakly = RareTable<UInt, WeakObject>()
    }

    /// Names the graph for good, unlike its address.
    let number = Serial.next()
    let state = Guarded(State())

    package init() {}

    // MARK: - Resolutions

    /// Lets the graph be found again after its resolution.
    func name() {
        state.withLock { $0.isNamed = true }
    }

    /// Counts a further resolution in the graph.
    func begin() {
        state.withLock { $0.resolutions += 1 }
    }

    /// Counts a further resolution, unless the last one has ended.
    func beginIfUnderWay() -> Bool {
        state.withLock { state in
            guard state.isUnderWay else { return false }
            state.resolutions += 1
            return true
        }
    }

    /// Ends the resolution that `init` or ``begin()`` counted.
    ///
    /// The caller releases the result, because user code may run when an instance goes.
    func end() -> Ended {
        if let ended = state.withLock({ $0.endUnnamed() }) { return ended }
        while true {
            let strong = state.withLock { $0.resolutions == 1 ? $0.instances.cells.copied : [] }
            // Outside of the lock, because comparing arguments runs user code.
            let weak = strong.compactMap { cell in cell.value.weakened.map { (cell.key, $0) } }
            let ended = state.withLock { $0.endNamed(keeping: weak, of: strong.count) }
            if let ended { return ended }
        }
    }

    /// What the last resolution leaves behind, for the caller to release.
    struct Ended {
        var companions: [AnyObject] = []
        var owner: Owner?
        var instances = SmallTable<Key, Instance>()
        var dropped: [Any] = []
    }

    /// Ends a resolution, and tells the companions of the graph's end.
    package func endResolution() {
        let ended = end()
        for case let companion as any GraphCompanion in ended.companions {
            companion.graphHasEnded()
        }
        withExtendedLifetime(ended) {}
    }

    /// Keeps an object alive until the graph's last resolution ends; a companion of an ended graph is told at once.
    @inline(never)
    func keep(_ companion: AnyObject) {
        let isKept = state.withLock { state in
            guard state.isUnderWay else { return false }
            state.madeParts.companions.append(companion)
            return true
        }
        if !isKept { (companion as? any GraphCompanion)?.graphHasEnded() }
    }

    // MARK: - Instances

    /// The instance of a slot for the container that was asked and for arguments.
    @inline(__always)
    func find(_ slot: Slot, for asked: UInt, _ arguments: Arguments?) -> Instance? {
        find(Key(slot, for: asked, arguments), arguments)
    }

    private func find(_ key: Key, _ arguments: Arguments?) -> Instance? {
        guard let known = state.withLock({ $0.occupant(of: key) }) else { return nil }
        // Outside of the lock, because this runs user code.
        guard Arguments.isEqual(known.arguments, arguments) else {
            return find(key.next, arguments)
        }
        return known.living
    }

    /// Keeps the instance of a step, unless there is one already; gives back the kept one.
    ///
    /// If needs are noted, the step's dependent stands for the instance from now on. An ended graph keeps it weakly.
    func insert(
        _ box: AnyBox,
        of slot: Slot,
        for asked: UInt,
        _ step: UnsafeMutablePointer<Resolution.Step>
    ) -> AnyBox {
        let key = Key(slot, for: asked, step.pointee.arguments)
        let instance = Instance(
            box: box,
            arguments: step.pointee.arguments,
            dependent: step.pointee.isDependent ? step.pointee.dependent : nil
        )
        return insert(instance, key, replacing: nil) ?? insertElsewhere(instance, key)
    }

    /// Puts an instance to a key, unless another one stands there; gives back its box if it is kept.
    private func insert(_ instance: Instance, _ key: Key, replacing gone: Instance?) -> AnyBox? {
        state.withLock { state in
            guard state.isUnderWay, state.occupant(of: key)?.box === gone?.box else { return nil }
            state.instances.append(key, instance)
            return instance.box
        }
    }

    /// Puts an instance to a key at which another one stands, or to one behind it, or into a graph that has ended.
    ///
    /// Gives back the kept instance, which may be the other one.
    @inline(never)
    private func insertElsewhere(_ instance: Instance, _ first: Key) -> AnyBox {
        // Outside of the lock, because comparing arguments runs user code.
        let weak = instance.weakened
        var key = first
        while true {
            let known = state.withLock { $0.occupant(of: key) }
            if let known, !Arguments.isEqual(known.arguments, instance.arguments) {
                key = key.next
                continue
            }
            if let living = known?.living { return living.box }
            if let kept = insert(instance, key, replacing: known) { return kept }
            let isOver = state.withLock { state in
                guard !state.isUnderWay, state.occupant(of: key)?.box === known?.box else {
                    return false
                }
                if let weak { state.madeParts.weakInstances[key] = weak }
                return true
            }
            if isOver { return instance.box }
        }
    }

    // MARK: - Storages

    func storedInstance(for storage: UInt) -> Any? {
        state.withLock { state in
            state.parts?.stored[storage] ?? state.parts?.storedWeakly[storage]?.object
        }
    }

    func setStoredInstance(_ instance: Any?, for storage: UInt) {
        let dropped = state.withLock { state -> Any? in
            let (parts, isUnderWay) = (state.madeParts, state.isUnderWay)
            defer {
                parts.stored[storage] = isUnderWay ? instance : nil
                parts.storedWeakly[storage] = isUnderWay ? nil : WeakObject.to(instance)
            }
            return parts.stored[storage]
        }
        withExtendedLifetime(dropped) {}
    }
}
