// flags: -default-isolation MainActor
import Depin

// What is written without `nonisolated` in a module whose default isolation is the main actor, and what
// the compiler answers. `.ci/run clients` has it compiled for its errors and warnings; the article on
// Swift 6 says what to do about each of them.

final class Cache {
    init() {}
    // expected-note@-1{{calls to initializer 'init()' from outside of its actor context are implicitly asynchronous}}
}

protocol API: Sendable {
    func titles() -> [String]
    // expected-note@-1 2{{calls to instance method 'titles()' from outside of its actor context are implicitly asynchronous}}
}

final class FeedModel {
    private let api: API

    init(api: API) { self.api = api }
}

enum ThemeKey: SpaceKey {
    static var defaultValue: String { "light" }
}

extension SpaceValues {
    var theme: String {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
}

struct FeedAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Cache.self) { Cache() }
        // expected-warning@-1{{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
        container.register(Int.self) { r in (r ~> API.self).titles().count }
        // expected-warning@-1{{call to main actor-isolated instance method 'titles()' in a synchronous nonisolated context}}
        container.autoregister(FeedModel.self, initializer: FeedModel.init)
        // expected-error@-1{{converting function value of type '@MainActor @Sendable (any API) -> FeedModel' to '@Sendable (any API) throws -> FeedModel' loses global actor 'MainActor'}}
    }
}

actor Downloader {
    @Injected private var api: API

    func download() -> [String] { api.titles() }
    // expected-error@-1{{call to main actor-isolated instance method 'titles()' in a synchronous actor-isolated context}}
}

nonisolated struct Banner {
    @Space(\.theme) var theme
    // expected-error@-1{{main actor-isolated default value in a nonisolated context}}
}

nonisolated func useElsewhere() {
    withSpace(\.theme, "dark") {}
    // expected-error@-1{{cannot form key path to main actor-isolated property 'theme'}}
    print(Assembler([FeedAssembly()]))
    // expected-error@-1{{main actor-isolated conformance of 'FeedAssembly' to 'Assembly' cannot be used in nonisolated context}}
}
