/// Slots by their keys: open addressing with two words a cell.
///
/// The key of a type alone is its own word, so such a cell needs no further comparison.
///
/// PERF: a `Dictionary` uses `Hasher`, and copies what it finds: 120 instructions more in row 1, a quarter.
struct SlotTable: ~Copyable {
    private struct Cell {
        /// The word of a key; 0 for a cell that was never used.
        var word: UInt = 0
        var slot: Unmanaged<Slot>?
    }

    private var cells: UnsafeMutablePointer<Cell>?
    private var capacity = 0
    private(set) var count = 0
    /// How many cells have a word.
    ///
    /// The cell of a removed slot keeps its word, so that the cells behind it are found.
    private var used = 0
    /// How many slots were ever put in or removed.
    private(set) var changeCount = 0

    init() {}

    deinit {
        for index in 0..<capacity { cells?[index].slot?.release() }
        cells?.deallocate()
    }

    /// The slot of a key, lent until the next change.
    @inline(__always)
    func find(_ key: borrowing ServiceKey) -> Unmanaged<Slot>? {
        guard let cells else { return nil }
        return cells[position(of: key, in: cells)].slot
    }

    /// The cell of a key, or the unused cell where the search ends.
    @inline(__always)
    private func position(
        of key: borrowing ServiceKey,
        in cells: UnsafeMutablePointer<Cell>
    ) -> Int {
        let mask = capacity &- 1
        var index = Int(truncatingIfNeeded: mixed(0, key.word)) & mask
        while true {
            let cell = cells[index]
            if cell.word == key.word, let slot = cell.slot,
                key.isTypeAlone || isSame(slot, copy key)
            {
                return index
            }
            if cell.word == 0 { return index }
            index = (index &+ 1) & mask
        }
    }

    @inline(never)
    private func isSame(_ slot: Unmanaged<Slot>, _ key: ServiceKey) -> Bool {
        slot._withUnsafeGuaranteedRef { slot in
            // Compared in place: copying the key takes longer (row 2).
            slot.isOwn ? slot.registration.key == key : slot.key == key
        }
    }

    /// Puts a slot in, and gives back the replaced one.
    mutating func put(_ slot: Slot, for key: ServiceKey) -> Slot? {
        if 4 * (used + 1) > 3 * capacity { grow() }
        changeCount += 1
        guard let cells else { preconditionFailure("a table without room") }
        let index = position(of: key, in: cells)
        let old = cells[index].slot
        cells[index] = Cell(word: key.word, slot: .passRetained(slot))
        if old == nil {
            count += 1
            used += 1
        }
        return old?.takeRetainedValue()
    }

    @discardableResult
    mutating func remove(_ key: ServiceKey) -> Slot? {
        guard let cells else { return nil }
        let index = position(of: key, in: cells)
        guard let old = cells[index].slot else { return nil }
        cells[index].slot = nil
        count -= 1
        changeCount += 1
        return old.takeRetainedValue()
    }

    /// Every slot, in no order.
    var all: [Slot] {
        (0..<capacity).compactMap { cells?[$0].slot?.takeUnretainedValue() }
    }

    private mutating func grow() {
        var size = 8
        while size < 2 * (count + 1) { size *= 2 }
        var bigger = SlotTable(capacity: size)
        for slot in all { _ = bigger.put(slot, for: slot.key) }
        bigger.changeCount = changeCount
        self = bigger
    }

    private init(capacity: Int) {
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: capacity)
        cells.initialize(repeating: Cell(), count: capacity)
        self.cells = cells
        self.capacity = capacity
    }
}
