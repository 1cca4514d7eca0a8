import Depin
import Testing

struct `Registration keys` {
    private let container = Container()

    @Test func `what is not registered resolves to nil`() {
        #expect(container.resolve(Animal.self) == nil)
        #expect(container.resolve(Animal.self, name: "x") == nil)
        #expect(container.resolve(Animal.self, argument: 1) == nil)
        #expect(throws: ResolutionError.self) { try container.require(Animal.self) }
    }

    @Test func `the last registration of a key wins`() {
        container.register(Animal.self) { _ in Cat(name: "first") }
        container.register(Animal.self) { _ in Cat(name: "second") }

        #expect(container.resolve(Animal.self)?.name == "second")
    }

    @Test func `registering again drops the shared instance`() throws {
        container.register(Cat.self) { _ in Cat(name: "first") }.inObjectScope(.container)
        let first = try container.require(Cat.self)
        container.register(Cat.self) { _ in Cat(name: "second") }.inObjectScope(.container)

        #expect(try container.require(Cat.self) !== first)
        #expect(try container.require(Cat.self).name == "second")
    }

    @Test func `registering again gives the default scope back`() {
        let first = container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        let second = container.register(Cat.self) { _ in Cat() }

        #expect(first.objectScope === ObjectScope.container)
        #expect(second.objectScope === ObjectScope.graph)
        #expect(container.resolve(Cat.self) !== container.resolve(Cat.self))
    }

    @Test func `registering again leaves what forwards to the old entry`() throws {
        let old = container.register(Cat.self) { _ in Cat(name: "old") }
            .inObjectScope(.container)
            .implements(Animal.self)
        container.register(Cat.self) { _ in Cat(name: "new") }

        #expect(try container.require(Animal.self).name == "old")
        #expect(try container.require(Cat.self).name == "new")
        #expect(old.objectScope === ObjectScope.container)
    }

    @Test func `type, name and types of the arguments make the key`() {
        container.register(Animal.self) { _ in Cat(name: "plain") }
        container.register(Animal.self, name: "n") { _ in Cat(name: "named") }
        container.register(Animal.self) { (_, _: Int) in Cat(name: "with an Int") }
        container.register(Animal.self) { (_, _: String) in Cat(name: "with a String") }
        container.register(Animal.self) { (_, _: Int, _: String) in Cat(name: "with both") }
        container.register(Animal.self) { (_, _: String, _: Int) in Cat(name: "the other way") }
        container.register(Cat.self) { _ in Cat(name: "a cat") }

        #expect(container.resolve(Animal.self)?.name == "plain")
        #expect(container.resolve(Animal.self, name: "n")?.name == "named")
        #expect(container.resolve(Animal.self, argument: 1)?.name == "with an Int")
        #expect(container.resolve(Animal.self, argument: "")?.name == "with a String")
        #expect(container.resolve(Animal.self, arguments: 1, "")?.name == "with both")
        #expect(container.resolve(Animal.self, arguments: "", 1)?.name == "the other way")
        #expect(container.resolve(Cat.self)?.name == "a cat")
        #expect(container.resolve(Animal.self, argument: 1.0) == nil)
    }

    @Test func `a subclass and its superclass are two keys`() {
        container.register(Cat.self) { _ in Siamese(name: "as Cat") }

        #expect(container.resolve(Cat.self) is Siamese)
        #expect(container.resolve(Siamese.self) == nil)

        container.register(Siamese.self) { _ in Siamese(name: "as Siamese") }

        #expect(container.resolve(Cat.self)?.name == "as Cat")
        #expect(container.resolve(Siamese.self)?.name == "as Siamese")
    }

    @Test(arguments: [ObjectScope.transient, .graph, .container, .weak])
    func `a metatype in a variable means the variable's type`(scope: ObjectScope) throws {
        let kind: Cat.Type = Siamese.self
        container.register(kind) { _ in Cat(name: "a cat") }.inObjectScope(scope)
        container.register(kind, name: "n") { _ in Cat(name: "named") }.inObjectScope(scope)
        container.register(kind) { _, name in Cat(name: name) }.inObjectScope(scope)

        // A plain cat must never be taken for what it is not.
        #expect(container.resolve(Siamese.self) == nil)
        #expect(container.resolve(Siamese.self, name: "n") == nil)
        #expect(container.resolve(Siamese.self, argument: "x") == nil)
        for _ in 1...2 {
            #expect(container.resolve(Cat.self)?.name == "a cat")
            #expect(container.resolve(kind)?.name == "a cat")
            #expect(try container.require(kind, name: "n").name == "named")
            #expect(container.resolve(kind, argument: "with one")?.name == "with one")
        }
        #expect(container.hasAnyRegistration(of: kind))
        #expect(container.hasAnyRegistration(of: Cat.self))

        container.register(Siamese.self) { _ in Siamese(name: "siamese") }
            .inObjectScope(scope)
            .implements(kind)
        for _ in 1...2 {
            #expect(container.resolve(kind)?.name == "siamese")
            #expect(container.resolve(Cat.self)?.name == "siamese")
            #expect(container.resolve(Siamese.self)?.name == "siamese")
        }
        container.unregister(kind)
        #expect(container.resolve(Cat.self) == nil)
        #expect(container.resolve(Siamese.self) != nil)

        container.register(kind, instance: Cat(name: "an instance"))
        #expect(container.resolve(Cat.self)?.name == "an instance")
        #expect(container.resolve(Siamese.self)?.name == "siamese")
    }

    @Test func `removing all leaves nothing`() {
        container.register(Animal.self) { _ in Cat() }
        container.register(Animal.self, name: "n") { (_, _: Int) in Cat() }
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        _ = container.resolve(Cat.self)

        container.removeAll()

        #expect(container.resolve(Animal.self) == nil)
        #expect(container.resolve(Animal.self, name: "n", argument: 1) == nil)
        #expect(container.resolve(Cat.self) == nil)
        #expect(container.description == "[\n]")
    }

    @Test func `a removed type and name are gone with all shapes of arguments`() {
        container.register(Cat.self) { _ in Cat() }.implements(Animal.self)
        container.register(Cat.self) { (_, name: String) in Cat(name: name) }
        container.register(Cat.self, name: "kept") { _ in Cat() }

        container.unregister(Cat.self)

        #expect(container.resolve(Cat.self) == nil)
        #expect(container.resolve(Cat.self, argument: "x") == nil)
        #expect(container.resolve(Cat.self, name: "kept") != nil)
        #expect(container.resolve(Animal.self) is Cat, "what forwards stays")
    }

    @Test func `removing what a child has uncovers the parent's`() {
        container.register(Animal.self) { _ in Cat(name: "parent's") }
        let child = Container(parent: container)
        child.register(Animal.self) { _ in Cat(name: "child's") }
        #expect(child.resolve(Animal.self)?.name == "child's")

        child.removeAll()

        #expect(child.resolve(Animal.self)?.name == "parent's")
    }

    @Test func `a hundred types and names are all found`() {
        for number in 0..<100 {
            container.register(Int.self, name: "\(number)") { _ in number }
            container.register(String.self, name: "\(number)") { _ in "\(number)" }
        }
        for number in 0..<100 {
            #expect(container.resolve(Int.self, name: "\(number)") == number)
            #expect(container.resolve(String.self, name: "\(number)") == "\(number)")
        }
        #expect(container.resolve(Int.self) == nil)
    }
}

private protocol Animal {
    var name: String { get }
}

private class Cat: Animal {
    let name: String

    init(name: String = "") {
        self.name = name
    }
}

private final class Siamese: Cat {}
