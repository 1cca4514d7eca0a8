import Depin
import Testing

struct `Arguments` {
    private let container = Container()

    @Test func `one argument`() {
        container.register(Animal.self) { _, name in Cat(name: name) }

        let mimi = container.resolve(Animal.self, argument: "Mimi")!
        #expect(mimi.name == "Mimi")
        #expect(container.resolve(Animal.self) == nil)
    }

    @Test func `several arguments, their types taken from what they are used for`() {
        container.register(Animal.self) { _, name, isAsleep in Cat(name: name, isAsleep: isAsleep) }

        let cat = container.resolve(Animal.self, arguments: "Mimi", true) as? Cat
        #expect(cat?.name == "Mimi")
        #expect(cat?.isAsleep == true)
    }

    @Test func `several arguments, their types written out`() {
        container.register(Animal.self) { (_, name: String, isAsleep: Bool) in
            Cat(name: name, isAsleep: isAsleep)
        }
        let cat = container.resolve(Animal.self, arguments: "Mimi", false) as? Cat
        #expect(cat?.isAsleep == false)
    }

    @Test func `a name beside arguments`() {
        container.register(Animal.self, name: "n") { _, name in Cat(name: name) }
        container.register(Animal.self, name: "n") { (_, one: String, two: String) in
            Cat(name: one + two)
        }
        #expect(container.resolve(Animal.self, name: "n", argument: "a")?.name == "a")
        #expect(container.resolve(Animal.self, name: "n", arguments: "a", "b")?.name == "ab")
        #expect(container.resolve(Animal.self, argument: "a") == nil)
    }

    @Test func `a dozen arguments`() {
        container.register(String.self) {
            (
                _,
                a: Int,
                b: Int,
                c: Int,
                d: Int,
                e: Int,
                f: Int,
                g: Int,
                h: Int,
                i: Int,
                j: Int,
                k: Int,
                l: String
            ) in
            "\(a) \(b) \(c) \(d) \(e) \(f) \(g) \(h) \(i) \(j) \(k) \(l)"
        }
        let text = container.resolve(
            String.self,
            arguments: 1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            9,
            10,
            11,
            "12"
        )
        #expect(text == "1 2 3 4 5 6 7 8 9 10 11 12")
    }

    @Test func `every number of arguments has a key of its own`() {
        container.register(Int.self) { (_, _: Int) in 1 }
        container.register(Int.self) { (_, _: Int, _: Int) in 2 }
        container.register(Int.self) { (_, _: Int, _: Int, _: Int) in 3 }
        container.register(Int.self) { (_, _: Int, _: Int, _: Int, _: Int) in 4 }
        container.register(Int.self) { (_, _: Int, _: Int, _: Int, _: Int, _: Int) in 5 }
        container.register(Int.self) { (_, _: Int, _: Int, _: Int, _: Int, _: Int, _: Int) in 6 }

        #expect(container.resolve(Int.self, argument: 0) == 1)
        #expect(container.resolve(Int.self, arguments: 0) == 1, "both labels mean one argument")
        #expect(container.resolve(Int.self, arguments: 0, 0) == 2)
        #expect(container.resolve(Int.self, arguments: 0, 0, 0) == 3)
        #expect(container.resolve(Int.self, arguments: 0, 0, 0, 0) == 4)
        #expect(container.resolve(Int.self, arguments: 0, 0, 0, 0, 0) == 5)
        #expect(container.resolve(Int.self, arguments: 0, 0, 0, 0, 0, 0) == 6)
        #expect(container.resolve(Int.self, arguments: 0, 0, 0, 0, 0, 0, 0) == nil)
    }

