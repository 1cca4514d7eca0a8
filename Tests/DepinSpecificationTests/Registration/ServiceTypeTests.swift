import Depin
import Testing

/// Whatever has a type can be a service.
struct `Types of services` {
    private let container = Container()

    @Test func `generic types are told apart by what they are generic over`() {
        container.register(Broadcaster<Void>.self) { _ in Broadcaster("Void") }
        container.register(Broadcaster<Int>.self) { _ in Broadcaster("Int") }
        container.register(Broadcaster<Broadcaster<Int>>.self) { Broadcaster("nested") }

        #expect(container.resolve(Broadcaster<Void>.self)?.label == "Void")
        #expect(container.resolve(Broadcaster<Int>.self)?.label == "Int")
        #expect(container.resolve(Broadcaster<Broadcaster<Int>>.self)?.label == "nested")
        #expect(container.resolve(Broadcaster<String>.self) == nil)
    }

    @Test func `protocol compositions, in any order`() {
        container.register((Animal & Named).self) { _ in Cat("both") }
        container.register(Animal.self) { _ in Cat("one") }

        #expect(container.resolve((Named & Animal).self)?.name == "both")
        #expect((container.resolve(Animal.self) as? Cat)?.name == "one")
        #expect(container.resolve(Named.self) == nil)
        container.register((Cat & Animal).self) { _ in Cat("a class and its protocol") }
        #expect(container.resolve((Cat & Animal).self) != nil)
    }

    @Test func `existentials with a primary associated type`() throws {
        container.register((any Stock<Int>).self) { _ in MemoryStock(item: 5) }
        container.register((any Stock<String>).self) { _ in MemoryStock(item: "five") }

        #expect(try container.require((any Stock<Int>).self).item == 5)
        #expect(try container.require((any Stock<String>).self).item == "five")
        #expect(container.resolve((any Stock).self) == nil)
    }

    @Test func `closures`() throws {
        container.register((@Sendable (Int) -> Int).self) { _ in { $0 + 1 } }
        container.register((() -> String).self) { _ in { "called" } }
        container.register((@Sendable (Int) -> Int).self, name: "n") { _ in
            @Sendable func double(_ number: Int) -> Int { 2 * number }
            return double
        }
        #expect(try container.require((@Sendable (Int) -> Int).self)(5) == 6)
        #expect(try container.require((() -> String).self)() == "called")
        #expect(try container.require((@Sendable (Int) -> Int).self, name: "n")(5) == 10)
    }

    @Test func `tuples`() throws {
        container.register((Int, String).self) { _ in (5, "five") }
        container.register((number: Int, text: String).self) { _ in (6, "six") }

        #expect(try container.require((Int, String).self) == (5, "five"))
        #expect(try container.require((number: Int, text: String).self).number == 6)
        container.register(Void.self) { _ in () }
        #expect(container.resolve(Void.self) != nil)
    }

    @Test func `metatypes`() throws {
        container.register(Animal.Type.self) { _ in Cat.self }
        container.register(Cat.Type.self) { _ in Siamese.self }

        #expect(try container.require(Animal.Type.self) == Cat.self)
        #expect(try container.require(Cat.Type.self) == Siamese.self)
        #expect(try container.require(Cat.Type.self).init("x") is Siamese)
        #expect(container.resolve(Siamese.Type.self) == nil)
    }

    @Test func `collections, enumerations, actors and any`() async throws {
        enum Mode: Equatable { case live, test }
        actor Counter { var count: Int { 5 } }
        container.register([Animal].self) { _ in [Cat("a"), Cat("b")] }
        container.register([String: Int].self) { _ in ["a": 1] }
        container.register(Mode.self) { _ in .test }
        container.register(Counter.self) { _ in Counter() }
        container.register(Any.self) { _ in 5 }
        container.register(AnyObject.self) { _ in Cat("any object") }
        container.register((any Error).self) { _ in CancellationError() }

        #expect(try container.require([Animal].self).count == 2)
        #expect(try container.require([String: Int].self) == ["a": 1])
        #expect(try container.require(Mode.self) == .test)
        #expect(await container.resolve(Counter.self)?.count == 5)
        #expect(try container.require(Any.self) as? Int == 5)
        #expect(container.resolve(AnyObject.self) is Cat)
        #expect(container.resolve((any Error).self) is CancellationError)
    }

    @Test func `classes and their subclasses`() {
        container.register(Cat.self) { _ in Siamese("as Cat") }

        #expect(container.resolve(Cat.self) is Siamese)
        #expect(container.resolve(Siamese.self) == nil)
    }

    @Test func `a service may bind to itself`() {
        container.register(Owner.self) { resolver in Owner(pet: resolver.resolve(Animal.self)!) }
        container.register(Animal.self) { _ in Cat("Mimi") }

        #expect((container.resolve(Owner.self)?.pet as? Cat)?.name == "Mimi")
    }

    @Test func `a type within a function has a key of its own`() {
        struct Inner { let number: Int }
        container.register(Inner.self) { _ in Inner(number: 1) }
        func other() -> Int? {
            struct Inner { let number: Int }
            return container.resolve(Inner.self)?.number
        }
        #expect(container.resolve(Inner.self)?.number == 1)
        #expect(other() == nil)
    }

    @Test(arguments: [ObjectScope.graph, .container])
    func `large and aligned values are given out whole`(scope: ObjectScope) throws {
        container.register(Large.self) { _ in Large(a: .init(repeating: 7), b: 8, c: "nine") }
            .inObjectScope(scope)
        container.register(Large.self, name: "n") { _ in
            Large(a: .init(repeating: 1), b: 2, c: "three")
        }
        .inObjectScope(scope)
        // Each is asked for again when the graph has stored the other behind it.
        container.register([Large].self) { resolver in
            [
                resolver ~> Large.self, resolver ~> (Large.self, name: "n"),
                resolver ~> Large.self, resolver ~> (Large.self, name: "n"),
            ]
        }
        for (index, large) in try container.require([Large].self).enumerated() {
            let isNamed = index % 2 == 1
            #expect(large.a == .init(repeating: isNamed ? 1 : 7))
            #expect(large.b == (isNamed ? 2 : 8))
            #expect(large.c == (isNamed ? "three" : "nine"))
        }
    }
}

private protocol Animal {}

private protocol Named {
    var name: String { get }
}

private class Cat: Animal, Named {
    let name: String

    required init(_ name: String) { self.name = name }
}

private final class Siamese: Cat {}

private struct Owner {
    let pet: Animal
}

private final class Broadcaster<Value> {
    let label: String

    init(_ label: String) { self.label = label }
}

private protocol Stock<Item> {
    associatedtype Item
    var item: Item { get }
}

private struct MemoryStock<Item>: Stock {
    let item: Item
}

private struct Large {
    let a: SIMD16<Int32>
    let b: UInt8
    let c: String
}
