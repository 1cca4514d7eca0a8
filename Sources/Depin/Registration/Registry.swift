import Synchronization

/// The table of a container: what is registered under which key.
///
/// Each key has a slot that stays where it is for the registry's life, so a look-up needs no lock: it
/// probes an array of slot addresses, which are only ever added. What a slot holds is read and changed
/// with its locks. A growing registry leaves the smaller arrays to look-ups that still read them.
///
/// PERF: a dictionary under one lock took 70 ns for a ready instance, this takes 30, and two threads
/// do not wait for each other.
@usableFromInline
final class Registry: @unchecked Sendable {  // The comments say what guards each part.
    /// What is known of one key.
    @usableFromInline
    struct Slot: ~Copyable {
        @usableFromInline let key: ServiceKey
        /// The address of the type where the key has nothing else, so that one comparison finds it;
        /// else the address of the label, or nothing, and one.
        @usableFromInline let tag: UInt
        /// What the key gives while it has no registration, as ``Absence`` says.
        ///
        /// Read without a lock, changed with the slot's locks.
        @usableFromInline let absence = Atomic<UInt>(0)
        /// The registration.
        ///
        /// Guarded by the slot's locks.
        @usableFromInline var entry: Unmanaged<AnyServiceEntry>?
        /// A `Box` of the key's type: the shared instance that is ready.
        ///
        /// Guarded by the slot's locks.
        @usableFromInline var ready: Unmanaged<AnyObject>?

        init(_ key: ServiceKey, _ entry: AnyServiceEntry?, ready: AnyObject?) {
            self.key = key
            self.entry = entry.map { .passRetained($0) }
            self.ready = ready.map { .passRetained($0) }
            // Metadata and objects lie at even addresses.
            if let label = key.label {
                tag = UInt(bitPattern: Unmanaged.passUnretained(label).toOpaque()) | 1
            } else {
                tag = key.tupleType == nil ? UInt(bitPattern: ObjectIdentifier(key.serviceType)) : 1
            }
        }

        deinit {
            entry?.release()
            ready?.release()
            Absence.of(absence.load(ordering: .relaxed))?.release()
        }

        @inlinable
        @inline(__always)
        func isOf(_ type: Any.Type, _ tuple: Any.Type?) -> Bool {
            key.serviceType == type && key.tupleType == tuple
        }

        /// The label of the key, which holds it.
        @inlinable var label: Unmanaged<ServiceKey.Label>? {
            guard tag & 1 == 1 else { return nil }
            return UnsafeRawPointer(bitPattern: tag & ~1).map(Unmanaged.fromOpaque)
        }
    }

    /// What a key without a registration gives, for look-ups that miss again and again.
    ///
    /// A slot's word for it has ``holds`` set while there is no registration and that is known, and
    /// besides that the address of an object, which lives as long as the slot, where the key gives
    /// something even so.
    @usableFromInline
    final class Absence {
        /// A `Box` of the key's type, an optional: its nil.
        @usableFromInline let none: AnyObject
        /// The slot of what the optional wraps, which must be without a registration too.
        @usableFromInline let wrapped: SlotPointer

        init(none: AnyObject, wrapped: SlotPointer) {
            self.none = none
            self.wrapped = wrapped
        }

        @inlinable static var holds: UInt { 1 }

        @inlinable
        @inline(__always)
        static func of(_ word: UInt) -> Unmanaged<Absence>? {
            UnsafeRawPointer(bitPattern: word & ~holds).map(Unmanaged.fromOpaque)
        }
    }

    @usableFromInline typealias SlotPointer = UnsafeMutablePointer<Slot>

    /// The memory of the locks, so that a look-up need not ask whether it has been set up.
    @usableFromInline let locks = sharedLocks
    /// The address of the newest array of buckets.
    @usableFromInline let buckets = Atomic(UInt(bitPattern: Registry.makeArray(buckets: 16)))
    /// How many slots there are.
    let count = Atomic<UInt>(0)
    /// The memory of the slots.
    ///
    /// Guarded by `lock`, so the language need not check that nobody else is using it.
    @exclusivity(unchecked) var newestSlab: UnsafeMutableRawPointer?
    let lock = Lock()

    init() {}

    deinit {
        freeMemory()
        lock.destroy()
    }

    // MARK: - Looking up

    /// The slot of a type with no argument, name or option.
    @inlinable
    @inline(__always)
    func slot(of type: ObjectIdentifier) -> SlotPointer? {
        let tag = UInt(bitPattern: type)
        return probe(ServiceKey.bits(of: type)) { $0.pointee.tag == tag }
    }

    /// The slot of a type with arguments or a name, without an allocation for the key.
    @inlinable
    func slot(of type: Any.Type, tuple: Any.Type?, name: String?) -> SlotPointer? {
        var bits = ServiceKey.bits(of: ObjectIdentifier(type))
        if let tuple {
            bits = ServiceKey.mix(bits, UInt(bitPattern: ObjectIdentifier(tuple)))
        }
        guard let name else {
            return probe(bits) { slot in
                slot.pointee.isOf(type, tuple) && slot.pointee.label == nil
            }
        }
        let nameBits = UInt(bitPattern: name.hashValue)
        return probe(ServiceKey.mix(bits, nameBits)) { slot in
            guard slot.pointee.isOf(type, tuple), let label = slot.pointee.label else {
                return false
            }
            return label._withUnsafeGuaranteedRef {
                $0.bits == nameBits && !$0.hasOption && $0.name == name
            }
        }
    }

