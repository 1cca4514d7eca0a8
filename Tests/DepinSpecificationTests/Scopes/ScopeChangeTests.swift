import Depin
import Testing

struct `Choosing a scope` {
    private let container = Container()

    @Test func `the scope of an entry can be read`() {
        let entry = container.register(Cat.self) { _ in Cat() }
        #expect(entry.objectScope === ObjectScope.graph)
        entry.inObjectScope(.transient)
        #expect(entry.objectScope === ObjectScope.transient)
        #expect(entry.inObjectScope(.weak).objectScope === ObjectScope.weak)
        #expect((entry.objectScope as? ObjectScope)?.description == "weak")
    }

    @Test func `a transient service is made anew at each request`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.transient)
        container.register([Cat].self) { resolver in [resolver ~> Cat.self, resolver ~> Cat.self] }

        let cats = try container.require([Cat].self)
        #expect(cats[0] !== cats[1])
        #expect(try container.require(Cat.self) !== container.require(Cat.self))
    }

    @Test func `callbacks of a transient service run for every instance`() {
        let completions = CallCount()
        container.register(Cat.self) { _ in Cat() }
            .inObjectScope(.transient)
            .initCompleted { _, _ in completions.add() }
        _ = (container.resolve(Cat.self), container.resolve(Cat.self))

        #expect(completions.count == 2)
    }

    @Test func `a scope chosen after the first use takes effect for the next resolution`() throws {
        let entry = container.register(Cat.self) { _ in Cat() }
        _ = try container.require(Cat.self)

        entry.inObjectScope(.container)
        let shared = try container.require(Cat.self)
        #expect(try container.require(Cat.self) === shared)

        entry.inObjectScope(.transient)
        let unshared = try container.require(Cat.self)
        #expect(unshared !== shared)
        #expect(try container.require(Cat.self) !== unshared)

        entry.inObjectScope(.weak)
        let held = try container.require(Cat.self)
        #expect(held !== shared)
        #expect(try container.require(Cat.self) === held)

        entry.inObjectScope(.container)
        #expect(try container.require(Cat.self) !== shared, "the old instance is gone")
    }

    @Test func `a scope chosen for a forwarded entry changes for its types alike`() throws {
        let entry = container.register(Cat.self) { _ in Cat() }.implements(Animal.self)
        #expect(container.resolve(Animal.self) as? Cat !== container.resolve(Animal.self) as? Cat)

        entry.inObjectScope(.container)

        #expect(try container.require(Animal.self) as? Cat === container.require(Cat.self))
    }

    @Test func `a scope chosen in a child's resolution goes for the parent too`() throws {
        let entry = container.register(Cat.self) { _ in Cat() }
        let child = Container(parent: container)
        _ = child.resolve(Cat.self)
        entry.inObjectScope(.container)

        #expect(try child.require(Cat.self) === container.require(Cat.self))
    }

    @Test(arguments: [ObjectScope.weak, EveryScope.named.scope])
    func `a scope chosen later drops what decorators have put around, too`(scope: ObjectScope) {
        let entry = container.register(Cat.self) { Cat() }.implements(AnyObject.self)
            .inObjectScope(.container)
        let child = Container(parent: container)
        child.decorate(Cat.self) { _, inner in Cat(inner) }
        container.decorate(AnyObject.self) { _, inner in Cat(inner as? Cat) }
        let (outer, other) = (child ~> Cat.self, (container ~> AnyObject.self) as? Cat)

        entry.inObjectScope(scope)

        let inner = container ~> Cat.self
        #expect(inner !== outer.inner && outer.inner === other?.inner)
        let (newOuter, newOther) = (child ~> Cat.self, (container ~> AnyObject.self) as? Cat)
        #expect(newOuter.inner === inner && newOther?.inner === inner)
        withExtendedLifetime((outer, other)) {}
    }

    @Test func `a scope chosen later drops what an open scope has kept`() {
        let entry = container.register(Cat.self) { Cat() }.inObjectScope(EveryScope.opens)
        let opened = container.openScope(EveryScope.opens)
        opened.decorate(Cat.self) { _, inner in Cat(inner) }
        let cat = opened ~> Cat.self

        entry.inObjectScope(.container).inObjectScope(EveryScope.opens)

        #expect((opened ~> Cat.self) !== cat && (opened ~> Cat.self).inner !== cat.inner)
    }

    @Test func `the scope that an entry has already, chosen again, changes nothing`() async throws {
        let closed = CallCount()
        let entry = container.register(Cat.self) { Cat() }.inObjectScope(.container)
            .onClose { _ in closed.add() }
        let cat = try container.require(Cat.self)

        entry.inObjectScope(.container)

        #expect(try container.require(Cat.self) === cat)
        try await container.close()
        #expect(closed.count == 1)
    }

    @Test func `structs can be had in every scope`() throws {
        for scope in [ObjectScope.transient, .graph, .container, .weak, ObjectScope(named: "x")] {
            container.removeAll()
            container.register(Animal.self) { _ in Turtle(name: "Ninja") }.inObjectScope(scope)
            var one = try #require(container.resolve(Animal.self) as? Turtle)
            let two = try #require(container.resolve(Animal.self) as? Turtle)
            one.name = "Samurai"
            #expect(one.name == "Samurai")
            #expect(two.name == "Ninja")
        }
    }
}

private protocol Animal {}

private final class Cat: Animal {
    let inner: Cat?
    init(_ inner: Cat? = nil) { self.inner = inner }
}

private struct Turtle: Animal {
    var name: String
}
