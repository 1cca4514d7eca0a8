import Depin
import Testing

struct `hasAnyRegistration` {
    private let container = Container()

    @Test func `a registration with or without arguments`() {
        #expect(!container.hasAnyRegistration(of: Animal.self))
        container.register(Animal.self) { _ in Cat() }
        #expect(container.hasAnyRegistration(of: Animal.self))
        container.removeAll()
        container.register(Animal.self) { (_, _: String) in Cat() }
        #expect(container.hasAnyRegistration(of: Animal.self))
        #expect(container.hasAnyRegistration(of: Animal.self, name: nil))
    }

    @Test func `the name counts`() {
        container.register(Animal.self, name: "n") { (_, _: String, _: Int) in Cat() }

        #expect(container.hasAnyRegistration(of: Animal.self, name: "n"))
        #expect(!container.hasAnyRegistration(of: Animal.self))
        #expect(!container.hasAnyRegistration(of: Animal.self, name: "other"))
    }

    @Test func `the type is that of the registration`() {
        container.register(Cat.self) { _ in Cat() }

        #expect(container.hasAnyRegistration(of: Cat.self))
        #expect(!container.hasAnyRegistration(of: Animal.self))
        #expect(!container.hasAnyRegistration(of: Cat?.self))
        #expect(!container.hasAnyRegistration(of: Lazy<Cat>.self))
    }

    @Test func `a forwarded type counts`() {
        container.register(Cat.self) { _ in Cat() }.implements(Animal.self, name: "n")

        #expect(container.hasAnyRegistration(of: Animal.self, name: "n"))
    }

    @Test func `the parents are asked, the children are not`() {
        container.register(Animal.self) { _ in Cat() }
        let child = Container(parent: container)
        child.register(Int.self) { _ in 1 }

        #expect(Container(parent: child).hasAnyRegistration(of: Animal.self))
        #expect(!container.hasAnyRegistration(of: Int.self))
    }

    @Test func `it builds nothing`() {
        let builds = CallCount()
        container.register(Int.self) { _ in builds.add() }.inObjectScope(.container)

        #expect(container.hasAnyRegistration(of: Int.self))
        #expect(builds.count == 0)
    }

    @Test func `what was removed is gone`() {
        container.register(Animal.self) { _ in Cat() }
        container.unregister(Animal.self)

        #expect(!container.hasAnyRegistration(of: Animal.self))
    }
}

private protocol Animal {}

private final class Cat: Animal {}
