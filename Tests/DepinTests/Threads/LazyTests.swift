import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A Lazy on several threads` {
    @Test func `gives all the instance that was stored first, whoever began first`() {
        let (container, built) = (Container(), Shared())
        let (inFactory, open) = (Gate(), Gate())
        container.register(Thing.self) {
            let number = built.count()
            if number == 1 {
                inFactory.open()
                open.wait()
            }
            return Thing(number)
        }
        .inObjectScope(.transient)
        let lazy = container ~> Lazy<Thing>.self
        let first = Running { lazy.instance }
        inFactory.wait()
        let second = lazy.instance
        #expect(second.number == 2)
        open.open()
        #expect(first.value === second)
        #expect(lazy.instance === second)
    }

    @Test func `may be used on another thread by the factory that it runs`() {
        let (container, built) = (Container(), Shared())
        let known = Shared<Lazy<Thing>?>(nil)
        container.register(Thing.self) {
            let number = built.count()
            if number == 1, let lazy = known.value { use(Running { lazy.instance }.value) }
            return Thing(number)
        }
        .inObjectScope(.transient)
        let lazy = container ~> Lazy<Thing>.self
        known.change { $0 = lazy }
        #expect(lazy.instance.number == 2)
        known.change { $0 = nil }
    }
}
