import Depin
import Testing

struct `Weak scope` {
    private let container = Container()

    @Test func `an instance is shared while someone holds it`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.weak)

        var first: Cat? = try container.require(Cat.self)
        let second = try container.require(Cat.self)
        #expect(first === second)
        first = nil
        #expect(try container.require(Cat.self) === second)
    }

    @Test func `nothing is kept once the last strong reference is gone`() throws {
        let builds = CallCount()
        container.register(Cat.self) { _ in
            builds.add()
            return Cat()
        }
        .inObjectScope(.weak)

        weak let cat = container.resolve(Cat.self)
        #expect(cat == nil)
        _ = try container.require(Cat.self)
        #expect(builds.count == 2)
    }

    @Test func `the graph keeps the instance alive until it has ended`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.weak)
        container.register(Bool.self) { resolver in
            weak let cat = resolver ~> Cat.self
            return cat != nil && (resolver ~> Cat.self) === cat
        }
        #expect(try container.require(Bool.self))
        let graph = GraphIdentifier()
        container.withObjectGraph(graph) { container in
            weak let cat = container ~> Cat.self
            #expect(cat != nil)
        }
        container.withObjectGraph(graph) { container in
            weak let cat = container ~> Cat.self
            #expect(cat != nil)
        }
    }

    @Test func `an instance that somebody else held is kept alive through the graph too`() throws {
        let holder = Holder()
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.weak)
        holder.cat = try container.require(Cat.self)
        container.register(Bool.self) { resolver in
            weak let cat = resolver ~> Cat.self
            holder.cat = nil
            return cat != nil
        }
        #expect(try container.require(Bool.self))
    }

    @Test func `objects behind a protocol are kept, values are not`() throws {
        container.register(Animal.self) { _ in Cat() }.inObjectScope(.weak)
        let cat = try container.require(Animal.self) as? Cat
        #expect(try container.require(Animal.self) as? Cat === cat)

        let builds = CallCount()
        container.register(Int.self) { _ in builds.add() }.inObjectScope(.weak)
        let first = try container.require(Int.self)
        #expect(try container.require(Int.self) == first + 1)
    }

    @Test func `an object is shared as whatever type it is registered for`() throws {
        try expectShared(Shape.self)
        try expectShared((any One).self)
        try expectShared((any OneClass).self)
        try expectShared((any OneClass & TwoClass).self)
        try expectShared((any One & Two).self)
        try expectShared((any One & Two & Three).self)
        try expectShared((any Shape & One).self)
        try expectShared(AnyObject.self)
        try expectShared(Any.self)
        try expectShared((any Sendable).self)
        try expectShared(Shape?.self)
        try expectShared((any One)?.self)
    }

    /// Its bits are given again, so the count of who holds it must come out right.
    private func expectShared<Service>(
        _ serviceType: Service.Type,
        _ place: SourceLocation = #_sourceLocation
    ) throws {
        container.register(Service.self) { try #require(Shape() as? Service) }.inObjectScope(.weak)
        weak var shape: Shape?
        do {
            let first = try container.require(Service.self)
            shape = first as? Shape
            for _ in 0..<10 {
                let again = try container.require(Service.self) as? Shape
                #expect(again === shape && again?.word == "held", sourceLocation: place)
            }
            withExtendedLifetime(first) {}
        }
        #expect(shape == nil, sourceLocation: place)
        let other = try container.require(Service.self) as? Shape
        #expect(other?.word == "held", sourceLocation: place)
    }

    @Test func `an optional object is kept, a nil is not`() throws {
        let builds = CallCount()
        container.register(Cat?.self) { _ in builds.add() == 1 ? nil : Cat() }.inObjectScope(.weak)

        #expect(try container.require(Cat?.self) == nil)
        let cat = try container.require(Cat?.self)
        #expect(cat != nil)
        #expect(try container.require(Cat?.self) === cat)
        #expect(builds.count == 2)
    }

    @Test func `it is shared between a parent and its children`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.weak)
        let child = Container(parent: container)

        let cat = try child.require(Cat.self)
        #expect(try container.require(Cat.self) === cat)
        #expect(try Container(parent: child).require(Cat.self) === cat)
    }

    @Test func `it is forgotten by a reset`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.weak)
        let cat = try container.require(Cat.self)
        container.resetObjectScope(.weak)

        #expect(try container.require(Cat.self) !== cat)
    }

    @Test func `callbacks run once for each instance that is made`() throws {
        let completions = CallCount()
        container.register(Cat.self) { _ in Cat() }
            .inObjectScope(.weak)
            .initCompleted { _, _ in completions.add() }
        do {
            let cat = try container.require(Cat.self)
            #expect(try container.require(Cat.self) === cat)
        }
        #expect(completions.count == 1)
        _ = try container.require(Cat.self)
        #expect(completions.count == 2)
    }
}

private protocol Animal {}

private final class Cat: Animal {}

private final class Holder: @unchecked Sendable {  // one thread
    var cat: Cat?
}

private protocol One {}
private protocol Two {}
private protocol Three {}
private protocol OneClass: AnyObject {}
private protocol TwoClass: AnyObject {}
private final class Shape: One, Two, Three, OneClass, TwoClass, Sendable {
    let word = "held"
}
