import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `An instance for each value of the arguments` {
    @Test(arguments: SharedScope.allCases)
    func `is built once, however many threads ask, and by as many as there are values`(
        _ shared: SharedScope
    ) {
        let container = Container()
        let (built, open) = (Shared<[Int]>([]), Gate())
        let inFactory = (0..<3).map { _ in Gate() }
        container.register(Thing.self) { (_, number: Int) in
            built.change { $0.append(number) }
            inFactory[number].open()
            open.wait()
            return Thing(number)
        }
        .inObjectScope(shared.scope.perArguments)

        let builders = (0..<3).map { number in
            Running { container ~> (Thing.self, argument: number) }
        }
        // Nobody waits for another value's.
        for gate in inFactory { gate.wait() }
        let others = (0..<6).map { number in
            Running { container ~> (Thing.self, argument: number % 3) }
        }
        for thread in others { thread.untilItWaits() }
        open.open()

        for (number, builder) in builders.enumerated() {
            #expect(builder.value.number == number)
            #expect(others[number].value === builder.value)
            #expect(others[number + 3].value === builder.value)
        }
        #expect(built.value.sorted() == [0, 1, 2])
    }

    //  Thing ──► Thing for 1 ··► Thing       (··► in initCompleted)
    @Test(arguments: SharedScope.allCases)
    func `is given to who waits already when a circle of threads closes`(_ shared: SharedScope) {
        let container = Container()
        let (inFactory, factoryMayAsk) = (Gate(), Gate())
        let (inCallback, callbackMayAsk) = (Gate(), Gate())
        container.register(Thing.self) { r in
            inFactory.open()
            factoryMayAsk.wait()
            return Thing(try r.require(Thing.self, argument: 1).number)
        }
        .inObjectScope(.container)
        container.register(Thing.self) { (_, number: Int) in Thing(number) }
            .inObjectScope(shared.scope.perArguments)
            .initCompleted { r, _ in
                inCallback.open()
                callbackMayAsk.wait()
                use(r ~> Thing.self)
            }
        let outer = Running { container ~> Thing.self }
        let inner = Running { container ~> (Thing.self, argument: 1) }
        inFactory.wait()
        inCallback.wait()
        factoryMayAsk.open()
        outer.untilItWaits()
        callbackMayAsk.open()

        #expect(outer.value.number == 1)
        #expect(inner.value.number == 1)
    }

    @Test(arguments: SharedScope.allCases)
    func `is built once also when nothing holds them back`(_ shared: SharedScope) {
        for _ in 0..<30 {
            let container = Container()
            let built = Shared<[Int]>([])
            container.register(Thing.self) { (_, number: Int) in
                built.change { $0.append(number) }
                return Thing(number)
            }
            .inObjectScope(shared.scope.perArguments)
            let things = onThreads(4) { _ in
                (0..<8).map { container ~> (Thing.self, argument: $0) }
            }

            #expect(built.value.sorted() == Array(0..<8))
            #expect(Set(things.joined().map(ObjectIdentifier.init)).count == 8)
        }
    }

    @Test func `is the same for all who hold it at a time, while others come and go`() {
        let container = Container()
        container.register(Thing.self) { (_, number: Int) in Thing(number) }
            .inObjectScope(.weak.perArguments)
        let held = Shared<[Int: [Thing]]>([:])
        let differing = Shared()
        _ = onThreads(4) { thread in
            for round in 0..<500 {
                let number = (round * (thread + 1)) % 5
                let thing = container ~> (Thing.self, argument: number)
                let isSame = held.change { held in
                    held[number, default: []].append(thing)
                    return held[number]?.allSatisfy { $0 === thing } ?? true
                }
                if !isSame { differing.count() }
                held.change { _ = $0[number]?.popLast() }
            }
        }

        #expect(differing.value == 0)
    }

    @Test func `leaves nothing behind in weak scope`() {
        let container = Container()
        let entry = container.register(Thing.self) { (_, number: Int) in Thing(number) }
            .inObjectScope(.weak.perArguments)
        for number in 0..<1000 {
            DepinTests.use(container ~> (Thing.self, argument: number))
            #expect(entry.slot.argumentSlots.count <= 2)
        }
        var things = (0..<1000).map { container ~> (Thing.self, argument: $0) }
        #expect(entry.slot.argumentSlots.count >= 1000)
        // Once twice as many have come, those are looked for that have gone.
        things.removeFirst(900)
        for number in 1000..<2000 { DepinTests.use(container ~> (Thing.self, argument: number)) }
        #expect((100...200).contains(entry.slot.argumentSlots.count))
        things = []
        for number in 2000..<3000 { DepinTests.use(container ~> (Thing.self, argument: number)) }

        #expect(entry.slot.argumentSlots.count <= 3)
    }

    @Test func `leaves nothing behind after a reset of many in weak scope`() {
        let container = Container()
        let entry = container.register(Thing.self) { (_, number: Int) in Thing(number) }
            .inObjectScope(.weak.perArguments)
        let things = (0..<1000).map { container ~> (Thing.self, argument: $0) }
        container.resetObjectScope(.weak)
        for number in 1000..<2000 {
            DepinTests.use(container ~> (Thing.self, argument: number))
            #expect(entry.slot.argumentSlots.count <= 2)
        }
        withExtendedLifetime(things) {}
    }

    @Test func `leaves nothing behind where its factory fails, nor after a reset`() {
        let container = Container()
        let entry = container.register(Thing.self) { (_, number: Int) in
            if number < 0 { throw Failure() }
            return Thing(number)
        }
        .inObjectScope(.container.perArguments)
        for number in 1...100 {
            #expect(throws: ResolutionError.self) {
                try container.require(Thing.self, argument: -number)
            }
            #expect(entry.slot.argumentSlots.count == 1)
        }

        for number in 0..<100 { DepinTests.use(container ~> (Thing.self, argument: number)) }
        #expect(entry.slot.argumentSlots.count == 100)
        container.resetObjectScope(.container, serviceType: Thing.self, argument: 7)
        #expect(entry.slot.argumentSlots.count == 99)
        container.resetObjectScope(.container)
        #expect(entry.slot.argumentSlots.count == 0)
    }

    @Test func `leaves nothing behind that would be closed`() async throws {
        let container = Container()
        container.register(Thing.self) { (_, number: Int) in Thing(number) }
            .inObjectScope(.weak.perArguments)
            .onClose { _ in }
        for number in 0..<100 { DepinTests.use(container ~> (Thing.self, argument: number)) }

        let steps = container.engine.state.withLock { $0.needs.order() }.steps()
        #expect(steps.count <= 4)
    }

    @Test func `is not kept where a reset comes while it is built`() {
        let container = Container()
        let (built, inFactory, open) = (Shared(), Gate(), Gate())
        container.register(Thing.self) { (_, _: Int) in
            inFactory.open()
            open.wait()
            return Thing(built.count())
        }
        .inObjectScope(.container.perArguments)
        let builder = Running { container ~> (Thing.self, argument: 1) }
        inFactory.wait()
        let waiting = Running { container ~> (Thing.self, argument: 1) }
        waiting.untilItWaits()
        container.resetObjectScope(.container, serviceType: Thing.self, argument: 1)
        open.open()

        #expect(builder.value === waiting.value)
        let next = container ~> (Thing.self, argument: 1)
        #expect(next !== builder.value)
        #expect(next === (container ~> (Thing.self, argument: 1)))
    }

    @Test func `may ask for itself after a reset in its factory`() {
        let container = Container()
        container.register(Thing.self) { (r, number: Int) in
            (r ~> Container.self).resetObjectScope(.container)
            return Thing((try? r.require(Thing.self, argument: number))?.number ?? number)
        }
        .inObjectScope(.container.perArguments)

        #expect((container ~> (Thing.self, argument: 3)).number == 3)
    }

    @Test func `may ask for others when it goes, whoever looks at it then`() {
        let (container, onEnd) = (Container(), Shared<@Sendable () -> Void>({}))
        defer { container.removeAll() }
        container.register(Dying.self) { [container] (_: any Resolver, number: Int) in
            let onEnd = onEnd.value
            return Dying {
                guard number > 0 else { return }
                use(container.resolve(Dying.self, argument: 0))
                onEnd()
            }
        }
        .inObjectScope(.weak.perArguments)
        let (kept, isOver) = (container.resolve(Dying.self, argument: 0), Gate())
        let looking = Running {
            // Once twice as many have come, those are looked for that have gone.
            var number = 0
            while !isOver.isOpen {
                number -= 1
                use(container.resolve(Dying.self, argument: number))
            }
        }
        untilOthersEnd(3) { body in
            onEnd.change { $0 = body }
            use(container.resolve(Dying.self, argument: 1))
        }
        isOver.open()
        looking.value
        use(kept)
    }

    @Test func `may be asked for by an argument that is compared`() {
        let container = Container()
        // The arguments that are kept hold it.
        defer { container.removeAll() }
        container.register(Thing.self) { (_, _: Asking) in Thing() }
            .inObjectScope(.container.perArguments)
        container.register(Thing.self) { (_, number: Int) in Thing(number) }
            .inObjectScope(.container.perArguments)
        let asking = Asking(container: container)

        let thing = container ~> (Thing.self, argument: asking)
        #expect(thing === (container ~> (Thing.self, argument: Asking(container: container))))
    }
}

private struct Failure: Error {}

/// Asks the container while it is compared.
private struct Asking: Hashable {
    let container: Container

    static func == (left: Asking, right: Asking) -> Bool {
        (left.container ~> (Thing.self, argument: 1))
            === (right.container ~> (Thing.self, argument: 1))
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine((container ~> (Thing.self, argument: 2)).number)
    }
}
