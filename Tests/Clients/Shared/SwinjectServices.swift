import Depin

// The services of SwinjectCode.swift and AutoregistrationCode.swift, as older code has them:
// classes with mutable state, none of them `Sendable`. `nonisolated` says nothing but in the client
// whose default is the main actor; there, MainActorFactories.swift has the isolated ones.

nonisolated protocol Animal: AnyObject {
    var name: String { get set }
}

nonisolated protocol Pet: AnyObject {}
nonisolated protocol Runner: AnyObject {}
nonisolated protocol Eater: AnyObject {}
nonisolated protocol Sleeper: AnyObject {}
nonisolated protocol Hunter: AnyObject {}
nonisolated protocol Climber: AnyObject {}
nonisolated protocol Swimmer: AnyObject {}
nonisolated protocol Jumper: AnyObject {}
nonisolated protocol Listener: AnyObject {}
nonisolated protocol Washer: AnyObject {}

nonisolated class Cat: Animal, Pet, Runner, Eater, Sleeper, Hunter, Climber, Swimmer, Jumper,
    Listener, Washer
{
    var name: String
    weak var owner: Owner?

    init() {
        name = "Mimi"
    }

    init(name: String) {
        self.name = name
    }

    init(resolver: Resolver) {
        name = resolver.resolve(String.self) ?? "Mimi"
    }

    init(resolver: Resolver, name: String) {
        self.name = name
    }
}

nonisolated class Siamese: Cat {
    override init() {
        super.init(name: "Siamese")
    }

    override init(name: String) {
        super.init(name: name)
    }
}

nonisolated protocol Person: AnyObject {
    func play() -> String
}

nonisolated class Owner: Person {
    var pet: Animal?
    var food: Food?
    var injected = false

    init() {}

    init(pet: Animal) {
        self.pet = pet
    }

    init(pet: Animal, food: Food?) {
        self.pet = pet
        self.food = food
    }

    func play() -> String { "I'm playing with \(pet?.name ?? "nobody")." }
}

nonisolated struct Food {
    var weight = 1
}

nonisolated enum Size {
    case small, large
}
