// swift-format-ignore-file: NeverForceUnwrap

import Depin

// Code as it was written for Swinject: every shape of registering and configuring.

// MARK: Factories

nonisolated func makeAnimal() -> Animal { Cat() }
nonisolated func makeAnimal(resolver: Resolver) -> Animal { Cat(resolver: resolver) }
nonisolated func makeCat(_: Resolver) -> Cat { Cat() }
nonisolated func makeNamedCat(resolver: Resolver, name: String) -> Cat { Cat(name: name) }

func registerClosures(in container: Container) {
    container.register(Animal.self) { _ in Cat() }
    container.register(Animal.self) { (_) in Cat() }
    container.register(Animal.self) { (_: Resolver) in Cat() }
    container.register(Animal.self) { (_: Resolver) -> Animal in Cat() }
    container.register(Animal.self) { _ -> Animal in Cat() }
    container.register(Animal.self) { r -> Cat in Cat(resolver: r) }
    container.register(Animal.self) { Cat(resolver: $0) }
    container.register(Animal.self) { Cat() }
    container.register(Animal.self) { () -> Animal in Cat() }
    container.register(Animal.self, factory: { _ in Cat() })
    container.register(Animal.self, factory: { Cat() })
    container.register(Animal.self, name: "Mimi") { _ in Cat(name: "Mimi") }
    container.register(Animal.self, name: nil) { _ in Cat(name: "Mimi") }
    container.register(Animal.self, name: "Mimi", factory: { _ in Cat(name: "Mimi") })
    container.register(Person.self) { r in Owner(pet: r.resolve(Animal.self)!) }
    container.register(Person.self) { Owner(pet: $0.resolve(Animal.self)!) }
    container.register(Person.self) { r in
        let owner = Owner()
        owner.pet = r.resolve(Animal.self, name: "Mimi")
        return owner
    }
    container.register(Person.self) { (r: Resolver) -> Person in
        if let pet = r.resolve(Animal.self) {
            return Owner(pet: pet)
        }
        return Owner()
    }
    container.register(Size.self) { _ in .small }
    container.register(Size.self) { .small }
    container.register([String].self) { _ in ["a", "b"] }
    container.register(String.self) { _ in "Mimi" }
    container.register((() -> Animal).self) { r in { r.resolve(Animal.self)! } }
    container.register(((String) -> Animal).self) { r in
        { name in r.resolve(Animal.self, argument: name)! }
    }
    container.register(Animal?.self) { _ in nil }
    container.register((Animal & Pet).self) { _ in Cat() }
    container.register(Cat.self) { _ in Cat() }
}

func registerArguments(in container: Container) {
    container.register(Animal.self) { _, name in Cat(name: name) }
    container.register(Animal.self) { (_, name: String) in Cat(name: name) }
    container.register(Animal.self) { (_: Resolver, name: String) in Cat(name: name) }
    container.register(Animal.self) { (_: Resolver, name: String) -> Animal in Cat(name: name) }
    container.register(Animal.self) { Cat(resolver: $0, name: $1) }
    container.register(Animal.self) { Cat(name: $1) }
    container.register(Animal.self, name: "named") { r, name in Cat(resolver: r, name: name) }
    container.register(Person.self) { _, pet, food in Owner(pet: pet, food: food) }
    container.register(Person.self) { (r, pet: Animal, food: Food) in
        let owner = Owner(pet: pet)
        owner.food = food
        return owner
    }
    container.register(Animal.self) { (_, name: String?, size: Size) in
        Cat(name: name ?? "\(size)")
    }
    container.register(Animal.self) { (_, completion: @escaping () -> Void) in
        completion()
        return Cat()
    }
    container.register(Animal.self) { (_, pair: (Int, Int)) in Cat(name: "\(pair.0 + pair.1)") }
    container.register(
        Animal.self,
        factory: { r, name in Cat(resolver: r, name: name) } as (Resolver, String) -> Animal
    )
    container.register(Animal.self, factory: { Cat(name: $1) } as (Resolver, String) -> Cat)
}

func registerReferences(in container: Container, forwarded: @escaping (Resolver) -> Animal) {
    container.register(Animal.self, factory: makeAnimal as () -> Animal)
    container.register(Animal.self, factory: makeAnimal(resolver:))
    container.register(Animal.self, factory: makeCat)
    container.register(Animal.self, factory: makeNamedCat)
    container.register(Animal.self, factory: Cat.init(resolver:))
    container.register(Animal.self, factory: Cat.init(resolver:name:))
    container.register(Animal.self, factory: Siamese.init as () -> Siamese)
    container.register(Animal.self, factory: forwarded)
    let local = { (_: Resolver) in Cat() as Animal }
    container.register(Animal.self, name: "local", factory: local)
}

/// A factory that captures its surroundings.
class AnimalAssembly: Assembly {
    var names = ["Mimi"]
    var loadedResolver: Resolver?

    func assemble(container: Container) {
        let first = names.first
        container.register(Animal.self) { _ in Cat(name: first ?? "") }
        container.register(Animal.self) { [unowned self] _ in Cat(name: names[0]) }
        container.register(Animal.self) { [weak self] _ in Cat(name: self?.names.first ?? "") }
        container.register(Person.self) { [unowned container] _ in
            Owner(pet: container.resolve(Animal.self)!)
        }
        container.register(Animal.self, name: "method", factory: makeFirst)
        container.register(Animal.self, name: "method", factory: make(resolver:name:))
    }

    func loaded(resolver: Resolver) {
        loadedResolver = resolver
    }

