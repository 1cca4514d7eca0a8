/// What makes a slot that of one value of a registration's arguments.
final class ArgumentPlace: SlotForm {
    let arguments: Arguments
    // As of the slot for all arguments.
    let number: UInt
    /// Says whether the slot or a decorator came first.
    fileprivate let arrival = Serial.next()
    let key: ServiceKey
    let whole: (any SlotForm)?
    /// True where the slot is found no more; guarded by the slot's lock.
    fileprivate(set) nonisolated(unsafe) var hasLeft = false

    fileprivate init(in whole: Slot, for arguments: Arguments) {
        self.arguments = arguments
        (number, key) = (whole.number, whole.key)
        self.whole = whole.form
    }

    var isDecorated: Bool { whole?.isDecorated ?? false }
}

/// The slots of a registration for its arguments, by the hash of these.
struct ArgumentSlots {
    private var lists = RareTable<Int, [Slot]>()
    /// All of them, in the order in which they came.
    private(set) var all: [Slot] = []
    /// From this number on, empty slots are looked for and taken out: nobody is told when an instance goes that is
    /// shared weakly.
    private var limit = 0
    /// Counts those that have ever come.
    private(set) var arrivals = 0

    func list(_ hash: Int) -> [Slot] { (lists[hash] ?? []).copied }

    mutating func append(_ slot: Slot, _ hash: Int) {
        arrivals += 1
        all.append(slot)
        lists[hash, default: []].append(slot)
    }

    /// Takes slots out, unless that has been done.
    mutating func remove(_ slots: [Slot]) -> [Slot] {
        let removed = slots.filter { !$0.hasLeft }
        guard !removed.isEmpty else { return [] }
        for slot in removed { slot.argumentPlace?.hasLeft = true }
        all = all.filter { !$0.hasLeft }
        lists.changeLists { $0.filter { !$0.hasLeft } }
        // Where a reset has removed many, so many need not come again.
        limit = min(limit, 2 * all.count)
        return removed
    }

    /// Takes out those in which nothing stands, once as many have come as there were.
    mutating func removeIdle(_ toRelease: inout [AnyBox]) -> [Slot] {
        guard all.count >= limit else { return [] }
        defer { limit = 2 * all.count }
        return remove(all.filter { $0.isIdleInLock(&toRelease) })
    }
}

extension Slot {
    fileprivate var argumentPlace: ArgumentPlace? { form as? ArgumentPlace }

    /// True for one of some arguments that is found no more; for who holds the lock.
    var hasLeft: Bool { argumentPlace?.hasLeft ?? false }

    private func isFor(_ arguments: Arguments) -> Bool {
        argumentPlace?.arguments.isEqual(to: arguments) ?? false
    }

    /// The slot for some arguments, and those that have left meanwhile.
    func slot(for arguments: Arguments) -> (slot: Slot, removed: [Slot]) {
        // Hashing and comparing arguments runs the user's code, so it is done without the lock.
        guard let hash = arguments.hash, arguments.equalsItself else {
            // Nobody can find it again.
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

    /// The slot for some arguments, if there is one that came before a number was given.
    func argumentSlots(for arguments: Arguments, before number: UInt) -> [Slot] {
        guard let hash = arguments.hash else { return [] }
        let known = withPartsIfAny { $0.arguments.list(hash) } ?? []
        return known.filter { slot in
            slot.argumentPlace.map { $0.arrival < number } == true && slot.isFor(arguments)
        }
    }

    /// Takes the slots for arguments out, or those for the given ones.
    func removeArgumentSlots(for arguments: Arguments? = nil) -> [Slot] {
        // Comparing them runs the user's code, so it is done without the lock.
        let meant = arguments.map { arguments in argumentSlots.filter { $0.isFor(arguments) } }
        return withPartsIfAny { parts in
            parts.lastReset = Serial.next()
            return parts.arguments.remove(meant ?? parts.arguments.all)
        } ?? []
    }
}
