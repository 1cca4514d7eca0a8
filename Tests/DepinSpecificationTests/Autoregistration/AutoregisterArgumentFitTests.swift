import Depin
import DepinInspection
import Testing

/// Which parameter of an initializer a runtime argument serves: one that it can be cast to, not only one
/// of its very type.
struct `Arguments of autoregistration` {
    private let container = Container()

    init() {
        container.register(Creature.self) { Cat("registered") }
        container.register(Cat.self) { Cat("registered") }
        container.register(String.self) { "registered" }
        container.register(Int.self) { 0 }
    }

    // MARK: What fits

    @Test func `an argument of a class serves a parameter of a protocol`() throws {
        container.autoregister(Owner.self, argument: Cat.self, initializer: Owner.init(pet:))

        #expect(try container.require(Owner.self, argument: Cat("given")).pet.name == "given")
    }

    @Test func `an argument of a subclass serves a parameter of the class`() throws {
        container.autoregister(
            Breeder.self,
            argument: Siamese.self,
            initializer: Breeder.init(cat:)
        )

        #expect(try container.require(Breeder.self, argument: Siamese("given")).cat.name == "given")
    }

    @Test func `an argument serves an optional parameter`() throws {
        container.autoregister(Label.self, argument: String.self, initializer: Label.init(text:))

        #expect(try container.require(Label.self, argument: "given").text == "given")
    }

    @Test func `an argument of a class serves an optional parameter of a protocol`() throws {
        container.autoregister(Shelter.self, argument: Cat.self, initializer: Shelter.init(animal:))

        let shelter = try container.require(Shelter.self, argument: Cat("given"))
        #expect(shelter.animal?.name == "given")
    }

    @Test func `an argument of a protocol serves what it holds`() throws {
        container.autoregister(
            Breeder.self,
            argument: Creature.self,
            initializer: Breeder.init(cat:)
        )

        let breeder = try container.require(Breeder.self, argument: Cat("given") as Creature)
        #expect(breeder.cat.name == "given")
    }

    @Test func `an argument that holds something else leaves the parameter to the registration`()
        throws
    {
        container.autoregister(
            Breeder.self,
            argument: Creature.self,
            initializer: Breeder.init(cat:)
        )

        let breeder = try container.require(Breeder.self, argument: Dog() as Creature)
        #expect(breeder.cat.name == "registered")
    }

    @Test func `an optional argument serves a parameter of the same optional type, nil too`()
        throws
    {
        container.autoregister(Label.self, argument: String?.self, initializer: Label.init(text:))

        #expect(try container.require(Label.self, argument: "given" as String?).text == "given")
        #expect(try container.require(Label.self, argument: nil as String?).text == nil)
    }

    @Test func `a nil of another type serves no optional parameter`() throws {
        container.autoregister(Label.self, argument: Int?.self, initializer: Label.init(text:))

        #expect(try container.require(Label.self, argument: nil as Int?).text == "registered")
    }

    @Test func `an argument that fits nothing serves nothing, and what is needed is resolved`()
        throws
    {
        container.autoregister(Owner.self, argument: Int.self, initializer: Owner.init(pet:))

        #expect(try container.require(Owner.self, argument: 5).pet.name == "registered")
    }

    @Test func `an argument stands where it fits, and what does not is resolved`() throws {
        container.autoregister(
            Clinic.self,
            argument: Siamese.self,
            initializer: Clinic.init(name:patient:rooms:)
        )

        let clinic = try container.require(Clinic.self, argument: Siamese("given"))
        #expect(clinic.name == "registered")
        #expect(clinic.patient.name == "given")
        #expect(clinic.rooms == 0)
    }

    // MARK: More than one that fits

    @Test func `one argument serves every parameter that it fits`() throws {
        container.autoregister(
            Couple.self,
            argument: Cat.self,
            initializer: Couple.init(animal:cat:)
        )

        let couple = try container.require(Couple.self, argument: Cat("given"))
        #expect(couple.animal.name == "given")
        #expect(couple.cat.name == "given")
    }

    @Test func `one argument serves two parameters of its own type`() throws {
        container.autoregister(
            Words.self,
            argument: String.self,
            initializer: Words.init(one:other:)
        )

        let words = try container.require(Words.self, argument: "given")
        #expect(words.one == "given")
        #expect(words.other == "given")
    }

    @Test func `of two arguments that fit one parameter, the first serves it`() throws {
        container.autoregister(
            Owner.self,
            arguments: Siamese.self,
            Cat.self,
            initializer: Owner.init(pet:)
        )

        let owner = try container.require(Owner.self, arguments: Siamese("first"), Cat("second"))
        #expect(owner.pet.name == "first")
    }

    @Test func `an argument of the very type comes before one that can be cast`() throws {
        container.autoregister(
            Couple.self,
            arguments: Cat.self,
            Creature.self,
            initializer: Couple.init(animal:cat:)
        )

        let couple = try container.require(
            Couple.self,
            arguments: Cat("cat"),
            Dog() as Creature
        )
        #expect(couple.animal.name == "dog")
        #expect(couple.cat.name == "cat")
    }

