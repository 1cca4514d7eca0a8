/// The table of a container: what is registered under which key.
///
/// PERF: several tables, each with a lock of its own, so that two threads that resolve different services do
/// not wait for each other (row 8: 1.0 with sixteen instead of 2.9). An open scope, where few are registered
/// and few ask at once, has one: sixteen took a sixth of opening and closing one (row 15). Keys that are a
/// type alone have tables of their own, whose keys take a word instead of four (row 12).
struct Registry: Sendable {
    /// What stands under one key.
    struct Slot {
        var entry: AnyServiceEntry
        /// The shared instance that is ready, as the key's type.
        var ready: AnyBox?
        var overwrites: Overwrites?
    }

    struct Table {
        fileprivate var plain = HashTable<TypeKey, Slot>()
        fileprivate var others = HashTable<ServiceKey, Slot>()
        var contributions = HashTable<TypeKey, Contributions>()

        fileprivate var isEmpty: Bool { plain.isEmpty && others.isEmpty }

        fileprivate func slot(of key: ServiceKey) -> Slot? {
            key.isPlain ? plain[TypeKey(key.serviceType)] : others[key]
        }

        fileprivate mutating func exchange(_ slot: consuming Slot, for key: ServiceKey) -> Slot? {
            key.isPlain
                ? plain.exchange(consume slot, for: TypeKey(key.serviceType))
                : others.exchange(consume slot, for: key)
        }

        fileprivate mutating func change<Result>(
            _ key: ServiceKey,
            _ body: (inout Slot) -> Result
        ) -> Result? {
            key.isPlain
                ? plain.change(TypeKey(key.serviceType), body) : others.change(key, body)
        }
    }

    private let tables: GuardedList<Table>
    let contributions: ContributionTable

    /// - Parameter tableCount: A power of two.
    init(tableCount: Int = 16) {
        tables = GuardedList(count: tableCount) { Table() }
        contributions = ContributionTable(tables)
    }

    @inline(__always)
    private func number(of key: ServiceKey) -> Int {
        tables.index(of: key.isPlain ? TypeKey(key.serviceType).tableHash : key.tableHash)
    }

    // MARK: - Looking up

    /// What stands under a key.
    // PERF: with the hash computed once (a request of a server's: 1,000 instructions).
    @inline(__always)
    func slot(of key: ServiceKey) -> Slot? {
        guard key.isPlain else {
            let hash = key.tableHash
            return tables.withLock(at: tables.index(of: hash)) { $0.others.value(of: key, hash) }
        }
        let type = TypeKey(key.serviceType)
        let hash = type.tableHash
        return tables.withLock(at: tables.index(of: hash)) { $0.plain.value(of: type, hash) }
    }

    /// The instance that is ready under a key.
    func ready(for key: ServiceKey) -> AnyBox? {
        var entry: AnyServiceEntry?
        return try? ready(key, else: &entry) { $0 }
    }

    /// No instance is ready.
    struct NotReady: Error {}

    /// What is taken of the instance that is ready; or else gives the registration, if there is one.
    ///
    /// It is copied with the lock held: copying a Swift value runs none of the user's code. (A type that is imported
    /// from C++ may run some, which must not resolve.)
    ///
    /// PERF: with the lock held, so that the box need not be retained, for which threads that want the same
    /// instance would contend (row 1: 450 instructions instead of 495, row 8s: 1.4 instead of 1.7). What is not
    /// ready is thrown, because the runtime would look up an optional of what is taken.
    @inline(__always)
    func ready<Taken>(
        _ key: ServiceKey,
        else entry: inout AnyServiceEntry?,
        _ take: (AnyBox) -> Taken
    ) throws(NotReady) -> Taken {
        guard key.isPlain else {
            let hash = key.tableHash
            return try tables.withLock(at: tables.index(of: hash)) { table throws(NotReady) in
                try Self.ready(key, hash, in: table.others, else: &entry, take)
            }
        }
        let type = TypeKey(key.serviceType)
        let hash = type.tableHash
        return try tables.withLock(at: tables.index(of: hash)) { table throws(NotReady) in
            try Self.ready(type, hash, in: table.plain, else: &entry, take)
        }
    }

    @inline(__always)
    private static func ready<Key: TableKey, Taken>(
        _ key: Key,
        _ hash: Int,
        in table: HashTable<Key, Slot>,
        else entry: inout AnyServiceEntry?,
        _ take: (AnyBox) -> Taken
    ) throws(NotReady) -> Taken {
        guard let position = table.position(of: key, hash) else { throw NotReady() }
        guard let ready = table.cells[position].value.ready else {
            entry = table.cells[position].value.entry
            throw NotReady()
        }
        return take(ready)
    }

    /// The registration for a key, if there is one.
    func entry(for key: ServiceKey) -> AnyServiceEntry? { slot(of: key)?.entry }

    func overwrites(of key: ServiceKey) -> Overwrites? { slot(of: key)?.overwrites }

    /// Every key with its registration, in the order of registration.
    var registrations: [(key: ServiceKey, entry: AnyServiceEntry)] {
        slots.map { ($0.key, $0.slot.entry) }.sorted { left, right in
            if left.1.number != right.1.number { return left.1.number < right.1.number }
            return left.0 == left.1.key
        }
    }

    private var slots: [(key: ServiceKey, slot: Slot)] {
        (0..<tables.count).flatMap { index in
            tables.withLock(at: index) { table -> [(key: ServiceKey, slot: Slot)] in
                guard !table.isEmpty else { return [] }
                return table.plain.cells.map { (ServiceKey($0.key.type), $0.value) }
                    + table.others.cells.map { ($0.key, $0.value) }
            }
        }
    }

