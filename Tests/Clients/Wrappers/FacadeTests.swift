import Depin
import Testing

// A protocol of an app's own, whose requirements Depin's methods do not satisfy. A place keeps each from calling itself.

private protocol Registering {
    func autoregister<Service, Dependency>(
        _ serviceType: Service.Type,
        name: String?,
        initializer: @escaping (Dependency) -> Service
    ) -> ServiceEntry<Service>

    func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service>
}

extension Container: Registering {
    fileprivate func autoregister<Service, Dependency>(
        _ serviceType: Service.Type,
        name: String?,
        initializer: @escaping (Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name,
            initializer: initializer,
            file: #fileID,
            line: #line
        )
    }

    fileprivate func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String?,
        factory: @escaping (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory, file: #fileID, line: #line)
    }
}

struct `A facade whose methods are written by hand` {
    @Test func `registers`() {
        let container = Container()
        let facade: any Registering = container
        container.register(Engine.self) { Engine() }
        _ = facade.autoregister(Garage.self, name: "home", initializer: Garage.init(engine:))
        _ = facade.register(Car.self, name: nil) { (r: Resolver, seats: Int) in
            Car(engine: r ~> Engine.self, seats: seats)
        }

        #expect(container.resolve(Garage.self, name: "home") != nil)
        #expect((container ~> (Car.self, argument: 5)).seats == 5)
    }
}
