import Depin
import Testing

struct `Behaviors` {
    private let spy = Spy()

    @Test func `a behavior is told of every registration with its entry and name`() {
        let container = Container(behaviors: [spy])
        let plain = container.register(Cat.self) { _ in Cat() }
        let named = container.register(Animal.self, name: "n") { (_, _: Int) in Cat() }
        let instance = container.register(Int.self, instance: 5)
        let auto = container.autoregister(Animal.self, initializer: Cat.init)

        let entries: [AnyObject] = [plain, named, instance, auto]
        #expect(spy.entries.map(ObjectIdentifier.init) == entries.map(ObjectIdentifier.init))
        #expect(spy.names == [nil, "n", nil, nil])
        #expect(spy.types.map { "\($0)" } == ["Cat", "Animal", "Int", "Animal"])
        #expect(spy.containers.allSatisfy { $0 == ObjectIdentifier(container) })
    }

    @Test func `a behavior is told of every forwarding`() {
        let container = Container(behaviors: [spy])
        let entry = container.register(Cat.self, name: "cat") { _ in Cat() }
        container.forward(Animal.self, name: "n", to: entry)
        entry.implements(AnyObject.self, Any.self)

        #expect(spy.entries.count == 4)
        #expect(spy.entries.allSatisfy { ObjectIdentifier($0) == ObjectIdentifier(entry) })
        #expect(spy.types.map { "\($0)" } == ["Cat", "Animal", "AnyObject", "Any"])
        #expect(spy.services.map { "\($0)" } == ["Cat", "Cat", "Cat", "Cat"])
        #expect(spy.names == ["cat", "n", nil, nil])
    }

    @Test func `a behavior that was added is told from then on`() {
        let container = Container()
        container.register(Cat.self) { _ in Cat() }
        container.addBehavior(spy)
        let entry = container.register(Int.self) { _ in 5 }

        #expect(spy.entries.count == 1)
        #expect(spy.entries.first.map(ObjectIdentifier.init) == ObjectIdentifier(entry))
    }

    @Test func `a behavior is told also when only a view has kept the container`() throws {
        let view = Container(behaviors: [spy]).synchronize()
        let container = try #require(view.resolve(Container.self))
        container.register(Cat.self) { _ in Cat() }
        container.fork().register(Int.self) { _ in 5 }
        #expect(spy.types.map { "\($0)" } == ["Cat", "Int"])
    }

    @Test func `several behaviors are told in the order in which they were added`() {
        let events = EventLog<String>()
        let container = Container(behaviors: [
            Noting(name: "first", events: events), Noting(name: "second", events: events),
        ])
        container.addBehavior(Noting(name: "third", events: events))
        container.register(Cat.self) { _ in Cat() }

        #expect(events.all == ["first", "second", "third"])
    }

    @Test func `children do not inherit them`() {
        let container = Container(behaviors: [spy])
        let child = Container(parent: container)
        child.register(Cat.self) { _ in Cat() }
        _ = child.resolve(Cat.self)

        #expect(spy.entries.isEmpty)
    }

    @Test func `the registering closure of a container is heard`() {
        let container = Container(behaviors: [spy]) { container in
            container.register(Cat.self) { _ in Cat() }
        }
        #expect(spy.entries.count == 1)
        #expect(spy.containers.first == ObjectIdentifier(container))
    }

    @Test func `a behavior may configure the entry`() throws {
        let container = Container(behaviors: [EverythingShared()])
        container.register(Cat.self) { _ in Cat() }

        #expect(try container.require(Cat.self) === container.require(Cat.self))
    }

    @Test func `a behavior may register and forward`() {
        let container = Container()
        container.addBehavior(Renaming())
        container.register(Cat.self) { _ in Cat() }

        #expect(container.resolve(Cat.self) != nil)
        #expect(container.resolve(Any.self, name: "Cat") is Cat)
    }

    @Test func `an assembler hands its behaviors to its container`() {
        let assembler = Assembler([], parent: nil, behaviors: [spy])
        assembler.apply(assembly: CatAssembly())
        let other = Assembler(parentAssembler: assembler, behaviors: [spy])
        other.apply(assembly: CatAssembly())

        #expect(spy.entries.count == 2)
        #expect(Set(spy.entries.map(ObjectIdentifier.init)).count == 2)
    }
}

private protocol Animal {}

private final class Cat: Animal {}

private struct CatAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Cat.self) { _ in Cat() }
    }
}

private final class Spy: Behavior {
    private(set) var entries: [AnyObject] = []
    private(set) var types: [Any.Type] = []
    private(set) var services: [Any.Type] = []
    private(set) var names: [String?] = []
    /// Not held: they hold the spy.
    private(set) var containers: [ObjectIdentifier] = []

    func container<Type, Service>(
        _ container: Container,
        didRegisterType type: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName name: String?
    ) {
        entries.append(entry)
        types.append(type)
        services.append(Service.self)
        names.append(name)
        containers.append(ObjectIdentifier(container))
    }
}

private struct Noting: Behavior {
    let name: String
    let events: EventLog<String>

    func container<Type, Service>(
        _ container: Container,
        didRegisterType type: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName name: String?
    ) {
        events.note(self.name)
    }
}

private struct EverythingShared: Behavior {
    func container<Type, Service>(
        _: Container,
        didRegisterType _: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName _: String?
    ) {
        entry.inObjectScope(.container)
    }
}

private struct Renaming: Behavior {
    func container<Type, Service>(
        _ container: Container,
        didRegisterType type: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName name: String?
    ) {
        guard name == nil else { return }
        container.forward(Any.self, name: "\(type)", to: entry)
    }
}
