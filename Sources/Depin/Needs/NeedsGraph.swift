/// Which instance was seen to need which; ``CloseOrder`` says what follows from that.
///
/// It is all that a container knows of its instances' needs: no threads, no locks, no user code. A copy would share the
/// nodes, so nothing copies it; the lock of the engine's state guards it.
///
/// Numbers name the instances. A completed instance that is to be closed carries everything needed for that. Every
/// other one only passes needs on while it is kept or may ask for more; after that, its dependents take over its needs.
struct NeedsGraph {
    private final class Node {
        /// True while the instance may ask for more.
        var isAsking = true
        /// True while a slot keeps the instance.
        var isKept = false
        var instance: ClosedInstance?
        /// When the instance's factory returned; 0 for not yet.
        var time: UInt = 0
        var needs = Numbers()
        var neededBy = Numbers()

        /// True if the instance is not to be closed, not kept, and asks for nothing more.
        var isUseless: Bool { !isAsking && !isKept && instance == nil }
    }

    /// A set of numbers.
    private typealias Numbers = SmallTable<UInt, Void>

    private var nodes = SmallTable<UInt, Node>()

    // Not inlined, because a lookup is long, and each change makes several.
    @inline(never)
    private func node(_ number: UInt) -> Node? { nodes[number] }

    /// Adds an instance that is being built.
    mutating func addNode(_ number: UInt) { nodes[number] = Node() }

    /// Notes that an instance is complete, how it is closed, and whether a slot keeps it.
    ///
    /// It may be noted again.
    mutating func complete(
        _ number: UInt,
        _ instance: ClosedInstance?,
        isKept: Bool,
        at time: UInt = Serial.next()
    ) {
        guard let node = node(number) else { return }
        (node.instance, node.isKept) = (instance, isKept)
        if node.time == 0 { node.time = time }
    }

    /// Notes that one instance needs another.
    mutating func need(of dependent: UInt, for needed: UInt) {
        guard dependent != needed, let user = node(dependent), let used = node(needed) else {
            return
        }
        user.needs[needed] = ()
        used.neededBy[dependent] = ()
    }

    /// Notes that the needs of an instance so far close before all its later needs.
    mutating func needInTurn(for number: UInt) {
        for needed in node(number)?.needs.cells ?? [] { need(of: needed.key, for: number) }
    }

    /// Notes that an instance is lost: it failed, or another one was first, which the dependent gets instead.
    ///
    /// Waiters need that other instance through the lost one.
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

    /// Notes that a storage keeps another instance.
    mutating func endKeeping(_ number: UInt) {
        guard let node = node(number) else { return }
        node.isKept = false
        removeIfUseless(node, number)
    }

    /// Notes that an instance is kept no more, and will not be closed; gives it back for the caller to release.
    mutating func drop(_ number: UInt) -> ClosedInstance? {
        guard let node = node(number) else { return nil }
        let dropped = node.instance
        (node.instance, node.isKept) = (nil, false)
        removeIfUseless(node, number)
        return dropped
    }

    /// The same for several instances.
    ///
    /// What was made last goes first: nothing needs it any more, so it passes no needs on, of which there would be ever
    /// more.
    mutating func dropLastMadeFirst(_ numbers: [UInt]) -> [ClosedInstance?] {
        numbers.ordered { (node($0)?.time ?? 0) > (node($1)?.time ?? 0) }.map { drop($0) }
    }

    /// An instance to close, held, if it still exists.
    func held(_ number: UInt) -> ClosedInstance? { node(number)?.instance?.held }

    /// Moves an instance to another number, with its place in the order.
    mutating func merge(_ number: UInt, into other: UInt) {
        guard number != other, let known = node(number), let kept = node(other) else { return }
        (kept.instance, kept.time) = (known.instance, known.time)
        need(of: number, for: other)
        _ = drop(number)
    }

    /// Takes over the instances of another graph, in their order.
    mutating func adopt(_ steps: [CloseOrder.Step]) {
        // Descending, as the times of what closes one after the other.
        let numbers = Array(steps.map { _ in Serial.next() }.reversed())
        for (number, step) in zip(numbers, steps) {
            addNode(number)
            complete(number, step.instance?.kept, isKept: false, at: number)
            for dependent in step.after { need(of: numbers[dependent], for: number) }
        }
        for number in numbers { endAsking(number) }
    }

    /// Forgets a useless instance; its dependents take over its needs.
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

    /// The instances to close, all of them or those with some numbers, and what is known of their order.
    func order(of numbers: [UInt]? = nil) -> CloseOrder {
        var instances: [ClosedInstance?] = nodes.cells.map { _ in nil }
        let meant = numbers?.compactMap { nodes.position(of: $0) }
        for position in meant ?? Array(nodes.cells.indices) {
            instances[position] = nodes.cells[position].value.instance?.held
        }
        // A single instance needs no order.
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
