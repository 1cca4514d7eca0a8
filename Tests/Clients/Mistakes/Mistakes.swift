import Depin
import FactoryKit

// What those who migrate write at first, and what the compiler answers. `.ci/run clients` has it
// compiled for its errors; the article on migration says what to do about each of them.

protocol API {}
struct LiveAPI: API {}
protocol Feed {}
struct LiveFeed: Feed { let api: API }
struct Profile { let id: Int }
enum LogName: String, ServiceName { case audit }

func compilerSays(_ container: Depin.Container, _ model: Model) {
    container.register(Feed.self) { r in r.resolve(Feed.self) }
    // expected-error@-1{{value of optional type '(any Feed)?' must be unwrapped}}
    // expected-note@-2{{coalesce using '??'}}
    // expected-note@-3{{force-unwrap using '!'}}
    container.register(Feed.self) { r in r ~> API.self }
    // expected-error@-1{{failed to produce diagnostic for expression}}
    container.register { LiveAPI() as API }
    // expected-error@-1{{missing argument for parameter #1 in call}}
    container.register(API.self) { LiveAPI() }.scope(.container)
    // expected-error@-1{{value of type 'ServiceEntry<any API>' has no member 'scope'}}
    // expected-error@-2{{cannot infer contextual base}}
    container.register(Profile.self) { r, args in Profile(id: args()) }
    // expected-error@-1{{cannot infer type of closure parameter 'args' without a type annotation}}
    container.register(API.self, name: .audit) { LiveAPI() }
    // expected-error@-1{{type '(any ServiceName)?' has no member 'audit'}}
    model.feed = LiveFeed(api: LiveAPI())
    // expected-error@-1{{cannot assign to property: 'feed' is a get-only property}}
    _ = Screen(feed: LiveFeed(api: LiveAPI()))
    // expected-error@-1{{cannot convert value of type 'LiveFeed' to expected argument type 'Injected<any Feed>'}}
}

func both(_ container: Container) {}
// expected-error@-1{{'Container' is ambiguous for type lookup in this context}}

struct Screen { @Depin.Injected var feed: Feed }

class Model {
    @Depin.Injected var feed: Feed
    @Depin.Injected var nothing
    // expected-error@-1{{generic parameter 'Service' could not be inferred}}
    @Depin.Injected(\.feed) var path: Feed
    // expected-error@-1{{does not conform to expected type 'ServiceName'}}
    // expected-error@-2{{cannot infer key path type from context}}
    init() {}
}

final class Shared: Sendable {
    @Depin.Injected var feed: Feed
    // expected-error@-1{{stored property '_feed' of 'Sendable'-conforming class 'Shared' is mutable}}
}

class Cat {
    init() {}
    init(resolver: Depin.Resolver) {}  // expected-note{{found this candidate}}
    init(parent: Depin.Resolver) {}  // expected-note{{found this candidate}}
}

func older(_ resolver: any Depin.Resolver, _ container: Depin.Container) {
    let _: Profile = resolver ~> (Profile.self, arguments: 1, 2, 3)
    // expected-error@-1{{cannot convert value of type '(Profile.Type, arguments: Int, Int, Int)' to expected argument type}}
    let trip = resolver ~> (Profile.self, arguments: 1, 2, 3)
    // expected-error@-1{{failed to produce diagnostic for expression}}
    container.register(Cat.self, factory: Cat.init)
    // expected-error@-1{{ambiguous use of 'init'}}
}

protocol ManyArguments {
    func resolve<Service, A, B, C>(_: Service.Type, arguments: A, _: B, _: C) -> Service?
    // expected-note@-1{{protocol requires function}}
}
extension Depin.Container: ManyArguments {}
// expected-error@-1{{type 'Container' does not conform to protocol 'ManyArguments'}}
// expected-note@-2{{add stubs for conformance}}

struct Ambiguous { @Injected var feed: Feed }
// expected-error@-1{{'Injected' is ambiguous for type lookup in this context}}
