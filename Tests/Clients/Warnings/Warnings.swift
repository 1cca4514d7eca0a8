import Depin

// Where Swift 5 mode is not silent. `.ci/run clients` has it compiled for its warnings; the article on
// migration says what to do about each of them.

class Settings { var volume = 1 }  // expected-note 2{{does not conform to the 'Sendable' protocol}}

@MainActor class Model {
    init() {}  // expected-note 2{{from outside of its actor context are implicitly asynchronous}}
    init(settings: Settings) {}
}

// Code that has nothing to do with concurrency hears of nothing but the main actor.

func plain(_ container: Container) {
    let settings = Settings()
    container.register(Settings.self) { _ in settings }
    container.register(Model.self) { _ in Model() }
    // expected-warning@-1{{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
    container.autoregister(Model.self, initializer: Model.init(settings:))
    // expected-warning@-1{{loses global actor 'MainActor'}}
    container.register(Model.self, mainActorFactory: { Model() })
    container.autoregister(Model.self, mainActorInitializer: Model.init(settings:))
}

// Code of an actor, and `async` code, is checked for what its factories capture.

@MainActor class Launch {
    let settings = Settings()  // expected-note{{property declared here}}

    func register(in container: Container) {
        let local = Settings()
        container.register(Settings.self) { _ in local }
        // expected-warning@-1{{capture of 'local' with non-Sendable type 'Settings' in a '@Sendable' closure}}
        container.register(Settings.self) { _ in self.settings }
        // expected-warning@-1{{main actor-isolated property 'settings' can not be referenced from a Sendable closure}}
        container.register(Model.self) { _ in Model() }
        // expected-warning@-1{{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
        container.register(Settings.self, mainActorFactory: { self.settings })
        container.register(Settings.self, instance: local)
    }
}

func register(in container: Container) async {
    let settings = Settings()
    container.register(Settings.self) { _ in settings }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings' in a '@Sendable' closure}}
    let make: (Resolver) -> Settings = { _ in Settings() }
    container.register(Settings.self, factory: make)
    // expected-warning@-1{{converting non-Sendable function value to '@Sendable (any Resolver) throws -> Settings' may introduce data races}}
    let makeAnywhere: @Sendable (Resolver) -> Settings = { _ in Settings() }
    container.register(Settings.self, factory: makeAnywhere)
}
