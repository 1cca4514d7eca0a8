/// The instances of one graph.
///
/// While a resolution is under way in it, a graph holds its instances. When the last one has ended it
/// dies, or, where a ``GraphIdentifier`` or a `Lazy` still names it, goes on holding the objects
/// weakly and drops the values. What still lives is taken up again by the next resolution in it.
///
/// It belongs to the thread that resolves until it is shared by a ``GraphIdentifier`` or a `Lazy`,
/// and is guarded by its lock from then on.
///
/// PERF: values lie side by side in the memory behind the object, so the bookkeeping of a graph of
/// ten is one allocation; a dictionary of boxes took eleven and 2.6 times as long.
@usableFromInline
final class ObjectGraph: ManagedBuffer<ObjectGraph.State, UInt64> {
    /// What an instance is found by in its graph.
    struct Key {
        let entry: UnsafeRawPointer
        let asked: UnsafeRawPointer
        let arguments: Arguments?

        func matches(_ other: Key) -> Bool {
            entry == other.entry && asked == other.asked
                && Arguments.isEqual(arguments, other.arguments)
        }
    }

    @usableFromInline
    struct State {
        fileprivate var first: UnsafeMutablePointer<Record>?
        fileprivate var count = 0
        /// The part of the memory at hand that is not used yet.
        fileprivate var free: UnsafeMutableRawBufferPointer
        fileprivate var spilled: [UnsafeMutableRawPointer] = []
        /// Records by the hash of entry and container, once there are many.
        fileprivate var index: [Int: [UnsafeMutablePointer<Record>]] = [:]
        fileprivate var survivors: [Survivor] = []
        fileprivate var company: [any Sendable] = []
        fileprivate var extras: [ObjectIdentifier: Any] = [:]
        fileprivate var weakExtras: [ObjectIdentifier: WeakReference] = [:]
        fileprivate var resolutions = 0
        fileprivate var lock: Lock?
    }

    fileprivate struct Record {
        let key: Key
        let type: Any.Type
        let value: UnsafeMutableRawPointer
        var next: UnsafeMutablePointer<Record>?
    }

    fileprivate struct Survivor {
        let key: Key
        let type: Any.Type
        let reference: WeakReference
    }

    fileprivate struct WeakReference {
        weak var object: AnyObject?
    }

    /// Words behind the object: room for a dozen existentials, and still in malloc's fast bins.
    private static let capacity = 104
    fileprivate static let indexedFrom = 32

    static func make() -> ObjectGraph {
        let buffer = ObjectGraph.create(minimumCapacity: capacity) { buffer in
            buffer.withUnsafeMutablePointerToElements { words in
                State(free: UnsafeMutableRawBufferPointer(start: words, count: capacity * 8))
            }
        }
        return unsafeDowncast(buffer, to: ObjectGraph.self)
    }

    deinit {
        header.dropRecords()
        header.lock?.destroy()
    }

    // MARK: - Sharing

    /// Lets other threads see the graph.
    ///
    /// Called by the thread it belongs to.
    func share() {
        if header.lock == nil {
            header.lock = Lock()
        }
    }

    private func guarded<Result>(_ body: (inout State) -> Result) -> Result {
        guard let lock = header.lock else { return body(&header) }
        return lock.withLock { body(&header) }
    }

    // MARK: - Resolutions

    /// Counts a resolution that begins here, and takes up what is still alive.
    func begin() {
        guarded { state in
            state.resolutions += 1
            for survivor in state.survivors {
                guard let object = survivor.reference.object else { continue }
                func revive<Value>(_ type: Value.Type) {
                    guard let value = object as? Value else { return }
                    state.add(survivor.key, value)
                }
                _openExistential(survivor.type, do: revive)
            }
            state.survivors = []
        }
    }

    /// Ends what ``begin()`` began.
    ///
    /// The caller releases the result, the companions and whatever else was held: user code may run
    /// when an instance goes.
    func end() -> (company: [any Sendable], held: [Any]) {
        let isNamed = header.lock != nil
        return guarded { state in
            state.resolutions -= 1
            guard state.resolutions == 0 else { return ([], []) }
            defer { state.company = [] }
            return (state.company, isNamed ? state.weaken() : [])
        }
    }

    // MARK: - Instances

    /// Where the instance for a key lies, until the last resolution here ends.
    func find(_ key: Key) -> UnsafeRawPointer? {
        guarded { state in state.find(key) }
    }

    /// Keeps an instance unless there is one, and says where the one that is kept lies.
    func add<Value>(_ key: Key, _ value: Value) -> (place: UnsafeRawPointer, isNew: Bool) {
        guarded { state in
            if let known = state.find(key) { return (known, false) }
            return (state.add(key, value), true)
        }
    }

