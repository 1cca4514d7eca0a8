/// A hash table that lends what lies in it.
///
/// PERF: what lies in an array is read where it lies, so a look-up retains only what it takes. A `Dictionary`
/// copies the whole value out, and hashes with `Hasher`: with dictionaries, row 1 took 760 instructions
/// instead of 560, and row 10 4 times L instead of 1.5.
struct HashTable<Key: TableKey, Value> {
    struct Cell {
        /// Nil in an empty cell.
        let key: Key?
        var value: Value?
    }

    /// Open addressing with linear probing: each run of full cells ends in an empty one.
    private(set) var cells: ContiguousArray<Cell> = []
    private(set) var count = 0
    /// How many there are once there is one, a power of two.
    private let leastCells: Int

    init(leastCells: Int = 4) {
        self.leastCells = leastCells
    }

    /// The cell of a key, good until the next change.
    @inline(__always)
    func index(of key: Key, _ hash: Int) -> Int? {
        guard !cells.isEmpty else { return nil }
        let mask = cells.count - 1
        var index = hash & mask
        while let found = cells[index].key {
            if found == key { return index }
            index = (index + 1) & mask
        }
        return nil
    }

    @inline(__always)
    subscript(key: Key) -> Value? {
        get { index(of: key, key.tableHash).flatMap { cells[$0].value } }
        set {
            if let newValue {
                _ = exchange(newValue, for: key)
            } else {
                _ = remove(key)
            }
        }
    }

    /// Every key with its value, in no order.
    var all: [(key: Key, value: Value)] {
        cells.compactMap { cell in
            guard let key = cell.key, let value = cell.value else { return nil }
            return (key, value)
        }
    }

    /// Changes the value of a key where it lies.
    mutating func change<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let index = index(of: key, key.tableHash), var value = cells[index].value else {
            return nil
        }
        cells[index].value = nil
        defer { cells[index].value = value }
        return body(&value)
    }

    /// Puts a value under a key, and gives back the one from before.
    mutating func exchange(_ value: Value, for key: Key) -> Value? {
        let hash = key.tableHash
        if let index = index(of: key, hash) {
            let old = cells[index].value
            cells[index].value = value
            return old
        }
        if 4 * (count + 1) > 3 * cells.count { grow() }
        put(Cell(key: key, value: value), hash)
        count += 1
        return nil
    }

    /// Removes a key, and gives back its value.
    mutating func remove(_ key: Key) -> Value? {
        guard let index = index(of: key, key.tableHash) else { return nil }
        let old = cells[index].value
        let mask = cells.count - 1
        cells[index] = Cell(key: nil, value: nil)
        count -= 1
        // What follows in its run goes where a search finds it.
        var next = (index + 1) & mask
        while let key = cells[next].key {
            let cell = cells[next]
            cells[next] = Cell(key: nil, value: nil)
            put(cell, key.tableHash)
            next = (next + 1) & mask
        }
        return old
    }

    private mutating func put(_ cell: Cell, _ hash: Int) {
        let mask = cells.count - 1
        var index = hash & mask
        while cells[index].key != nil { index = (index + 1) & mask }
        cells[index] = cell
    }

    private mutating func grow() {
        let old = cells
        let size = max(leastCells, 2 * old.count)
        cells = []
        cells.reserveCapacity(size)
        // PERF: `ContiguousArray(repeating:count:)` copies each by its type's witness (row 4g, 7).
        for _ in 0..<size { cells.append(Cell(key: nil, value: nil)) }
        for cell in old {
            if let key = cell.key { put(cell, key.tableHash) }
        }
    }
}

/// A key with a hash of its own, whose lower bits differ.
protocol TableKey: Equatable {
    var tableHash: Int { get }
}

/// A key that is a type alone: its address is all its identity.
struct TypeKey: TableKey, Sendable {
    let type: Any.Type

    @inline(__always)
    init(_ type: Any.Type) {
        self.type = type
    }

    @inline(__always)
    static func == (left: TypeKey, right: TypeKey) -> Bool { left.type == right.type }

    @inline(__always)
    var tableHash: Int { Self.mix(0, Int(bitPattern: ObjectIdentifier(type))) }

    /// Fibonacci hashing: an odd constant near 2^64 / φ spreads neighboring addresses, and the high half,
    /// the better one, is folded onto the low half that a table looks at.
    @inline(__always)
    static func mix(_ bits: Int, _ word: Int) -> Int {
        let factor = UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
        let product = UInt(bitPattern: bits ^ word) &* factor
        return Int(bitPattern: product ^ product >> UInt(UInt.bitWidth / 2))
    }
}
