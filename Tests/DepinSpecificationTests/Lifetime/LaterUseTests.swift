import Depin
import Testing

private final class Settings: Sendable {
    let resolver: any Resolver
    init(_ resolver: any Resolver) { self.resolver = resolver }
}
private final class Screen: Sendable {
    let settings: Lazy<Settings>
    init(_ settings: Lazy<Settings>) { self.settings = settings }
}
private final class Model: Sendable {
    let (settings, screen): (Settings, Screen)
    init(_ settings: Settings, _ screen: Screen) {
        (self.settings, self.screen) = (settings, screen)
    }
}
private final class Unit: Sendable {
    let resolver: any Resolver
    let gone: CallCount
    init(_ resolver: any Resolver, _ gone: CallCount) {
        (self.resolver, self.gone) = (resolver, gone)
    }
    deinit { _ = gone.add() }
}
private final class Coordinator: Sendable {
    let units: Provider<Unit>
    init(_ units: Provider<Unit>) { self.units = units }
}

/// What an instance asks for later, when its resolution has ended.
struct `A later use` {
    /// The settings keep the resolver of the graph, and the screen would keep them.
    @Test func `of a shared instance's Lazy keeps no container`() {
        weak var screen: Screen?
        do {
            let container = Container()
            container.register(Settings.self) { r in Settings(r) }
            container.register(Screen.self) { r in Screen(r ~> Lazy<Settings>.self) }
                .inObjectScope(.container)
            container.register(Model.self) { r in Model(r ~> Settings.self, r ~> Screen.self) }
            let model = container ~> Model.self
            #expect(model.screen.settings.instance === model.settings)
            screen = model.screen
        }
        #expect(screen == nil)
    }

    @Test(arguments: EveryScope.unshared)
    func `through the resolver of what nobody shares finds its container open`(_ kept: EveryScope) {
        func settings() -> Settings {
            let container = Container()
            container.register(Int.self) { 7 }
            container.register(Settings.self) { r in Settings(r) }.inObjectScope(kept.scope)
            return container ~> Settings.self
        }
        #expect(settings().resolver.resolve(Int.self) == 7)
    }

    @Test func `through a child that has gone has what the parent makes and closes`() async throws {
        let (app, gone, closed) = (Container(), CallCount(), CallCount())
        app.register(Unit.self) { r in Unit(r, gone) }.onClose { _ in _ = closed.add() }
        var session: Container? = Container(parent: app)
        session?.register(Coordinator.self) { r in Coordinator(r ~> Provider<Unit>.self) }
            .inObjectScope(.container)
        let coordinator = try #require(session) ~> Coordinator.self
        session = nil
        for _ in 0..<3 { use(coordinator.units.instance) }
        try await app.close()
        #expect(closed.count == 3)
        #expect(gone.count == 3)
    }
}
