// swift-format-ignore-file: NeverForceUnwrap

import Depin

// Code as it was written for Swinject: containers and assemblers.

// MARK: Containers and assemblers

func makeContainers() -> [Container] {
    let parent = Container()
    let child = Container(parent: parent)
    let filled = Container { container in
        container.register(Animal.self) { _ in Cat() }
    }
    let filledChild = Container(parent: filled) {
        $0.register(Pet.self) { _ in Cat() }
    }
    let scoped = Container(defaultObjectScope: .container)
    let full = Container(parent: child, defaultObjectScope: .weak, behaviors: [Spy()]) { c in
        c.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        c.register(Pet.self) { r in r.resolve(Cat.self)! }
    }
    return [parent, child, filled, filledChild, scoped, full]
}

nonisolated struct EmptyAssembly: Assembly {
    func assemble(container: Container) {}
}

func makeAssemblers(debug: Bool, name: String?, size: Size) -> [Resolver] {
    let empty = Assembler()
    let one = Assembler([AnimalAssembly()])
    let two = Assembler([AnimalAssembly(), EmptyAssembly()], container: Container())
    let child = Assembler(parentAssembler: one)
    let scoped = Assembler(parentAssembler: one, defaultObjectScope: .container, behaviors: [Spy()])
    let filledChild = Assembler([EmptyAssembly()], parent: two)
    let full = Assembler(
        [EmptyAssembly()],
        parent: nil,
        defaultObjectScope: .container,
        behaviors: []
    )
    empty.apply(assembly: EmptyAssembly())
    empty.apply(assemblies: [AnimalAssembly(), EmptyAssembly()])
    empty.apply {
        AnimalAssembly()
        EmptyAssembly()
        if debug {
            EmptyAssembly()
        }
        if name != nil {
            EmptyAssembly()
        } else {
            AnimalAssembly()
        }
        switch size {
        case .small: EmptyAssembly()
        case .large: AnimalAssembly()
        }
        for _ in 0..<2 {
            EmptyAssembly()
        }
        [EmptyAssembly(), EmptyAssembly()]
        [AnimalAssembly(), EmptyAssembly()] as [Assembly]
    }
    return [empty, one, two, child, scoped, filledChild, full].map { $0.resolver }
}

// MARK: Under the module's old name

func useModuleName(_ resolver: Swinject.Resolver) -> Swinject.Container {
    let container: Swinject.Container = Swinject.Container()
    let scope: Swinject.ObjectScope = .container
    let entry: Swinject.ServiceEntry<Animal> = container.register(Animal.self) { _ in Cat() }
    entry.inObjectScope(scope)
    let assembler: Swinject.Assembler = Swinject.Assembler(container: container)
    assembler.apply(assembly: QualifiedAssembly())
    print(resolver.resolve(Swinject.Lazy<Animal>.self)?.instance as Any)
    print(resolver.resolve(Swinject.Provider<Animal>.self)?.instance as Any)
    return container
}

nonisolated class QualifiedAssembly: Swinject.Assembly {
    let kept = Swinject.Container()
    func assemble(container: Swinject.Container) {}
    func loaded(resolver: Swinject.Resolver) {}
}

extension Swinject.Container {
    func registerCat(_ factory: @escaping (Swinject.Resolver) -> Animal) {
        register(Animal.self, name: "cat", factory: factory)
    }
}

extension Resolver {
    func animal(_ name: String) -> Animal? { resolve(Animal.self, argument: name) }
}
