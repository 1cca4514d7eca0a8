import Depin

// What newcomers write in their first hour, and what the compiler answers. `.ci/run clients` has it compiled
// for its errors; the article on Swift 6 says what to do about each of them.

protocol API: Sendable {}
protocol Clock: Sendable {
    func hour() -> Int
}
protocol Feed: Sendable {}
struct LiveAPI: API {}
struct LiveFeed: Feed {
    let api: API
    let name: String
}
struct Profile: Sendable {}
final class Database: Sendable {
    static func open(_ api: API) async throws -> Database { Database() }
}
final class Settings {}
// expected-note@-1 2{{class 'Settings' does not conform to the 'Sendable' protocol}}
@MainActor final class FeedModel {
    init(feed: Feed) {}
    // expected-note@-1{{calls to initializer 'init(feed:)' from outside of its actor context are implicitly asynchronous}}
}

func compilerSays(_ container: Container, _ assembler: Assembler) {
    container.register(Feed.self) { r in LiveFeed(api: r ~> Clock.self, name: "") }
    // expected-error@-1{{argument type 'any Clock' does not conform to expected type 'API'}}
    container.register(Feed.self) { r in LiveFeed(api: r ~> API.self, name: 3) }
    // expected-error@-1{{cannot convert value of type 'Int' to expected argument type 'String'}}
    container.register(Feed.self) { r in
        LiveFeed(api: r ~> API.self, name: r ~> (Clock.self, name: "x"))
        // expected-error@-1{{cannot convert value of type '((any Clock).Type, name: String)' to expected argument type 'String.Type'}}
    }
    container.register(Feed.self) { r in r.resolve(Feed.self, name: "live") }
    // expected-error@-1{{failed to produce diagnostic for expression}}
    container.register(Clock.self) { r in LiveFeed(api: r ~> API.self, name: "") }
    // expected-error@-1{{cannot convert value of type 'LiveFeed' to closure result type 'any Clock'}}
    print(assembler ~> API.self)
    // expected-error@-1{{argument type 'Assembler' does not conform to expected type 'Resolver'}}
    print(container ~> API)
    // expected-error@-1{{expected member name or initializer call after type name}}
    // expected-note@-2{{use '.self' to reference the type object}}
    container.autoregister(FeedModel.self, initializer: FeedModel.init)
    // expected-error@-1{{loses global actor 'MainActor'}}
    container.register(FeedModel.self) { r in FeedModel(feed: r ~> Feed.self) }
    // expected-warning@-1{{call to main actor-isolated initializer 'init(feed:)' in a synchronous nonisolated context}}
}

func compilerSaysToo(_ container: Container, _ resolver: Resolver) {
    container.register(Feed.self) { LiveFeed(api: r ~> API.self, name: "") }
    // expected-error@-1{{cannot find 'r' in scope}}
    container.register(API.self, LiveAPI())
    // expected-error@-1{{cannot convert value of type 'LiveAPI' to expected argument type '@Sendable (any Resolver) throws -> any API'}}
    // expected-error@-2{{missing argument label 'factory:' in call}}
    container.register(API.self) { LiveAPI() }.inObjectScope(.singleton)
    // expected-error@-1{{type 'ObjectScope' has no member 'singleton'}}
    container.register(Feed.self) { r in
        // expected-error@-1{{contextual closure type '@Sendable () throws -> any Feed' expects 0 arguments, but 1 was used in closure body}}
        r.register(API.self) { LiveAPI() }
        return LiveFeed(api: r ~> API.self, name: "")
    }
    resolver.register(API.self) { LiveAPI() }
    // expected-error@-1{{value of type 'any Resolver' has no member 'register'}}
    print(resolver.require(API.self))
    // expected-error@-1{{call can throw, but it is not marked with 'try' and the error is not handled}}
    let profile = resolver ~> (Profile.self, id: 3)
    // expected-error@-1{{failed to produce diagnostic for expression}}
    let settings = Settings()
    container.register(Settings.self) { settings }
    // expected-warning@-1{{capture of 'settings' with non-Sendable type 'Settings' in a '@Sendable' closure}}
}

func compilerSaysAtLast(_ container: Container, _ assembler: Assembler) throws {
    try assembler.validate()
    // expected-error@-1{{value of type 'Assembler' has no member 'validate'}}
    print(assembler.resolve(API.self))
    // expected-error@-1{{value of type 'Assembler' has no member 'resolve'}}
    container.register(Feed.self) { r in LiveFeed(api: try r.require(), name: "") }
    // expected-error@-1{{missing argument for parameter #1 in call}}
    let hour = container ~> Clock.self.hour()
    // expected-error@-1{{failed to produce diagnostic for expression}}
    print(container ~> Clock.self.hour())
    // expected-error@-1{{instance member 'hour' cannot be used on type 'any Clock'}}
    // expected-error@-2{{cannot convert value of type 'Int' to expected argument type '(any Any).Type'}}
    print(container ~> (Profile.self, arguments: 1, "x"))
    // expected-warning@-1{{implicit reordering of tuple elements from '_:arguments:_:' to 'serviceType:name:arguments:' is deprecated}}
    container.autoregister(Database.self, initializer: Database.open)
    // expected-error@-1{{to parameter expecting synchronous function type}}
    container.register(FeedModel.self) { @MainActor r in FeedModel(feed: r ~> Feed.self) }
    // expected-error@-1{{loses global actor 'MainActor'}}
    withSpace(\.theme, "dark") { print("dark") }
    // expected-error@-1{{to expected argument type 'WritableKeyPath<SpaceValues, String>'}}
}

enum ThemeKey: SpaceKey {
    static var defaultValue = "light"
    // expected-error@-1{{static property 'defaultValue' is not concurrency-safe}}
    // expected-note@-2{{convert 'defaultValue' to a 'let' constant}}
    // expected-note@-3{{add '@MainActor' to make static property 'defaultValue' part of global actor 'MainActor'}}
    // expected-note@-4{{disable concurrency-safety checks}}
}

extension SpaceValues {
    var theme: String { self[ThemeKey.self] }
}

struct FeedScreen {
    @Injected let feed: Feed
    // expected-error@-1{{property wrapper can only be applied to a 'var'}}
    @Injected var api: API = LiveAPI()
    // expected-error@-1{{extra argument 'wrappedValue' in call}}
}

struct SettingsScreen: Sendable {
    @Injected var settings: Settings
    // expected-error@-1{{stored property '_settings' of 'Sendable'-conforming struct 'SettingsScreen' contains non-Sendable type 'Settings'}}
}

enum Dependencies {
    static var container = Container()
    // expected-error@-1{{static property 'container' is not concurrency-safe}}
    // expected-note@-2{{convert 'container' to a 'let' constant}}
    // expected-note@-3{{add '@MainActor' to make static property 'container' part of global actor 'MainActor'}}
    // expected-note@-4{{disable concurrency-safety checks}}
}
