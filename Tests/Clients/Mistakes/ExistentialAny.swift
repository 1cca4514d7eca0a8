// flags: -enable-upcoming-feature ExistentialAny
import Depin

protocol API: Sendable {}
struct LiveAPI: API {}

func compilerSays(_ container: Container) {
    container.register(API.self) { LiveAPI() }
    // expected-warning@-1{{use of protocol 'API' as a type must be written 'any API'}}
    container.register((any API).self) { LiveAPI() }
}
