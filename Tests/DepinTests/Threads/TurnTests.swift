import Testing

@testable import Depin

private final class Instance: AnyBox, @unchecked Sendable {}

struct `The turn of a hierarchy` {
    private var turn = SlotState<Instance>()
    private var graph = WaitGraph()
    private var waits: [UInt: Wait] = [:]

    // MARK: - As a slot

    @Test mutating func `is had by one, and by the others when that has left`() {
        let first = turn.own(1)
        #expect(turn.awaited(2)?.number == 1)
        let isEnd = turn.leave(first) { _ in .notHere }
        #expect(isEnd)
        #expect(first.isOver)
        #expect(turn.own(2).number == 2)
    }

    @Test mutating func `is had more than once by the same, and passed on at the end`() {
        let first = turn.own(1)
        #expect(turn.own(2, within: first) === first)
        var isEnd = turn.leave(first) { _ in .notHere }
        #expect(!isEnd)
        #expect(turn.awaited(3) === first)
        isEnd = turn.leave(first) { _ in .notHere }
        #expect(isEnd)
        #expect(turn.current == nil)
    }

    // MARK: - In the graph. The turn is 1, and had by who waits on its behalf.

    @Test mutating func `ends for all who wait, in their order, and wakes nobody else`() {
        #expect(wait(11, for: 1, yields: true) == "waits")
        #expect(wait(12, for: 2) == "waits")
        #expect(wait(13, for: 1, yields: true) == "waits")
        graph.end(1, nil)
        #expect(graph.takeEnded().map(\.number) == [11, 13])
        #expect(outcome(11) == "again")
        #expect(outcome(12) == "none")
        #expect(outcome(13) == "again")
    }

    @Test mutating func `is done without by who builds what the one that has it waits for`() {
        #expect(wait(11, for: 2, blocking: [1]) == "waits")
        #expect(wait(12, for: 1, blocking: [2], yields: true) == "circle with [11]")
        #expect(wait(13, for: 1, yields: true) == "waits")
        #expect(outcome(11) == "none")
    }

    @Test mutating func `is waited for no longer when the one that has it is to wait`() {
        #expect(wait(12, for: 1, blocking: [2], yields: true) == "waits")
        #expect(wait(13, for: 2, blocking: [1]) == "waits")
        #expect(outcome(12) == "circle with [13]")
        graph.end(2, nil)
        #expect(outcome(13) == "again")
        #expect(graph.isEmpty)
    }

    @Test mutating func `is done without, rather than that an instance is given out incomplete`() {
        let product = Instance()
        let products = [2 as UInt: product]
        #expect(wait(11, for: 2, blocking: [1], products: products) == "waits")
        #expect(
            wait(12, for: 1, blocking: [2], inCallback: true, yields: true, products: products)
                == "circle with [11]"
        )
        #expect(outcome(11) == "none")
        graph.end(2, product)
        #expect(outcome(11) == "product")
    }

    @Test mutating func `is waited for no longer, rather than that a callback fails`() {
        #expect(wait(13, for: 2, blocking: [3], inCallback: true) == "waits")
        #expect(wait(12, for: 1, blocking: [2], yields: true) == "waits")
        #expect(wait(11, for: 3, blocking: [1]) == "waits")
        #expect(outcome(12) == "circle with [11, 13]")
        #expect(outcome(13) == "none")
    }

    private mutating func wait(
        _ number: UInt,
        for needed: UInt,
        blocking blocked: [UInt] = [],
        inCallback: Bool = false,
        yields: Bool = false,
        products: [UInt: Instance] = [:]
    ) -> String {
        let wait = Wait(for: needed, blocking: blocked, number: number)
        (wait.isFromCallback, wait.yields) = (inCallback, yields)
        wait.product = { products[needed] }
        waits[number] = wait
        return graph.begin(wait).map(words) ?? "waits"
    }

    private func outcome(_ number: UInt) -> String {
        waits[number]?.outcome.map(words) ?? "none"
    }

    private func words(_ outcome: Wait.Outcome) -> String {
        switch outcome {
        case .again: "again"
        case .product: "product"
        case .circular(let circle): "circle with \(circle.map(\.number))"
        }
    }
}

extension SlotState {
    /// What is for the caller to have.
    fileprivate mutating func own(
        _ number: UInt,
        within own: Building<Product>? = nil
    ) -> Building<Product> {
        guard case .make(let building) = enter(own: own, number: number, living: { $0 }) else {
            preconditionFailure("somebody has it")
        }
        return building
    }

    fileprivate mutating func awaited(_ number: UInt) -> Building<Product>? {
        guard case .wait(let building) = enter(own: nil, number: number, living: { $0 }) else {
            return nil
        }
        return building
    }
}
