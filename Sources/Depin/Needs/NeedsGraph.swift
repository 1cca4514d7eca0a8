/// Which instance was seen to need which, and in which order they close.
///
/// This is all that a container knows of the needs of what it made, as a plain value: no threads, no locks, no
/// user code. Instances are known by numbers. One that is to be closed is completed with what is
/// needed to close it. Any other one only passes needs on, for as long as it is kept or may ask for more; after that,
/// whoever needed it needs what it needed.
package struct NeedsGraph<Instance> {
    fileprivate struct Node {
        /// True while it may ask for more.
        var isAsking: Bool
        /// True while a slot keeps it.
        var isKept = false
        var instance: Instance?
        /// When it was completed, 0 for not yet.
        var time = 0
        var needs = Numbers()
        var neededBy = Numbers()

        /// True where it is not closed, kept by nobody, and asks for nothing more.
        var isUseless: Bool { !isAsking && !isKept && instance == nil }
    }

    /// A set of numbers.
    fileprivate typealias Numbers = HashTable<UInt, Void>

    /// Something to be closed.
    struct Step<Item> {
        /// Nil for one that only comes between others.
        let item: Item?
        /// The steps before it that must have ended.
        let after: [Int]
    }

    private var nodes = HashTable<UInt, Node>()
    private var time = 0

    init() {}

    /// True where nothing is known.
    var isEmpty: Bool { nodes.isEmpty }

    /// A copy that shares no storage: see `Copies.swift`.
    var copied: NeedsGraph {
        var copy = self
        copy.nodes = nodes.copied
        for (number, node) in nodes.all {
            copy.nodes.change(number) {
                ($0.needs, $0.neededBy) = (node.needs.copied, node.neededBy.copied)
            }
        }
        return copy
    }

    /// Notes that an instance is being built.
    mutating func begin(_ number: UInt, isAsking: Bool = true) {
        nodes[number] = Node(isAsking: isAsking)
    }

    /// Notes that an instance is built, how it is closed, and whether a slot keeps it.
    mutating func complete(_ number: UInt, _ instance: Instance?, isKept: Bool) {
        time += 1
        nodes.change(number) { ($0.instance, $0.isKept, $0.time) = (instance, isKept, time) }
        removeIfUseless(number)
    }

    /// Notes how an instance is closed.
    mutating func setInstance(_ number: UInt, _ instance: Instance) {
        time += 1
        nodes.change(number) { node in
            node.instance = instance
            if node.time == 0 { node.time = time }
        }
    }

    /// Notes that one instance needs another.
    mutating func need(of needer: UInt, for needed: UInt) {
        guard needer != needed, nodes.position(of: needer) != nil,
            nodes.position(of: needed) != nil
        else { return }
        nodes.change(needer) { $0.needs[needed] = () }
        nodes.change(needed) { $0.neededBy[needer] = () }
    }

    /// Notes that nobody has been given an instance: it has failed, or another one was first.
    mutating func lose(_ number: UInt) {
        for (needer, _) in nodes[number]?.neededBy.all ?? [] {
            nodes.change(needer) { $0.needs[number] = nil }
        }
        nodes.change(number) { $0.neededBy = Numbers() }
    }

    /// Notes that another instance was first, which who asked is given; who waits needs that by way of the one that is
    /// lost.
    mutating func lose(_ number: UInt, to first: UInt, by needer: UInt?) {
        if let needer {
            nodes.change(needer) { $0.needs[number] = nil }
            nodes.change(number) { $0.neededBy[needer] = nil }
            need(of: needer, for: first)
        }
        need(of: number, for: first)
    }

    /// Notes that an instance asks for nothing more.
    mutating func endAsking(_ number: UInt) {
        nodes.change(number) { $0.isAsking = false }
        removeIfUseless(number)
    }

    /// Notes that an instance is kept no more, and not closed; gives it back to be released.
    mutating func drop(_ number: UInt) -> Instance? {
        let dropped = nodes.change(number) { node -> Instance? in
            defer { (node.instance, node.isKept) = (nil, false) }
            return node.instance
        }
        removeIfUseless(number)
        return dropped ?? nil
    }

    /// Notes what another graph has left, in the order in which it is to be closed.
    mutating func add(_ steps: [Step<Instance>]) {
        let numbers = steps.map { _ in Serial.next() }
        for (number, step) in zip(numbers, steps).reversed() {
            begin(number)
            complete(number, step.item, isKept: false)
        }
        for (number, step) in zip(numbers, steps) {
            for needer in step.after { need(of: numbers[needer], for: number) }
        }
        for number in numbers { endAsking(number) }
    }

    /// Forgets an instance that is of no more use: who needed it needs what it needed.
    private mutating func removeIfUseless(_ number: UInt) {
        guard nodes.change(number, { $0.isUseless }) == true, let node = nodes.remove(number) else {
            return
        }
        for (needer, _) in node.neededBy.all {
            nodes.change(needer) { $0.needs[number] = nil }
            for (needed, _) in node.needs.all { need(of: needer, for: needed) }
        }
        for (needed, _) in node.needs.all { nodes.change(needed) { $0.neededBy[number] = nil } }
    }

    // MARK: - Closing

    /// Forgets how the other instances are closed.
    mutating func keepInstances(where isKept: (UInt) -> Bool) {
        for number in nodes.cells.map(\.key) where !isKept(number) {
            nodes.change(number) { $0.instance = nil }
        }
    }

    /// The instances, each after all that needed it, directly or not, and else the one completed last first.
    ///
    /// The closure says what is to be closed of an instance; one with nothing only passes needs on.
    func steps<Item>(_ item: (Instance) -> Item?) -> [Step<Item>] {
        let items = nodes.cells.map { cell in cell.value.instance.flatMap(item) }
        let count = items.count { $0 != nil }
        // One alone is in order.
        guard count > 1 else { return items.compactMap(\.self).map { Step(item: $0, after: []) } }
        let indices = Dictionary(
            uniqueKeysWithValues: nodes.cells.enumerated().map { ($0.element.key, $0.offset) }
        )
        var order = CloseOrder(
            needs: nodes.cells.map { $0.value.needs.cells.compactMap { indices[$0.key] } },
            // What only passes needs on holds nothing up.
            times: nodes.cells.enumerated().map { items[$0] == nil ? .max : $1.value.time }
        )
        return order.steps().map { Step(item: items[$0.index], after: $0.after) }
    }
}

