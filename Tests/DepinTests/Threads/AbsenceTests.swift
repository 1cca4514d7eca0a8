import Synchronization
import Testing

@testable import Depin

/// What was noted of a miss is read without a lock, so these are about what another thread may see.
@Suite(.timeLimit(.minutes(5)))
struct `A miss that was noted` {
    /// Where the service comes and goes, as seen from who asks.
    enum Place: CaseIterable {
        case here, inParent, behindForwarding
    }

    @Test(arguments: Place.allCases)
    func `is over for a thread that asks after a registration, and again after its removal`(
        place: Place
    ) {
        let holder = Container()
        let asked = place == .inParent ? Container(parent: holder) : holder
        let (rounds, comings, goings) = (20, gates(20), gates(20))
        let (seenComing, seenGoing) = (gates(20), gates(20))
        let asking = Running {
            var right = true
            for round in 0..<rounds {
                right = right && (asked ~> Tool?.self) == nil
                right = right && asked.resolve(Tool.self) == nil
                seenGoing[round].open()
                comings[round].wait()
                right = right && (asked ~> Tool?.self) != nil
                right = right && asked.resolve(Tool.self) != nil
                seenComing[round].open()
                goings[round].wait()
            }
            return right
        }
        for round in 0..<rounds {
            seenGoing[round].wait()
            // This thread's miss and the other's are both noted.
            #expect((asked ~> Tool?.self) == nil)
            if place == .behindForwarding {
                holder.register(Hammer.self) { Hammer() }.implements(Tool.self)
            } else {
                holder.register(Tool.self) { Hammer() }
            }
            comings[round].open()
            seenComing[round].wait()
            if round % 2 == 0 { holder.unregister(Tool.self) } else { holder.removeAll() }
            goings[round].open()
        }
        #expect(asking.value)
    }

    @Test func `never outlives a registration that happened before, however often it is noted`() {
        let container = Container()
        // Odd while the service is registered; changed after it comes and before it goes.
        let phase = Phase()
        let wrong = onThreads(3) { index in
            if index == 0 {
                for _ in 0..<2000 {
                    container.register(Tool.self) { Hammer() }.inObjectScope(.container)
                    phase.next()
                    phase.next()
                    container.unregister(Tool.self)
                }
                phase.end()
            }
            var wrong = 0
            while !phase.hasEnded {
                let before = phase.number
                let found =
                    index == 1 ? container ~> Tool?.self : container.resolve(Tool.self)
                if before % 2 == 1, phase.number == before, found == nil { wrong += 1 }
            }
            return wrong
        }
        #expect(wrong == [0, 0, 0])
        #expect((container ~> Tool?.self) == nil)
    }

    private final class Phase: Sendable {
        private let count = Atomic<Int>(0)
        private let isOver = Atomic<Bool>(false)

        var number: Int { count.load(ordering: .sequentiallyConsistent) }
        var hasEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }

        func next() { count.add(1, ordering: .sequentiallyConsistent) }
        func end() { isOver.store(true, ordering: .sequentiallyConsistent) }
    }
}

private protocol Tool: Sendable {}
private final class Hammer: Tool {}

private func gates(_ count: Int) -> [Gate] {
    (0..<count).map { _ in Gate() }
}
