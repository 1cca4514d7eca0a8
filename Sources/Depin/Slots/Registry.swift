/// The registrations of a container: its slots by their keys.
///
/// PERF: several tables, each with a lock of its own, so that two threads that resolve different services do
/// not wait for each other (row 8: 1.0 with sixteen instead of 2.9). An open scope has few registrations and few
/// requests at a time, so it has one table: sixteen took a sixth of opening and closing it (row 15).
package struct Registry: ~Copyable, Sendable {
    private let firstLock: Lock
    // Each table is guarded by its own lock.
    private nonisolated(unsafe) let tables: UnsafeMutablePointer<SlotTable>
    private let tableCount: Int

    /// - Parameter tableCount: A power of two.
    init(tableCount: Int = 16) {
        precondition(tableCount <= Lock.following)
        firstLock = Lock(count: tableCount)
        tables = .allocate(capacity: tableCount)
        for index in 0..<tableCount { (tables + index).initialize(to: SlotTable()) }
        self.tableCount = tableCount
    }

    deinit {
        tables.deinitialize(count: tableCount)
        tables.deallocate()
    }

    @inline(__always)
    private func withTable<Result, Failure: Error>(
        at index: Int,
        _ body: (inout SlotTable) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try firstLock.sibling(index).withLock { () throws(Failure) -> Result in
            // By a subscript, ThreadSanitizer would be told that the first table changes, whichever does.
            try body(&(tables + index).pointee)
        }
    }

    private func index(of key: borrowing ServiceKey) -> Int {
        // The lower bits choose the cell in the table.
        Int(truncatingIfNeeded: mixed(0, key.word) >> 16) & (tableCount &- 1)
    }

    // MARK: - Looking up

    /// No instance is ready.
    struct NotReady: Error {}

    /// What a closure takes of the ready instance.
    ///
    /// If none is ready, gives the slot, if there is one.
    ///
    /// The closure runs with the lock held, so that the box need not be retained, for which threads that want the same
    /// instance would contend (row 8s: 1.4 instead of 1.7). Copying a Swift value runs no user code. (A type imported
    /// from C++ may run some, which must not resolve.) "Not ready" is thrown, because returning an optional would have
    /// the runtime look up its type.
    @inline(__always)
    func ready<Taken>(
        _ key: borrowing ServiceKey,
        else slot: inout Slot?,
        _ take: (AnyBox) -> Taken
    ) throws(NotReady) -> Taken {
        try withTable(at: index(of: key)) { (slots) throws(NotReady) -> Taken in
            guard let found = slots.find(key) else { throw NotReady() }
            guard let box = found._withUnsafeGuaranteedRef({ $0.readyInLock }) else {
                slot = found.takeUnretainedValue()
                throw NotReady()
            }
            return take(box)
        }
    }

    @inline(never)
    package func slot(of key: borrowing ServiceKey) -> Slot? {
        withTable(at: index(of: key)) { $0.find(key)?.takeUnretainedValue() }
    }

    /// Every slot, in no order.
    package var slots: [Slot] {
        var slots: [Slot] = []
        for index in 0..<tableCount {
            slots += withTable(at: index) { $0.count == 0 ? [] : $0.all }
        }
        return slots
    }

    /// Some slots, in the order of registration; the own slot of a registration comes before its forwards, by their keys.
    // For messages and the like: 25,000 instructions for each slot.
    @inline(never)
    package func inOrder(where isMeant: (Slot) -> Bool = { _ in true }) -> [Slot] {
        slots.filter(isMeant).ordered { left, right in
            let (one, other) = (left.registration, right.registration)
            guard one === other else { return one.number < other.number }
            return left.isOwn == right.isOwn ? "\(left.key)" < "\(right.key)" : left.isOwn
        }
    }

    /// How many registrations were ever put or removed.
    var changeCount: Int {
        (0..<tableCount).reduce(0) { sum, index in
            sum + withTable(at: index) { $0.changeCount }
        }
    }

    // MARK: - Changing

    /// Puts a slot under its key, and gives back the replaced one.
    ///
    /// The slot is made with its table's lock, before that is entered.
    func put(for key: ServiceKey, _ make: (Lock) -> Slot) -> (slot: Slot, replaced: Slot?) {
        let index = index(of: key)
        let slot = make(firstLock.sibling(index))
        return (slot, withTable(at: index) { $0.put(slot, for: key) })
    }

    /// Puts the replaced slot back, or nothing, if a slot still stands there.
    func withdraw(_ slot: Slot, for replaced: Slot?) {
        let key = slot.key
        let withdrawn = withTable(at: index(of: key)) { slots -> Slot? in
            guard let known = slots.find(key)?.takeUnretainedValue(), known === slot else {
                return nil
            }
            return replaced.map { slots.put($0, for: key) } ?? slots.remove(key)
        }
        withExtendedLifetime(withdrawn) {}
    }

    /// Removes the slots whose keys match, and gives them back.
    package func remove(where matches: (ServiceKey) -> Bool = { _ in true }) -> [Slot] {
        var removed: [Slot] = []
        for index in 0..<tableCount {
            withTable(at: index) { slots in
                guard slots.count > 0 else { return }
                for slot in slots.all where matches(slot.key) {
                    slots.remove(slot.key)
                    removed.append(slot)
                }
            }
        }
        return removed
    }
}
