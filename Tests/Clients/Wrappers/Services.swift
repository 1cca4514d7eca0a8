final class Engine {}

final class Car {
    let engine: Engine
    let seats: Int

    init(engine: Engine, seats: Int) {
        self.engine = engine
        self.seats = seats
    }
}

final class Garage {
    let engine: Engine

    init(engine: Engine) { self.engine = engine }

    init(engine: Engine, other: Engine) { self.engine = other }
}

@MainActor final class Dashboard {
    let text: String

    init(text: String) { self.text = text }
}
