/// A slot for one value of a registration's arguments.
final class ArgumentSlot: Slot, @unchecked Sendable {
    let arguments: Arguments
    fileprivate let hash: Int
    // Guarded by the lock.
    /// Its place in the queue, nil once it has left.
    fileprivate var position: Int?

    fileprivate init(of slot: Slot, for arguments: Arguments, _ hash: Int?) {
        self.arguments = arguments
        self.hash = hash ?? 0
        isShared = hash != nil
        whole = slot
        (wholeNumber, ownKey) = (slot.number, slot.key)
        super.init(slot.registration, slot.lock, form: .ofArguments)
    }

    /// False for one that nobody can find again.
    private let isShared: Bool
    // The slot for all arguments holds this one.
    private unowned let whole: Slot
    private let wholeNumber: UInt
    private let ownKey: ServiceKey

    override var key: ServiceKey { ownKey }
    override var ownNumber: UInt { wholeNumber }
    override var asDecorated: DecoratedSlot? { whole.asDecorated }
    override func box(_ instance: Any) -> AnyBox? { whole.box(instance) }

    override func enter(_ own: Building?) -> SlotState<AnyBox>.Entry? {
        lock.withLock { own == nil && isShared && position == nil ? nil : enterInLock(own) }
    }
}

/// The slots of a registration for its arguments.
///
/// Nobody hears when an instance goes that is shared weakly. So each new slot has two others looked at, in turn, and
/// those leave in which nothing stands.
struct ArgumentSlots {
    private var lists: [Int: [ArgumentSlot]] = [:]
    /// All of them, to be looked at in turn.
    private(set) var all: [ArgumentSlot] = []
    private var next = 0
    /// Counts those that have ever come.
    private(set) var arrivals = 0

    func list(_ hash: Int) -> [ArgumentSlot] { (lists[hash] ?? []).copied }

    mutating func add(_ slot: ArgumentSlot) {
        arrivals += 1
        slot.position = all.count
        all.append(slot)
        lists[slot.hash, default: []].append(slot)
    }

    /// Takes out those of the next two in which nothing stands.
    mutating func removeNextIdle(_ seen: inout [AnyBox]) -> [ArgumentSlot] {
        var removed: [ArgumentSlot] = []
        for _ in 0..<2 where !all.isEmpty {
            if next >= all.count { next = 0 }
            let slot = all[next]
            if slot.isIdleInLock(&seen) {
                remove(slot)
                removed.append(slot)
            } else {
                next += 1
            }
        }
        return removed
    }

    mutating func remove(_ slot: ArgumentSlot) {
        guard let position = slot.position else { return }
        slot.position = nil
        let last = all.removeLast()
        if last !== slot {
            all[position] = last
            last.position = position
        }
        let others = lists[slot.hash]?.filter { $0 !== slot } ?? []
        lists[slot.hash] = others.isEmpty ? nil : others
        // What there was room for once is not needed forever.
        if lists.capacity > 64, lists.count < lists.capacity / 4 {
            lists = lists.filter { _ in true }
            all = all.copied
        }
    }
}

extension Slot {
    /// The slot for some arguments, and those that have left meanwhile.
    func slot(for arguments: Arguments) -> (slot: ArgumentSlot, removed: [ArgumentSlot]) {
        // Hashing and comparing arguments runs the user's code, so it is done without the lock.
        guard let hash = arguments.hash, arguments.equalsItself else {
            // Nobody can find it again.
            return (ArgumentSlot(of: self, for: arguments, nil), [])
        }
        while true {
            let (known, arrivals) = withParts { parts in
                (parts.arguments?.list(hash) ?? [], parts.arguments?.arrivals ?? 0)
            }
            if let slot = known.first(where: { $0.arguments.isEqual(to: arguments) }) {
                return (slot, [])
            }
            let slot = ArgumentSlot(of: self, for: arguments, hash)
            var seen: [AnyBox] = []
            let removed = withParts { parts -> [ArgumentSlot]? in
                if parts.arguments == nil { parts.arguments = ArgumentSlots() }
                guard parts.arguments?.arrivals == arrivals else { return nil }
                let removed = parts.arguments?.removeNextIdle(&seen)
                parts.arguments?.add(slot)
                return removed
            }
            withExtendedLifetime(seen) {}
            if let removed { return (slot, removed) }
        }
    }

    /// The slots for arguments.
    var argumentSlots: [ArgumentSlot] { withPartsIfAny { $0.arguments?.all.copied } ?? [] }

    /// Takes the slots for arguments out, or those for the given ones.
    func removeArgumentSlots(for arguments: Arguments? = nil) -> [ArgumentSlot] {
        let slots = argumentSlots.filter { slot in
            arguments.map { slot.arguments.isEqual(to: $0) } ?? true
        }
        withPartsIfAny { parts in
            for slot in slots { parts.arguments?.remove(slot) }
        }
        return slots
    }
}
