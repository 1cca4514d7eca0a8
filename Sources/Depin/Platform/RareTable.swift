// Functions for rare use, each compiled once for all types instead of once for each.
//
// For the same reason an empty dictionary is written `Dictionary()` everywhere: the literal's initializer is compiled
// for each type, too (12 KB).

/// A dictionary for rare lookups.
///
/// Its code is compiled once, and not for each type of key and value, as that of `Dictionary` is: 3 KB each time.
struct RareTable<Key: Hashable, Value> {
    private var contents: [Key: Value] = Dictionary()

    init() {}

    subscript(key: Key) -> Value? {
        @_semantics("optimize.sil.specialize.generic.never")
        @inline(never)
        get { contents[key] }
        @_semantics("optimize.sil.specialize.generic.never")
        @inline(never)
        _modify { yield &contents[key] }
    }

    subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
        @_semantics("optimize.sil.specialize.generic.never")
        @inline(never)
        get { contents[key] ?? value() }
        @_semantics("optimize.sil.specialize.generic.never")
        @inline(never)
        _modify { yield &contents[key, default: value()] }
    }

    /// Every key with its value, in no order.
    var all: [(key: Key, value: Value)] {
        @_semantics("optimize.sil.specialize.generic.never")
        @inline(never)
        get { contents.map { ($0.key, $0.value) } }
    }

    var isEmpty: Bool { contents.isEmpty }
    var count: Int { contents.count }

    /// A true copy, to leave a lock with: see `Copies.swift`.
    var copied: RareTable {
        @_semantics("optimize.sil.specialize.generic.never")
        @inline(never)
        get { RareTable(contents: contents.mapValues { $0 }) }
    }

    private init(contents: [Key: Value]) { self.contents = contents }
}

extension RareTable {
    /// Changes each list, and removes the empty ones.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    mutating func changeLists<Element>(_ change: ([Element]) -> [Element])
    where Value == [Element] {
        for (key, list) in contents {
            let changed = change(list)
            contents[key] = changed.isEmpty ? nil : changed
        }
    }
}

extension RareTable: Sendable where Key: Sendable, Value: Sendable {}

/// A set for rare lookups.
typealias RareSet<Element: Hashable> = RareTable<Element, Void>

extension RareTable where Value == Void {
    func contains(_ element: Key) -> Bool { self[element] != nil }

    /// Adds an element; false if it was there.
    mutating func insert(_ element: Key) -> Bool {
        guard self[element] == nil else { return false }
        self[element] = ()
        return true
    }
}

extension Sequence {
    /// The elements in a stable order.
    ///
    /// For short or rare lists: the code is compiled once, and not for each type of element, as that of `sorted(by:)`
    /// is: 3 KB each time.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        sorted(by: precedes)
    }
}
