import Testing

@testable import Depin

struct `The order in which instances close` {
    private var needs = NeedsGraph()

    /// Instances 1, 2, 3, … in the order in which they were built, each kept by a slot.
    private mutating func build(_ names: String...) {
        for (index, name) in names.enumerated() {
            let number = UInt(index + 1)
            needs.addNode(number)
            needs.complete(number, closed(name), isKept: true)
            needs.endAsking(number)
        }
    }

    private var names: [String] { needs.order().steps().compactMap { value(of: $0.instance) } }

    @Test mutating func `is that of needs, and else the last one first`() {
        build("a", "b", "c")
        #expect(names == ["c", "b", "a"])
        needs.need(of: 1, for: 3)
        #expect(names == ["b", "a", "c"])
        #expect(needs.order().steps().map(\.after) == [[], [], [1]])
    }

    @Test mutating func `is that of completion where nothing is known of two`() {
        build("a", "b", "c", "d")
        needs.need(of: 1, for: 3)
        needs.need(of: 1, for: 4)
        needs.need(of: 4, for: 2)
        #expect(names == ["a", "d", "c", "b"])
        #expect(needs.order().steps().map(\.after) == [[], [0], [0], [1]])
    }

    @Test mutating func `goes by way of what is not closed`() {
        build("a", "b", "c")
        needs.need(of: 1, for: 2)
        needs.need(of: 2, for: 3)
        needs.complete(2, nil, isKept: true)
        let steps = needs.order().steps()
        #expect(steps.map { value(of: $0.instance) } == ["a", nil, "c"])
        #expect(steps.map(\.after) == [[], [0], [1]])
    }

    @Test mutating func `is not held up by what only comes between`() {
        build("a", "b", "c")
        // The last one built is closed first, although what it is needed by was built before the others.
        needs.need(of: 2, for: 3)
        needs.complete(2, nil, isKept: true)
        #expect(names == ["c", "a"])
    }

    @Test mutating func `keeps the needs of what asks for nothing more`() {
        build("a", "b")
        needs.addNode(10)
        needs.need(of: 1, for: 10)
        needs.need(of: 10, for: 2)
        needs.endAsking(10)
        #expect(names == ["a", "b"])
        #expect(needs.order().steps().count == 2)
    }

    @Test mutating func `loses the needs of what is dropped, but not those by way of it`() {
        build("a", "b", "c")
        needs.need(of: 1, for: 2)
        needs.need(of: 2, for: 3)
        #expect(value(of: needs.drop(2)) == "b")
        #expect(names == ["a", "c"])
        #expect(needs.drop(2) == nil)
    }

    @Test mutating func `forgets what a storage keeps no more`() {
        needs.addNode(1)
        needs.complete(1, nil, isKept: true)
        needs.endAsking(1)
        #expect(!needs.isEmpty)
        needs.endKeeping(1)
        #expect(needs.isEmpty)
    }

    @Test mutating func `has nothing from what was lost`() {
        build("a", "b")
        needs.addNode(10)
        needs.need(of: 1, for: 10)
        needs.need(of: 10, for: 2)
        needs.lose(10)
        needs.endAsking(10)
        #expect(names == ["b", "a"])
    }

    @Test mutating func `is free for what was lost to another, which the dependent needs`() {
        build("a", "lost", "first")
        needs.need(of: 1, for: 2)
        needs.lose(2, to: 3, by: 1)
        #expect(names == ["lost", "a", "first"])
    }

    @Test mutating func `keeps the needs of what was dropped and asks for more`() {
        build("a", "c")
        needs.addNode(10)
        needs.complete(10, closed("b"), isKept: true)
        needs.need(of: 1, for: 10)
        #expect(value(of: needs.drop(10)) == "b")
        needs.need(of: 10, for: 2)
        #expect(names == ["a", "c"])
        needs.endAsking(10)
        #expect(names == ["a", "c"])
    }

