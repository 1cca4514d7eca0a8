/// A hash table that lends what lies in it.
///
/// Few keys are looked through one by one; for more, an index says where each lies.
///
/// PERF: what lies in an array is read where it lies, so a look-up retains only what it takes. A `Dictionary`
/// copies the whole value out, and hashes with `Hasher`: with dictionaries, row 1 took 760 instructions
/// instead of 560, and row 10 4 times L instead of 1.5. With cells that lie where their hash says, most
/// of a graph of ten was clearing and destroying empty ones (row 4g, 8,000 instructions).
struct HashTable<Key: TableKey, Value> {
    struct Cell {
        fileprivate(set) var key: Key
        fileprivate(set) var value: Value
    }

    private(set) var cells: ContiguousArray<Cell> = []
    /// Open addressing with linear probing: the position of a cell, or -1.
    ///
    /// It is empty while there are few.
    private var index: ContiguousArray<Int32> = []

    private let leastCapacity: Int

    private static var few: Int { 16 }

    init(leastCapacity: Int = 4) {
        self.leastCapacity = leastCapacity
    }

    var count: Int { cells.count }
    var isEmpty: Bool { cells.isEmpty }

    /// Every key with its value, in no order.
    var all: [(key: Key, value: Value)] { cells.map { ($0.key, $0.value) } }

    /// The cell of a key, good until the next change.
    @inline(__always)
    func position(of key: Key, _ hash: Int) -> Int? {
        guard !index.isEmpty else {
            for position in cells.indices where cells[position].key == key { return position }
            return nil
        }
        let mask = index.count - 1
        var probe = hash & mask
        while index[probe] >= 0 {
            let position = Int(index[probe])
            if cells[position].key == key { return position }
            probe = (probe + 1) & mask
        }
        return nil
    }

    @inline(__always)
    subscript(key: Key) -> Value? {
        get { position(of: key, key.tableHash).map { cells[$0].value } }
        set {
            if let newValue {
                _ = exchange(newValue, for: key)
            } else {
                _ = remove(key)
            }
        }
    }

    /// The cell of a key, good until the next change.
    @inline(__always)
    func position(of key: Key) -> Int? { position(of: key, key.tableHash) }

    /// Changes the value of a key where it lies.
    @discardableResult
    mutating func change<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let position = position(of: key, key.tableHash) else { return nil }
        return body(&cells[position].value)
    }

    /// Puts a value under a key, and gives back the one from before.
    mutating func exchange(_ value: consuming Value, for key: Key) -> Value? {
        let hash = key.tableHash
        if let position = position(of: key, hash) {
            swap(&cells[position].value, &value)
            return value
        }
        append(value, for: key, hash)
        return nil
    }

    /// The value of a key, which is given one if it has none.
    mutating func value(of key: Key, orElse value: consuming Value) -> Value {
        let hash = key.tableHash
        if let position = position(of: key, hash) { return cells[position].value }
        append(value, for: key, hash)
        return cells[count - 1].value
    }

    @inline(__always)
    private mutating func append(_ value: consuming Value, for key: Key, _ hash: Int) {
        if cells.capacity == 0 { cells.reserveCapacity(leastCapacity) }
        cells.append(Cell(key: key, value: value))
        if index.isEmpty ? count > Self.few : 4 * count > 3 * index.count {
            makeIndex()
        } else if !index.isEmpty {
            note(count - 1, hash)
        }
    }

    /// Removes a key, and gives back its value.
    ///
    /// The last cell takes the place of the removed one.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        let hash = key.tableHash
        guard let position = position(of: key, hash) else { return nil }
        if !index.isEmpty {
            let last = count - 1
            clear(probe(of: position, hash))
            if position != last {
                index[probe(of: last, cells[last].key.tableHash)] = Int32(position)
            }
        }
        cells.swapAt(position, count - 1)
        return cells.removeLast().value
    }

    // MARK: - Index

    private mutating func makeIndex() {
        index = ContiguousArray(repeating: -1, count: max(4 * Self.few, 2 * index.count))
        for position in cells.indices { note(position, cells[position].key.tableHash) }
    }

    private mutating func note(_ position: Int, _ hash: Int) {
        let mask = index.count - 1
        var probe = hash & mask
        while index[probe] >= 0 { probe = (probe + 1) & mask }
        index[probe] = Int32(position)
    }

    /// Where the index names a cell.
    private func probe(of position: Int, _ hash: Int) -> Int {
        let mask = index.count - 1
        var probe = hash & mask
        while index[probe] != position { probe = (probe + 1) & mask }
        return probe
    }

    /// Empties a place of the index.
    ///
    /// What follows in its run goes where a search finds it.
    private mutating func clear(_ probe: Int) {
        let mask = index.count - 1
        index[probe] = -1
        var next = (probe + 1) & mask
        while index[next] >= 0 {
            let position = Int(index[next])
            index[next] = -1
            note(position, cells[position].key.tableHash)
            next = (next + 1) & mask
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
