/// The instances of one graph.
///
/// While a resolution is under way in it, a graph holds its instances. When the last one has ended it
/// dies, or, where a ``GraphIdentifier`` or a `Lazy` still names it, goes on holding the objects
/// weakly and drops the values. What still lives is taken up again by the next resolution in it.
///
/// It belongs to the thread that resolves until it is shared by a ``GraphIdentifier`` or a `Lazy`,
/// and is guarded by its lock from then on.
///
/// PERF: values lie side by side in the memory behind the object, and records are trivial, so the
/// bookkeeping of a graph of ten is one allocation and plain stores. A dictionary of boxes took eleven
/// allocations and 2.6 times as long; checked accesses to the state alone a third more.
@usableFromInline
final class ObjectGraph: ManagedBuffer<ObjectGraph.State, UInt64> {
    /// What an instance is found by in its graph.
    ///
    /// Nothing in it is held.
    struct Key {
        let entry: UnsafeRawPointer
        let asked: UnsafeRawPointer
        let arguments: Unmanaged<Arguments>?

        @inline(__always)
        func matches(_ other: Key) -> Bool {
            guard entry == other.entry, asked == other.asked else { return false }
            if arguments == nil && other.arguments == nil { return true }
            return Arguments.isEqual(
                arguments?.takeUnretainedValue(),
                other.arguments?.takeUnretainedValue()
            )
        }
    }

    @usableFromInline
    struct State {
        fileprivate var first: UnsafeMutablePointer<Record>?
        fileprivate var count = 0
        /// The part of the memory at hand that is not used yet.
        fileprivate var free: UnsafeMutableRawPointer
        fileprivate var end: UnsafeMutableRawPointer
        fileprivate var resolutions = 1
        fileprivate var lock: Lock?
        fileprivate var more: More?
    }

    /// What few graphs have.
    ///
    /// Guarded as the state is.
    fileprivate final class More {
        var chunks: [UnsafeMutableRawPointer] = []
        /// Records by the hash of entry and container, once there are many.
        var index: [Int: [UnsafeMutablePointer<Record>]] = [:]
        var survivors: [Survivor] = []
        var company: [any Sendable] = []
        var extras: [ObjectIdentifier: Any] = [:]
        var weakExtras: [ObjectIdentifier: WeakReference] = [:]
    }

    /// One instance; its key's arguments are held.
    fileprivate struct Record {
        let key: Key
        let type: Any.Type
        let value: UnsafeMutableRawPointer
        let next: UnsafeMutablePointer<Record>?
    }

    fileprivate struct Survivor {
        let entry: UnsafeRawPointer
        let asked: UnsafeRawPointer
        let arguments: Arguments?
        let type: Any.Type
        let reference: WeakReference
    }

    fileprivate struct WeakReference {
        weak var object: AnyObject?
    }

    /// Words behind the object: room for a dozen existentials, and still in malloc's fast bins.
    private static let capacity = 108
    fileprivate static let indexedFrom = 32

    /// Makes the graph of a resolution that is about to begin.
    static func make() -> ObjectGraph {
        let buffer = ObjectGraph.create(minimumCapacity: capacity) { buffer in
            buffer.withUnsafeMutablePointerToElements { words in
                State(
                    free: UnsafeMutableRawPointer(words),
                    end: UnsafeMutableRawPointer(words + capacity)
                )
            }
        }
        return unsafeDowncast(buffer, to: ObjectGraph.self)
    }

    deinit {
        state.pointee.dropRecords()
        state.pointee.lock?.destroy()
    }

    @inline(__always)
    private var state: UnsafeMutablePointer<State> {
        // The header lies in the object, so it stays where it is for the object's life.
        withUnsafeMutablePointerToHeader { $0 }
    }

    // MARK: - Sharing

    /// Lets other threads see the graph.
    ///
    /// Called by the thread it belongs to.
    func share() {
        if state.pointee.lock == nil {
            state.pointee.lock = Lock()
        }
    }

