/// Which instance was seen to need which: see ``CloseOrder`` for what follows from that.
///
/// This is all that a container knows of the needs of what it made: no threads, no locks, no user code. A copy would
/// share its nodes, so nobody copies it: it is changed and read under the lock of who has it.
///
/// Instances are known by numbers. One that is to be closed is completed with what is needed to close it. Any other one
/// only passes needs on, for as long as it is kept or may ask for more; after that, whoever needed it needs what it
/// needed.
package struct NeedsGraph {
    private final class Node {
        /// True while it may ask for more.
        var isAsking: Bool
        /// True while a slot keeps it.
        var isKept = false
        var instance: ClosedInstance?
        /// When it was completed, 0 for not yet.
        var time = 0
        var needs = Numbers()
        var neededBy = Numbers()

        init(isAsking: Bool) {
            self.isAsking = isAsking
        }

        /// True where it is not closed, kept by nobody, and asks for nothing more.
        var isUseless: Bool { !isAsking && !isKept && instance == nil }
    }

    /// A set of numbers.
    private typealias Numbers = SmallTable<UInt, Void>

    private var nodes = SmallTable<UInt, Node>()
    private var time = 0

    init() {}

    /// True where nothing is known.
    var isEmpty: Bool { nodes.isEmpty }

    // Not inlined: a look-up is long, and each change makes several.
    @inline(never)
    private func node(_ number: UInt) -> Node? { nodes[number] }

    /// Notes that an instance is being built.
    mutating func addNode(_ number: UInt, isAsking: Bool = true) {
        nodes[number] = Node(isAsking: isAsking)
    }

    /// Notes that an instance is built, how it is closed, and whether a slot keeps it; or that it is closed after all.
    mutating func complete(_ number: UInt, _ instance: ClosedInstance?, isKept: Bool) {
        time += 1
        guard let node = node(number) else { return }
        (node.instance, node.isKept) = (instance, isKept)
        if node.time == 0 { node.time = time }
        removeIfUseless(node, number)
    }

    /// Notes that one instance needs another.
    mutating func need(of dependent: UInt, for needed: UInt) {
        guard dependent != needed, let user = node(dependent), let used = node(needed) else {
            return
        }
        user.needs[needed] = ()
        used.neededBy[dependent] = ()
    }

    /// Notes that what an instance needs by now closes before all that it comes to need.
    mutating func needInTurn(for number: UInt) {
        for needed in node(number)?.needs.cells ?? [] { need(of: needed.key, for: number) }
    }

    /// Notes that nobody has been given an instance: it has failed, or another one was first, which who asked is given.
    ///
    /// Who waits needs that by way of the one that is lost.
    mutating func lose(_ number: UInt, to first: UInt = 0, by dependent: UInt? = nil) {
        guard let lost = node(number) else { return }
        guard first != 0, first != number else {
            for dependent in lost.neededBy.cells { endNeed(of: dependent.key, for: number) }
            return
        }
        if let dependent {
            endNeed(of: dependent, for: number)
            need(of: dependent, for: first)
        }
        need(of: number, for: first)
    }

    /// Notes that an instance asks for nothing more.
    mutating func endAsking(_ number: UInt) {
        guard let node = node(number) else { return }
        node.isAsking = false
        removeIfUseless(node, number)
    }

    /// Notes that an instance is kept no more, and not closed; gives it back to be released.
    mutating func drop(_ number: UInt) -> ClosedInstance? {
        guard let node = node(number) else { return nil }
        let dropped = node.instance
        (node.instance, node.isKept) = (nil, false)
        removeIfUseless(node, number)
        return dropped
    }

    /// An instance that is to be closed, held, if it is still there.
    func held(_ number: UInt) -> ClosedInstance? { node(number)?.instance?.held }

    /// Notes that an instance is known by another number from now on, with its place in the order.
    mutating func merge(_ number: UInt, into other: UInt) {
        guard number != other, let known = node(number), let kept = node(other) else { return }
        (kept.instance, kept.time) = (known.instance, known.time)
        need(of: number, for: other)
        _ = drop(number)
    }

    /// Notes what another graph has left, in the order in which it is to be closed.
    mutating func adopt(_ steps: [CloseOrder.Step]) {
        let numbers = steps.map { _ in Serial.next() }
        for index in steps.indices.reversed() {
            addNode(numbers[index])
            complete(numbers[index], steps[index].instance?.kept, isKept: false)
        }
        for index in steps.indices {
            for dependent in steps[index].after {
                need(of: numbers[dependent], for: numbers[index])
            }
        }
        for number in numbers { endAsking(number) }
    }

    /// Forgets an instance that is of no more use: who needed it needs what it needed.
    private mutating func removeIfUseless(_ removed: Node, _ number: UInt) {
        guard removed.isUseless else { return }
        for dependent in removed.neededBy.cells {
            endNeed(of: dependent.key, for: number)
            for needed in removed.needs.cells { need(of: dependent.key, for: needed.key) }
        }
        for needed in removed.needs.cells { endNeed(of: number, for: needed.key) }
        nodes[number] = nil
    }

    private func endNeed(of dependent: UInt, for needed: UInt) {
        node(dependent)?.needs[needed] = nil
        node(needed)?.neededBy[dependent] = nil
    }

    /// The instances that are to be closed, all or those with some numbers, and what is known of their order.
    package func order(of numbers: [UInt]? = nil) -> CloseOrder {
        var instances: [ClosedInstance?] = nodes.cells.map { _ in nil }
        let meant = numbers?.compactMap { nodes.position(of: $0) }
        for position in meant ?? Array(nodes.cells.indices) {
            instances[position] = nodes.cells[position].value.instance?.held
        }
        // One alone is in order.
        let ordered = instances.count { $0 != nil } > 1 ? nodes.cells : []
        return CloseOrder(
            instances,
            times: ordered.map(\.value.time),
            needs: ordered.map { cell in
                cell.value.needs.cells.compactMap { nodes.position(of: $0.key) }
            }
        )
    }
}
