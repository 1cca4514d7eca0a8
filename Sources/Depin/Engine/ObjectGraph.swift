/// The instances of one object graph: a table by registration, container and arguments.
///
/// The graph holds its instances while a resolution is under way in it. After the last resolution it dies; or, if a
/// ``GraphIdentifier`` or a `Lazy` still names it, it goes on holding the objects weakly, and drops the values. The
/// next resolution in it finds the objects that still live. A task that a factory left running may go on in an ended
/// graph: what it makes there is held weakly from the beginning.
package final class ObjectGraph: Sendable {
    /// What an instance is found by, except for the arguments, which user code compares.
    struct Key: Hashable {
        let slot: UInt
        let asked: UInt
        /// The hash of the arguments; 0 for none.
        let arguments: Int
    }

    struct Instance {
        let arguments: Arguments?
        var box: AnyBox
        /// What stands for the instance in the graph of needs, if needs are noted.
        var dependent: Dependent?
    }

    /// The instances with one key.
    typealias Instances = (key: Key, value: [Instance])

    struct State {
        var instances = SmallTable<Key, AnyBox>()
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
    }

    /// The parts that few graphs have.
    ///
    /// Guarded by the lock of the state.
    final class Parts {
        /// The owners of the graph besides ``State/owner``, and those from before its end.
        var owners: [WeakObject] = []
        var instances = RareTable<Key, [Instance]>()
        /// How many instances with arguments there are.
        var instanceCount = 0
        /// The instances from before the graph's end, held weakly.
        var weakInstances = RareTable<Key, [Instance]>()
        /// With more weak instances than this, the graph looks for those that have gone.
        var weakLimit = 64
        var companions: [AnyObject] = []
        /// Those of the instances without arguments that are not held weakly.
        var dependents = SmallTable<Key, Dependent>()
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
        var (weakInstances, count): ([Instances], Int) = ([], 0)
        while true {
            let (ended, instances) = state.withLock { state -> (Ended?, [Instances]) in
                guard state.resolutions == 1, let parts = state.parts, parts.instanceCount != count
                else { return (state.endNamed(weakInstances), []) }
                count = parts.instanceCount
                return (nil, parts.instances.all.map { ($0.key, $0.value.copied) })
            }
            if let ended { return ended }
            // Outside of the lock, because comparing arguments runs user code.
            weakInstances = instances.map { ($0.key, $0.value.compactMap(\.weakened)) }
        }
    }

    /// What the last resolution leaves behind, for the caller to release.
    struct Ended {
        var companions: [AnyObject] = []
        var owner: Owner?
        var instances = SmallTable<Key, AnyBox>()
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
    func find(_ slot: Slot, for asked: UInt, _ arguments: Arguments?) -> AnyBox? {
        if let arguments { return find(slot, for: asked, equalTo: arguments)?.box }
        let key = Key(slot: slot.number, asked: asked, arguments: 0)
        // Few graphs have parts, so those are searched apart (row 4g: 2,000 instructions, with `insert`).
        var hasParts = false
        let known = state.withLock { state in
            hasParts = state.parts != nil
            return state.instances[key]
        }
        return hasParts && known == nil ? weakInstance(key)?.box : known
    }

    /// Keeps the instance of a step, unless there is one already; gives back the kept one.
    ///
    /// If needs are noted, the step's dependent stands for the instance from now on. An ended graph keeps it weakly.
    @inline(__always)
    func insert(
        _ box: AnyBox,
        of slot: Slot,
        for asked: UInt,
        _ step: UnsafeMutablePointer<Resolution.Step>
    ) -> AnyBox {
        let dependent = step.pointee.isDependent ? step.pointee.dependent : nil
        let instance = Instance(arguments: step.pointee.arguments, box: box, dependent: dependent)
        if instance.arguments != nil { return insert(instance, of: slot, for: asked) }
        let key = Key(slot: slot.number, asked: asked, arguments: 0)
        var replaced: Dependent?
        let kept = state.withLock { state -> AnyBox? in
            guard state.isUnderWay else { return nil }
            let kept = state.instances.value(of: key, orNew: box)
            if let dependent, kept === box {
                let parts = state.madeParts
                (replaced, parts.dependents[key]) = (parts.dependents[key], dependent)
            }
            return kept
        }
        withExtendedLifetime(replaced) {}
        return kept ?? addWeakly(instance, key)
    }

    /// Keeps an instance of an ended graph.
    private func addWeakly(_ instance: Instance, _ key: Key) -> AnyBox {
        guard let weakInstance = instance.weakened else { return instance.box }
        state.withLock { $0.madeParts.weakInstances[key, default: []].append(weakInstance) }
        return instance.box
    }

    private func weakInstance(_ key: Key) -> Instance? {
        let known = state.withLock { $0.parts?.weakInstances[key]?.copied ?? [] }
        return known.firstLiving
    }

    private func find(_ slot: Slot, for asked: UInt, equalTo arguments: Arguments) -> Instance? {
        let key = Self.key(slot, asked, arguments)
        let known = state.withLock { state in
            ((state.parts?.instances[key] ?? []) + (state.parts?.weakInstances[key] ?? [])).copied
        }
        // Outside of the lock, because this runs user code.
        return known.filter { Arguments.isEqual($0.arguments, arguments) }.firstLiving
    }

    @inline(never)
    private func insert(_ instance: Instance, of slot: Slot, for asked: UInt) -> AnyBox {
        guard let arguments = instance.arguments else { return instance.box }
        let shared = Self.key(slot, asked, arguments)
        while true {
            let count = state.withLock { $0.parts?.instances[shared]?.count ?? 0 }
            if let known = find(slot, for: asked, equalTo: arguments) { return known.box }
            // Arguments that equal nothing stand apart, so that no lookup compares with them.
            let isAlone = count > 0 && !arguments.equalsItself
            let key = isAlone ? Self.key(slot, asked, foundBy: arguments) : shared
            let isAdded = state.withLock { state -> Bool? in
                guard state.isUnderWay else { return nil }
                // Another thread may have inserted an instance meanwhile.
                let parts = state.madeParts
                guard parts.instances[shared]?.count ?? 0 == count else { return false }
                parts.instances[key, default: []].append(instance)
                parts.instanceCount += 1
                return true
            }
            guard let isAdded else { return addWeakly(instance, key) }
            if isAdded { return instance.box }
        }
    }

    private static func key(_ slot: Slot, _ asked: UInt, _ arguments: Arguments) -> Key {
        guard let hash = arguments.hash else { return key(slot, asked, foundBy: arguments) }
        return Key(slot: slot.number, asked: asked, arguments: hash == 0 ? 1 : hash)
    }

    /// The key for arguments that cannot be compared: their identity.
    private static func key(_ slot: Slot, _ asked: UInt, foundBy arguments: Arguments) -> Key {
        Key(slot: slot.number, asked: asked, arguments: ObjectIdentifier(arguments).hashValue)
    }

    // MARK: - Needs

    /// The dependent that stands for an instance, if needs are noted.
    func dependent(of slot: Slot, for asked: UInt, _ arguments: Arguments?) -> Dependent? {
        if let arguments { return find(slot, for: asked, equalTo: arguments)?.dependent }
        let key = Key(slot: slot.number, asked: asked, arguments: 0)
        return state.withLock { $0.parts?.dependents[key] } ?? weakInstance(key)?.dependent
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