    nonisolated func makeFirst(resolver: Resolver) -> Animal { Cat(name: "first") }
    nonisolated func make(resolver: Resolver, name: String) -> Animal { Cat(name: name) }
}

func registerManyArguments(in container: Container) {
    container.register(Int.self) { (_, a: Int) in a }
    container.register(Int.self) { (_, a: Int, b: Int) in a + b }
    container.register(Int.self) { (_, a: Int, b: Int, c: Int) in a + b + c }
    container.register(Int.self) { (_, a: Int, b: Int, c: Int, d: Int) in a + b + c + d }
    container.register([Int].self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int) in
        [a, b, c, d, e]
    }
    container.register([Int].self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) in
        [a, b, c, d, e, f]
    }
    container.register([Int].self) { (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int) in
        [a, b, c, d, e, f, g]
    }
    container.register([Int].self) {
        (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int) in
        [a, b, c, d, e, f, g, h]
    }
    container.register([Int].self) {
        (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int) in
        [a, b, c, d, e, f, g, h, i]
    }
    container.register([Int].self) {
        (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int, j: Int) in
        [a, b, c, d, e, f, g, h, i, j]
    }
    container.register([Int].self) {
        (_, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int, j: Int, k: Int)
        in
        [a, b, c, d, e, f, g, h, i, j, k]
    }
    container.register([Int].self) { r, a, b, c, d, e, f, g, h, i, j, k, l in
        twelve(r, a, b, c, d, e, f, g, h, i, j, k, l)
    }
    container.register([Int].self, factory: twelve)
}

// swift-format-ignore
nonisolated func twelve(
    _: Resolver, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int,
    _ i: Int, _ j: Int, _ k: Int, _ l: Int
) -> [Int] {
    [a, b, c, d, e, f, g, h, i, j, k, l]
}

// MARK: Configuring

extension ObjectScope {
    static let user = ObjectScope(
        storageFactory: PermanentStorage.init,
        description: "user"
    )
    static let weakUser = ObjectScope(
        storageFactory: { WeakStorage() },
        description: "weakUser",
        parent: ObjectScope.user
    )
    static let bare = ObjectScope(storageFactory: GraphStorage.init)
}

nonisolated class CustomStorage: InstanceStorage {
    var instance: Any?
    var completed = 0
    func graphResolutionCompleted() { completed += 1 }
}

nonisolated class CustomScope: ObjectScopeProtocol {
    var made = 0
    func makeStorage() -> InstanceStorage {
        made += 1
        return CompositeStorage([CustomStorage(), TransientStorage()])
    }
}

nonisolated class Spy: Behavior {
    var names: [String?] = []
    func container<Type, Service>(
        _ container: Container,
        didRegisterType type: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName name: String?
    ) {
        names.append(name)
        entry.inObjectScope(.container)
    }
}

nonisolated func finish(_ resolver: Resolver, _ owner: Owner) {
    owner.pet = resolver.resolve(Animal.self)
}

func configure(_ container: Container) {
    container.register(Animal.self) { _ in Cat() }
        .inObjectScope(.container)
        .initCompleted { r, animal in
            let cat = animal as! Cat
            cat.owner = r.resolve(Owner.self)
        }
        .implements(Pet.self)
    container.register(Cat.self) { _ in Cat() }
        .implements(Pet.self, name: "pet")
        .initCompleted { _, cat in cat.name = "Mimi" }
        .inObjectScope(.weak)
    container.register(Cat.self) { _, name in Cat(name: name) }
        .initCompleted { $1.owner = $0.resolve(Owner.self) }
        .implements(Animal.self, Pet.self)
        .inObjectScope(.transient)
        .implements(Runner.self, Eater.self, Sleeper.self)
        .inObjectScope(.graph)
    container.register(Cat.self, name: "many") { Cat() }
        .implements(
            Animal.self,
            Pet.self,
            Runner.self,
            Eater.self,
            Sleeper.self,
            Hunter.self,
            Climber.self,
            Swimmer.self,
            Jumper.self,
            Listener.self,
            Washer.self
        )
        .inObjectScope(CustomScope())
    container.register(Owner.self) { _ in Owner() }
        .initCompleted(finish)
        .initCompleted { r, owner in
            owner.injected = true
        }
    let entry: ServiceEntry<Cat> = container.register(Cat.self) { _ in Cat() }
    entry.inObjectScope(.user)
    entry.inObjectScope(ObjectScope.weakUser).inObjectScope(.bare)
    container.forward(Animal.self, to: entry)
    container.forward(Pet.self, name: "pet", to: entry)
    print(entry.serviceType, entry.argumentsType, entry.objectScope is ObjectScope)
    let scope: ObjectScopeProtocol = ObjectScope.container
    print(entry.objectScope === scope, ObjectScope.graph, container.description, container)
    container.registerSynchronized(Animal.self) { r in Cat(resolver: r) }
    container.registerSynchronized(Animal.self, name: "Mimi") { _ in Cat() }
        .inObjectScope(.container)
    container.addBehavior(Spy())
    container.resetObjectScope(.user)
    container.resetObjectScope(CustomScope())
    container.resetObjectScope(.container, serviceType: Animal.self)
    container.resetObjectScope(CustomScope(), serviceType: Animal.self)
    if container.hasAnyRegistration(of: Animal.self) { print("animal") }
    if !container.hasAnyRegistration(of: Animal.self, name: "Mimi") { print("no Mimi") }
    container.removeAll()
}
