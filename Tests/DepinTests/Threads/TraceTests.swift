import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A trace on several threads` {
    private let lines = Shared<[String]>([])

    private var trace: ResolutionTrace {
        ResolutionTrace { [lines] line in
            // Without what differs from run to run.
            lines.change { $0.append(line.replacing(#/( in|,) .*/#, with: "")) }
        }
    }

    @Test func `names the factory that another thread waits for, and who waits`() {
        let (container, inFactory, open) = (Container(), Gate(), Gate())
        container.register(Thing.self) {
            inFactory.open()
            open.wait()
            return Thing()
        }
        .inObjectScope(.container)
        container.addObserver(trace)
        let builder = Running { container ~> Thing.self }
        inFactory.wait()
        #expect(lines.value == [])
        let waiter = Running { container ~> Thing.self }
        waiter.untilItWaits()
        #expect(lines.value == ["▸ Thing", "▸ Thing"])
        open.open()
        #expect(builder.value === waiter.value)
        #expect(Set(lines.value.dropFirst(2)) == ["◂ Thing built", "◂ Thing reused"])
        use(container ~> Thing.self)
        #expect(lines.value.last == "Thing reused")
    }

    @Test func `names the factory that waits for another thread in vain`() {
        let (container, isAsked, open) = (Container(), Gate(), Gate())
        let asked = Shared<Running<Thing>?>(nil)
        container.register(Int.self) { 1 }
        container.register(Thing.self) { resolver in
            use(resolver ~> Int.self)
            asked.change { $0 = Running { container ~> Thing.self } }
            isAsked.open()
            open.wait()
            return Thing()
        }
        .inObjectScope(.container)
        container.addObserver(trace)
        let builder = Running { container ~> Thing.self }
        isAsked.wait()
        asked.value?.untilItWaits()
        #expect(lines.value == ["▸ Thing", "  Int built", "▸ Thing"])
        open.open()
        #expect(builder.value === asked.value?.value)
        container.removeAll()
        asked.change { $0 = nil }
    }

    @Test func `prints under no lock`() {
        let (container, isFirst) = (Container(), Shared(0))
        container.register(Thing.self) { Thing() }
        let trace = Shared<ResolutionTrace?>(nil)
        let printed = Shared()
        trace.change {
            $0 = ResolutionTrace { [unowned container] _ in
                printed.count()
                // The other thread's lines come here as well.
                if isFirst.count() == 1 { use(Running { container ~> Thing.self }.value) }
            }
        }
        if let trace = trace.value { container.addObserver(trace) }
        use(container ~> Thing.self)
        #expect(printed.value > 1)
    }
}
