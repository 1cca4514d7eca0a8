/// What a graph knows, and what it does while it belongs to one thread or holds its lock.
extension ObjectGraph {
    @usableFromInline
    struct State {
        var first: UnsafeMutablePointer<Record>?
        var count = 0
        /// The part of the memory at hand that is not used yet.
        var free: UnsafeMutableRawPointer
        var end: UnsafeMutableRawPointer
        var resolutions = 1
        var lock: Lock?
        var more: More?
    }

    /// What few graphs have.
    ///
    /// Guarded as the state is.
    final class More {
        var chunks: [UnsafeMutableRawPointer] = []
        /// Records by the hash of entry and container, once there are many.
        var index: [UInt: [UnsafeMutablePointer<Record>]] = [:]
        var survivors: [Survivor] = []
        var company: [any Sendable] = []
        var extras: [ObjectIdentifier: Any] = [:]
        var weakExtras: [ObjectIdentifier: WeakReference] = [:]
    }

    /// One instance; its key's arguments are held.
    struct Record {
        let key: Key
        let type: Any.Type
        let value: UnsafeMutableRawPointer
        let next: UnsafeMutablePointer<Record>?
    }

    struct Survivor {
        let entry: UInt
        let asked: UInt
        let arguments: Arguments?
        let type: Any.Type
        let reference: WeakReference
    }

    struct WeakReference {
        weak var object: AnyObject?
    }
}

extension ObjectGraph.State {
    init(free: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
        self.free = free
        self.end = end
        first = nil
        lock = nil
        more = nil
    }

    mutating func madeMore() -> ObjectGraph.More {
        let more = more ?? ObjectGraph.More()
        self.more = more
        return more
    }

    private static func hash(_ key: ObjectGraph.Key) -> UInt {
        key.entry ^ key.asked &* 31
    }

    // Mutating, because the compiler copies the state for a method that is not.
    mutating func find(_ key: ObjectGraph.Key) -> UnsafeMutableRawPointer? {
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

    /// The records that differ from a key in their arguments at most.
    func records(for key: ObjectGraph.Key) -> [UnsafeMutablePointer<ObjectGraph.Record>] {
        var records: [UnsafeMutablePointer<ObjectGraph.Record>] = []
        var record = first
        while let current = record {
            let other = current.pointee.key
            if other.entry == key.entry, other.asked == key.asked { records.append(current) }
            record = current.pointee.next
        }
        return records
    }

    /// Adds a record and gives room for its value.
    mutating func add(
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

    /// The result holds what goes for the last time.
    mutating func revive() -> [Any] {
        guard let more, !more.survivors.isEmpty else { return [] }
        var held: [Any] = [more.survivors]
        for survivor in more.survivors {
            guard let object = survivor.reference.object else { continue }
            held.append(object)
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
        return held
    }

    /// Holds what are objects weakly from now on; the result holds everything for the last time.
    mutating func weaken() -> [Any] {
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
            if let arguments = current.key.arguments?.takeUnretainedValue() {
                held.append(arguments)
            }
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

    mutating func dropRecords() {
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