    @inline(__always)
    private func guarded<Result>(_ body: (UnsafeMutablePointer<State>) -> Result) -> Result {
        guard let lock = state.pointee.lock else { return body(state) }
        return lock.withLock { body(state) }
    }

    // MARK: - Resolutions

    /// Counts a further resolution that begins here, and takes up what is still alive.
    func begin() {
        guarded { state in
            state.pointee.resolutions += 1
            state.pointee.revive()
        }
    }

    /// Ends the resolution of ``make()`` or ``begin()``.
    ///
    /// The caller releases the result, the companions and whatever else was held: user code may run
    /// when an instance goes.
    func end() -> (company: [any Sendable], held: [Any]) {
        guarded { state -> (company: [any Sendable], held: [Any]) in
            state.pointee.resolutions -= 1
            guard state.pointee.resolutions == 0 else { return ([], []) }
            let company = state.pointee.more?.company ?? []
            state.pointee.more?.company = []
            let isNamed = state.pointee.lock != nil
            return (company, isNamed ? state.pointee.weaken() : [])
        }
    }

    // MARK: - Instances

    /// Where the instance for a key lies, until the last resolution here ends.
    @inline(__always)
    func find(_ key: Key) -> UnsafeRawPointer? {
        guarded { state in UnsafeRawPointer(state.pointee.find(key)) }
    }

    /// Begins to keep an instance: room for it, or the one that is there.
    ///
    /// Whoever gets room puts the instance there and calls ``endAdding()`` at once.
    func beginAdding(
        _ key: Key,
        _ type: Any.Type,
        size: Int,
        alignment: Int
    ) -> (place: UnsafeMutableRawPointer, isNew: Bool) {
        state.pointee.lock?.lock()
        if let known = state.pointee.find(key) {
            endAdding()
            return (known, false)
        }
        return (state.pointee.add(key, type, size: size, alignment: alignment), true)
    }

    func endAdding() {
        state.pointee.lock?.unlock()
    }

    /// Keeps something alive until the last resolution here ends.
    func keep(_ companion: any Sendable) {
        guarded { state in state.pointee.madeMore().company.append(companion) }
    }

    func extra(for storage: ObjectIdentifier) -> Any? {
        guarded { state in
            state.pointee.more?.extras[storage] ?? state.pointee.more?.weakExtras[storage]?.object
        }
    }

