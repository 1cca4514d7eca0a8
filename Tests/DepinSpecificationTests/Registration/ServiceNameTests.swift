import Depin
import Testing

struct `Service names` {
    private let container = Container()

    @Test func `registrations of one type are told apart by name`() {
        container.register(Animal.self, name: "mimi") { _ in Cat(name: "Mimi") }
        container.register(Animal.self, name: "mew") { _ in Cat(name: "Mew") }
        container.register(Animal.self) { _ in Cat(name: "nameless") }

        let mimi = container.resolve(Animal.self, name: "mimi") as? Cat
        let mew = container.resolve(Animal.self, name: "mew") as? Cat
        let nameless = container.resolve(Animal.self) as? Cat
        #expect(mimi?.name == "Mimi")
        #expect(mew?.name == "Mew")
        #expect(nameless?.name == "nameless")
        #expect(container.resolve(Animal.self, name: "other") == nil)
    }

    @Test func `a nil name is no name`() {
        let none: String? = nil
        container.register(Animal.self, name: nil) { _ in Cat(name: "nameless") }

        #expect(container.resolve(Animal.self) != nil)
        #expect(container.resolve(Animal.self, name: nil) != nil)
        #expect(container.resolve(Animal.self, name: none) != nil)
        #expect((container ~> (Animal.self, name: none)).name == "nameless")
        #expect(container.resolve(Animal.self, name: "") == nil, "the empty name is a name")
    }

    @Test func `a name may be an optional string`() {
        let name: String? = "mimi"
        container.register(Animal.self, name: name) { _ in Cat(name: "Mimi") }

        #expect(container.resolve(Animal.self, name: name) != nil)
        #expect(container.resolve(Animal.self, name: "mimi") != nil)
        #expect(container.resolve(Animal.self) == nil)
    }

    @Test func `a service name and its string are the same name`() {
        container.register(Animal.self, name: Pet.mimi) { _ in Cat(name: "by case") }
        container.register(Animal.self, name: "rex") { _ in Cat(name: "by string") }

        #expect(container.resolve(Animal.self, name: "mimi")?.name == "by case")
        #expect(container.resolve(Animal.self, name: Pet.rex)?.name == "by string")
        #expect((container ~> (Animal.self, name: "mimi")).name == "by case")
        #expect((container ~> (Animal.self, name: Pet.rex)).name == "by string")
    }

    @Test func `a service name serves every form of registering and asking`() throws {
        container.register(Animal.self, name: Pet.mimi) { Cat(name: "no parameter") }
        container.register(Animal.self, name: Pet.mimi) { _, name in Cat(name: name) }
        container.register(Animal.self, name: Pet.mimi) { (_, one: String, two: String) in
            Cat(name: one + two)
        }
        container.register(Animal.self, name: Pet.rex, instance: Cat(name: "made before"))
        container.autoregister(
            Animal.self,
            name: Pet.rex,
            arguments: String.self,
            Int.self,
            initializer: { (name: String, age: Int) in Cat(name: "\(name) \(age)") }
        )

        #expect(container.resolve(Animal.self, name: Pet.mimi)?.name == "no parameter")
        #expect(container.resolve(Animal.self, name: Pet.mimi, argument: "a")?.name == "a")
        #expect(container.resolve(Animal.self, name: Pet.mimi, arguments: "a", "b")?.name == "ab")
        #expect(try container.require(Animal.self, name: Pet.rex).name == "made before")
        #expect(try container.require(Animal.self, name: Pet.mimi, argument: "a").name == "a")
        #expect(
            try container.require(Animal.self, name: Pet.mimi, arguments: "a", "b").name == "ab"
        )
        #expect(container.resolve(Animal.self, name: Pet.rex, arguments: "a", 7)?.name == "a 7")
        let rex: Animal = container.autoResolve(name: Pet.rex)
        #expect(rex.name == "made before")
    }

    @Test func `a name of one's own making need not be an enumeration`() {
        container.register(Animal.self, name: Dynamic(name: "x-1")) { _ in Cat(name: "dynamic") }

        #expect(container.resolve(Animal.self, name: "x-1")?.name == "dynamic")
    }

    @Test func `each name has a shared instance of its own`() {
        container.register(Cat.self, name: "a") { _ in Cat(name: "") }.inObjectScope(.container)
        container.register(Cat.self, name: "b") { _ in Cat(name: "") }.inObjectScope(.container)

        let one = container.resolve(Cat.self, name: "a")
        #expect(one === container.resolve(Cat.self, name: "a"))
        #expect(one !== container.resolve(Cat.self, name: "b"))
    }
}

private protocol Animal {
    var name: String { get }
}

private final class Cat: Animal {
    let name: String

    init(name: String) {
        self.name = name
    }
}

private enum Pet: String, ServiceName {
    case mimi, rex
}

private struct Dynamic: ServiceName {
    let name: String
}
