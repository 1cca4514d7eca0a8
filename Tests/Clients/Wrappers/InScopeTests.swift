import Depin  // was: import Swinject, import SwinjectAutoregistration
import Testing

// What apps add to a container, each with a default of its own, as it is written for Swinject.

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver, First, Second) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { (r: Resolver, first: First, second: Second) in
            factory(r, first, second)
        }
        .inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        initializer: @escaping () -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, initializer: initializer).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        initializer: @escaping (Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, initializer: initializer).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        initializer: @escaping (First, Second) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, initializer: initializer).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, Argument, Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        argument: Argument.Type,
        scope: ObjectScope = .container,
        initializer: @escaping (Argument, Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, argument: argument, initializer: initializer)
            .inObjectScope(scope)
    }
}

struct `Wrappers with a scope by default` {
    private let container = Container()

    @Test func `register a factory`() {
        container.register(Engine.self, scope: .container) { _ in Engine() }
        container.register(Engine.self, name: "spare", scope: .weak) { _ in Engine() }
        container.register(Engine.self, name: "new", scope: .transient) { _ in Engine() }

        #expect((container ~> Engine.self) === (container ~> Engine.self))
        #expect(spare !== (container ~> Engine.self))
        #expect(
            (container ~> (Engine.self, name: "new")) !== (container ~> (Engine.self, name: "new"))
        )
    }

    @Test func `register a factory with arguments`() {
        container.register(Engine.self, scope: .container) { _ in Engine() }
        container.register(Car.self, scope: .container) { (r: Resolver, seats: Int) in
            Car(engine: r ~> Engine.self, seats: seats)
        }
        container.register(Car.self, name: "bus", scope: .transient) {
            (r: Resolver, seats: Int, rows: Int) in
            Car(engine: r ~> Engine.self, seats: seats * rows)
        }
        let car = container ~> (Car.self, argument: 5)

        #expect(car.seats == 5 && car === (container ~> (Car.self, argument: 5)))
        #expect((container ~> (Car.self, name: "bus", arguments: (4, 10))).seats == 40)
    }

    @Test func `register an initializer`() {
        container.autoregister(Engine.self, initializer: Engine.init)
        container.autoregister(Garage.self, initializer: Garage.init(engine:))
        container.autoregister(Garage.self, name: "two", initializer: Garage.init(engine:other:))
        container.autoregister(
            Car.self,
            argument: Int.self,
            initializer: { (seats: Int, engine: Engine) in Car(engine: engine, seats: seats) }
        )
        let garage = container ~> Garage.self

        #expect(
            garage === (container ~> Garage.self) && garage.engine === (container ~> Engine.self)
        )
        #expect((container ~> (Garage.self, name: "two")).engine === garage.engine)
        #expect((container ~> (Car.self, argument: 2)).seats == 2)
    }

    private var spare: Engine { container ~> (Engine.self, name: "spare") }
}