    @Test mutating func `keeps what is closed and kept by nobody`() {
        build("a")
        needs.addNode(10)
        needs.complete(10, closed("b"), isKept: false)
        needs.endAsking(10)
        #expect(names == ["b", "a"])
    }

    @Test mutating func `forgets what was not built, and what neither is kept nor closed`() {
        needs.addNode(1)
        needs.endAsking(1)
        #expect(needs.isEmpty)
        needs.addNode(2)
        needs.complete(2, nil, isKept: false)
        #expect(!needs.isEmpty)
        needs.endAsking(2)
        #expect(needs.isEmpty)
        // What is noted too late is noted of nobody.
        needs.complete(2, closed("late"), isKept: true)
        needs.need(of: 2, for: 1)
        #expect(needs.isEmpty)
    }

    @Test mutating func `has what is closed by a closer that comes later`() {
        build("a", "b")
        needs.addNode(3)
        needs.complete(3, closed("c"), isKept: true)
        needs.endAsking(3)
        needs.complete(1, closed("a again"), isKept: true)
        #expect(names == ["c", "b", "a again"])
        let some = needs.order(of: [1, 3]).steps()
        #expect(some.compactMap { value(of: $0.instance) } == ["c", "a again"])
    }

    @Test mutating func `ends, where some need each other, in the order of time`() {
        build("a", "b", "c", "d")
        needs.need(of: 1, for: 2)
        needs.need(of: 2, for: 1)
        needs.need(of: 4, for: 1)
        needs.need(of: 2, for: 3)
        #expect(names == ["d", "b", "a", "c"])
        #expect(needs.order().steps().map(\.after) == [[], [0], [1], [2]])
    }

    /// Nothing but time decides between circles, and in them; what hashes say differs from one process to another.
    @Test func `is the same of two circles, in whatever order their needs were noted`() {
        // 1, 3, 5, …, 39 need each other in a ring, and so do 2, 4, 6, …, 40.
        let ring = (1...40 as ClosedRange<UInt>).map { ($0, $0 > 38 ? $0 - 38 : $0 + 2) }
        let odd = (1...39 as ClosedRange<UInt>).reversed().filter { $0 % 2 == 1 }
        let even = (1...40 as ClosedRange<UInt>).reversed().filter { $0 % 2 == 0 }
        for seed in 0..<20 {
            var random = SeededGenerator(seed: UInt64(seed))
            var graph = NeedsGraph()
            for number in (1...40 as ClosedRange<UInt>).shuffled(using: &random) {
                graph.addNode(number)
            }
            for number in 1...40 as ClosedRange<UInt> {
                graph.complete(number, closed(number), isKept: true)
            }
            for (needer, needed) in ring.shuffled(using: &random) {
                graph.need(of: needer, for: needed)
            }
            let items = graph.order().steps().compactMap { value(of: $0.instance) as UInt? }
            #expect(items == even + odd)
        }
    }

    // MARK: Many

    /// What a thousandth of the needs would take, a thousand times over, is still no square of them.
    private static let count: UInt = 20_000

    private static func many(_ needs: (UInt) -> [UInt]) -> NeedsGraph {
        var graph = NeedsGraph()
        for number in 1...count { graph.addNode(number) }
        for number in 1...count {
            for needed in needs(number) { graph.need(of: number, for: needed) }
            graph.complete(number, closed(number), isKept: true)
            graph.endAsking(number)
        }
        return graph
    }

    private static func order(_ graph: NeedsGraph) -> (items: [UInt], after: Int) {
        let steps = graph.order().steps()
        return (
            steps.compactMap { value(of: $0.instance) }, steps.reduce(0) { $0 + $1.after.count }
        )
    }

    @Test(.timeLimit(.minutes(5))) func `is found of a long chain, from either end`() {
        let up = Self.order(Self.many { $0 < Self.count ? [$0 + 1] : [] })
        #expect(up.items == Array(1...Self.count))
        #expect(up.after == Int(Self.count) - 1)
        let down = Self.order(Self.many { $0 > 1 ? [$0 - 1] : [] })
        #expect(down.items == (1...Self.count).reversed())
        #expect(down.after == Int(Self.count) - 1)
    }

