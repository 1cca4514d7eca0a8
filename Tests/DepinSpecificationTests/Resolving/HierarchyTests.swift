import Depin
import Testing

struct `Parents and children` {
    private let parent = Container()

    @Test func `a child finds its parents' registrations, a parent not its child's`() {
        let child = Container(parent: parent)
        let grandchild = Container(parent: child)
        parent.register(Animal.self) { _ in Cat("parent's") }
        child.register(Int.self) { _ in 5 }

        #expect(grandchild.resolve(Animal.self)?.name == "parent's")
        #expect(grandchild.resolve(Int.self) == 5)
        #expect(parent.resolve(Int.self) == nil)
    }

    @Test func `what the parent registers later is found`() {
        let child = Container(parent: parent)
        #expect(child.resolve(Animal.self) == nil)
        parent.register(Animal.self) { _ in Cat("late") }
        #expect(child.resolve(Animal.self)?.name == "late")
    }

    @Test func `a child may shadow its parent's registration`() {
        parent.register(Animal.self) { _ in Cat("parent's") }
        let child = Container(parent: parent)
        #expect(child.resolve(Animal.self)?.name == "parent's")
        child.register(Animal.self) { _ in Cat("child's") }

        #expect(child.resolve(Animal.self)?.name == "child's")
        #expect(parent.resolve(Animal.self)?.name == "parent's")
    }

    @Test func `unshared services are built with the resolver of the one that was asked`() throws {
        parent.register(Animal.self) { _ in Cat("parent's") }
        parent.register(Owner.self) { resolver in Owner(animal: resolver ~> Animal.self) }
        let child = Container(parent: parent)
        child.register(Animal.self) { _ in Cat("child's") }

        #expect(try child.require(Owner.self).animal.name == "child's")
        #expect(try parent.require(Owner.self).animal.name == "parent's")
    }

    @Test func `callbacks of unshared services see the child's registrations too`() throws {
        let names = EventLog<String?>()
        parent.register(Int.self) { _ in 5 }
            .initCompleted { resolver, _ in names.note(resolver.resolve(Animal.self)?.name) }
        let child = Container(parent: parent)
        child.register(Animal.self) { _ in Cat("child's") }
        _ = (child.resolve(Int.self), parent.resolve(Int.self))

        #expect(names.all == ["child's", nil])
    }

    @Test(arguments: [ObjectScope.container, .weak, ObjectScope(named: "session")])
    func `shared services are built with the resolver of the one that holds them`(
        scope: ObjectScope
    ) throws {
        parent.register(Animal.self) { _ in Cat("parent's") }
        parent.register(Holder.self) { resolver in Holder(animal: resolver ~> Animal.self) }
            .inObjectScope(scope)
        let child = Container(parent: parent)
        child.register(Animal.self) { _ in Cat("child's") }

        let holder = try child.require(Holder.self)
        #expect(holder.animal.name == "parent's")
        #expect(try parent.require(Holder.self) === holder)
    }

    @Test func `a factory can ask for the container that was asked`() throws {
        parent.register(String.self) { resolver in
            let container = resolver ~> Container.self
            return container.resolve(Int.self).map(String.init) ?? "none"
        }
        let child = Container(parent: parent)
        child.register(Int.self) { _ in 5 }

        #expect(try child.require(String.self) == "5")
        #expect(try parent.require(String.self) == "none")
        #expect(try child.require(Container.self) === child)
        #expect(try parent.require(Container.self) === parent)
    }

    @Test func `a factory can make a child container`() throws {
        parent.register(Animal.self) { _ in Cat("parent's") }
        parent.register(Container.self, name: "scene") { resolver in
            Container(parent: resolver ~> Container.self) { child in
                child.register(Int.self) { _ in 5 }
            }
        }
        let scene = try parent.require(Container.self, name: "scene")
        #expect(scene.resolve(Int.self) == 5)
        #expect(scene.resolve(Animal.self) != nil)
    }

    @Test func `the container itself can be registered over`() throws {
        let other = Container()
        parent.register(Container.self, instance: other)

        #expect(try parent.require(Container.self) === other)
    }

    @Test func `what a child resolves from its parent is not kept`() {
        let child = Container(parent: parent)
        parent.register(Cat.self) { _ in Cat("") }

        weak let cat = child.resolve(Cat.self)
        #expect(cat == nil)
    }

    @Test func `arguments, names and optionals go up to the parent`() {
        parent.register(Animal.self, name: "n") { _, name in Cat(name) }
        let child = Container(parent: parent)

        #expect(child.resolve(Animal.self, name: "n", argument: "a")?.name == "a")
        #expect(child.resolve(Animal?.self, name: "n", argument: "a")??.name == "a")
        #expect(child.resolve(Lazy<Animal>.self, name: "n", argument: "a")?.instance.name == "a")
    }
}

private protocol Animal {
    var name: String { get }
}

private final class Cat: Animal {
    let name: String

    init(_ name: String) { self.name = name }
}

private struct Owner {
    let animal: Animal
}

private final class Holder {
    let animal: Animal

    init(animal: Animal) { self.animal = animal }
}
