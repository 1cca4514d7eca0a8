import Depin
import Testing

struct `Forwarding` {
    private let container = Container()

    @Test func `a forwarded type finds the registration`() {
        let entry = container.register(Dog.self) { _ in Dog() }
        container.forward(Animal.self, to: entry)

        #expect(container.resolve(Animal.self) is Dog)
    }

    @Test func `implements says the same, and chains`() {
        container.register(Dog.self) { _ in Dog() }
            .implements(Animal.self)
            .implements(Named.self, name: "n")
            .inObjectScope(.container)

        #expect(container.resolve(Animal.self) as? Dog === container.resolve(Dog.self))
        #expect(container.resolve(Named.self, name: "n") as? Dog === container.resolve(Dog.self))
        #expect(container.resolve(Named.self) == nil)
    }

    @Test func `implements takes many types`() {
        container.register(Dog.self) { _ in Dog() }
            .implements(
                Animal.self,
                Named.self,
                AnyObject.self,
                Any.self,
                P1.self,
                P2.self,
                P3.self,
                P4.self,
                P5.self,
                P6.self
            )
            .inObjectScope(.container)
        let dog = container.resolve(Dog.self)

        #expect(container.resolve(Animal.self) as? Dog === dog)
        #expect(container.resolve(Named.self) as? Dog === dog)
        #expect(container.resolve(AnyObject.self) === dog)
        #expect(container.resolve(Any.self) as? Dog === dog)
        #expect(container.resolve(P1.self) as? Dog === dog)
        #expect(container.resolve(P6.self) as? Dog === dog)
    }

    @Test func `names`() {
        let entry = container.register(Dog.self, name: "rex") { _ in Dog("Rex") }
        container.forward(Animal.self, to: entry)
        container.forward(Animal.self, name: "other", to: entry)

        #expect(container.resolve(Animal.self)?.name == "Rex")
        #expect(container.resolve(Animal.self, name: "other")?.name == "Rex")
        #expect(container.resolve(Animal.self, name: "rex") == nil)
    }

    @Test func `arguments`() {
        container.register(Dog.self) { _, name in Dog(name) }.implements(Animal.self)
        container.register(Dog.self) { (_, one: String, two: String) in Dog(one + two) }
            .implements(Animal.self, name: "two")

        #expect(container.resolve(Animal.self, argument: "Rex")?.name == "Rex")
        #expect(container.resolve(Animal.self, name: "two", arguments: "a", "b")?.name == "ab")
        #expect(container.resolve(Animal.self) == nil)
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak, ObjectScope(named: "session")])
    func `both types share the instance`(scope: ObjectScope) throws {
        container.register(Dog.self) { _ in Dog() }.implements(Animal.self).inObjectScope(scope)
        container.register(Pair.self) { resolver in
            Pair(dog: resolver ~> Dog.self, animal: resolver ~> Animal.self)
        }
        let pair = try container.require(Pair.self)
        #expect(pair.animal as? Dog === pair.dog)
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak, ObjectScope(named: "session")])
    func `whichever comes first`(scope: ObjectScope) throws {
        container.register(Dog.self) { _ in Dog() }.implements(Animal.self).inObjectScope(scope)
        container.register(Pair.self) { resolver in
            let animal = resolver ~> Animal.self
            return Pair(dog: resolver ~> Dog.self, animal: animal)
        }
        let pair = try container.require(Pair.self)
        #expect(pair.animal as? Dog === pair.dog)
    }

    @Test func `both types share the callbacks`() {
        let completions = EventLog<Dog>()
        container.register(Dog.self) { _ in Dog() }
            .implements(Animal.self)
            .inObjectScope(.container)
            .initCompleted { _, dog in completions.note(dog) }

        let animal = container.resolve(Animal.self) as? Dog
        _ = container.resolve(Dog.self)
        #expect(completions.all.count == 1)
        #expect(completions.all.first === animal)
    }

    @Test func `a scope chosen later goes for the forwarded type`() {
        let entry = container.register(Dog.self) { _ in Dog() }.implements(Animal.self)
        entry.inObjectScope(.container)

        #expect(container.resolve(Animal.self) as? Dog === container.resolve(Animal.self) as? Dog)
    }

    @Test func `a value is forwarded as what it is`() {
        container.register(Int.self) { _ in 5 }
            .implements(CustomStringConvertible.self, (any Hashable).self)
            .inObjectScope(.container)

        #expect(container.resolve(CustomStringConvertible.self)?.description == "5")
        #expect(container.resolve((any Hashable).self)?.hashValue == 5.hashValue)
    }

    @Test func `a registration of the type itself replaces the forwarding`() {
        container.register(Dog.self) { _ in Dog("forwarded") }.implements(Animal.self)
        container.register(Animal.self) { _ in Dog("its own") }

        #expect(container.resolve(Animal.self)?.name == "its own")
        #expect(container.resolve(Dog.self)?.name == "forwarded")
    }

    @Test func `a child finds what the parent forwards, and may shadow it`() {
        container.register(Dog.self) { _ in Dog("parent's") }.implements(Animal.self)
        let child = Container(parent: container)
        #expect(child.resolve(Animal.self)?.name == "parent's")

        child.register(Dog.self) { _ in Dog("child's") }
        #expect(child.resolve(Animal.self)?.name == "parent's")
        child.register(Cat.self) { _ in Cat() }.implements(Animal.self)
        #expect(child.resolve(Animal.self)?.name == "cat")
        #expect(container.resolve(Animal.self)?.name == "parent's")
    }

    @Test func `an optional forwarded type is found through its registration`() throws {
        container.register(Dog.self) { _ in Dog("Rex") }.implements(Animal.self)

        let animal = try #require(container.resolve(Animal?.self))
        #expect(animal?.name == "Rex")
        #expect(container.resolve(Lazy<Animal>.self)?.instance.name == "Rex")
        #expect(container.resolve(Provider<Animal>.self)?.instance.name == "Rex")
    }

    @Test func `a type that the instance does not conform to is an error that says so`() throws {
        container.register(Dog.self) { _ in Dog() }.implements(Cat.self).inObjectScope(.container)

        let error = try #require(throws: ResolutionError.self) {
            try container.require(Cat.self)
        }
        #expect(error.reason == .forwardMismatch)
        #expect("\(error)".contains("Dog"))
        #expect("\(error)".contains("Cat"))
    }

    @Test func `a forward that failed leaves the instance as it is`() throws {
        container.register(Dog.self) { _ in Dog() }.implements(Cat.self).inObjectScope(.container)
        let dog = try container.require(Dog.self)
        #expect(throws: ResolutionError.self) { try container.require(Cat.self) }

        #expect(try container.require(Dog.self) === dog)
    }

    @Test func `an entry of another container may be forwarded to`() {
        let entry = container.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
        let other = Container()
        other.forward(Animal.self, to: entry)

        #expect(other.resolve(Animal.self) as? Dog === container.resolve(Dog.self))
    }
}

private protocol Animal {
    var name: String { get }
}

private protocol Named {}
private protocol P1 {}
private protocol P2 {}
private protocol P3 {}
private protocol P4 {}
private protocol P5 {}
private protocol P6 {}

private final class Dog: Animal, Named, P1, P2, P3, P4, P5, P6 {
    let name: String

    init(_ name: String = "") { self.name = name }
}

private final class Cat: Animal {
    let name = "cat"
}

private struct Pair {
    let dog: Dog
    let animal: Animal
}
