/// Which instance was seen to need which, and in which order they close.
///
/// This is all that a container knows of the needs of what it made, as a plain value: no threads, no locks, no
/// user code. Instances are known by numbers. One that the container keeps, or closes, is completed with what is
/// needed to close it. Any other one only passes needs on, for as long as it may ask for more; after that, whoever
/// needed it needs what it needed.
struct CloseOrder<Instance> {
    private struct Record {
        /// The registration that keeps the instance, 0 for none.
        let entry: UInt
        /// True while it may ask for more.
        var isAsking: Bool
        var instance: Instance?
        /// When that was completed.
        var time = 0
        var needs = Numbers()
        var neededBy = Numbers()

        /// True where it is not closed, and asks for nothing more.
        @inline(__always)
        var isUseless: Bool { !isAsking && time == 0 }
    }

    /// A set of numbers.
    private typealias Numbers = HashTable<UInt, Void>

    /// Something to be closed.
    struct Step<Item> {
        let item: Item
        /// The steps before it that must have ended.
        let after: [Int]
    }

    private var records = HashTable<UInt, Record>()
    /// The instances that registrations keep.
    private var kept = HashTable<UInt, UInt>()
    private var time = 0

    /// True where nothing is known.
    var isEmpty: Bool { records.isEmpty }

    /// Notes that an instance is being built.
    ///
    /// It takes the place of one that the registration has kept, which has been dropped, and is given back to
    /// be released.
    mutating func begin(
        _ number: UInt,
        of entry: UInt = 0,
        isAsking: Bool = true
    ) -> Instance? {
        let dropped = drop(of: entry)
        records[number] = Record(entry: entry, isAsking: isAsking)
        if entry != 0 { kept[entry] = number }
        return dropped
    }

    /// The number of the instance that a registration keeps.
    func number(of entry: UInt) -> UInt? { kept[entry] }

    /// Notes that an instance is built, and how it is closed.
    mutating func complete(_ number: UInt, _ instance: Instance) {
        // It may have been dropped before.
        guard let position = records.position(of: number) else { return }
        let entry = records.cells[position].value.entry
        guard entry == 0 || kept[entry] == number else { return }
        time += 1
        records.change(number) { ($0.instance, $0.time) = (instance, time) }
    }

    /// Notes that one instance needs another.
    mutating func need(of needer: UInt, for needed: UInt) {
        guard needer != needed, records.position(of: needer) != nil,
            records.position(of: needed) != nil
        else { return }
        records.change(needer) { $0.needs[needed] = () }
        records.change(needed) { $0.neededBy[needer] = () }
    }

    /// Notes that an instance asks for nothing more.
    mutating func endAsking(_ number: UInt) {
        records.change(number) { $0.isAsking = false }
        removeIfUseless(number)
    }

    /// Notes that a registration keeps its instance no more, and gives that back to be released.
    mutating func drop(of entry: UInt) -> Instance? {
        guard let number = kept.remove(entry) else { return nil }
        let dropped = records.change(number) { record -> Instance? in
            defer { (record.instance, record.time) = (nil, 0) }
            return record.instance
        }
        removeIfUseless(number)
        return dropped ?? nil
    }

    /// Forgets an instance that is not closed and asks for nothing more: who needed it needs what it needed.
    private mutating func removeIfUseless(_ number: UInt) {
        // PERF: asked for where it lies, or the record is copied first (row 15-closer).
        guard records.change(number, { $0.isUseless }) == true, let record = records.remove(number)
        else { return }
        if kept[record.entry] == number { kept[record.entry] = nil }
        for (needer, _) in record.neededBy.all {
            records.change(needer) { $0.needs[number] = nil }
            for (needed, _) in record.needs.all { need(of: needer, for: needed) }
        }
        for (needed, _) in record.needs.all { records.change(needed) { $0.neededBy[number] = nil } }
    }

