import Depin
import Testing

struct `initCompleted` {
    private let container = Container()

    @Test func `it runs after the factory, with a resolver and the instance`() throws {
        let events = EventLog<String>()
        container.register(Cat.self) { _ in
            events.note("factory")
            return Cat()
        }
        .initCompleted { resolver, cat in
            events.note("completed")
            cat.toy = resolver.resolve(Toy.self)
        }
        container.register(Toy.self) { _ in Toy() }

        #expect(try container.require(Cat.self).toy != nil)
        #expect(events.all == ["factory", "completed"])
    }

    @Test func `several run in the order in which they were added`() {
        let events = EventLog<Int>()
        container.register(Cat.self) { _ in Cat() }
            .initCompleted { _, _ in events.note(1) }
            .initCompleted { _, _ in events.note(2) }
            .initCompleted { _, _ in events.note(3) }
        _ = container.resolve(Cat.self)

        #expect(events.all == [1, 2, 3])
    }

    @Test func `one that was added later runs for later instances`() {
        let events = EventLog<String>()
        let entry = container.register(Cat.self) { _ in Cat() }
        _ = container.resolve(Cat.self)
        entry.initCompleted { _, _ in events.note("late") }
        #expect(events.all.isEmpty)
        _ = container.resolve(Cat.self)

        #expect(events.all == ["late"])
    }

    // The callback of the inner service has run when the outer factory goes on.
    @Test func `it runs before the factory that asked for the service goes on`() {
        let events = EventLog<String>()
        container.register(Toy.self) { _ in
            events.note("toy made")
            return Toy()
        }
        .initCompleted { _, _ in events.note("toy completed") }
        container.register(Cat.self) { resolver in
            let toy = resolver.resolve(Toy.self)
            events.note("cat goes on")
            return Cat(toy: toy)
        }
        .initCompleted { _, _ in events.note("cat completed") }
        _ = container.resolve(Cat.self)

        #expect(events.all == ["toy made", "toy completed", "cat goes on", "cat completed"])
    }

    @Test func `it runs once for each instance that is kept`() {
        let completions = CallCount()
        container.register(Toy.self) { _ in Toy() }.initCompleted { _, _ in completions.add() }
        container.register(Cat.self) { resolver in
            _ = resolver.resolve(Toy.self)
            return Cat(toy: resolver.resolve(Toy.self))
        }
        _ = container.resolve(Cat.self)
        #expect(completions.count == 1, "one in each graph")
        _ = container.resolve(Cat.self)
        #expect(completions.count == 2)
    }

    @Test func `it can set properties, call methods, and take a function`() throws {
        container.register(Toy.self) { _ in Toy() }
        container.register(Animal.self) { _ in Cat() }
            .initCompleted { resolver, animal in
                let cat = animal as! Cat
                cat.take(resolver.resolve(Toy.self)!)
            }
        container.register(Cat.self) { _ in Cat() }.initCompleted(giveToy)

        #expect((container.resolve(Animal.self) as? Cat)?.toy != nil)
        #expect(try container.require(Cat.self).toy != nil)
    }

    @Test func `it goes with arguments`() throws {
        let names = EventLog<String>()
        container.register(String.self) { (_, name: String) in name }
            .initCompleted { _, name in names.note(name) }
        _ = (
            container.resolve(String.self, argument: "a"),
            container.resolve(String.self, argument: "b")
        )
        #expect(names.all == ["a", "b"])
    }

    @Test func `it does not run for a factory that failed`() {
        struct Failure: Error {}
        let completions = CallCount()
        container.register(Cat.self) { _ in throw Failure() }
            .initCompleted { _, _ in completions.add() }
        #expect(throws: ResolutionError.self) { try container.require(Cat.self) }

        #expect(completions.count == 0)
    }
}

private protocol Animal {}

private final class Toy {}

private final class Cat: Animal {
    var toy: Toy?

    init(toy: Toy? = nil) { self.toy = toy }

    func take(_ toy: Toy) { self.toy = toy }
}

@Sendable private func giveToy(_ resolver: Resolver, _ cat: Cat) {
    cat.toy = resolver.resolve(Toy.self)
}
