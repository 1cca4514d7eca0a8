import Depin
import Testing

// Wrappers that would call themselves, and the words that mend them.

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type = Service.self,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory, file: #fileID, line: #line)  // was without a place
            .inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, Dependency>(
        _ serviceType: Service.Type = Service.self,
        scope: ObjectScope = .container,
        initializer: @escaping (Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, initializer: initializer, file: #fileID, line: #line)
            .inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        make: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: { r in make(r) })  // was a trailing closure
    }

    @discardableResult
    fileprivate func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        make: @escaping (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name,
            factory: { (r: Resolver, argument: Argument) in
                make(r, argument)
            }
        )
    }
}

struct `Wrappers that pass on a place or a label` {
    private let container = Container()

    @Test func `register with a scope by default`() {
        container.register { _ in Engine() }
        container.autoregister(initializer: Garage.init(engine:))
        let garage = container ~> Garage.self

        #expect(
            garage === (container ~> Garage.self) && garage.engine === (container ~> Engine.self)
        )
    }

    @Test func `register under a label of their own`() {
        container.register(Engine.self, make: { _ in Engine() })
        container.register(
            Car.self,
            make: { (r: Resolver, seats: Int) in
                Car(engine: r ~> Engine.self, seats: seats)
            }
        )

        #expect((container ~> (Car.self, argument: 5)).seats == 5)
    }
}
