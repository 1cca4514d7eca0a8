import Depin
import Testing

struct `Assemblers` {
    @Test func `an assembler makes a container and applies assemblies`() {
        let assembler = Assembler([AnimalAssembly(), FoodAssembly()])

        #expect(assembler.resolver.resolve(Animal.self)?.name == "Whiskers")
        #expect(assembler.resolver.resolve(Food.self) != nil)
        #expect(assembler.resolver.resolve(Owner.self) == nil)
    }

    @Test func `an assembler may have its container from outside`() {
        let container = Container()
        let assembler = Assembler([AnimalAssembly()], container: container)
        #expect(container.resolve(Animal.self) != nil)

        container.register(Food.self) { _ in Food() }
        #expect(assembler.resolver.resolve(Food.self) != nil)

        let other = Assembler(container: container)
        #expect(other.resolver.resolve(Animal.self) != nil)
    }

    @Test func `without a container it makes one`() {
        for assembler in [Assembler(), Assembler(container: nil), Assembler([])] {
            #expect(assembler.resolver.resolve(Animal.self) == nil)
            assembler.apply(assembly: AnimalAssembly())
            #expect(assembler.resolver.resolve(Animal.self) != nil)
        }
    }

    @Test func `assemblies can be applied later`() {
        let assembler = Assembler([AnimalAssembly()])
        let resolver = assembler.resolver
        #expect(resolver.resolve(Food.self) == nil)

        assembler.apply(assembly: FoodAssembly())
        #expect(resolver.resolve(Food.self) != nil)

        assembler.apply(assemblies: [OwnerAssembly()])
        #expect(resolver.resolve(Owner.self)?.animal.name == "Whiskers")
    }

    @Test func `the order of assemblies does not matter to what they need`() {
        let assembler = Assembler([OwnerAssembly(), FoodAssembly(), AnimalAssembly()])

        #expect(assembler.resolver.resolve(Owner.self) != nil)
    }

    @Test func `of assemblies that register the same the last wins`() {
        let assembler = Assembler([AnimalAssembly(), LoadAware(named: "Bojangles") { _ in }])

        #expect(assembler.resolver.resolve(Animal.self)?.name == "Bojangles")
    }

    @Test func `all assemble before any is told that all are loaded, in order`() {
        let events = EventLog<String>()
        let assembler = Assembler([
            Noting(name: "a", events: events), Noting(name: "b", events: events),
        ])
        #expect(events.all == ["assemble a", "assemble b", "loaded a", "loaded b"])

        assembler.apply(assembly: Noting(name: "c", events: events))
        #expect(events.all.suffix(2) == ["assemble c", "loaded c"])
    }

    @Test func `what is told can resolve what all have registered`() {
        let names = EventLog<String?>()
        let loadAware = LoadAware(named: "Bojangles") { resolver in
            names.note(resolver.resolve(Animal.self)?.name)
            names.note(resolver.resolve(Owner.self)?.animal.name)
        }
        #expect(!loadAware.isLoaded)
        let assembler = Assembler(container: Container())
        assembler.apply(assemblies: [loadAware, OwnerAssembly()])

        #expect(loadAware.isLoaded)
        #expect(names.all == ["Bojangles", "Bojangles"])
    }

    @Test func `an assembly may be a class with subclasses`() {
        let assembler = Assembler([SpecialAssembly()])

        #expect(assembler.resolver.resolve(Animal.self)?.name == "special")
        #expect(assembler.resolver.resolve(Food.self) != nil)
    }

    // MARK: - Parents

    @Test func `a child assembler finds what the parent has`() {
        let parent = Assembler([AnimalAssembly()])
        let child = Assembler(parentAssembler: parent)
        let withOwn = Assembler([FoodAssembly()], parent: parent)

        #expect(child.resolver.resolve(Animal.self) != nil)
        #expect(withOwn.resolver.resolve(Animal.self) != nil)
        #expect(withOwn.resolver.resolve(Food.self) != nil)
        #expect(parent.resolver.resolve(Food.self) == nil)
        #expect(child.resolver.resolve(Food.self) == nil)
    }

    @Test func `a parent's later assemblies are seen`() {
        let parent = Assembler()
        let child = Assembler(parentAssembler: parent)
        parent.apply(assembly: AnimalAssembly())

        #expect(child.resolver.resolve(Animal.self) != nil)
    }