    @Test(.timeLimit(.minutes(5))) func `is found of many that need nothing`() {
        let order = Self.order(Self.many { _ in [] })
        #expect(order.items == (1...Self.count).reversed())
        #expect(order.after == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is found of many that need one, and of one that needs many`() {
        let one = Self.order(Self.many { $0 > 1 ? [1] : [] })
        #expect(one.items == (1...Self.count).reversed())
        #expect(one.after == Int(Self.count) - 1)
        let many = Self.order(Self.many { $0 == 1 ? Array(2...Self.count) : [] })
        #expect(many.items == [1] + (2...Self.count).reversed())
        #expect(many.after == Int(Self.count) - 1)
    }

    @Test(.timeLimit(.minutes(5))) func `is found of one long circle, and of many small ones`() {
        let long = Self.order(Self.many { [$0 % Self.count + 1] })
        #expect(long.items == (1...Self.count).reversed())
        #expect(long.after == Int(Self.count) - 1)
        // 2 and 1, 4 and 3, …, each circle needed by the next one.
        let small = Self.order(
            Self.many { $0 % 2 == 0 ? [$0 - 1] : [$0 + 1] + ($0 > 1 ? [$0 - 1] : []) }
        )
        #expect(small.items == (1...Self.count).reversed())
        #expect(small.after == Int(Self.count) - 1)
    }

    @Test(.timeLimit(.minutes(5))) func `is kept while many come and go`() {
        var graph = NeedsGraph()
        graph.addNode(0)
        graph.complete(0, closed(0 as UInt), isKept: true)
        for number in 1...Self.count {
            graph.addNode(number)
            graph.need(of: 0, for: number)
            graph.complete(number, closed(number), isKept: true)
            graph.endAsking(number)
            #expect(value(of: graph.drop(number)) == number)
        }
        #expect(graph.order().steps().count == 1)
        graph.endAsking(0)
        #expect(value(of: graph.drop(0)) == 0 as UInt)
        #expect(graph.isEmpty)
    }

    /// Against the plain definition: each after all that need it by whatever way, unless they need each other.
    @Test(arguments: 0..<60) func `is right for what is drawn`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let count: UInt = 12
        var graph = NeedsGraph()
        var reached = (0...count).map { Set([$0]) }
        for number in 1...count {
            graph.addNode(number)
            graph.complete(number, closed(number), isKept: true)
            graph.endAsking(number)
        }
        for _ in 0..<Int.random(in: 0..<30, using: &random) {
            let needer = UInt.random(in: 1...count, using: &random)
            let needed = UInt.random(in: 1...count, using: &random)
            graph.need(of: needer, for: needed)
            for number in reached.indices where reached[number].contains(needer) {
                reached[number].formUnion(reached[Int(needed)])
            }
        }
        let dropped = Set((1...count).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
        for number in dropped { _ = graph.drop(number) }
        let order: [UInt] = graph.order().steps().compactMap { value(of: $0.instance) }
        #expect(Set(order) == Set(1...count).subtracting(dropped))
        for (place, number) in order.enumerated() {
            for earlier in order[..<place] where reached[Int(number)].contains(earlier) {
                #expect(
                    reached[Int(earlier)].contains(number),
                    "\(earlier) closes before \(number)"
                )
            }
        }
    }
}

extension NeedsGraph {
    /// True if there is no node, not even one that only passes needs on.
    var isEmpty: Bool { order().instances.isEmpty }
}

private let registration = Container().register(Int.self) { 0 }.slot.registration

private func closed<Value>(_ value: Value) -> ClosedInstance {
    guard let closed = ClosedInstance(registration, Box(value), isKept: false) else {
        preconditionFailure("nothing to close")
    }
    return closed
}

private func value<Value>(of instance: ClosedInstance?) -> Value? {
    (instance?.box as? Box<Value>)?.value
}
