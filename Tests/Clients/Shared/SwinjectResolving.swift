// swift-format-ignore-file: NeverForceUnwrap

import Depin

// Code as it was written for Swinject: every shape of resolving.

func resolve(from container: Container) {
    let animal = container.resolve(Animal.self)!
    let cat = container.resolve(Animal.self) as? Cat
    let named: Animal? = container.resolve(Animal.self, name: "Mimi")
    let unnamed = container.resolve(Animal.self, name: nil)
    _ = container.resolve(Animal.self, argument: "Mimi")
    _ = container.resolve(Animal.self, name: "named", argument: "Mimi") as! Cat
    _ = container.resolve(Person.self, arguments: animal as Animal, Food())
    _ = container.resolve(Person.self, name: "named", arguments: animal, nil as Food?)
    _ = container.resolve(Int.self, argument: 1)
    _ = container.resolve(Int.self, arguments: 1, 2)
    _ = container.resolve(Int.self, arguments: 1, 2, 3)
    _ = container.resolve(Int.self, arguments: 1, 2, 3, 4)
    _ = container.resolve([Int].self, arguments: 1, 2, 3, 4, 5)
    _ = container.resolve([Int].self, arguments: 1, 2, 3, 4, 5, 6)
    _ = container.resolve([Int].self, arguments: 1, 2, 3, 4, 5, 6, 7)
    _ = container.resolve([Int].self, arguments: 1, 2, 3, 4, 5, 6, 7, 8)
    _ = container.resolve([Int].self, arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9)
    _ = container.resolve([Int].self, arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    _ = container.resolve([Int].self, arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    _ = container.resolve([Int].self, arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    _ = container.resolve([Int].self, name: "x", arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    print(cat?.name ?? "", named?.name ?? "", unnamed?.name ?? "")

    let resolver: Resolver = container.synchronize()
    if let person = resolver.resolve(Person.self) { print(person.play()) }
    guard let owner = resolver.resolve(Owner.self, name: "owner") else { return }
    let completion: () -> Void = {}
    _ = resolver.resolve(Animal.self, argument: completion)
    _ = resolver.resolve(Animal.self, argument: (1, 2))
    _ = resolver.resolve(Animal.self, arguments: "Mimi" as String?, Size.small)
    print(owner.play(), resolver.resolve((() -> Animal).self)?().name ?? "")

    let lazy = resolver.resolve(Lazy<Animal>.self)!
    let provider = resolver.resolve(Provider<Animal>.self, name: "Mimi")!
    print(lazy.instance === provider.instance)
    let optional: Animal?? = resolver.resolve(Animal?.self)
    print(optional as Any)
    let nested = resolver.resolve(Lazy<Provider<Animal>>.self)?.instance.instance
    print(nested as Any)
}

func shareGraph(of container: Container) throws {
    container.register(Person.self) { r in
        let graph = r.resolve(GraphIdentifier.self)!
        let pet = r.resolve(Lazy<Animal>.self)!.instance
        print(graph.id, graph)
        return Owner(pet: pet)
    }
    let graph: GraphIdentifier = container.resolve(GraphIdentifier.self)!
    let owner: Owner? = container.withObjectGraph(graph) { c in
        c.resolve(Owner.self)
    }
    let cat = try container.withObjectGraph(graph) { scoped -> Cat in
        guard let cat = scoped.resolve(Cat.self) else { throw CancellationError() }
        return cat
    }
    owner?.pet = cat
}
