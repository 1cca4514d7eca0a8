import Depin
import DepinInspection
import Testing

/// Forms that only code from before Depin has: what each of them does, beyond that it compiles.
struct `Older forms` {
    private let container = Container()

    @Test func `a function of one tuple has its elements resolved`() throws {
        container.register(Leaf.self) { Leaf() }.inObjectScope(.container)
        container.register(Int.self) { 7 }
        let make: @Sendable ((Leaf, Int)) -> Twig = { Twig(leaf: $0.0, age: $0.1, name: nil) }
        container.autoregister(Twig.self, initializer: make)

        let twig = try container.require(Twig.self)

        #expect(twig.leaf === container.resolve(Leaf.self))
        #expect(twig.age == 7)
    }

    @Test func `a function of one tuple takes arguments`() throws {
        container.register(Leaf.self) { Leaf() }
        let make: @Sendable ((Leaf, Int, String?)) -> Twig = {
            Twig(leaf: $0.0, age: $0.1, name: $0.2)
        }
        container.autoregister(Twig.self, argument: Int.self, initializer: make)
        container.autoregister(
            Twig.self,
            arguments: Int.self,
            String?.self,
            initializer: make
        )

        #expect(try container.require(Twig.self, argument: 3).age == 3)
        let named = try container.require(Twig.self, arguments: 3, "a" as String?)
        #expect(named.age == 3)
        #expect(named.name == "a")
    }

    @Test func `the elements of a tuple are validated`() throws {
        let make: @Sendable ((Leaf, Int)) -> Twig = { Twig(leaf: $0.0, age: $0.1, name: nil) }
        container.autoregister(Twig.self, initializer: make)

        #expect(throws: ValidationError.self) { try container.validate() }
    }

    @Test func `a container stands behind a protocol of the app's own`() throws {
        let facade: any Facade = container
        let entry = facade.register(Leaf.self, name: nil) { _ in Leaf() }
        entry.inObjectScope(.container)
        facade.forward(AnyObject.self, name: "leaf", to: entry)
        container.register(Twig.self, name: "aged") { (r: Resolver, age: Int) in
            Twig(leaf: r ~> Leaf.self, age: age, name: nil)
        }
        facade.register(Twig.self, name: "plain") { _ in Twig(leaf: Leaf(), age: 0, name: nil) }
        facade.registerSynchronized([Leaf].self, name: nil) { r in [r ~> Leaf.self] }
        container.register(Twig.self) { (_: Resolver, age: Int) in
            Twig(leaf: Leaf(), age: age, name: nil)
        }
        container.register(Twig.self) { (_: Resolver, age: Int, name: String) in
            Twig(leaf: Leaf(), age: age, name: name)
        }

        let leaf = try #require(facade.resolve(Leaf.self))
        #expect(facade.resolve(AnyObject.self, name: "leaf") === leaf)
        #expect(facade.resolve([Leaf].self)?.first === leaf)
        #expect(facade.resolve(Twig.self, name: "aged", argument: 3)?.leaf === leaf)
        #expect(facade.resolve(Twig.self, name: "plain")?.age == 0)
        #expect(facade.resolve(Twig.self, argument: 3)?.age == 3)
        #expect(facade.resolve(Twig.self, arguments: 3, "a")?.name == "a")
    }

    @Test func `registering without the facade names the place of the call`() throws {
        container.register(Twig.self, name: "plain") { r in
            Twig(leaf: try r.require(Leaf.self), age: 0, name: nil)
        }

        let error = try #require(throws: ResolutionError.self) {
            try container.require(Twig.self, name: "plain")
        }
        #expect("\(error)".contains("OlderFormsTests.swift"))
    }

    @Test func `an assembler is made with the older labels`() throws {
        struct LeafAssembly: Assembly {
            func assemble(container: Container) { container.register(Leaf.self) { Leaf() } }
        }
        let parent = try Assembler(assemblies: [LeafAssembly()])
        let child = try Assembler(assemblies: [], parentAssembler: parent)
        let same = try Assembler(assemblies: [LeafAssembly()], container: container)

        #expect(child.resolver.resolve(Leaf.self) != nil)
        #expect(container.resolve(Leaf.self) != nil)
        withExtendedLifetime(same) {}
    }

    @Test func `the older keys show the one value of the space`() {
        let assembler = Assembler(container: container)
        withSpace {
            $0[DependenciesAssemblerKey.self] = assembler
        } operation: {
            let values = SpaceValues.current
            #expect(values.dependenciesAssembler === assembler)
            #expect(values[DependenciesAssemblerKey.self] === assembler)
            #expect(values[DependenciesContainerKey.self] === container)
        }
        withSpace {
            $0[DependenciesContainerKey.self] = container
        } operation: {
            #expect(SpaceValues.current.dependenciesContainer === container)
        }
        let process = SpaceValues.current.dependenciesAssembler
        #expect(DependenciesAssemblerKey.defaultValue === process)
        #expect(DependenciesContainerKey.defaultValue === process.resolver as? Container)
    }
}

private final class Leaf: Sendable {}

private struct Twig {
    let leaf: Leaf
    let age: Int
    let name: String?
}

private protocol Facade {
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
    func forward<Type, Service>(_: Type.Type, name: String?, to: ServiceEntry<Service>)
    func resolve<Service>(_: Service.Type) -> Service?
    func resolve<Service>(_: Service.Type, name: String?) -> Service?
    func resolve<Service, Argument>(_: Service.Type, argument: Argument) -> Service?
    func resolve<Service, Argument>(_: Service.Type, name: String?, argument: Argument) -> Service?
    func resolve<Service, First, Second>(
        _: Service.Type,
        arguments: First,
        _: Second
    ) -> Service?
}

extension Container: Facade {}
