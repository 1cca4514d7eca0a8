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

    @Test mutating func `makes a circle with who has it now`() {
        #expect(ask("turn", 1) == "has it")
        #expect(ask("storage", 2) == "has it")
        #expect(ask("turn", 3) == "waits")
        #expect(ask("turn", 2) == "waits")
        ledger.pass("turn")
        #expect(ledger.outcome(for: 3) == .passed)

        #expect(ask("storage", 3) == "closes a circle with [2]")
    }

    private mutating func ask(_ subject: String, _ worker: Int) -> String {
        switch ledger.request(subject, by: worker) {
        case .build: "has it"
        case .take: "takes it"
        case .wait: "waits"
        case .circular(let circle): "closes a circle with \(circle)"
        }
    }
}
