// flags: -emit-sil -o /dev/null
import Depin

// Methods around `register` and `autoregister` that call themselves. The compiler says so after it has
// checked the types, hence the flags.

// MARK: A default of its own, and no name

extension Container {
    func register<Service>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        factory: @escaping @Sendable (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory)
            // expected-warning@-1{{function call causes an infinite recursion}}
            .inObjectScope(scope)
    }

    func autoregister<Service, Dependency>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        initializer: @escaping @Sendable (Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, initializer: initializer)
            // expected-warning@-1{{function call causes an infinite recursion}}
            .inObjectScope(scope)
    }
}

// MARK: A default of its own, in Swift 6 mode, and a factory that is not `@Sendable`

extension Container {
    func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory)
            // expected-warning@-1{{function call causes an infinite recursion}}
            .inObjectScope(scope)
    }
}

// MARK: A label of its own, which a trailing closure leaves out

extension Container {
    func register<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        make: @escaping @Sendable (Resolver, First, Second) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { (r: Resolver, first: First, second: Second) in
            // expected-warning@-1{{function call causes an infinite recursion}}
            make(r, first, second)
        }
    }
}