    // MARK: - Changing

    /// Registers an entry for a key and gives back the one that it replaces.
    @discardableResult
    func register(
        _ entry: AnyServiceEntry,
        for key: ServiceKey,
        ready: AnyBox? = nil
    ) -> AnyServiceEntry? {
        // What is replaced may run user code when it goes, so it goes after unlocking.
        let replaced = tables.withLock(at: number(of: key)) { table in
            let old = table.exchange(Slot(entry: entry, ready: ready), for: key)
            if let overwrites = old?.overwrites {
                _ = table.change(key) { $0.overwrites = overwrites }
            }
            return old
        }
        contributions.forgetFindings(for: key)
        return replaced?.entry
    }

    /// Puts what an entry has replaced under a key back, or nothing, unless another one stands there by now.
    func withdraw(_ entry: AnyServiceEntry, for key: ServiceKey, _ replaced: AnyServiceEntry?) {
        let withdrawn = tables.withLock(at: number(of: key)) { table -> Slot? in
            guard let slot = table.slot(of: key), slot.entry === entry else { return nil }
            if let replaced {
                var overwrites = slot.overwrites
                overwrites?.forget(entry)
                _ = table.exchange(Slot(entry: replaced, overwrites: overwrites), for: key)
            } else if key.isPlain {
                table.plain[TypeKey(key.serviceType)] = nil
            } else {
                table.others[key] = nil
            }
            return slot
        }
        withExtendedLifetime(withdrawn) {}
    }

    /// Removes every registration, and adds what was registered to a list.
    func removeAll(into removed: inout [AnyServiceEntry]) {
        for index in 0..<tables.count {
            // It goes after unlocking, since what it holds may run user code then.
            var table = Table()
            tables.withLock(at: index) { swap(&$0, &table) }
            guard !table.isEmpty else { continue }
            removed.reserveCapacity(removed.count + table.plain.count + table.others.count)
            table.plain.appendEntries(to: &removed)
            table.others.appendEntries(to: &removed)
        }
    }

    /// Removes the registrations whose keys match, and gives back what was registered.
    @discardableResult
    func remove(where matches: (ServiceKey) -> Bool) -> [AnyServiceEntry] {
        let contributions = contributions.remove(where: matches)
        defer { withExtendedLifetime(contributions) {} }
        let removed = (0..<tables.count).flatMap { index in
            tables.withLock(at: index) { table in
                let plain = table.plain.all.filter { matches(ServiceKey($0.key.type)) }
                let others = table.others.all.filter { matches($0.key) }
                for (key, _) in plain { table.plain[key] = nil }
                for (key, _) in others { table.others[key] = nil }
                return plain.map(\.value) + others.map(\.value)
            }
        }
        return removed.map(\.entry)
    }

    /// Lets look-ups of a key find an entry's instance at once, unless either changed meanwhile.
    func publish(
        _ box: AnyBox,
        for key: ServiceKey,
        of entry: AnyServiceEntry,
        builtIn generation: UInt32
    ) {
        let dropped = change(key) { slot -> AnyBox? in
            // A reset counts up first and empties the slots then, so either this sees the new count,
            // or the reset comes to this slot later.
            guard slot.entry === entry, entry.generation == generation else { return nil }
            defer { slot.ready = box }
            return slot.ready
        }
        withExtendedLifetime(dropped) {}
    }

    /// Forgets the instance of an entry that has been reset.
    func forgetReady(_ entry: AnyServiceEntry) {
        for key in entry.keys {
            let dropped = change(key) { slot -> AnyBox? in
                guard slot.entry === entry else { return nil }
                defer { slot.ready = nil }
                return slot.ready
            }
            withExtendedLifetime(dropped) {}
            contributions.forgetFindings(for: key)
        }
    }

    // MARK: - Overwrites

    func changeOverwrites<Result>(
        of key: ServiceKey,
        _ body: (inout Overwrites) -> Result
    ) -> Result? {
        change(key) { slot in
            var overwrites = slot.overwrites ?? Overwrites()
            defer { slot.overwrites = overwrites }
            return body(&overwrites)
        }
    }

    /// What happened under every key.
    var overwrites: [ServiceKey: Overwrites] {
        get {
            let known = slots.compactMap { key, slot in slot.overwrites.map { (key, $0) } }
            return Dictionary(uniqueKeysWithValues: known)
        }
        nonmutating set {
            for (key, slot) in slots where slot.overwrites != nil || newValue[key] != nil {
                _ = change(key) { $0.overwrites = newValue[key] }
            }
        }
    }

    private func change<Result>(_ key: ServiceKey, _ body: (inout Slot) -> Result) -> Result? {
        tables.withLock(at: number(of: key)) { $0.change(key, body) }
    }
}

extension GuardedList<Registry.Table> {
    /// The table in which a key with a hash stands.
    @inline(__always)
    func index(of hash: Int) -> Int {
        // The lower bits find the place in the table.
        (hash >> 16) & (count &- 1)
    }
}

extension HashTable where Value == Registry.Slot {
    // PERF: by their positions, because reading a whole cell copies it (closing a scope with two seeds: 900
    // instructions).
    fileprivate func appendEntries(to entries: inout [AnyServiceEntry]) {
        for position in cells.indices { entries.append(cells[position].value.entry) }
    }
}
