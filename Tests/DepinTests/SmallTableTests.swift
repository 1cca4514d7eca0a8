import Testing

@testable import Depin

struct `A small table` {
    /// Against a dictionary, with few keys and with many.
    @Test(arguments: [3, 17, 200]) func `has what a dictionary has`(_ keyCount: Int) {
        var random = SeededGenerator(seed: UInt64(keyCount))
        var table = SmallTable<Int, Int>()
        var reference: [Int: Int] = [:]
        for step in 0..<4000 {
            let key = Int.random(in: 0..<keyCount, using: &random)
            // It grows and shrinks by turns.
            let value =
                Int.random(in: 0..<4, using: &random) == 0
                ? step / 500 % 2 == 0 : step / 500 % 2 != 0
            table[key] = value ? nil : step
            reference[key] = value ? nil : step
            #expect(table.isEmpty == reference.isEmpty)
            #expect(table.cells.count == reference.count)
            for key in 0..<keyCount where table[key] != reference[key] {
                Issue.record("\(key) is \(table[key] as Any), not \(reference[key] as Any)")
            }
            for (position, cell) in table.cells.enumerated()
            where table.position(of: cell.key) != position {
                Issue.record("\(cell.key) does not lie at \(position)")
            }
        }
    }

    @Test func `has its keys in the order in which they came`() {
        var table = SmallTable<String, Void>()
        let keys = (0..<100).map { "key \($0)" }
        for key in keys { table[key] = () }
        #expect(table.cells.map { $0.key } == keys)
        table["key 3"] = nil
        #expect(table.cells.map { $0.key } == keys[..<3] + ["key 99"] + keys[4..<99])
    }
}
