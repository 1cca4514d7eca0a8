import Synchronization

// Slots lie in slabs, each of which begins with the address of the one made before it. An array of
// buckets is its mask and a word for each bucket; before the mask lies the address of the array that
// it replaced, which look-ups may still read.
//
// PERF: a slot on the heap by itself, and lists of slots and arrays, cost 70 bytes a service more and
// a third of the time of a registration.

extension Registry {
    private static let slotsInSlab: UInt = 16

    /// The slot of a key, made with this content if need be.
    func slot(
        adding key: ServiceKey,
        _ entry: AnyServiceEntry? = nil,
        ready: AnyObject? = nil
    ) -> (slot: SlotPointer, isNew: Bool) {
        while true {
            // The search may run the user's code, to compare options, so it cannot be made under the
            // lock. The count tells whether another thread has added a slot since.
            let known = count.load(ordering: .acquiring)
            if let slot = slot(of: key) { return (slot, false) }
            if let slot = addSlot(toSlots: known, { Slot(key, entry, ready: ready) }) {
                return (slot, true)
            }
        }
    }

    /// Adds a slot, unless others have been added since there were so many.
    private func addSlot(toSlots known: UInt, _ make: () -> Slot) -> SlotPointer? {
        lock.withLock {
            guard count.load(ordering: .relaxed) == known else { return nil }
            let slot = nextSlot(after: known)
            slot.initialize(to: make())
            let array = Self.array(at: buckets.load(ordering: .relaxed))
            // At most half of the buckets are in use, and an eighth where that has been too few: a
            // look-up seldom has to go on to the next.
            if (known + 1) * 2 <= array.pointee {
                Self.insert(slot, into: array)
            } else {
                let larger = Self.makeArray(buckets: 4 * (array.pointee + 1), replacing: array)
                for slot in slots(known + 1) {
                    Self.insert(slot, into: larger)
                }
                buckets.store(UInt(bitPattern: larger), ordering: .releasing)
            }
            count.store(known + 1, ordering: .releasing)
            return slot
        }
    }

    /// The memory of the next slot.
    private func nextSlot(after count: UInt) -> SlotPointer {
        let index = count % Self.slotsInSlab
        if index == 0 {
            let header = MemoryLayout<UnsafeMutableRawPointer?>.stride
            let slab = UnsafeMutableRawPointer.allocate(
                byteCount: header + Int(Self.slotsInSlab) * MemoryLayout<Slot>.stride,
                alignment: MemoryLayout<Slot>.alignment
            )
            slab.storeBytes(of: newestSlab, as: UnsafeMutableRawPointer?.self)
            newestSlab = slab
        }
        // The slab of an index that is not zero is there.
        return Self.slots(in: newestSlab.unsafelyUnwrapped) + Int(index)
    }

    private static func slots(in slab: UnsafeMutableRawPointer) -> SlotPointer {
        (slab + MemoryLayout<UnsafeMutableRawPointer?>.stride).assumingMemoryBound(to: Slot.self)
    }

    var allSlots: [SlotPointer] {
        lock.withLock { slots(count.load(ordering: .relaxed)) }
    }

    /// The slots, when there are so many; called with the lock held.
    private func slots(_ count: UInt) -> [SlotPointer] {
        var found: [SlotPointer] = []
        found.reserveCapacity(Int(count))
        var (slab, rest) = (newestSlab, count)
        while let here = slab, rest > 0 {
            let used = (rest - 1) % Self.slotsInSlab + 1
            for index in 0..<used {
                found.append(Self.slots(in: here) + Int(index))
            }
            rest -= used
            slab = here.load(as: UnsafeMutableRawPointer?.self)
        }
        return found
    }

    private static func insert(_ slot: SlotPointer, into array: UnsafeMutablePointer<UInt>) {
        let mask = array.pointee
        var index = slot.pointee.key.bits & mask
        while bucket(index, of: array).pointee.load(ordering: .relaxed) != 0 {
            index = (index &+ 1) & mask
        }
        bucket(index, of: array).pointee.store(UInt(bitPattern: slot), ordering: .releasing)
    }

    static func makeArray(
        buckets: UInt,
        replacing replaced: UnsafeMutablePointer<UInt>? = nil
    ) -> UnsafeMutablePointer<UInt> {
        let memory = UnsafeMutablePointer<UInt>.allocate(capacity: Int(buckets) + 2)
        memory.initialize(repeating: 0, count: Int(buckets) + 2)
        memory[0] = UInt(bitPattern: replaced)
        memory[1] = buckets - 1
        return memory + 1
    }

    /// Frees slots and arrays, when nobody can look any more.
    func freeMemory() {
        for slot in slots(count.load(ordering: .relaxed)) {
            slot.deinitialize(count: 1)
        }
        while let slab = newestSlab {
            newestSlab = slab.load(as: UnsafeMutableRawPointer?.self)
            slab.deallocate()
        }
        var newest = UnsafeMutablePointer<UInt>(bitPattern: buckets.load(ordering: .relaxed))
        while let array = newest {
            let memory = array - 1
            newest = UnsafeMutablePointer(bitPattern: memory.pointee)
            memory.deallocate()
        }
    }
}
