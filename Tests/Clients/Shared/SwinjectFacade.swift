// swift-format-ignore-file: NeverForceUnwrap, OnlyOneTrailingClosureArgument

import Depin

// Code as it was written for Swinject: a container behind protocols of the app's own, and functions of it
// that are held as values.

// MARK: A facade

nonisolated protocol Registering: AnyObject {
    @discardableResult
    func register<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service>

    @discardableResult
    func registerSynchronized<Service>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service>

    func forward<Type, Service>(_ type: Type.Type, name: String?, to: ServiceEntry<Service>)
    func addBehavior(_ behavior: Behavior)
    func removeAll()
    func resetObjectScope(_ objectScope: ObjectScope)
    func resetObjectScope(_ objectScope: ObjectScopeProtocol)
    func hasAnyRegistration<Service>(of serviceType: Service.Type, name: String?) -> Bool
    func synchronize() -> Resolver
}

nonisolated protocol Resolving {
    func resolve<Service>(_ serviceType: Service.Type) -> Service?
    func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service?
    func resolve<Service, Argument>(_ serviceType: Service.Type, argument: Argument) -> Service?
    func resolve<Service, Argument>(
        _ serviceType: Service.Type,
        name: String?,
        argument: Argument
    ) -> Service?
    func resolve<Service, First, Second>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ second: Second
    ) -> Service?
}

nonisolated protocol ManyArgumentsResolving {
    func resolve<Service, First, Second, Third>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ second: Second,
        _ third: Third
    ) -> Service?
}

extension Container: Registering, Resolving {}

/// What is not there is written by hand; as a `Resolver`, so that it does not call itself.
nonisolated extension Container: ManyArgumentsResolving {
    func resolve<Service, First, Second, Third>(
        _ serviceType: Service.Type,
        arguments first: First,
        _ second: Second,
        _ third: Third
    ) -> Service? {
        (self as Resolver).resolve(serviceType, arguments: first, second, third)
    }
}

func useFacade(_ facade: Registering & Resolving) {
    facade.register(Animal.self, name: nil, factory: { _ in Cat() })
    facade.registerSynchronized(Animal.self, name: "synchronized", factory: { _ in Cat() })
    let entry = facade.register(Cat.self, name: nil, factory: { _ in Cat() })
    facade.forward(Pet.self, name: nil, to: entry)
    facade.addBehavior(Spy())
    _ = facade.resolve(Animal.self)
    _ = facade.resolve(Animal.self, name: "named", argument: "Mimi")
    _ = facade.resolve(Animal.self, arguments: "Mimi", 1)
    _ = facade.synchronize().resolve(Animal.self)
}

// MARK: Functions as values

func holdFunctions(of container: Container) {
    let register: (Cat.Type, String?, @escaping (Resolver) -> Cat) -> ServiceEntry<Cat> =
        container.register(_:name:factory:)
    let entry = register(Cat.self, nil) { _ in Cat() }
    entry.inObjectScope(.container)
    let resolve: (Cat.Type, String?) -> Cat? = container.resolve(_:name:)
    _ = resolve(Cat.self, "Mimi")
    let ask: (Cat.Type, String) -> Cat? = container.resolve(_:argument:)
    _ = ask(Cat.self, "Mimi")
    let view = container.synchronize
    _ = view().resolve(Cat.self)
}

func autoregisterTuples(in container: Container) {
    let make: ((Cat, Animal)) -> Service2 = { Service2(a: $0.0, b: $0.1) }
    container.autoregister(Service2.self, initializer: make)
    let makeOfThree: ((Cat, Animal, Owner?)) -> Service3 = { Service3(a: $0.0, b: $0.1, c: $0.2) }
    container.autoregister(Service3.self, name: "tuple", initializer: makeOfThree)
    let makeText: ((String, Cat)) -> ServiceText = { ServiceText(name: $0.0, cat: $0.1) }
    container.autoregister(ServiceText.self, argument: String.self, initializer: makeText)
    container.autoregister(ServiceText.self, initializer: makeText)
    let makeTexts: ((Cat, String, Int, Animal)) -> ServiceTexts = {
        ServiceTexts(cat: $0.0, name: $0.1, size: $0.2, animal: $0.3)
    }
    container.autoregister(
        ServiceTexts.self,
        arguments: String.self,
        Int.self,
        initializer: makeTexts
    )
}

// MARK: Older forms

func makeOlderAssemblers() throws -> [Assembler] {
    let one = try Assembler(assemblies: [AnimalAssembly()])
    let two = try Assembler(assemblies: [EmptyAssembly()], container: Container())
    let child = try Assembler(assemblies: [EmptyAssembly()], parentAssembler: one)
    return [one, two, child]
}

func useOlderKeys() -> Container {
    var values = SpaceValues.current
    values[DependenciesContainerKey.self] = Container()
    values[DependenciesAssemblerKey.self] = Assembler()
    return values[DependenciesContainerKey.self]
}
