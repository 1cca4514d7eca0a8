import Depin
import Testing

struct `Optional services` {
    private let container = Container()

    @Test func `an optional of a registered service holds it`() throws {
        container.register(Animal.self) { _ in Cat("Mimi") }

        let animal = try #require(container.resolve(Animal?.self))
        #expect(animal?.name == "Mimi")
        #expect(container.resolve(Optional<Animal>.self)??.name == "Mimi")
        let injected: Animal? = container.autoResolve()
        #expect(injected?.name == "Mimi")
        let required: Animal? = container~>
        #expect(required?.name == "Mimi")
    }

    @Test func `an optional of what is not registered is there, and nil`() throws {
        let result: Animal?? = container.resolve(Animal?.self)

        #expect(result != nil)
        #expect(try container.require(Animal?.self) == nil)
        let none: Animal? = container~>
        #expect(none == nil)
    }

    @Test func `names and arguments are taken along`() throws {
        container.register(Animal.self, name: "n") { _ in Cat("named") }
        container.register(Animal.self) { _, name in Cat(name) }

        #expect(container.resolve(Animal?.self, name: "n")??.name == "named")
        #expect(container.resolve(Animal?.self, argument: "a")??.name == "a")
        #expect(try container.require(Animal?.self, name: "other") == nil)
        #expect(try container.require(Animal?.self, arguments: 1, 2) == nil)
    }

    @Test func `optionals nest`() throws {
        container.register(Animal.self) { _ in Cat("Mimi") }

        let nested = try container.require(Animal??.self)
        #expect(nested??.name == "Mimi")
        let absent = try container.require(Int??.self)
        #expect(absent == .some(.none))
    }

    @Test func `an optional shares the instance of its service`() throws {
        container.register(Cat.self) { _ in Cat("") }.inObjectScope(.container)
        container.register(Dog.self) { _ in Dog() }
        container.register(Bool.self) { resolver in
            resolver.resolve(Dog?.self)! === resolver.resolve(Dog.self)
        }
        #expect(try container.require(Cat?.self) === container.require(Cat.self))
        #expect(try container.require(Bool.self), "in one graph")
    }

    @Test func `an optional may be registered itself`() throws {
        container.register(Animal?.self) { _ in Cat("optional") }
        container.register(Animal.self) { _ in Cat("plain") }

        #expect(try container.require(Animal?.self)?.name == "optional")
        #expect(try container.require(Animal.self).name == "plain")
    }

    @Test(arguments: [ObjectScope.transient, .graph, .container, .weak])
    func `a factory of an optional service may return nil`(scope: ObjectScope) throws {
        container.register(Animal?.self) { _ in nil }.inObjectScope(scope)

        #expect(container.resolve(Animal?.self) != nil, "something is registered")
        #expect(try container.require(Animal?.self) == nil)
        #expect(container.resolve(Animal.self) == nil, "for the plain type nothing is")
    }

    @Test func `a parent's service is found through an optional`() throws {
        container.register(Animal.self) { _ in Cat("parent's") }
        let child = Container(parent: container)

        #expect(try child.require(Animal?.self)?.name == "parent's")
    }

    /// The ways in which a service comes and goes.
    enum Way: CaseIterable {
        case itself, again, asInstance, forwarded, asOptional
        case unregistered, removed

        fileprivate static let comings: [Way] = [
            .itself, .again, .asInstance, .forwarded, .asOptional,
        ]
        fileprivate static let goings: [Way] = [.unregistered, .removed]

        fileprivate func take(_ container: Container) {
            switch self {
            case .itself:
                container.register(Animal.self) { Cat("Mimi") }
            case .again:
                container.register(Animal.self) { Cat("Momo") }.inObjectScope(.container)
                container.register(Animal.self) { Cat("Mimi") }.inObjectScope(.container)
            case .asInstance:
                container.register(Animal.self, instance: Cat("Mimi"))
            case .forwarded:
                container.register(Cat.self) { Cat("Mimi") }.implements(Animal.self)
            case .asOptional:
                container.register(Animal?.self) { Cat("Mimi") }
            case .unregistered:
                container.unregister(Animal.self)
                container.unregister(Animal?.self)
            case .removed:
                container.removeAll()
            }
        }
    }

