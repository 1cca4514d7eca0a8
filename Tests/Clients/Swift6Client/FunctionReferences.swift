import Depin

// Function references that the other clients cannot hold without a warning or an error.

func registerNestedFunction(in container: Container) {
    func nested(_ r: Resolver, name: String) -> Animal { Cat(resolver: r, name: name) }
    container.register(Animal.self, name: "nested", factory: nested)
}

// References to static members stand here because the compiler warns of them in Swift 5 mode
// wherever a `@Sendable` function is wanted, with `@preconcurrency` or without, as in
// `DispatchQueue.main.async(execute: Type.method)`.

enum Factories {
    static func siamese(resolver: Resolver) -> Siamese { Siamese() }
    static func named(resolver: Resolver, name: String) -> Animal { Cat(name: name) }
    static var computed: (Resolver) -> Animal { { _ in Cat() } }
}

func registerStaticReferences(in container: Container) {
    container.register(Animal.self, factory: Factories.siamese)
    container.register(Animal.self, factory: Factories.named)
    container.register(Animal.self, factory: Factories.computed)
}
