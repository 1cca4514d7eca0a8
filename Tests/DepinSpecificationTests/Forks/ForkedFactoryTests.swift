import Depin
import DepinInspection
import Testing

/// In a resolution of a fork, the original container stands for the fork where a factory captured it.
struct `A factory that changes its container` {
    private final class Dog: Sendable {}
    private final class Kennel: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }
    private struct Visitor {
        let resolver: any Resolver
    }
    private struct House {
        let visitor: Visitor
    }

    private let container = Container()

    @Test func `changes a fork in the fork's resolution, and nothing in a validation`() throws {
        container.register(Kennel.self) { [unowned container] r in
            container.register(Int.self) { 5 }
            return Kennel(try r.require(Int.self))
        }
        try container.validate()
        #expect(container.resolve(Int.self) == nil)
        let fork = container.fork()
        #expect((fork ~> Kennel.self).number == 5)
        #expect((fork ~> Int.self) == 5)
        #expect(container.resolve(Int.self) == nil)
        #expect((container ~> Kennel.self).number == 5)
        #expect((container ~> Int.self) == 5)
    }

    @Test func `registers in every way`() throws {
        container.register(Kennel.self) { [unowned container] r in
            container.register(Dog.self) { Dog() }.inObjectScope(.container)
                .implements(AnyObject.self)
            container.register(Int.self) { (_: any Resolver, n: Int) in n }
            container.register(String.self, instance: "rex")
            container.autoregister([String].self, initializer: { (name: String) in [name] })
            container.register(Float.self) { Float(1) }
            #expect(r.resolve(AnyObject.self) === r.resolve(Dog.self))
            #expect(r.resolve([String].self) == ["rex"])
            #expect(r.resolve(Float.self) == 1)
            return Kennel(try r.require(Int.self, argument: 3))
        }
        try container.validate()
        #expect((container.fork() ~> Kennel.self).number == 3)
        for isThere in [
            container.hasAnyRegistration(of: Dog.self),
            container.hasAnyRegistration(of: AnyObject.self),
            container.hasAnyRegistration(of: Int.self),
            container.hasAnyRegistration(of: String.self),
            container.hasAnyRegistration(of: [String].self),
            container.hasAnyRegistration(of: Float.self),
        ] {
            #expect(!isThere)
        }
    }

    @Test func `has the fork make what may ask it later`() {
        container.register(Int.self) { 1 }
        container.register(Visitor.self) { Visitor(resolver: $0) }
        container.register(House.self) { [unowned container] _ in
            House(visitor: container ~> Visitor.self)
        }
        let fork = container.fork()
        fork.register(Int.self) { 2 }.overriding()
        #expect(((fork ~> House.self).visitor.resolver ~> Int.self) == 2)
        #expect(((container ~> House.self).visitor.resolver ~> Int.self) == 1)
    }

    @Test func `removes and resets in the fork`() {
        container.register(Int.self) { 1 }
        container.register(String.self) { "rex" }
        container.register(Dog.self) { Dog() }.inObjectScope(.container)
        container.register(Kennel.self, name: "one") { [unowned container] r in
            container.resetObjectScope(.container)
            container.resetObjectScope(.container, serviceType: Dog.self)
            container.unregister(Int.self)
            return Kennel(container.hasAnyRegistration(of: Int.self) ? 1 : 0)
        }
        container.register(Kennel.self, name: "all") { [unowned container] r in
            container.removeAll()
            return Kennel(container.hasAnyRegistration(of: String.self) ? 1 : 0)
        }
        let dog = container ~> Dog.self
        let fork = container.fork()
        let forksDog = fork ~> Dog.self
        #expect((fork ~> (Kennel.self, name: "one")).number == 0)
        #expect((fork ~> Dog.self) !== forksDog)
        #expect(fork.resolve(Int.self) == nil)
        #expect((fork ~> (Kennel.self, name: "all")).number == 0)
        #expect(fork.resolve(String.self) == nil)

        #expect((container ~> Dog.self) === dog)
        #expect((container ~> Int.self) == 1)
        #expect((container ~> String.self) == "rex")
    }

    @Test func `forwards to the fork's copy of a registration that it captured`() {
        let entry = container.register(Dog.self) { Dog() }.inObjectScope(.container)
        container.register(Kennel.self) { [unowned container] in
            container.forward(AnyObject.self, to: entry)
            entry.implements(Any.self)
            return Kennel(1)
        }
        let dog = container ~> Dog.self
        let fork = container.fork()
        use(fork ~> Kennel.self)
        #expect(fork.resolve(AnyObject.self) === fork.resolve(Dog.self))
        #expect(fork.resolve(Any.self) as? Dog === fork.resolve(Dog.self))
        #expect(fork.resolve(AnyObject.self) !== dog)
        #expect(!container.hasAnyRegistration(of: AnyObject.self))
        #expect((container ~> Dog.self) === dog)
    }

    @Test func `makes its own instance where a parent forwards to the forked child`() {
        let child = Container(parent: container)
        let entry = child.register(Dog.self) { Dog() }.inObjectScope(.container)
        container.forward(AnyObject.self, to: entry)
        let dog = child ~> Dog.self
        for fork in [child.fork(), child.fork().fork()] {
            #expect(fork.resolve(AnyObject.self) === fork.resolve(Dog.self))
            #expect(fork.resolve(AnyObject.self) !== dog)
        }
        #expect(container.resolve(AnyObject.self) === dog)
    }

    @Test func `makes children of the fork, and forks of it`() {
        container.register(Int.self) { 1 }
        container.register(Kennel.self) { [unowned container] in
            container.register(Int.self) { 2 }
            let child = Container(parent: container)
            return Kennel(10 * (child ~> Int.self) + (container.fork() ~> Int.self))
        }
        #expect((container.fork() ~> Kennel.self).number == 22)
        #expect((container ~> Int.self) == 1)
    }

    @Test func `tells the fork's behaviors, with the fork`() {
        final class Log: Behavior, Sendable {
            let told = EventLog<ObjectIdentifier>()
            func container<Type, Service>(
                _ container: Container,
                didRegisterType type: Type.Type,
                toService entry: ServiceEntry<Service>,
                withName name: String?
            ) {
                told.note(ObjectIdentifier(container))
            }
        }
        let (first, second) = (Log(), Log())
        container.register(Kennel.self) { [unowned container] in
            container.addBehavior(second)
            container.register(Int.self) { 2 }.implements(Any.self)
            return Kennel(1)
        }
        container.addBehavior(first)
        let fork = container.fork()
        use(fork ~> Kennel.self)
        #expect(first.told.all == [ObjectIdentifier(fork), ObjectIdentifier(fork)])
        #expect(second.told.all == first.told.all)
        container.register(String.self) { "" }
        #expect(first.told.all.last == ObjectIdentifier(container))
        #expect(second.told.all.count == 2)
    }
}