    @Test func `an argument of existential type keeps that type`() {
        container.register(String.self) { (_, animal: Animal) in "protocol \(animal.name)" }
        container.register(String.self) { (_, cat: Cat) in "class \(cat.name)" }

        let animal: Animal = Cat(name: "Mimi")
        #expect(container.resolve(String.self, argument: animal) == "protocol Mimi")
        #expect(container.resolve(String.self, argument: Cat(name: "Mew")) == "class Mew")
        #expect(
            container.resolve(String.self, argument: Cat(name: "Mew") as Animal) == "protocol Mew"
        )
        #expect((container ~> (String.self, argument: animal)) == "protocol Mimi")
        #expect(container.resolve(String.self, arguments: animal) == "protocol Mimi")
    }

    @Test func `an optional argument has a type of its own`() {
        container.register(Animal.self) { (_, name: String?) in Cat(name: name ?? "nameless") }

        let none: String? = nil
        #expect(container.resolve(Animal.self, argument: none)?.name == "nameless")
        #expect(container.resolve(Animal.self, argument: "Mimi" as String?)?.name == "Mimi")
        #expect(container.resolve(Animal.self, argument: "Mimi") == nil)
    }

    @Test func `an implicitly unwrapped argument is an optional one`() {
        container.register(Animal.self) { (_, name: String?) in Cat(name: name ?? "nameless") }

        let name: String! = "Mimi"
        #expect(container.resolve(Animal.self, argument: name)?.name == "Mimi")
    }

    @Test func `closures, tuples and metatypes may be arguments`() {
        container.register(String.self) { (_, make: () -> String) in make() }
        container.register(String.self) { (_, pair: (Int, String)) in "\(pair.0) \(pair.1)" }
        container.register(String.self) { (_, type: Any.Type) in "\(type)" }

        let make: () -> String = { "made" }
        #expect(container.resolve(String.self, argument: make) == "made")
        #expect(container.resolve(String.self, argument: (1, "a")) == "1 a")
        #expect(container.resolve(String.self, argument: Int.self as Any.Type) == "Int")
    }

    @Test func `arguments reach the factories of a parent`() {
        container.register(Animal.self) { _, name in Cat(name: name) }
        let child = Container(parent: container)

        #expect(child.resolve(Animal.self, argument: "Mimi")?.name == "Mimi")
    }

    // MARK: - Sharing

    @Test func `in graph scope equal arguments share an instance and others do not`() throws {
        container.register(Cat.self) { _, name in Cat(name: name) }
        container.register([Cat].self) { resolver in
            [
                resolver ~> (Cat.self, argument: "a"),
                resolver ~> (Cat.self, argument: "a"),
                resolver ~> (Cat.self, argument: "b"),
            ]
        }
        let cats = try container.require([Cat].self)
        #expect(cats[0] === cats[1])
        #expect(cats[0] !== cats[2])
        #expect(cats[2].name == "b")
    }

    @Test func `in graph scope objects are compared by identity and the rest is never equal`()
        throws
    {
        struct Plain {}
        container.register(Cat.self) { (_, _: Owner) in Cat(name: "owned") }
        container.register(Cat.self) { (_, _: Plain) in Cat(name: "plain") }
        let (owner, other) = (Owner(), Owner())
        container.register([Cat].self) { resolver in
            [
                resolver ~> (Cat.self, argument: owner),
                resolver ~> (Cat.self, argument: owner),
                resolver ~> (Cat.self, argument: other),
                resolver ~> (Cat.self, argument: Plain()),
                resolver ~> (Cat.self, argument: Plain()),
            ]
        }
        let cats = try container.require([Cat].self)
        #expect(cats[0] === cats[1])
        #expect(cats[0] !== cats[2])
        #expect(cats[3] !== cats[4])
    }

    @Test(arguments: [ObjectScope.container, .weak, ObjectScope(named: "session")])
    func `scopes that keep longer ignore the values, and the first wins`(scope: ObjectScope) throws
    {
        container.register(Cat.self) { _, name in Cat(name: name) }.inObjectScope(scope)

        let first = try container.require(Cat.self, argument: "first")
        let second = try container.require(Cat.self, argument: "second")
        #expect(first === second)
        #expect(second.name == "first")
    }
}

private protocol Animal {
    var name: String { get }
}

private final class Cat: Animal {
    let name: String
    let isAsleep: Bool

    init(name: String, isAsleep: Bool = false) {
        self.name = name
        self.isAsleep = isAsleep
    }

    convenience init(name: String) {
        self.init(name: name, isAsleep: false)
    }
}

private final class Owner: Sendable {}