    func slot(of key: ServiceKey) -> SlotPointer? {
        probe(key.bits) { $0.pointee.key == key }
    }

    @inlinable
    @inline(__always)
    func probe(_ bits: UInt, _ matches: (SlotPointer) -> Bool) -> SlotPointer? {
        let array = Self.array(at: buckets.load(ordering: .acquiring))
        let mask = array.pointee
        var index = bits & mask
        while true {
            let address = Self.bucket(index, of: array).pointee.load(ordering: .acquiring)
            guard let slot = SlotPointer(bitPattern: address) else { return nil }
            if matches(slot) { return slot }
            index = (index &+ 1) & mask
        }
    }

    @inlinable
    @inline(__always)
    static func array(at address: UInt) -> UnsafeMutablePointer<UInt> {
        // The address is an array's from the first moment on.
        UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    @inlinable
    @inline(__always)
    static func bucket(
        _ index: UInt,
        of array: UnsafeMutablePointer<UInt>
    ) -> UnsafePointer<Atomic<UInt>> {
        UnsafeRawPointer(array + 1 + Int(bitPattern: index)).assumingMemoryBound(
            to: Atomic<UInt>.self
        )
    }

    // MARK: - Reading slots

    /// The registration for a key, if there is one.
    func entry(for key: ServiceKey) -> AnyServiceEntry? {
        slot(of: key).flatMap { self.entry(in: $0) }
    }

    func entry(in slot: SlotPointer) -> AnyServiceEntry? {
        Lock.reading(slot) { slot.pointee.entry?.takeUnretainedValue() }
    }

    /// Every key that has a registration, with it, in no order.
    var registrations: [(key: ServiceKey, entry: AnyServiceEntry)] {
        allSlots.compactMap { slot in
            entry(in: slot).map { (slot.pointee.key, $0) }
        }
    }

    // MARK: - Changing

    /// Registers an entry for a key and gives back the one that it replaces.
    @discardableResult
    func register(
        _ entry: AnyServiceEntry,
        for key: ServiceKey,
        ready: AnyObject? = nil
    ) -> AnyServiceEntry? {
        let (slot, isNew) = slot(adding: key, entry, ready: ready)
        return isNew ? nil : fill(slot, with: entry, ready: ready)
    }

    /// Lets look-ups of a key end at once while it has no registration, with what it gives even so.
    ///
    /// - Returns: The key's slot, or nil when there is a registration.
    @discardableResult
    func noteAbsence(of key: ServiceKey, as absence: () -> Absence? = { nil }) -> SlotPointer? {
        let slot = slot(adding: key).slot
        let made = absence().map { Unmanaged.passRetained($0) }
        var unused = made
        let isAbsent = Lock.changing(slot) {
            guard slot.pointee.entry == nil else { return false }
            var word = slot.pointee.absence.load(ordering: .relaxed)
            if let made, Absence.of(word) == nil {
                word = UInt(bitPattern: made.toOpaque())
                unused = nil
            }
            slot.pointee.absence.store(word | Absence.holds, ordering: .releasing)
            return true
        }
        unused?.release()
        return isAbsent ? slot : nil
    }

    /// Removes every registration, and gives back what was registered.
    func removeAll() -> [AnyServiceEntry] {
        allSlots.compactMap { fill($0, with: nil, ready: nil) }
    }

    /// Removes the registrations whose keys match.
    func remove(where matches: (ServiceKey) -> Bool) {
        for slot in allSlots where matches(slot.pointee.key) {
            fill(slot, with: nil, ready: nil)
        }
    }

    @discardableResult
    private func fill(
        _ slot: SlotPointer,
        with entry: AnyServiceEntry?,
        ready: AnyObject?
    ) -> AnyServiceEntry? {
        let entry = entry.map { Unmanaged.passRetained($0) }
        let ready = ready.map { Unmanaged.passRetained($0) }
        let (oldEntry, oldReady) = Lock.changing(slot) {
            defer {
                slot.pointee.entry = entry
                slot.pointee.ready = ready
                let absence = slot.pointee.absence.load(ordering: .relaxed)
                slot.pointee.absence.store(absence & ~Absence.holds, ordering: .releasing)
            }
            return (slot.pointee.entry, slot.pointee.ready)
        }
        // What goes may run user code, so it goes here, after unlocking.
        oldReady?.release()
        return oldEntry?.takeRetainedValue()
    }

    /// Lets look-ups of a slot find an entry's instance at once, unless either changed meanwhile.
    func publish(
        _ box: AnyObject,
        in slot: SlotPointer,
        of entry: AnyServiceEntry,
        builtIn generation: UInt32
    ) {
        let box = Unmanaged.passRetained(box)
        let dropped = Lock.changing(slot) { () -> Unmanaged<AnyObject>? in
            // A reset counts up first and empties the slots then, so either this sees the new count,
            // or the reset comes to this slot later.
            guard slot.pointee.entry?.toOpaque() == Unmanaged.passUnretained(entry).toOpaque(),
                entry.generation == generation
            else { return box }
            defer { slot.pointee.ready = box }
            return slot.pointee.ready
        }
        dropped?.release()
    }

    /// Empties the slots of entries that have been reset.
    func forgetReady(where matches: (AnyServiceEntry) -> Bool) {
        for slot in allSlots {
            guard let entry = entry(in: slot), matches(entry) else { continue }
            let dropped = Lock.changing(slot) { () -> Unmanaged<AnyObject>? in
                defer { slot.pointee.ready = nil }
                return slot.pointee.ready
            }
            dropped?.release()
        }
    }
}
