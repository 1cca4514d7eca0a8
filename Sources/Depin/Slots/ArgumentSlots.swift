/// What makes a slot that of one value of a registration's arguments.
final class ArgumentPlace: SlotForm {
    let arguments: Arguments
    fileprivate let hash: Int
    /// False for one that nobody can find again.
    private let isShared: Bool
    // As of the slot for all arguments.
    let number: UInt
    let key: ServiceKey
    let whole: (any SlotForm)?
    private let registration: Registration
    /// Its place in the queue, nil once it has left; guarded by the slot's lock.
    fileprivate nonisolated(unsafe) var position: Int?

    fileprivate init(in whole: Slot, for arguments: Arguments, _ hash: Int?) {
        self.arguments = arguments
        self.hash = hash ?? 0
        isShared = hash != nil
        (number, key) = (whole.number, whole.key)
        (self.whole, registration) = (whole.form, whole.registration)
    }

    var isDecorated: Bool { whole?.isDecorated ?? false }

    func box(_ instance: Any) -> AnyBox? {
        whole.map { $0.box(instance) } ?? registration.box(instance)
    }

    /// True where the slot is found no more, for who holds the lock.
    var hasLeft: Bool { isShared && position == nil }
}

/// The slots of a registration for its arguments.
///
/// Nobody hears when an instance goes that is shared weakly. So each new slot has two others looked at, in turn, and
/// those leave in which nothing stands.
struct ArgumentSlots {
    struct Member {
        let slot: Slot
        let place: ArgumentPlace
    }

    private var lists: [Int: [Member]] = [:]
    /// All of them, to be looked at in turn.
    private(set) var all: [Member] = []
    private var next = 0
    /// Counts those that have ever come.
    private(set) var arrivals = 0

    func list(_ hash: Int) -> [Member] { (lists[hash] ?? []).copied }

    mutating func add(_ member: Member) {
        arrivals += 1
        member.place.position = all.count
        all.append(member)
        lists[member.place.hash, default: []].append(member)
    }

    /// Takes out those of the next two in which nothing stands.
    mutating func removeNextIdle(_ seen: inout [AnyBox]) -> [Slot] {
        var removed: [Slot] = []
        for _ in 0..<2 where !all.isEmpty {
            if next >= all.count { next = 0 }
            let member = all[next]
            if member.slot.isIdleInLock(&seen) {
                remove(member)
                removed.append(member.slot)
            } else {
                next += 1
            }
        }
        return removed
    }

    mutating func remove(_ member: Member) {
        let place = member.place
        guard let position = place.position else { return }
        place.position = nil
        let last = all.removeLast()
        if last.slot !== member.slot {
            all[position] = last
            last.place.position = position
        }
        let others = lists[place.hash]?.filter { $0.slot !== member.slot } ?? []
        lists[place.hash] = others.isEmpty ? nil : others
        // What there was room for once is not needed forever.
        if lists.capacity > 64, lists.count < lists.capacity / 4 {
            lists = lists.filter { _ in true }
            all = all.copied
        }
    }
}

extension Slot {
    /// The slot for some arguments, and those that have left meanwhile.
    func slot(for arguments: Arguments) -> (slot: Slot, removed: [Slot]) {
        // Hashing and comparing arguments runs the user's code, so it is done without the lock.
        guard let hash = arguments.hash, arguments.equalsItself else {
            // Nobody can find it again.
            return (member(for: arguments, nil).slot, [])
        }
        while true {
            let (known, arrivals) = withParts { parts in
                (parts.arguments?.list(hash) ?? [], parts.arguments?.arrivals ?? 0)
            }
            if let member = known.first(where: { $0.place.arguments.isEqual(to: arguments) }) {
                return (member.slot, [])
            }
            let member = member(for: arguments, hash)
            var seen: [AnyBox] = []
            let removed = withParts { parts -> [Slot]? in
                if parts.arguments == nil { parts.arguments = ArgumentSlots() }
                guard parts.arguments?.arrivals == arrivals else { return nil }
                let removed = parts.arguments?.removeNextIdle(&seen)
                parts.arguments?.add(member)
                return removed
            }
            withExtendedLifetime(seen) {}
            if let removed { return (member.slot, removed) }
        }
    }

    private func member(for arguments: Arguments, _ hash: Int?) -> ArgumentSlots.Member {
        let place = ArgumentPlace(in: self, for: arguments, hash)
        let slot = Slot(registration, lock, form: place)
        return ArgumentSlots.Member(slot: slot, place: place)
    }

    private var members: [ArgumentSlots.Member] {
        withPartsIfAny { $0.arguments?.all.copied } ?? []
    }

    /// The slots for arguments.
    var argumentSlots: [Slot] { members.map(\.slot) }

    /// Takes the slots for arguments out, or those for the given ones.
    func removeArgumentSlots(for arguments: Arguments? = nil) -> [Slot] {
        let removed = members.filter { member in
            arguments.map { member.place.arguments.isEqual(to: $0) } ?? true
        }
        withPartsIfAny { parts in
            for member in removed { parts.arguments?.remove(member) }
        }
        return removed.map(\.slot)
    }
}
