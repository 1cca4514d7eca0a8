import Depin
import Foundation
import Testing

struct `Process-wide space values` {
    @Test func `an update is seen everywhere but under an override`() async {
        #expect(SpaceValues.current.theme == "light")
        let captured = SpaceValues.current

        SpaceValues.updateShared { $0.theme = "dark" }

        #expect(SpaceValues.current.theme == "dark")
        #expect(captured.theme == "dark")
        #expect(await Task.detached { SpaceValues.current.theme }.value == "dark")
        withSpace(\.theme, "sepia") {
            #expect(SpaceValues.current.theme == "sepia")
            SpaceValues.updateShared { $0.theme = "black" }
            #expect(SpaceValues.current.theme == "sepia")
        }
        #expect(SpaceValues.current.theme == "black")
    }

    @Test func `an update sees the process-wide values and its own changes`() {
        SpaceValues.updateShared { $0.level = 1 }

        withSpace(\.level, 10) {
            SpaceValues.updateShared {
                #expect($0.level == 1)
                #expect("\($0)" == "SpaceValues()")
                $0.level += 1
                #expect($0.level == 2)
                $0.level += 1
            }
        }

        #expect(SpaceValues.current.level == 3)
    }

    @Test func `an update that throws changes nothing`() {
        #expect(throws: Failure.self) {
            try SpaceValues.updateShared {
                $0.kept = "changed"
                throw Failure()
            }
        }
        #expect(SpaceValues.current.kept == "default")
    }

    @Test func `one update sets several keys`() {
        SpaceValues.updateShared {
            $0.third = "three"
            $0.fourth = "four"
        }
        #expect(SpaceValues.current.third == "three")
        #expect(SpaceValues.current.fourth == "four")
    }

    @Test func `concurrent updates of different keys both take`() {
        for round in 1...200 {
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                SpaceValues.updateShared {
                    if side == 0 { $0.left = round } else { $0.right = round }
                }
            }
            #expect(SpaceValues.current.left == round)
            #expect(SpaceValues.current.right == round)
        }
    }

    @Test func `an update begun before another of a different key does not undo it`() {
        SpaceValues.updateShared { outer in
            outer.first = "outer"
            SpaceValues.updateShared { $0.second = "inner" }
        }
        #expect(SpaceValues.current.first == "outer")
        #expect(SpaceValues.current.second == "inner")
    }

    @Test func `what an update replaces is released, and its deinit may use the space`() {
        weak var replaced: Farewell?
        do {
            let farewell = Farewell()
            replaced = farewell
            SpaceValues.updateShared { $0.farewell = farewell }
        }
        #expect(replaced != nil)

        // Under the store's lock, what the deinit does would never return.
        SpaceValues.updateShared { $0.farewell = nil }

        #expect(replaced == nil)
        #expect(SpaceValues.current.lastWords == "goodbye")
    }

    @Test func `reads while another thread updates see one value or the other`() {
        DispatchQueue.concurrentPerform(iterations: 2) { side in
            for round in 0..<2_000 {
                if side == 0 {
                    SpaceValues.updateShared { $0.pair = Pair(round) }
                } else {
                    let pair = SpaceValues.current.pair
                    #expect(pair.one == pair.other)
                }
            }
        }
    }
}

private struct Failure: Error {}

private final class Pair: Sendable {
    let one: Int
    let other: Int

    init(_ value: Int) {
        one = value
        other = value
    }
}

private final class Farewell: Sendable {
    deinit {
        SpaceValues.updateShared { $0.lastWords = "goodbye" }
        withSpace(\.lastWords, "inside") {
            #expect(SpaceValues.current.lastWords == "inside")
        }
    }
}

private enum ThemeKey: SpaceKey {
    static var defaultValue: String { "light" }
}

private enum LevelKey: SpaceKey {
    static var defaultValue: Int { 0 }
}

private enum KeptKey: SpaceKey {
    static var defaultValue: String { "default" }
}

private enum LeftKey: SpaceKey {
    static var defaultValue: Int { 0 }
}

private enum RightKey: SpaceKey {
    static var defaultValue: Int { 0 }
}

private enum FirstKey: SpaceKey {
    static var defaultValue: String { "" }
}

private enum SecondKey: SpaceKey {
    static var defaultValue: String { "" }
}

private enum ThirdKey: SpaceKey {
    static var defaultValue: String { "" }
}

private enum FourthKey: SpaceKey {
    static var defaultValue: String { "" }
}

private enum FarewellKey: SpaceKey {
    static var defaultValue: Farewell? { nil }
}

private enum LastWordsKey: SpaceKey {
    static var defaultValue: String { "" }
}

private enum PairKey: SpaceKey {
    static var defaultValue: Pair { Pair(-1) }
}

extension SpaceValues {
    fileprivate var theme: String {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
    fileprivate var level: Int {
        get { self[LevelKey.self] }
        set { self[LevelKey.self] = newValue }
    }
    fileprivate var kept: String {
        get { self[KeptKey.self] }
        set { self[KeptKey.self] = newValue }
    }
    fileprivate var left: Int {
        get { self[LeftKey.self] }
        set { self[LeftKey.self] = newValue }
    }
    fileprivate var right: Int {
        get { self[RightKey.self] }
        set { self[RightKey.self] = newValue }
    }
    fileprivate var first: String {
        get { self[FirstKey.self] }
        set { self[FirstKey.self] = newValue }
    }
    fileprivate var second: String {
        get { self[SecondKey.self] }
        set { self[SecondKey.self] = newValue }
    }
    fileprivate var third: String {
        get { self[ThirdKey.self] }
        set { self[ThirdKey.self] = newValue }
    }
    fileprivate var fourth: String {
        get { self[FourthKey.self] }
        set { self[FourthKey.self] = newValue }
    }
    fileprivate var farewell: Farewell? {
        get { self[FarewellKey.self] }
        set { self[FarewellKey.self] = newValue }
    }
    fileprivate var lastWords: String {
        get { self[LastWordsKey.self] }
        set { self[LastWordsKey.self] = newValue }
    }
    fileprivate var pair: Pair {
        get { self[PairKey.self] }
        set { self[PairKey.self] = newValue }
    }
}