    @Test(arguments: Way.comings, Way.goings)
    func `an optional follows its service as that comes and goes`(coming: Way, going: Way) throws {
        let child = Container(parent: container)
        for resolver in [container, child] {
            for _ in 1...3 {
                // The second miss is answered from what the first one noted.
                for _ in 1...2 {
                    #expect(try resolver.require(Animal?.self) == nil)
                    #expect(resolver.resolve(Animal.self) == nil)
                    let nested = try resolver.require(Animal??.self)
                    #expect(nested != nil && nested.unsafelyUnwrapped == nil)
                }
                coming.take(container)
                for _ in 1...2 {
                    #expect(try resolver.require(Animal?.self)?.name == "Mimi")
                    #expect((resolver.resolve(Animal.self) == nil) == (coming == .asOptional))
                }
                going.take(container)
            }
        }
    }

    @Test func `a child's optional is its own, or its parent's`() throws {
        let child = Container(parent: container)
        let grandchild = Container(parent: child)
        func names() throws -> [String?] {
            try [container, child, grandchild].map { try $0.require(Animal?.self)?.name }
        }
        for _ in 1...2 {
            #expect(try names() == [nil, nil, nil])
            #expect(try names() == [nil, nil, nil])
            child.register(Animal.self) { Cat("child's") }
            #expect(try names() == [nil, "child's", "child's"])
            container.register(Animal.self) { Cat("parent's") }
            #expect(try names() == ["parent's", "child's", "child's"])
            child.unregister(Animal.self)
            #expect(try names() == ["parent's", "parent's", "parent's"])
            container.unregister(Animal.self)
        }
    }

    @Test func `a fork's optional and its original's do not follow each other`() throws {
        #expect(try container.require(Animal?.self) == nil)
        let fork = container.fork()
        #expect(try fork.require(Animal?.self) == nil)

        fork.register(Animal.self) { Cat("fork's") }
        #expect(try fork.require(Animal?.self)?.name == "fork's")
        #expect(try container.require(Animal?.self) == nil)

        container.register(Animal.self) { Cat("original's") }
        fork.unregister(Animal.self)
        #expect(try fork.require(Animal?.self) == nil)
        #expect(try container.require(Animal?.self)?.name == "original's")
        #expect(try container.fork().require(Animal?.self)?.name == "original's")
    }

    @Test func `wrappers nest with optionals`() throws {
        #expect(try container.require(Lazy<Dog>?.self) == nil)
        #expect(try container.require(Provider<Dog>?.self) == nil)
        container.register(Dog.self) { _ in Dog() }

        let lazy = try #require(try container.require(Lazy<Dog>?.self))
        #expect(lazy.instance === lazy.instance)
        #expect(try container.require(Lazy<Dog?>.self).instance != nil)
    }

    @Test func `an initializer's optional parameters`() throws {
        container.autoregister(Owner.self, initializer: Owner.init)
        #expect(try container.require(Owner.self).animal == nil)

        container.register(Animal.self) { _ in Cat("Mimi") }
        #expect(try container.require(Owner.self).animal?.name == "Mimi")
    }

    @Test func `an error within an optional's service is not a nil`() {
        struct Failure: Error {}
        container.register(Animal.self) { _ in throw Failure() }

        #expect(throws: ResolutionError.self) { try container.require(Animal?.self) }
    }
}

private protocol Animal {
    var name: String { get }
}

private final class Cat: Animal {
    let name: String

    init(_ name: String) { self.name = name }
}

private final class Dog {}

private struct Owner {
    let animal: Animal?
}
