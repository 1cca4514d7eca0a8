import Depin
import Testing

struct `Resetting scopes` {
    private let container = Container()

    @Test func `a reset drops the instances of its scope only`() throws {
        let session = ObjectScope(named: "session")
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        container.register(Dog.self) { _ in Dog() }.inObjectScope(session)
        let (cat, dog) = (try container.require(Cat.self), try container.require(Dog.self))

        container.resetObjectScope(session)

        #expect(try container.require(Cat.self) === cat)
        #expect(try container.require(Dog.self) !== dog)
    }

    @Test func `a reset of a scope and type drops that type's instances only`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        container.register(Cat.self, name: "n") { _ in Cat() }.inObjectScope(.container)
        container.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
        let (cat, named) = (
            try container.require(Cat.self), try container.require(Cat.self, name: "n")
        )
        let dog = try container.require(Dog.self)

        container.resetObjectScope(.container, serviceType: Cat.self)

        #expect(try container.require(Cat.self) !== cat)
        #expect(try container.require(Cat.self, name: "n") !== named)
        #expect(try container.require(Dog.self) === dog)
    }

    @Test func `scopes with equal names are different scopes`() throws {
        let (one, other) = (ObjectScope(named: "session"), ObjectScope(named: "session"))
        container.register(Cat.self) { _ in Cat() }.inObjectScope(one)
        let cat = try container.require(Cat.self)

        container.resetObjectScope(other)

        #expect(try container.require(Cat.self) === cat)
    }

    @Test func `a scope of one's own in a static property`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.session)
        let cat = try container.require(Cat.self)
        #expect(try container.require(Cat.self) === cat)

        container.resetObjectScope(.session)

        #expect(try container.require(Cat.self) !== cat)
    }

    @Test func `a reset goes on to the parents`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        let grandchild = Container(parent: Container(parent: container))
        let cat = try grandchild.require(Cat.self)

        grandchild.resetObjectScope(.container)

        #expect(try container.require(Cat.self) !== cat)
    }

    @Test func `a reset by type goes on to the parents, whether or not the child has the type`()
        throws
    {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        container.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
        let child = Container(parent: container)
        child.register(Dog.self) { _ in Dog() }.inObjectScope(.container)
        let cat = try container.require(Cat.self)
        let (parents, childs) = (try container.require(Dog.self), try child.require(Dog.self))

        child.resetObjectScope(.container, serviceType: Dog.self)
        #expect(try container.require(Cat.self) === cat)
        #expect(try container.require(Dog.self) !== parents)
        #expect(try child.require(Dog.self) !== childs)

        child.resetObjectScope(.container, serviceType: Cat.self)
        #expect(try container.require(Cat.self) !== cat)
    }

    @Test func `a reset does not reach the children`() throws {
        let child = Container(parent: container)
        child.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        let cat = try child.require(Cat.self)

        container.resetObjectScope(.container)

        #expect(try child.require(Cat.self) === cat)
    }

    @Test func `a reset reaches what forwards`() throws {
        container.register(Cat.self) { _ in Cat() }
            .inObjectScope(.container)
            .implements(Animal.self)
        let cat = try container.require(Animal.self) as? Cat

        container.resetObjectScope(.container)

        #expect(try container.require(Animal.self) as? Cat !== cat)
        #expect(try container.require(Animal.self) as? Cat === container.require(Cat.self))
    }

    @Test func `values are made anew after a reset`() {
        let builds = CallCount()
        container.register(Int.self) { _ in builds.add() }.inObjectScope(.container)
        #expect(container.resolve(Int.self) == 1)

        container.resetObjectScope(.container)

        #expect(container.resolve(Int.self) == 2)
        #expect(container.resolve(Int.self) == 2)
    }

    @Test func `a reset empties a storage that has not been used yet`() {
        let storage = PermanentStorageSpy()
        let scope = ObjectScope(storageFactory: { storage })
        container.register(Int.self) { _ in 5 }.inObjectScope(scope)
        storage.instance = 42

        container.resetObjectScope(scope)

        #expect(storage.instance == nil)
        #expect(container.resolve(Int.self) == 5)
    }

    @Test func `a reset keeps the storage and sets its instance to nil`() {
        let storage = PermanentStorageSpy()
        let made = CallCount()
        let scope = ObjectScope(storageFactory: {
            made.add()
            return storage
        })
        container.register(Int.self) { _ in 5 }.inObjectScope(scope)
        _ = container.resolve(Int.self)
        container.resetObjectScope(scope)
        #expect(storage.instance == nil)
        _ = container.resolve(Int.self)

        #expect(storage.instance as? Int == 5)
        #expect(made.count == 1)
    }

    @Test func `a reset empties the storages for each argument`() {
        let storage = PermanentStorageSpy()
        let scope = ObjectScope(storageFactory: { storage })
        container.register([Int].self) { (_, number: Int) in [number] }
            .inObjectScope(scope.perArguments)
        use(container ~> ([Int].self, argument: 1))
        container.resetObjectScope(scope)
        #expect(storage.instance == nil)
    }

    @Test func `another scope for a registration drops what its forks keep`() {
        final class Object: Sendable {}
        let entry = container.register(Object.self) { Object() }.inObjectScope(.container)
        entry.implements(AnyObject.self)
        container.decorate(AnyObject.self) { _, inner in [inner] as AnyObject }
        let fork = container.fork()
        let (kept, around) = (fork ~> Object.self, fork ~> AnyObject.self)
        entry.inObjectScope(.weak)
        #expect((fork ~> Object.self) !== kept)
        #expect((fork ~> AnyObject.self) !== around)
    }

    @Test func `a container that goes leaves the storages of a scope alone`() {
        let storage = PermanentStorageSpy()
        let scope = ObjectScope(storageFactory: { storage })
        do {
            let container = Container()
            container.register(Int.self) { _ in 5 }.inObjectScope(scope)
            _ = container.resolve(Int.self)
        }
        #expect(storage.instance as? Int == 5)
        container.register(Int.self) { _ in 6 }.inObjectScope(scope)
        #expect(container.resolve(Int.self) == 5)
    }

    @Test func `a registered instance is never dropped by a reset`() throws {
        let cat = Cat()
        let entry = container.register(Cat.self, instance: cat)

        container.resetObjectScope(.container)
        container.resetObjectScope(entry.objectScope)
        container.resetObjectScope(.container, serviceType: Cat.self)

        #expect(try container.require(Cat.self) === cat)
    }

    @Test func `graph and transient scope have nothing to reset`() throws {
        container.register(Cat.self) { _ in Cat() }
        container.register(Dog.self) { _ in Dog() }.inObjectScope(.transient)

        container.resetObjectScope(.graph)
        container.resetObjectScope(.transient)

        #expect(try container.require(Cat.self) !== container.require(Cat.self))
        _ = try container.require(Dog.self)
    }
}

extension ObjectScope {
    fileprivate static let session = ObjectScope(named: "session")
}

private protocol Animal {}

private final class Cat: Animal {}

private final class Dog {}

private final class PermanentStorageSpy: InstanceStorage, @unchecked Sendable {  // one thread
    var instance: Any?
}
