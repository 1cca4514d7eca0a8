import Depin
import Testing

/// Every way to write a registration compiles without ambiguity and means what it seems to.
struct `Shapes of registration` {
    private let container = Container()

    @Test func `closures with and without parameters`() {
        container.register(Cat.self) { Cat("no parameter") }
        #expect(container.resolve(Cat.self)?.origin == "no parameter")
        container.register(Cat.self) { _ in Cat("ignored parameter") }
        #expect(container.resolve(Cat.self)?.origin == "ignored parameter")
        container.register(Cat.self) { Cat("$0", $0) }
        #expect(container.resolve(Cat.self)?.origin == "$0")
        container.register(Cat.self) { resolver in Cat("named", resolver) }
        #expect(container.resolve(Cat.self)?.origin == "named")
        container.register(Cat.self) { (resolver: Resolver) -> Cat in
            let origin = "typed"
            return Cat(origin, resolver)
        }
        #expect(container.resolve(Cat.self)?.origin == "typed")
        container.register(Cat.self, factory: { _ in Cat("labeled") })
        #expect(container.resolve(Cat.self)?.origin == "labeled")
        container.register(Cat.self, factory: { Cat("labeled, no parameter") })
        #expect(container.resolve(Cat.self)?.origin == "labeled, no parameter")
    }

    @Test func `closures of several statements`() {
        container.register(Cat.self) {
            let origin = "two statements"
            return Cat(origin)
        }
        #expect(container.resolve(Cat.self)?.origin == "two statements")
        container.register(Animal.self) {
            let cat = Cat("with $0", $0)
            return cat
        }
        #expect((container.resolve(Animal.self) as? Cat)?.origin == "with $0")
        container.register(Cat.self) { resolver, name, age in
            let origin: String = name
            return Cat("\(origin) \(age as Int)", resolver)
        }
        #expect(container.resolve(Cat.self, arguments: "a", 1)?.origin == "a 1")
    }

    @Test func `closures with $0, $1 and $2`() {
        container.register(Cat.self) { Cat($1, $0) }
        #expect(container.resolve(Cat.self, argument: "one")?.origin == "one")
        container.register(Cat.self) { Cat($1 + $2, $0) }
        #expect(container.resolve(Cat.self, arguments: "one", "two")?.origin == "onetwo")
    }

    @Test func `operators inside a closure whose arguments are inferred`() {
        container.register(Food.self) { Food() }
        container.register(Cat.self) { resolver, name in Cat(food: resolver ~> Food.self, name) }
        #expect(container.resolve(Cat.self, argument: "a")?.origin == "a")
        container.register(Cat.self) { (resolver, name: String) in Cat(food: resolver~>, name) }
        #expect(container.resolve(Cat.self, argument: "b")?.origin == "b")
        container.register(Cat.self) { Cat(food: $0 ~> Food.self, $1) }
        #expect(container.resolve(Cat.self, argument: "c")?.origin == "c")
        container.register(Animal.self) { (resolver, name: String) in
            Cat(food: resolver.resolve(Food.self)!, copying: resolver ~> (Cat.self, argument: name))
        }
        #expect((container.resolve(Animal.self, argument: "d") as? Cat)?.origin == "again d")
    }

    @Test func `function references and forwarded closures`() {
        container.register(Cat.self, factory: makeCat)
        #expect(container.resolve(Cat.self)?.origin == "function")
        container.register(Cat.self, factory: makeNamedCat)
        #expect(container.resolve(Cat.self, argument: "x")?.origin == "x")
        container.register(Cat.self, factory: Cat.init(resolver:))
        #expect(container.resolve(Cat.self)?.origin == "init(resolver:)")
        container.register(Animal.self, factory: Cat.init(resolver:))
        #expect((container.resolve(Animal.self) as? Cat)?.origin == "init(resolver:)")
        let closure: @Sendable (Resolver) -> Cat = { _ in Cat("stored closure") }
        container.register(Cat.self, factory: closure)
        #expect(container.resolve(Cat.self)?.origin == "stored closure")
        let bare: @Sendable () -> Cat = { Cat("stored closure without parameter") }
        container.register(Cat.self, factory: bare)
        #expect(container.resolve(Cat.self)?.origin == "stored closure without parameter")
    }

    @Test func `an explicit type picks the arguments`() {
        container.register(
            Animal.self,
            factory: { _, name in Cat(name) } as @Sendable (Resolver, String) -> Animal
        )
        #expect((container.resolve(Animal.self, argument: "x") as? Cat)?.origin == "x")
        let factory = { (_: Resolver, name: String) in Cat(name) } as @Sendable (_, _) -> Cat
        container.register(Animal.self, factory: factory)
        #expect((container.resolve(Animal.self, argument: "y") as? Cat)?.origin == "y")
    }

    @Test func `a product may be of a type that converts to the service's`() {
        container.register(Animal.self) { _ in Cat("upcast") }
        container.register(Animal?.self) { _ in Cat("wrapped") }
        container.register((any Animal & Tame).self) { _ in Cat("composed") }

        #expect((container.resolve(Animal.self) as? Cat)?.origin == "upcast")
        #expect((container.resolve(Animal?.self) as? Cat)?.origin == "wrapped")
        #expect((container.resolve((any Animal & Tame).self) as? Cat)?.origin == "composed")
    }

    @Test func `factories may throw`() {
        struct Failure: Error {}
        container.register(Cat.self) { _ in throw Failure() }
        container.register(Food.self) { resolver in
            _ = try resolver.require(Cat.self)
            return Food()
        }
        #expect(throws: ResolutionError.self) { try container.require(Food.self) }
    }

    @Test func `configuration chains in any order`() throws {
        let events = EventLog<String>()
        container.register(Cat.self) { _ in Cat("one") }
            .inObjectScope(.container)
            .initCompleted { _, _ in events.note("completed") }
            .implements(Animal.self)
        container.register(Cat.self, name: "two") { _ in Cat("two") }
            .implements(Animal.self, name: "two")
            .initCompleted { resolver, cat in events.note(cat.origin) }
            .inObjectScope(.transient)
        let entry: ServiceEntry<Cat> = container.register(Cat.self, name: "three") { Cat("three") }
        entry.inObjectScope(.weak).inObjectScope(.container)

        #expect(try container.require(Animal.self) as? Cat === container.require(Cat.self))
        #expect(container.resolve(Animal.self, name: "two") != nil)
        #expect(events.all == ["completed", "two"])
        #expect(entry.objectScope === ObjectScope.container)
    }

    @Test func `an instance that exists already`() throws {
        let cat = Cat("made before")
        container.register(Cat.self, instance: cat)
        container.register(Animal.self, name: "n", instance: cat)
        container.resetObjectScope(.container)

        #expect(try container.require(Cat.self) === cat)
        #expect(try container.require(Animal.self, name: "n") as? Cat === cat)
    }
}

private protocol Animal {}

private protocol Tame {}

private final class Food: Sendable {}

private final class Cat: Animal, Tame, Sendable {
    let origin: String

    init(_ origin: String, _ resolver: Resolver? = nil) { self.origin = origin }

    init(food: Food, _ origin: String) { self.origin = origin }

    init(food: Food, copying cat: Cat) { origin = "again \(cat.origin)" }

    init(resolver: Resolver) { origin = "init(resolver:)" }
}

@Sendable private func makeCat(_ resolver: Resolver) -> Cat {
    Cat("function", resolver)
}

@Sendable private func makeNamedCat(_ resolver: Resolver, _ name: String) -> Cat {
    Cat(name, resolver)
}
