import Depin  // was: import Swinject, import SwinjectAutoregistration
import Testing

// What apps add to a container without a default of its own, as it is written for Swinject.

private enum EngineName: String { case spare }

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope,
        factory: @escaping (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: EngineName,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name.rawValue, factory: factory)
    }

    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        value: Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { _ in value }
    }

    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        _ make: @escaping @autoclosure () -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { _ in make() }
    }

    @discardableResult
    fileprivate func registerSingleton<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        factory: @escaping (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(.container)
    }

    @discardableResult
    fileprivate func autoregisterSingleton<Service, Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        initializer: @escaping (Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, initializer: initializer).inObjectScope(.container)
    }
}

struct `Wrappers without a default of their own` {
    private let container = Container()

    @Test func `register a factory`() {
        container.register(Engine.self, scope: .container) { _ in Engine() }
        container.register(Car.self, name: "bus", scope: .transient) { (r: Resolver, seats: Int) in
            Car(engine: r ~> Engine.self, seats: seats)
        }
        container.registerSingleton(Car.self) { (r: Resolver, seats: Int) in
            Car(engine: r ~> Engine.self, seats: seats)
        }
        let car = container ~> (Car.self, argument: 5)
        let bus = container ~> (Car.self, name: "bus", argument: 40)

        #expect(car === (container ~> (Car.self, argument: 5)))
        #expect(bus.seats == 40 && bus.engine === car.engine)
    }

    @Test func `register an initializer`() {
        container.register(Engine.self, Engine())
        container.autoregisterSingleton(Garage.self, initializer: Garage.init(engine:))

        #expect((container ~> Garage.self) === (container ~> Garage.self))
    }

    @Test func `register a value, and under a name of their own type`() {
        let engine = Engine()
        container.register(Engine.self, value: engine)
        container.register(Engine.self, name: EngineName.spare) { _ in Engine() }

        #expect((container ~> Engine.self) === engine)
        #expect((container ~> (Engine.self, name: "spare")) !== engine)
    }
}