extension NeedsGraph: Sendable where Instance: Sendable {}
extension NeedsGraph.Node: Sendable where Instance: Sendable {}

/// Puts the nodes of a graph of needs in order, each after all that need it; those that need each other, the one
/// completed last first.
private struct CloseOrder {
    private let needs: [[Int]]
    private let times: [Int]
    /// The circle of each node: its strongly connected component.
    private var circles: [[Int]] = []
    private var circle: [Int]

    init(needs: [[Int]], times: [Int]) {
        self.needs = needs
        self.times = times
        circle = Array(repeating: -1, count: needs.count)
        findCircles()
    }

    /// Tarjan's algorithm, without recursion: a chain of needs may be longer than a stack.
    private mutating func findCircles() {
        var index = Array(repeating: -1, count: needs.count)
        var low = index
        var (stack, next, counter) = ([Int](), Array(repeating: 0, count: needs.count), 0)
        for root in needs.indices where index[root] < 0 {
            var calls = [root]
            while let node = calls.last {
                if index[node] < 0 {
                    (index[node], low[node]) = (counter, counter)
                    counter += 1
                    stack.append(node)
                }
                if next[node] < needs[node].count {
                    let needed = needs[node][next[node]]
                    next[node] += 1
                    if index[needed] < 0 {
                        calls.append(needed)
                    } else if circle[needed] < 0 {
                        low[node] = min(low[node], index[needed])
                    }
                    continue
                }
                calls.removeLast()
                if let caller = calls.last { low[caller] = min(low[caller], low[node]) }
                guard low[node] == index[node] else { continue }
                var members: [Int] = []
                repeat {
                    members.append(stack.removeLast())
                    circle[members[members.count - 1]] = circles.count
                } while members.last != node
                circles.append(members.ordered { (times[$0], $0) > (times[$1], $1) })
            }
        }
    }

    /// The nodes in their order, each with the steps that must have ended.
    mutating func steps() -> [(index: Int, after: [Int])] {
        var open = Array(repeating: 0, count: circles.count)
        for node in needs.indices {
            for needed in needs[node] where circle[needed] != circle[node] {
                open[circle[needed]] += 1
            }
        }
        var free = Heap(circles.indices.filter { open[$0] == 0 }) { [circles, times] one, other in
            let (one, other) = (circles[one][0], circles[other][0])
            return (times[one], one) > (times[other], other)
        }
        var after = Array(repeating: [Int](), count: circles.count)
        var steps: [(index: Int, after: [Int])] = []
        while let next = free.popFirst() {
            for (position, node) in circles[next].enumerated() {
                // Those of a circle follow each other.
                steps.append((node, position == 0 ? after[next] : [steps.count - 1]))
            }
            let last = steps.count - 1
            for node in circles[next] {
                for needed in needs[node] where circle[needed] != next {
                    let needed = circle[needed]
                    if after[needed].last != last { after[needed].append(last) }
                    open[needed] -= 1
                    if open[needed] == 0 { free.insert(needed) }
                }
            }
        }
        return steps
    }
}

/// A binary heap.
private struct Heap {
    private var elements: [Int] = []
    private let precedes: (Int, Int) -> Bool

    init(_ elements: some Sequence<Int>, _ precedes: @escaping (Int, Int) -> Bool) {
        self.precedes = precedes
        for element in elements { insert(element) }
    }

    mutating func insert(_ element: Int) {
        var index = elements.count
        elements.append(element)
        while index > 0, precedes(elements[index], elements[(index - 1) / 2]) {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func popFirst() -> Int? {
        guard let first = elements.first else { return nil }
        let last = elements.removeLast()
        guard !elements.isEmpty else { return first }
        elements[0] = last
        var index = 0
        while true {
            var best = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < elements.count && precedes(elements[child], elements[best]) {
                best = child
            }
            if best == index { return first }
            elements.swapAt(index, best)
            index = best
        }
    }
}
