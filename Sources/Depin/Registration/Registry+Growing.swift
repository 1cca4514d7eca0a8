import Synchronization

extension Registry {
    func addSlot(_ key: ServiceKey) -> SlotPointer {
        while true {
            let count = lock.withLock { slots.count }
            // The search may run the user's code, to compare options, so it cannot be made under
            // the lock.
            if let slot = slot(of: key) { return slot }
            if let slot = addSlot(key, toSlots: count) { return slot }
        }
    }

    /// Adds a slot, unless others have been added since there were so many.
    private func addSlot(_ key: ServiceKey, toSlots count: Int) -> SlotPointer? {
        lock.withLock {
            guard slots.count == count else { return nil }
            let slot = SlotPointer.allocate(capacity: 1)
            slot.initialize(to: Slot(key))
            slots.append(slot)
            let array = Self.array(at: buckets.load(ordering: .acquiring))
            if UInt(slots.count) * 2 <= array.pointee {
                Self.insert(slot, into: array)
            } else {
                let larger = Self.makeArray(buckets: 2 * (array.pointee + 1))
                for slot in slots {
                    Self.insert(slot, into: larger)
                }
                arrays.append(larger)
                buckets.store(UInt(bitPattern: larger), ordering: .releasing)
            }
            return slot
        }
    }

    private static func insert(_ slot: SlotPointer, into array: UnsafeMutablePointer<UInt>) {
        let mask = array.pointee
        var index = slot.pointee.key.bits & mask
        while bucket(index, of: array).pointee.load(ordering: .relaxed) != 0 {
            index = (index &+ 1) & mask
        }
        bucket(index, of: array).pointee.store(UInt(bitPattern: slot), ordering: .releasing)
    }

    static func makeArray(buckets: UInt) -> UnsafeMutablePointer<UInt> {
        let array = UnsafeMutablePointer<UInt>.allocate(capacity: Int(buckets) + 1)
        array.initialize(to: buckets - 1)
        for index in 0..<buckets {
            UnsafeMutableRawPointer(array + 1 + Int(index))
                .initializeMemory(as: Atomic<UInt>.self, to: Atomic(0))
        }
        return array
    }
}
