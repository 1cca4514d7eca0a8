/// The instances of one graph: a table by registration, container and arguments.
///
/// While a resolution is under way in it, a graph holds its instances. When the last one has ended it
/// dies, or, where a ``GraphIdentifier`` or a `Lazy` still names it, goes on holding the objects
/// weakly and drops the values. What still lives is found by the next resolution in it. A task that a factory has left
/// running may go on in a graph that has ended: what it makes there is held weakly from the beginning.
package final class ObjectGraph: Sendable {
    /// What an instance is found by, but for the arguments, which the user's code compares.
    struct Key: Hashable {
        let slot: UInt
        let asked: UInt
        /// The hash of the arguments, 0 for none.
        let arguments: Int
    }

    struct Instance {
        let arguments: Arguments?
        let box: AnyBox
    }

    /// Those that are found by one key.
    typealias Instances = (key: Key, value: [Instance])

    struct State {
        var instances = SmallTable<Key, AnyBox>()
        var resolutions = 1
        var isUnderWay: Bool { resolutions > 0 }
        var isNamed = false
        /// The first of those that belong to the graph.
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

    /// What few graphs have.
    ///
    /// Guarded by the lock of the state.
    final class Parts {
        /// Those that belong to the graph beside ``State/owner``, and those of the time before the graph ended.
        var owners: [WeakObject] = []
        var instances = RareTable<Key, [Instance]>()
        /// How many those are.
        var instanceCount = 0
        /// What is held weakly: the instances of the time before the graph ended.
        var weakInstances = RareTable<Key, [Instance]>()
        /// With more of them, those are looked for that have gone.
        var weakLimit = 64
        var companions: [AnyObject] = []
        var dependents = SmallTable<Key, Dependent>()
        var stored = RareTable<UInt, Any>()
        var storedWeakly = RareTable<UInt, WeakObject>()
    }

    /// Names the graph forever, as an address does not.
    let number = Serial.next()
    private let state = Guarded(State())

    package init() {}

    // MARK: - Resolutions

    /// Lets the graph be found again when the resolution has ended.
    func name() {
        state.withLock { $0.isNamed = true }
    }

    /// Counts a further resolution that begins here.
    package func begin() {
        state.withLock { $0.resolutions += 1 }
    }

    /// The same, unless the last one has ended.
    func beginIfUnderWay() -> Bool {
        state.withLock { state in
            guard state.isUnderWay else { return false }
            state.resolutions += 1
            return true
        }
    }

    /// Ends the resolution of `init` or ``begin()``.
    ///
    /// The caller releases the result: user code may run when an instance goes.
    package func end() -> Ended {
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
            // Outside the lock: looking through arguments runs the user's code.
            weakInstances = instances.map { ($0.key, $0.value.compactMap(\.weakened)) }
        }
    }

    /// What the last resolution leaves behind.
    package struct Ended {
        var companions: [AnyObject] = []
        var owner: Owner?
        var instances = SmallTable<Key, AnyBox>()
        var dropped: [Any] = []
    }

    /// Ends a resolution, and tells those of which the graph was asked to.
    func endResolution() {
        let ended = end()
        for case let companion as any GraphCompanion in ended.companions {
            companion.graphHasEnded()
        }
        withExtendedLifetime(ended) {}
    }

    /// Keeps something alive until the last resolution here ends; where that has ended, it is told at once.
    @inline(never)
    func keep(_ companion: AnyObject) {
        let isKept = state.withLock { state in
            guard state.isUnderWay else { return false }
            state.madeParts.companions.append(companion)
            return true
        }
        if !isKept { (companion as? any GraphCompanion)?.graphHasEnded() }
    }

    // MARK: - Owners

    /// The owners that belong to the graph, as far as somebody has them.
    @inline(never)
    var owners: [Owner] {
        let (first, known) = state.withLock { ($0.owner, $0.parts?.owners.copied ?? []) }
        let others = known.compactMap { $0.object as? Owner }
        return first.map { [$0] + others } ?? others
    }

    /// Keeps an owner that belongs to the graph, and knows it for as long as anybody else does.
    func keepOwner(_ owner: Owner) {
        let isFirst = state.withLock { state in
            if state.owner == nil, state.isUnderWay {
                state.owner = owner
                return true
            }
            state.madeParts.owners.append(WeakObject(owner))
            return false
        }
        if !isFirst { keep(owner) }
    }

    // MARK: - Instances

    /// The instance of a registration for a container and arguments.
    @inline(__always)
    func find(_ slot: Slot, for asked: UInt, _ arguments: Arguments?) -> AnyBox? {
        if let arguments { return find(slot, for: asked, equalTo: arguments) }
        let key = Key(slot: slot.number, asked: asked, arguments: 0)
        // Few graphs have anybody else, who is looked for apart (row 4g: 2,000 instructions, with `insert`).
        var hasParts = false
        let known = state.withLock { state in
            hasParts = state.parts != nil
            return state.instances[key]
        }
        return hasParts && known == nil ? weakInstance(key) : known
    }

    /// Keeps an instance, unless there is one by now, and gives back which is kept; in a graph that has ended, weakly.
    @inline(__always)
    func insert(_ box: AnyBox, of slot: Slot, for asked: UInt, _ arguments: Arguments?) -> AnyBox {
        if let arguments { return insert(box, of: slot, for: asked, unlessEqualTo: arguments) }
        let key = Key(slot: slot.number, asked: asked, arguments: 0)
        let known = state.withLock { state -> AnyBox? in
            guard state.isUnderWay else { return nil }
            if let known = state.instances[key] { return known }
            state.instances[key] = box
            return box
        }
        return known ?? addWeakly(box, key, nil)
    }

    /// Adds an instance when the graph has ended.
    private func addWeakly(_ box: AnyBox, _ key: Key, _ arguments: Arguments?) -> AnyBox {
        let instance = Instance(arguments: arguments, box: box)
        guard let weakInstance = instance.weakened else { return box }
        state.withLock { $0.madeParts.weakInstances[key, default: []].append(weakInstance) }
        return box
    }

    private func weakInstance(_ key: Key) -> AnyBox? {
        let known = state.withLock { $0.parts?.weakInstances[key]?.copied ?? [] }
        return known.firstLiving
    }

    private func find(_ slot: Slot, for asked: UInt, equalTo arguments: Arguments) -> AnyBox? {
        let key = Self.key(slot, asked, arguments)
        let known = state.withLock { state in
            ((state.parts?.instances[key] ?? []) + (state.parts?.weakInstances[key] ?? [])).copied
        }
        // Outside the lock: this is the user's code.
        return known.filter { Arguments.isEqual($0.arguments, arguments) }.firstLiving
    }

    @inline(never)
    private func insert(
        _ box: AnyBox,
        of slot: Slot,
        for asked: UInt,
        unlessEqualTo arguments: Arguments
    ) -> AnyBox {
        let shared = Self.key(slot, asked, arguments)
        while true {
            let count = state.withLock { $0.parts?.instances[shared]?.count ?? 0 }
            if let known = find(slot, for: asked, equalTo: arguments) { return known }
            // What equals nothing stands apart, so that nobody compares with it.
            let isAlone = count > 0 && !arguments.equalsItself
            let key = isAlone ? Self.key(slot, asked, foundBy: arguments) : shared
            let isAdded = state.withLock { state -> Bool? in
                guard state.isUnderWay else { return nil }
                // Another thread may have added an instance meanwhile.
                let parts = state.madeParts
                guard parts.instances[shared]?.count ?? 0 == count else { return false }
                parts.instances[key, default: []].append(Instance(arguments: arguments, box: box))
                parts.instanceCount += 1
                return true
            }
            guard let isAdded else { return addWeakly(box, key, arguments) }
            if isAdded { return box }
        }
    }

    private static func key(_ slot: Slot, _ asked: UInt, _ arguments: Arguments?) -> Key {
        guard let arguments else { return Key(slot: slot.number, asked: asked, arguments: 0) }
        guard let hash = arguments.hash else { return key(slot, asked, foundBy: arguments) }
        return Key(slot: slot.number, asked: asked, arguments: hash == 0 ? 1 : hash)
    }

    /// The key of an instance for arguments that cannot be compared: by their identity.
    private static func key(_ slot: Slot, _ asked: UInt, foundBy arguments: Arguments) -> Key {
        Key(slot: slot.number, asked: asked, arguments: ObjectIdentifier(arguments).hashValue)
    }

    // MARK: - Needs

    /// Notes whose needs an instance of the graph has.
    func setDependent(
        _ dependent: Dependent,
        of slot: Slot,
        for asked: UInt,
        _ arguments: Arguments?
    ) {
        let key = Self.key(slot, asked, arguments)
        let replaced = state.withLock { state in
            let parts = state.madeParts
            defer { parts.dependents[key] = dependent }
            return parts.dependents[key]
        }
        withExtendedLifetime(replaced) {}
    }

    /// Whose needs an instance of the graph has, where they are noted.
    func dependent(of slot: Slot, for asked: UInt, _ arguments: Arguments?) -> Dependent? {
        let key = Self.key(slot, asked, arguments)
        return state.withLock { $0.parts?.dependents[key] }
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
