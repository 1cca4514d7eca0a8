import Depin

// A method around `register` whose scope has a default, in Swift 6 mode. Without `@Sendable` it would call
// itself, and the compiler would warn.

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping @Sendable (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping @Sendable (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        initializer: @escaping @Sendable (Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, initializer: initializer).inObjectScope(scope)
    }
}

func registerInScope(in container: Container) {
    container.register(Int.self, scope: .transient) { _ in 1 }
    container.register(String.self, name: "plural", scope: .graph) { (_, count: Int) in "\(count)s"
    }
    container.autoregister(
        Double.self,
        scope: .weak,
        initializer: { (count: Int) in Double(count) }
    )
}
