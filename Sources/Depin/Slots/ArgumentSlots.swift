/// The form of a slot for one value of a registration's arguments.
final class ArgumentPlace: SlotForm {
    let arguments: Arguments
    // The same as that of the slot for all arguments.
    let number: UInt
    /// Says whether the slot or a decorator came first.
    fileprivate let arrival = Serial.next()
    let key: ServiceKey
    let whole: (any SlotForm)?
    /// True once lookups find the slot no more; guarded by the slot's lock.
    fileprivate(set) nonisolated(unsafe) var hasLeft = false

    fileprivate init(in whole: Slot, for arguments: Arguments) {
        self.arguments = arguments
        (number, key) = (whole.number, whole.key)
        self.whole = whole.form
    }

    var isDecorated: Bool { whole?.isDecorated ?? false }
}

/// The slots of a registration for values of its arguments, by their hashes.
struct ArgumentSlots {
    private var lists = RareTable<Int, [Slot]>()
    /// All slots, in the order in which they were added.
    private(set) var all: [Slot] = []
    /// The count at which idle slots are looked for and removed, since nothing tells when a weakly held instance goes.
    private var limit = 0
    /// How many slots were ever added.
    private(set) var arrivals = 0

    func list(_ hash: Int) -> [Slot] { (lists[hash] ?? []).copied }

    mutating func append(_ slot: Slot, _ hash: Int) {
        arrivals += 1
        all.append(slot)
        lists[hash, default: []].append(slot)
    }

    /// Removes slots that have not been removed yet, and gives them back.
    mutating func remove(_ slots: [Slot]) -> [Slot] {
        let removed = slots.filter { !$0.hasLeft }
        guard !removed.isEmpty else { return [] }
        for slot in removed { slot.argumentPlace?.hasLeft = true }
        all = all.filter { !$0.hasLeft }
        lists.changeLists { $0.filter { !$0.hasLeft } }
        // After a reset of many, the next search must not wait until as many have come again.
        limit = min(limit, 2 * all.count)
        return removed
    }

    /// Removes the idle slots, once the count has doubled since the last search.
    mutating func removeIdle(_ toRelease: inout [AnyBox]) -> [Slot] {
        guard all.count >= limit else { return [] }
        defer { limit = 2 * all.count }
        return remove(all.filter { $0.isIdleInLock(&toRelease) })
    }
}

extension Slot {
    fileprivate var argumentPlace: ArgumentPlace? { form as? ArgumentPlace }

    /// True for a slot for arguments that lookups find no more; call it with the lock held.
    var hasLeft: Bool { argumentPlace?.hasLeft ?? false }

    private func isFor(_ arguments: Arguments) -> Bool {
        Arguments.isEqual(argumentPlace?.arguments, arguments)
    }

    /// The slot for some arguments, and idle slots that were removed on the way.
    func slot(for arguments: Arguments) -> (slot: Slot, removed: [Slot]) {
        // Without the lock, because hashing and comparing arguments runs user code.
        guard let hash = arguments.hash, arguments.equalsItself else {
            // No lookup would find it again, so it stands in no table.
            return (newSlot(for: arguments), [])
        }
        while true {
            let (known, arrivals) = withParts { parts in
                (parts.arguments.list(hash), parts.arguments.arrivals)
            }
            if let slot = known.first(where: { $0.isFor(arguments) }) { return (slot, []) }
            let slot = newSlot(for: arguments)
            var toRelease: [AnyBox] = []
            let removed = withParts { parts -> [Slot]? in
                guard parts.arguments.arrivals == arrivals else { return nil }
                defer { parts.arguments.append(slot, hash) }
                return parts.arguments.removeIdle(&toRelease)
            }
            withExtendedLifetime(toRelease) {}
            if let removed { return (slot, removed) }
        }
    }

    private func newSlot(for arguments: Arguments) -> Slot {
        Slot(registration, lock, form: ArgumentPlace(in: self, for: arguments))
    }

    /// The slots for arguments.
    @inline(never)
    var argumentSlots: [Slot] { withPartsIfAny { $0.arguments.all.copied } ?? [] }

    /// The slot for some arguments, if it was made before a number was drawn.
    func argumentSlots(for arguments: Arguments, before number: UInt) -> [Slot] {
        guard let hash = arguments.hash else { return [] }
        let known = withPartsIfAny { $0.arguments.list(hash) } ?? []
        return known.filter { slot in
            slot.argumentPlace.map { $0.arrival < number } == true && slot.isFor(arguments)
        }
    }

    /// Removes the slots for arguments: all of them, or that for the given ones.
    func removeArgumentSlots(for arguments: Arguments? = nil) -> [Slot] {
        // Without the lock, because comparing arguments runs user code.
        let meant = arguments.map { argumentSlots(for: $0, before: .max) }
        return withPartsIfAny { parts in
            parts.lastReset = Serial.next()
            return parts.arguments.remove(meant ?? parts.arguments.all)
        } ?? []
    }
}
