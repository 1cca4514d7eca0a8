import Depin

// What newcomers write in their first hour, and what the compiler answers. `.ci/run clients` has it compiled
// for its errors; the article on Swift 6 says what to do about each of them.

protocol API: Sendable {}
protocol Clock: Sendable {}
protocol Feed: Sendable {}
struct LiveFeed: Feed {
    let api: API
    let name: String
}
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

enum Dependencies {
    static var container = Container()
    // expected-error@-1{{static property 'container' is not concurrency-safe}}
    // expected-note@-2{{convert 'container' to a 'let' constant}}
    // expected-note@-3{{add '@MainActor' to make static property 'container' part of global actor 'MainActor'}}
    // expected-note@-4{{disable concurrency-safety checks}}
}
