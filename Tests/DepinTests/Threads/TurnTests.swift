import Testing

@testable import Depin

struct `The turn of a hierarchy` {
    private var ledger = Ledger<String, Int, Never>()

    @Test mutating func `goes to those who wait, in their order, and wakes nobody else`() {
        #expect(ask("turn", 1) == "has it")
        #expect(ask("turn", 2) == "waits")
        #expect(ask("turn", 3) == "waits")

        ledger.pass("turn")
        #expect(ledger.takeEnded() == [2])
        #expect(ledger.outcome(for: 2) == .passed)
        #expect(ledger.outcome(for: 3) == nil)
        #expect(ask("turn", 4) == "waits")

        ledger.pass("turn")
        #expect(ledger.takeEnded() == [3])
        ledger.pass("turn")
        ledger.pass("turn")
        #expect(ledger.builds.isEmpty)
    }

    @Test mutating func `is had more than once by the same worker, and passed at the end`() {
        #expect(ask("turn", 1) == "has it")
        #expect(ask("turn", 1) == "has it")
        #expect(ask("turn", 2) == "waits")

        ledger.pass("turn")
        #expect(ledger.takeEnded().isEmpty)
        ledger.pass("turn")
        #expect(ledger.takeEnded() == [2])
    }

    @Test mutating func `is done without by a worker for whom the one that has it waits`() {
        #expect(ask("turn", 1) == "has it")
        #expect(ask("build", 2) == "has it")
        #expect(ask("build", 1) == "waits")

        #expect(ask("turn", 2) == "closes a circle with [1]")
        #expect(ask("turn", 3) == "waits")
        #expect(ledger.outcome(for: 1) == nil)
    }

    @Test mutating func `is waited for no longer when the one that has it is to wait`() {
        #expect(ask("turn", 1) == "has it")
        #expect(ask("build", 2) == "has it")
        #expect(ask("turn", 3) == "waits")
        #expect(ask("turn", 2) == "waits")
        ledger.pass("turn")
        #expect(ledger.outcome(for: 3) == .passed)

        #expect(ask("build", 3) == "waits")
        #expect(ledger.outcome(for: 2) == .circular([3]))
        ledger.abandon("build")
        #expect(ledger.outcome(for: 3) == .abandoned)
        ledger.pass("turn")
        #expect(ledger.builds.isEmpty)
    }

    @Test mutating func `is done without, rather than that an instance is given out incomplete`() {
        var ledger = Ledger<String, Int, String>()
        _ = ledger.request("turn", by: 1, isTurn: true)
        _ = ledger.request("build", by: 2)
        _ = ledger.construct("build", "product")
        _ = ledger.request("build", by: 1)

        let answer = ledger.request("turn", by: 2, fromCallback: true, isTurn: true)
        guard case .circular([1]) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(ledger.outcome(for: 1) == nil)
        ledger.complete("build")
        #expect(ledger.outcome(for: 1) == .product("product"))
    }

    @Test mutating func `is waited for no longer, rather than that a callback fails`() {
        #expect(ask("turn", 1) == "has it")
        #expect(ask("build", 2) == "has it")
        #expect(ask("other build", 3) == "has it")
        #expect(ledger.request("build", by: 3, fromCallback: true).isWait)
        #expect(ask("turn", 2) == "waits")

        #expect(ask("other build", 1) == "waits")
        #expect(ledger.outcome(for: 2) == .circular([1, 3]))
        #expect(ledger.outcome(for: 3) == nil)
    }

    private mutating func ask(_ subject: String, _ worker: Int) -> String {
        switch ledger.request(subject, by: worker, isTurn: subject == "turn") {
        case .build: "has it"
        case .take: "takes it"
        case .wait: "waits"
        case .circular(let circle): "closes a circle with \(circle)"
        }
    }
}

extension Ledger.Answer {
    fileprivate var isWait: Bool { if case .wait = self { true } else { false } }
}
