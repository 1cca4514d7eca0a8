import Testing

@testable import Depin

struct `The order in which instances close` {
    private var order = CloseOrder<String>()

    /// Instances 1, 2, 3, … in the order in which they were built, kept by registrations of those numbers.
    private mutating func build(_ names: String...) {
        for (index, name) in names.enumerated() {
            let number = UInt(index + 1)
            #expect(order.begin(number, of: number) == nil)
            order.complete(number, name)
            order.endAsking(number)
        }
    }

    private var names: [String] { order.steps { $0 }.map(\.item) }

    @Test mutating func `is that of needs, and else the last one first`() {
        build("a", "b", "c")
        #expect(names == ["c", "b", "a"])
        order.need(of: 1, for: 3)
        #expect(names == ["b", "a", "c"])
        #expect(order.steps { $0 }.map(\.after) == [[], [], [1]])
    }

    @Test mutating func `goes by way of what is not closed`() {
        build("a", "b", "c")
        order.need(of: 1, for: 2)
        order.need(of: 2, for: 3)
        let steps = order.steps { $0 == "b" ? nil : $0 }
        #expect(steps.map(\.item) == ["a", "c"])
        #expect(steps.map(\.after) == [[], [0]])
    }

    @Test mutating func `keeps the needs of what asks for nothing more`() {
        build("a", "b")
        _ = order.begin(10)
        order.need(of: 1, for: 10)
        order.need(of: 10, for: 2)
        order.endAsking(10)
        #expect(names == ["a", "b"])
    }

    @Test mutating func `loses the needs of what is dropped, but not those by way of it`() {
        build("a", "b", "c")
        order.need(of: 1, for: 2)
        order.need(of: 2, for: 3)
        #expect(order.drop(of: 2) == "b")
        #expect(names == ["a", "c"])
        #expect(order.number(of: 2) == nil)
    }

    @Test mutating func `has one instance of each registration`() {
        build("a", "b")
        order.need(of: 1, for: 2)
        #expect(order.begin(11, of: 1) == "a")
        order.complete(11, "a again")
        order.complete(1, "too late")
        #expect(names == ["a again", "b"])
    }

    @Test mutating func `keeps the needs of what was dropped and asks for more`() {
        build("a", "c")
        #expect(order.begin(10, of: 10) == nil)
        order.complete(10, "b")
        order.need(of: 1, for: 10)
        #expect(order.drop(of: 10) == "b")
        order.need(of: 10, for: 2)
        #expect(names == ["a", "c"])
        order.endAsking(10)
        #expect(names == ["a", "c"])
    }

    @Test mutating func `forgets what was not built`() {
        _ = order.begin(1, of: 1)
        order.endAsking(1)
        #expect(order.isEmpty)
        #expect(order.number(of: 1) == nil)
    }

    @Test mutating func `ends, where some need each other, in the order of time`() {
        build("a", "b", "c", "d")
        order.need(of: 1, for: 2)
        order.need(of: 2, for: 1)
        order.need(of: 4, for: 1)
        order.need(of: 2, for: 3)
        #expect(names.sorted() == ["a", "b", "c", "d"])
        #expect(names.first == "d")
        #expect(names.last == "c")
    }
}
