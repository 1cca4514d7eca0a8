import Depin

// Calls of an app's own method that leave out both of its parameters with a default: the compiler cannot
// prefer it to Depin's, which has two, too.

protocol API {}
struct LiveAPI: API {}

extension Container {
    func register<Service>(  // expected-note{{found this candidate}}
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver) -> Service
    ) {}
}

func compilerSays(_ container: Container) {
    container.register(API.self) { _ in LiveAPI() }
    // expected-error@-1{{ambiguous use of 'register'}}
    container.register(API.self, scope: .container) { _ in LiveAPI() }
    container.register(API.self, name: "audit") { _ in LiveAPI() }
}
