// swift-format-ignore-file: NoAssignmentInExpressions

import Depin

// Code as it was written for SwinjectAutoregistration, and with the operators of the layer above.

nonisolated class Service0 {}
nonisolated class Service1 { init(a: Cat) {} }
nonisolated class Service2 { init(a: Cat, b: Animal) {} }
nonisolated class Service3 { init(a: Cat, b: Animal, c: Owner?) {} }
nonisolated class ServiceText: Animal {
    var name: String
    init(name: String, cat: Cat) { self.name = name }
}
nonisolated class ServiceTexts {
    init(cat: Cat, name: String, size: Int, animal: Animal) {}
}

// swift-format-ignore
nonisolated class Service20 {
    init(
        a: Cat, b: Cat, c: Cat, d: Cat, e: Cat, f: Cat, g: Cat, h: Cat, i: Cat, j: Cat,
        k: Cat, l: Cat, m: Cat, n: Cat, o: Cat, p: Cat, q: Cat, r: Cat, s: Cat, t: Cat
    ) {}
}

nonisolated func makeService(cat: Cat, animal: Animal) -> Service2 { Service2(a: cat, b: animal) }

func autoregister(in container: Container) {
    container.autoregister(Service0.self, initializer: Service0.init)
    container.autoregister(Service1.self, initializer: Service1.init)
    container.autoregister(Service1.self, initializer: Service1.init(a:))
    container.autoregister(Service2.self, initializer: Service2.init)
    container.autoregister(Service3.self, name: "three", initializer: Service3.init(a:b:c:))
    container.autoregister(Service2.self, initializer: makeService)
    container.autoregister(
        Service2.self,
        initializer: { (a: Cat, b: Animal) in Service2(a: a, b: b) }
    )
    container.autoregister(Service2.self) { Service2(a: $0, b: $1) }
    container.autoregister(Person.self, initializer: Owner.init(pet:))
    container.autoregister(Animal.self, initializer: Cat.init(name:)).inObjectScope(.container)
    container.autoregister(Animal.self, argument: String.self, initializer: ServiceText.init)
    container.autoregister(
        ServiceText.self,
        name: "text",
        argument: String.self,
        initializer: ServiceText.init(name:cat:)
    )
    .implements(Animal.self)
    container.autoregister(
        ServiceTexts.self,
        arguments: String.self,
        Int.self,
        initializer: ServiceTexts.init
    )
    container.autoregister(
        ServiceTexts.self,
        name: "texts",
        arguments: String.self,
        Int.self,
        Animal.self,
        initializer: ServiceTexts.init
    )
    .inObjectScope(.transient)
}

func autoregisterMany(in container: Container) {
    container.autoregister([Cat].self) { [$0] }
    container.autoregister([Cat].self) { [$0, $1] }
    container.autoregister([Cat].self) { [$0, $1, $2] }
    container.autoregister([Cat].self) { [$0, $1, $2, $3] }
    container.autoregister([Cat].self) { [$0, $1, $2, $3, $4] }
    container.autoregister([Cat].self) { [$0, $1, $2, $3, $4, $5] }
    container.autoregister([Cat].self) { [$0, $1, $2, $3, $4, $5, $6] }
    container.autoregister([Cat].self) { [$0, $1, $2, $3, $4, $5, $6, $7] }
    container.autoregister([Cat].self) { [$0, $1, $2, $3, $4, $5, $6, $7, $8] }
    container.autoregister([Cat].self) { [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9] }
    container.autoregister(Service20.self, initializer: Service20.init)
}

func useOperators(_ r: Resolver, _ container: Container) {
    _ = r ~> Animal.self
    _ = r ~> (Animal.self, name: "Mimi")
    _ = r ~> (Animal.self, argument: "Mimi")
    _ = r ~> (Animal.self, name: "named", argument: "Mimi")
    _ = r ~> (Person.self, arguments: (Cat() as Animal, Food()))
    _ = r ~> (Person.self, name: "named", arguments: (Cat() as Animal, Food()))
    _ = r ~> (Int.self, arguments: (1, 2, 3))
    _ = r ~> ([Int].self, arguments: (1, 2, 3, 4, 5, 6, 7, 8, 9))
    _ = r ~> ([Int].self, name: "x", arguments: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
    _ = container ~> Animal.self
    _ = container ~> (Animal.self, name: "Mimi")
    let animal: Animal = r~>
    let cat: Cat = container~>
    let owner = Owner(pet: r~>)
    let both = Owner(pet: r~>, food: r ~> Food?.self)
    let automatic: Person = r.autoResolve()
    let fromContainer: Animal = container.autoResolve()
    let text = (r ~> String.self) + (r ~> String.self)
    print(animal, cat, owner, both, automatic, fromContainer, text)
}

func registerWithOperators(in container: Container) {
    container.register(Person.self) { r in Owner(pet: r ~> Animal.self) }
    container.register(Person.self) { Owner(pet: $0 ~> Animal.self) }
    container.register(Person.self) { Owner(pet: $0~>) }
    container.register(Person.self) { r in Owner(pet: r~>, food: r~>) }
    container.register(Person.self) { r in Owner(pet: r ~> (Animal.self, name: "Mimi"), food: nil) }
    container.register(Animal.self) { r, name in ServiceText(name: name, cat: r ~> Cat.self) }
    container.register(Animal.self) { r, a, b in
        ServiceText(name: a, cat: r ~> (Cat.self, argument: b as Int))
    }
    container.register(Animal.self, name: "coordinator") { r in
        let make: (String) -> Animal = { name in r ~> (Animal.self, argument: name) }
        return make("Mimi")
    }
}