    func setExtra(_ value: Any?, for storage: ObjectIdentifier) {
        let dropped = guarded { state -> Any? in
            let isUnderWay = state.pointee.resolutions > 0
            let more = state.pointee.madeMore()
            let dropped = more.extras[storage]
            more.extras[storage] = isUnderWay ? value : nil
            more.weakExtras[storage] =
                isUnderWay ? nil : heapObject(in: value).map { WeakReference(object: $0) }
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}

extension ObjectGraph.State {
    fileprivate init(free: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
        self.free = free
        self.end = end
        first = nil
        lock = nil
        more = nil
    }

    fileprivate mutating func madeMore() -> ObjectGraph.More {
        let more = more ?? ObjectGraph.More()
        self.more = more
        return more
    }

    private static func hash(_ key: ObjectGraph.Key) -> Int {
        Int(bitPattern: key.entry) ^ Int(bitPattern: key.asked) &* 31
    }

    // Mutating, because the compiler copies the state for a method that is not.
    fileprivate mutating func find(_ key: ObjectGraph.Key) -> UnsafeMutableRawPointer? {
        if count >= ObjectGraph.indexedFrom {
            return more?.index[Self.hash(key)]?.first { $0.pointee.key.matches(key) }?.pointee.value
        }
        var record = first
        while let current = record {
            if current.pointee.key.matches(key) { return current.pointee.value }
            record = current.pointee.next
        }
        return nil
    }

    /// Adds a record and gives room for its value.
    fileprivate mutating func add(
        _ key: ObjectGraph.Key,
        _ type: Any.Type,
        size: Int,
        alignment: Int
    ) -> UnsafeMutableRawPointer {
        typealias Record = ObjectGraph.Record
        let record = room(MemoryLayout<Record>.size, MemoryLayout<Record>.alignment)
            .bindMemory(to: Record.self, capacity: 1)
        let value = room(size, alignment)
        _ = key.arguments?.retain()
        record.initialize(to: Record(key: key, type: type, value: value, next: first))
        first = record
        count += 1
        if count >= ObjectGraph.indexedFrom {
            addToIndex(record)
        }
        return value
    }

    private mutating func addToIndex(_ newest: UnsafeMutablePointer<ObjectGraph.Record>) {
        let more = madeMore()
        var record: UnsafeMutablePointer<ObjectGraph.Record>? = newest
        while let current = record {
            more.index[Self.hash(current.pointee.key), default: []].append(current)
            // At the threshold all that came before are added too.
            record = count == ObjectGraph.indexedFrom ? current.pointee.next : nil
        }
    }

    private mutating func room(_ size: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
        let place = free.alignedUp(toMultipleOf: alignment)
        if place + size <= end {
            free = place + size
            return place
        }
        let byteCount = max(size + alignment, 2048 << min(count / 32, 10))
        let chunk = UnsafeMutableRawPointer.allocate(
            byteCount: byteCount,
            alignment: max(alignment, 16)
        )
        madeMore().chunks.append(chunk)
        free = chunk
        end = chunk + byteCount
        return room(size, alignment)
    }

    fileprivate mutating func revive() {
        guard let more, !more.survivors.isEmpty else { return }
        for survivor in more.survivors {
            guard let object = survivor.reference.object else { continue }
            func add<Value>(_ type: Value.Type) {
                guard let value = object as? Value else { return }
                let key = ObjectGraph.Key(
                    entry: survivor.entry,
                    asked: survivor.asked,
                    arguments: survivor.arguments.map(Unmanaged.passUnretained)
                )
                let layout = MemoryLayout<Value>.self
                self.add(key, type, size: layout.size, alignment: layout.alignment)
                    .initializeMemory(as: Value.self, to: value)
            }
            _openExistential(survivor.type, do: add)
        }
        more.survivors = []
    }

    /// Holds what are objects weakly from now on; the result holds everything for the last time.
    fileprivate mutating func weaken() -> [Any] {
        let more = madeMore()
        var held = Array(more.extras.values)
        for (storage, value) in more.extras {
            more.weakExtras[storage] =
                heapObject(in: value).map { ObjectGraph.WeakReference(object: $0) }
        }
        more.extras = [:]
        var record = first
        while let current = record?.pointee {
            func take<Value>(_ type: Value.Type) -> Any {
                current.value.assumingMemoryBound(to: type).pointee
            }
            let value = _openExistential(current.type, do: take)
            held.append(value)
            if let object = heapObject(in: value) {
                more.survivors.append(
                    ObjectGraph.Survivor(
                        entry: current.key.entry,
                        asked: current.key.asked,
                        arguments: current.key.arguments?.takeUnretainedValue(),
                        type: current.type,
                        reference: ObjectGraph.WeakReference(object: object)
                    )
                )
            }
            record = current.next
        }
        dropRecords()
        return held
    }

    fileprivate mutating func dropRecords() {
        var record = first
        while let current = record?.pointee {
            func destroy<Value>(_ type: Value.Type) {
                current.value.assumingMemoryBound(to: type).deinitialize(count: 1)
            }
            _openExistential(current.type, do: destroy)
            current.key.arguments?.release()
            record = current.next
        }
        first = nil
        count = 0
        end = free
        guard let more else { return }
        for chunk in more.chunks {
            chunk.deallocate()
        }
        more.chunks = []
        more.index = [:]
    }
}