    @Test func `a child keeps its parent's container alive`() {
        let child = Assembler([OwnerAssembly()], parent: Assembler([AnimalAssembly()]))

        #expect(child.resolver.resolve(Owner.self) != nil)
    }

    @Test func `without a parent it stands alone`() {
        let none: Assembler? = nil

        #expect(Assembler(parentAssembler: nil).resolver.resolve(Animal.self) == nil)
        #expect(Assembler(parentAssembler: none).resolver.resolve(Animal.self) == nil)
        #expect(Assembler([AnimalAssembly()], parent: nil).resolver.resolve(Animal.self) != nil)
    }

    @Test func `a default scope goes for the child's container`() throws {
        let parent = Assembler([AnimalAssembly()])
        let child = Assembler(
            [FoodAssembly()],
            parent: parent,
            defaultObjectScope: .container
        )
        let other = Assembler(parentAssembler: parent, defaultObjectScope: .container)
        other.apply(assembly: FoodAssembly())

        for resolver in [child.resolver, other.resolver] {
            #expect(try resolver.require(Food.self) === resolver.require(Food.self))
        }
        let unshared = Assembler([FoodAssembly()]).resolver
        #expect(try unshared.require(Food.self) !== unshared.require(Food.self))
    }

    // MARK: - The builder

    @Test(arguments: [true, false])
    func `a closure lists assemblies, with conditions and loops`(condition: Bool) {
        let events = EventLog<String>()
        let optional: String? = condition ? "optional" : nil
        let assembler = Assembler()
        assembler.apply {
            Noting(name: "first", events: events)
            if condition {
                Noting(name: "if", events: events)
            }
            if let optional {
                Noting(name: optional, events: events)
            }
            if condition {
                Noting(name: "then", events: events)
            } else {
                Noting(name: "else", events: events)
            }
            switch condition {
            case true: Noting(name: "case", events: events)
            case false: AnimalAssembly()
            }
            for number in 0..<2 {
                Noting(name: "\(number)", events: events)
            }
            [Noting(name: "array", events: events), FoodAssembly()]
        }
        let expected =
            condition
            ? ["first", "if", "optional", "then", "case", "0", "1", "array"]
            : ["first", "else", "0", "1", "array"]
        #expect(
            events.all == expected.map { "assemble \($0)" } + expected.map { "loaded \($0)" }
        )
        #expect(assembler.resolver.resolve(Food.self) != nil)
    }

    @Test func `a closure may list nothing, or one`() {
        let assembler = Assembler()
        assembler.apply {}
        assembler.apply { AnimalAssembly() }

        #expect(assembler.resolver.resolve(Animal.self) != nil)
    }
}

private protocol Animal {
    var name: String { get }
}

private final class Cat: Animal {
    let name: String

    init(_ name: String) { self.name = name }
}

private final class Food {}

private struct Owner {
    let animal: Animal
}

private final class AnimalAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Animal.self) { _ in Cat("Whiskers") }
    }
}

private struct FoodAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Food.self) { _ in Food() }
    }
}

private struct OwnerAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Owner.self) { resolver in Owner(animal: resolver ~> Animal.self) }
    }
}

private final class LoadAware: Assembly {
    private let name: String
    private let onLoad: (Resolver) -> Void
    private(set) var isLoaded = false

    init(named name: String, onLoad: @escaping (Resolver) -> Void) {
        self.name = name
        self.onLoad = onLoad
    }

    func assemble(container: Container) {
        let name = name
        container.register(Animal.self) { _ in Cat(name) }
    }

    func loaded(resolver: Resolver) {
        onLoad(resolver)
        isLoaded = true
    }
}

private struct Noting: Assembly {
    let name: String
    let events: EventLog<String>

    func assemble(container: Container) { events.note("assemble \(name)") }

    func loaded(resolver: Resolver) { events.note("loaded \(name)") }
}

private class CommonAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Food.self) { _ in Food() }
    }

    func loaded(resolver: Resolver) {}
}

private final class SpecialAssembly: CommonAssembly {
    override func assemble(container: Container) {
        super.assemble(container: container)
        container.register(Animal.self) { _ in Cat("special") }
    }
}
