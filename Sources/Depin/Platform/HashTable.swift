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
    /// Where each cell lies; nil while there are few.
    // Nil, and not empty, because a table that goes then has one array to release (row 15: 100 instructions).
    private var index: PositionIndex?

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
        guard let index else {
            // What came last is looked for most.
            for position in cells.indices.reversed() where cells[position].key == key {
                return position
            }
            return nil
        }
        return index.first(with: hash) { cells[$0].key == key }
    }

    @inline(__always)
    func value(of key: Key, _ hash: Int) -> Value? {
        position(of: key, hash).map { cells[$0].value }
    }

    @inline(__always)
    subscript(key: Key) -> Value? {
        get { value(of: key, key.tableHash) }
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
        append(consume value, for: key, hash)
        return nil
    }

    /// Puts a value under a key, unless there is one, which it gives back.
    mutating func insert(_ value: consuming Value, for key: Key) -> Value? {
        let hash = key.tableHash
        if let position = position(of: key, hash) { return cells[position].value }
        append(consume value, for: key, hash)
        return nil
    }

    @inline(__always)
    private mutating func append(_ value: consuming Value, for key: Key, _ hash: Int) {
        if cells.capacity == 0 { cells.reserveCapacity(leastCapacity) }
        cells.append(Cell(key: key, value: consume value))
        let last = count - 1
        if index?.hasRoom(for: last + 1) ?? (last < Self.few) {
            index?.add(last, with: hash)
        } else {
            makeIndex()
        }
    }

    @inline(never)
    private mutating func makeIndex() {
        var made = PositionIndex(for: count)
        for position in cells.indices { made.add(position, with: cells[position].key.tableHash) }
        index = made
    }

    /// Removes a key, and gives back its value.
    ///
    /// The last cell takes the place of the removed one.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        let hash = key.tableHash
        guard let position = position(of: key, hash) else { return nil }
        if var index {
            // Nobody else holds it, or changing it would copy it.
            self.index = nil
            index.remove(position, with: hash) { cells[$0].key.tableHash }
            if position != count - 1 {
                index.replace(count - 1, with: cells[count - 1].key.tableHash, by: position)
            }
            self.index = index
        }
        cells.swapAt(position, count - 1)
        return cells.removeLast().value
    }
}

/// Where values lie, by their hashes: open addressing with linear probing.
private struct PositionIndex {
    /// The position of a value, or -1.
    private var places: ContiguousArray<Int32>

    init(for count: Int) {
        var size = 64
        while 2 * size < 3 * count { size *= 2 }
        places = ContiguousArray(repeating: -1, count: size)
    }

    func hasRoom(for count: Int) -> Bool { 4 * count <= 3 * places.count }

    /// The first position of those with a hash that matches.
    @inline(__always)
    func first(with hash: Int, where matches: (Int) -> Bool) -> Int? {
        let mask = places.count - 1
        var place = hash & mask
        while true {
            let position = Int(places[place])
            if position < 0 { return nil }
            if matches(position) { return position }
            place = (place + 1) & mask
        }
    }

    mutating func add(_ position: Int, with hash: Int) {
        let mask = places.count - 1
        var place = hash & mask
        while places[place] >= 0 { place = (place + 1) & mask }
        places[place] = Int32(position)
    }

    mutating func replace(_ position: Int, with hash: Int, by other: Int) {
        places[place(of: position, hash)] = Int32(other)
    }

    /// What follows in its run goes where a search finds it.
    mutating func remove(_ position: Int, with hash: Int, _ hashOf: (Int) -> Int) {
        let mask = places.count - 1
        let place = place(of: position, hash)
        places[place] = -1
        var next = (place + 1) & mask
        while places[next] >= 0 {
            let position = Int(places[next])
            places[next] = -1
            add(position, with: hashOf(position))
            next = (next + 1) & mask
        }
    }

    private func place(of position: Int, _ hash: Int) -> Int {
        let mask = places.count - 1
        var place = hash & mask
        while places[place] != position { place = (place + 1) & mask }
        return place
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
    var tableHash: Int { Int(bitPattern: mixed(0, UInt(bitPattern: ObjectIdentifier(type)))) }
}

/// Spread, because numbers that are counted up would lie in one run, all of which a removal goes through.
extension UInt: TableKey {
    @inline(__always)
    var tableHash: Int { Int(bitPattern: mixed(0, self)) }
}

/// Fibonacci hashing: an odd constant near 2^64 / φ spreads neighboring words, and the high half, the better
/// one, is folded onto the low half that a table looks at.
@inline(__always)
func mixed(_ bits: UInt, _ word: UInt) -> UInt {
    let factor = UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    let product = (bits ^ word) &* factor
    return product ^ product >> UInt(UInt.bitWidth / 2)
}

extension HashTable: Sendable where Key: Sendable, Value: Sendable {}
extension HashTable.Cell: Sendable where Key: Sendable, Value: Sendable {}