    /// The instances, each after all that needed it, directly or not, and else the one completed last first.
    ///
    /// The closure says what is to be closed of an instance; one with nothing only passes needs on.
    func steps<Item>(_ item: (Instance) -> Item?) -> [Step<Item>] {
        var completed: [(position: Int, step: (item: Item, time: Int))] = []
        for position in records.cells.indices {
            guard let instance = records.cells[position].value.instance,
                let item = item(instance)
            else { continue }
            completed.append((position, (item, records.cells[position].value.time)))
        }
        // One alone is in order.
        guard completed.count > 1 else {
            return completed.map { Step(item: $0.step.item, after: []) }
        }
        var rest: [UInt: Walk<Item>.Entry] = [:]
        for cell in records.cells {
            let (neededBy, needs) = (cell.value.neededBy.cells, cell.value.needs.cells)
            rest[cell.key] = (nil, Set(neededBy.map(\.key)), Set(needs.map(\.key)))
        }
        for (position, step) in completed { rest[records.cells[position].key]?.completed = step }
        var walk = Walk<Item>(rest: rest)
        return walk.run()
    }

    /// Goes through the instances, those that nothing needs any more first.
    private struct Walk<Item> {
        typealias Entry = (
            completed: (item: Item, time: Int)?, neededBy: Set<UInt>, needs: Set<UInt>
        )

        /// Those that are still to come.
        private var rest: [UInt: Entry]
        /// Those of the rest that nothing of the rest needs, the next one last.
        private var free: [UInt] = []
        /// The steps that each must wait for, by those that needed it.
        private var after: [UInt: Set<Int>] = [:]
        private var steps: [Step<Item>] = []

        init(rest: [UInt: Entry]) {
            self.rest = rest
            for (number, entry) in rest where entry.neededBy.isEmpty { release(number) }
        }

        mutating func run() -> [Step<Item>] {
            while !rest.isEmpty { take(free.popLast().map { [$0] } ?? outermost) }
            return steps
        }

        /// Takes one that nothing of the rest needs, or several that need each other.
        private mutating func take(_ numbers: [UInt]) {
            var before: Set<Int> = []
            var own: Set<Int> = []
            var needed: Set<UInt> = []
            for number in numbers { before.formUnion(after.removeValue(forKey: number) ?? []) }
            for number in numbers {
                guard let entry = rest.removeValue(forKey: number) else { continue }
                needed.formUnion(entry.needs)
                guard let completed = entry.completed else { continue }
                steps.append(Step(item: completed.item, after: before.union(own).sorted()))
                own.insert(steps.count - 1)
            }
            for number in needed where rest[number] != nil {
                after[number, default: []].formUnion(own.isEmpty ? before : own)
                rest[number]?.neededBy.subtract(numbers)
                if rest[number]?.neededBy.isEmpty == true { release(number) }
            }
        }

        private mutating func release(_ number: UInt) {
            let place = free.firstIndex { isLater($0, number) } ?? free.endIndex
            free.insert(number, at: place)
        }

        /// What only passes needs on holds nothing up.
        private func isLater(_ one: UInt, _ other: UInt) -> Bool {
            func time(_ number: UInt) -> Int { rest[number]?.completed?.time ?? .max }
            return (time(one), one) > (time(other), other)
        }

        /// Some that need each other, and that nothing else of the rest needs, the one completed last first.
        private var outermost: [UInt] {
            let circles = rest.keys.sorted(by: isLater).map(needers)
            return circles.min { $0.count < $1.count }?.sorted(by: isLater) ?? []
        }

        /// What of the rest needs one, directly or not.
        private func needers(of number: UInt) -> Set<UInt> {
            var known: Set<UInt> = [number]
            var ways = [number]
            while let next = ways.popLast() {
                for needer in rest[next]?.neededBy ?? [] where known.insert(needer).inserted {
                    ways.append(needer)
                }
            }
            return known
        }
    }
}