    // MARK: Validation

    @Test func `what an argument serves need not be registered`() throws {
        let container = Container()
        container.autoregister(Owner.self, argument: Cat.self, initializer: Owner.init(pet:))
        container.autoregister(
            Breeder.self,
            argument: Creature.self,
            initializer: Breeder.init(cat:)
        )
        container.autoregister(Shelter.self, argument: Cat.self, initializer: Shelter.init(animal:))

        #expect(try container.validate().problems.isEmpty)
    }

    @Test func `a parameter of a private protocol is no false alarm`() throws {
        let container = Container()
        container.autoregister(Chorus.self, argument: Cat.self, initializer: Chorus.init(voice:))

        #expect(try container.validate().problems.isEmpty)
    }

    @Test func `what no argument serves must be registered`() throws {
        let container = Container()
        container.autoregister(
            Clinic.self,
            arguments: String.self,
            Int.self,
            initializer: Clinic.init(name:patient:rooms:)
        )

        let error = try #require(throws: ValidationError.self) { try container.validate() }
        #expect(error.problems.map(\.kind) == [.missing])
    }

    @Test func `validation tells of an argument that serves two parameters`() throws {
        container.autoregister(
            Couple.self,
            argument: Cat.self,
            initializer: Couple.init(animal:cat:)
        )

        let problems = try container.validate().problems
        #expect(problems.map(\.kind.description) == ["ambiguousArgument"])
        #expect(problems.first?.severity == .warning)
    }

    @Test func `validation tells of a parameter that two arguments fit`() throws {
        container.autoregister(
            Owner.self,
            arguments: Siamese.self,
            Cat.self,
            initializer: Owner.init(pet:)
        )

        let problems = try container.validate().problems
        #expect(problems.map(\.kind.description) == ["ambiguousArgument"])
    }

    @Test func `an argument that has a place is not taken for one that its value may have`() throws
    {
        let container = Container()
        container.autoregister(
            Introduction.self,
            argument: (any Creature).self,
            initializer: Introduction.init(creature:greeter:)
        )

        let error = try #require(throws: ValidationError.self) { try container.validate() }
        #expect(error.problems.map(\.kind) == [.missing])
    }

    @Test func `an argument of a protocol may serve a parameter of another one`() throws {
        let container = Container()
        container.autoregister(
            Reception.self,
            argument: (any Creature).self,
            initializer: Reception.init(greeter:)
        )

        #expect(try container.validate().problems.isEmpty)
        let reception = try container.require(
            Reception.self,
            argument: Cat("given") as any Creature
        )
        #expect(reception.greeter is Cat)
    }

    @Test func `an argument of elements serves a parameter of what they conform to`() throws {
        let container = Container()
        container.autoregister(Herd.self, argument: [Cat].self, initializer: Herd.init(creatures:))

        #expect(try container.validate().problems.isEmpty)
        let herd = try container.require(Herd.self, argument: [Cat("given")])
        #expect(herd.creatures.map(\.name) == ["given"])
    }

    @Test func `the messages say what to do`() throws {
        let container = Container()
        container.autoregister(
            Owner.self,
            arguments: Siamese.self,
            Cat.self,
            Int.self,
            initializer: Owner.init(pet:)
        )
        container.autoregister(
            Words.self,
            argument: String.self,
            initializer: Words.init(one:other:)
        )

        let error = try #require(throws: ValidationError.self) { try container.validate() }
        try Golden("validation with arguments that fit badly").check("\(error)")
    }

    @Test func `validation has nothing to say where each argument fits one parameter`() throws {
        container.autoregister(
            Clinic.self,
            arguments: Siamese.self,
            String.self,
            initializer: Clinic.init(name:patient:rooms:)
        )

        #expect(try container.validate().problems.isEmpty)
    }
}

// Not private: of a private protocol the runtime may not find out who conforms.
protocol Creature {
    var name: String { get }
}

private protocol Purring {}

protocol Greeter {}

private struct Chorus {
    let voice: any Purring
}

private class Cat: Creature, Purring, Greeter {
    let name: String

    init(_ name: String) { self.name = name }
}

private final class Siamese: Cat {}

private struct Dog: Creature {
    let name = "dog"
}

private struct Owner {
    let pet: any Creature
}

private struct Breeder {
    let cat: Cat
}

private struct Label {
    let text: String?
}

private struct Shelter {
    let animal: (any Creature)?
}

private struct Clinic {
    let name: String
    let patient: any Creature
    let rooms: Int
}

private struct Couple {
    let animal: any Creature
    let cat: Cat
}

private struct Introduction {
    let creature: any Creature
    let greeter: any Greeter
}

private struct Reception {
    let greeter: any Greeter
}

private struct Herd {
    let creatures: [any Creature]
}

private struct Words {
    let one: String
    let other: String
}
