// flags: -enable-upcoming-feature ExistentialAny
import Depin

protocol API: Sendable {}
// expected-note@-1{{'API' declared here}}
struct LiveAPI: API {}

func compilerSays(_ container: Container) {
    container.register(API.self) { LiveAPI() }
    // expected-warning@-1{{use of protocol 'API' as a type must be written 'any API'}}
    container.register(any API.self) { LiveAPI() }
    // expected-error@-1{{'self' is not a member type of protocol}}
    container.register((any API).self) { LiveAPI() }
}
