import Depin
import Testing

struct `Container scope` {
    private let container = Container()

    @Test func `one instance for all`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)

        #expect(try container.require(Cat.self) === container.require(Cat.self))
        #expect(container.synchronize().resolve(Cat.self) === container.resolve(Cat.self))
    }

    @Test func `values are kept, and copied out`() throws {
        let builds = CallCount()
        container.register(Animal.self) { _ in Turtle(name: "\(builds.add())") }
            .inObjectScope(.container)

        var turtle = try container.require(Animal.self)
        turtle.name = "changed"
        #expect(try container.require(Animal.self).name == "1")
        #expect(builds.count == 1)
    }

    @Test func `a nil is kept`() throws {
        let builds = CallCount()
        container.register(Cat?.self) { _ in
            builds.add()
            return nil
        }
        .inObjectScope(.container)

        #expect(try container.require(Cat?.self) == nil)
        #expect(try container.require(Cat?.self) == nil)
        #expect(builds.count == 1)
    }

    @Test func `the instance is shared with children, whoever asks first`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        let (child, sibling) = (Container(parent: container), Container(parent: container))
        let grandchild = Container(parent: child)

        let cat = try grandchild.require(Cat.self)
        #expect(try container.require(Cat.self) === cat)
        #expect(try child.require(Cat.self) === cat)
        #expect(try sibling.require(Cat.self) === cat)
    }

    @Test func `a child's registration has an instance of its own`() throws {
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        let child = Container(parent: container)
        child.register(Cat.self) { _ in Cat() }.inObjectScope(.container)

        #expect(try child.require(Cat.self) !== container.require(Cat.self))
        #expect(try child.require(Cat.self) === child.require(Cat.self))
    }

    @Test func `each name has an instance of its own`() throws {
        container.register(Cat.self, name: "a") { _ in Cat() }.inObjectScope(.container)
        container.register(Cat.self, name: "b") { _ in Cat() }.inObjectScope(.container)

        let one = container ~> (Cat.self, name: "a")
        #expect(try container.require(Cat.self, name: "a") === one)
        #expect(try container.require(Cat.self, name: "b") !== one)
    }

    @Test func `the default scope of a container goes for what names none`() throws {
        let container = Container(defaultObjectScope: .container)
        let shared = container.register(Cat.self) { _ in Cat() }
        let unshared = container.register(Cat.self, name: "x") { _ in Cat() }
            .inObjectScope(.transient)
        let child = Container(parent: container)
        let inChild = child.register(Cat.self, name: "child") { _ in Cat() }

        #expect(shared.objectScope === ObjectScope.container)
        #expect(unshared.objectScope === ObjectScope.transient)
        #expect(inChild.objectScope === ObjectScope.graph, "it is not inherited")
        #expect(try container.require(Cat.self) === container.require(Cat.self))
    }

    @Test func `callbacks run once, with the first instance`() throws {
        let completions = CallCount()
        container.register(Cat.self) { _ in Cat() }
            .inObjectScope(.container)
            .initCompleted { _, _ in completions.add() }
        let child = Container(parent: container)
        _ = (try child.require(Cat.self), try container.require(Cat.self))

        #expect(completions.count == 1)
    }

    @Test func `a factory that failed is asked again`() throws {
        struct Failure: Error {}
        let attempts = CallCount()
        container.register(Cat.self) { _ in
            if attempts.add() == 1 { throw Failure() }
            return Cat()
        }
        .inObjectScope(.container)

        #expect(throws: ResolutionError.self) { try container.require(Cat.self) }
        #expect(try container.require(Cat.self) === container.require(Cat.self))
        #expect(attempts.count == 2)
    }
}

private protocol Animal {
    var name: String { get set }
}

private struct Turtle: Animal {
    var name: String
}

private final class Cat {}