    /// Keeps something alive until the last resolution here ends.
    func keep(_ companion: any Sendable) {
        guarded { state in state.company.append(companion) }
    }

    func extra(for storage: ObjectIdentifier) -> Any? {
        guarded { state in state.extras[storage] ?? state.weakExtras[storage]?.object }
    }

    func setExtra(_ value: Any?, for storage: ObjectIdentifier) {
        let dropped = guarded { state -> Any? in
            let dropped = state.extras[storage]
            let isUnderWay = state.resolutions > 0
            state.extras[storage] = isUnderWay ? value : nil
            state.weakExtras[storage] =
                isUnderWay ? nil : heapObject(in: value).map { WeakReference(object: $0) }
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}

extension ObjectGraph.State {
    fileprivate init(free: UnsafeMutableRawBufferPointer) {
        self.free = free
        first = nil
        lock = nil
    }

    private static func hash(_ key: ObjectGraph.Key) -> Int {
        Int(bitPattern: key.entry) ^ Int(bitPattern: key.asked) &* 31
    }

    fileprivate func find(_ key: ObjectGraph.Key) -> UnsafeRawPointer? {
        if count >= ObjectGraph.indexedFrom {
            let record = index[Self.hash(key)]?.first { $0.pointee.key.matches(key) }
            return record.map { UnsafeRawPointer($0.pointee.value) }
        }
        var record = first
        while let current = record {
            if current.pointee.key.matches(key) {
                return UnsafeRawPointer(current.pointee.value)
            }
            record = current.pointee.next
        }
        return nil
    }

    @discardableResult
    fileprivate mutating func add<Value>(
        _ key: ObjectGraph.Key,
        _ value: Value
    ) -> UnsafeRawPointer {
        let record = room(for: ObjectGraph.Record.self)
        let place = room(for: Value.self)
        place.initialize(to: value)
        record.initialize(
            to: ObjectGraph.Record(key: key, type: Value.self, value: place, next: first)
        )
        first = record
        count += 1
        if count == ObjectGraph.indexedFrom {
            var record = first
            while let current = record {
                index[Self.hash(current.pointee.key), default: []].append(current)
                record = current.pointee.next
            }
        } else if count > ObjectGraph.indexedFrom {
            index[Self.hash(key), default: []].append(record)
        }
        return UnsafeRawPointer(place)
    }

    private mutating func room<Value>(for type: Value.Type) -> UnsafeMutablePointer<Value> {
        let size = MemoryLayout<Value>.size
        let alignment = MemoryLayout<Value>.alignment
        if let start = free.baseAddress {
            let aligned = start.alignedUp(toMultipleOf: alignment)
            let used = aligned + size - start
            if used <= free.count {
                free = UnsafeMutableRawBufferPointer(rebasing: free[used...])
                return aligned.bindMemory(to: type, capacity: 1)
            }
        }
        let chunk = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(size + alignment, 2048 << min(spilled.count, 10)),
            alignment: max(alignment, 16)
        )
        // swift-format-ignore: NeverForceUnwrap
        spilled.append(chunk.baseAddress!)
        free = chunk
        return room(for: type)
    }

    fileprivate mutating func weaken() -> [Any] {
        var held = Array(extras.values)
        for (storage, value) in extras {
            weakExtras[storage] = heapObject(in: value).map {
                ObjectGraph.WeakReference(object: $0)
            }
        }
        extras = [:]
        var record = first
        while let current = record {
            func take<Value>(_ type: Value.Type) -> Any {
                current.pointee.value.assumingMemoryBound(to: type).pointee
            }
            let value = _openExistential(current.pointee.type, do: take)
            if let object = heapObject(in: value) {
                survivors.append(
                    ObjectGraph.Survivor(
                        key: current.pointee.key,
                        type: current.pointee.type,
                        reference: ObjectGraph.WeakReference(object: object)
                    )
                )
            }
            held.append(value)
            record = current.pointee.next
        }
        dropRecords()
        return held
    }

    fileprivate mutating func dropRecords() {
        var record = first
        while let current = record {
            let place = current.pointee.value
            func destroy<Value>(_ type: Value.Type) {
                place.assumingMemoryBound(to: type).deinitialize(count: 1)
            }
            _openExistential(current.pointee.type, do: destroy)
            record = current.pointee.next
            current.deinitialize(count: 1)
        }
        for chunk in spilled {
            chunk.deallocate()
        }
        first = nil
        spilled = []
        index = [:]
        count = 0
        free = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
}
