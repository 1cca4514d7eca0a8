import Depin  // was: import Swinject, import SwinjectAutoregistration
import DepinOverloads
import Testing

// Methods whose scope has a default, and that pass no name. Without `import DepinOverloads` they call themselves.

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        factory: @escaping () -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service, First, Second>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver, First, Second) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, Dependency>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        initializer: @escaping (Dependency) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, initializer: initializer).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func autoregister<Service, Argument, Dependency>(
        _ serviceType: Service.Type,
        argument: Argument.Type,
        scope: ObjectScope = .container,
        initializer: @escaping (Dependency, Argument) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, argument: argument, initializer: initializer).inObjectScope(scope)
    }
}

struct `Methods with a scope by default` {
    private let container = Container()

    @Test func `register a factory`() {
        container.register(Engine.self, scope: .container) { Engine() }
        container.register(Garage.self, scope: .container) { (r: Resolver) in
            Garage(engine: r ~> Engine.self)
        }
        let garage = container ~> Garage.self

        #expect(garage === (container ~> Garage.self))
        #expect(garage.engine === (container ~> Engine.self))
    }

    @Test func `register a factory with arguments`() {
        container.register(Engine.self, scope: .container) { Engine() }
        container.register(Car.self, scope: .container) { (r: Resolver, rows: Int, columns: Int) in
            Car(engine: r ~> Engine.self, seats: rows * columns)
        }
        let bus = container ~> (Car.self, arguments: (10, 4))

        #expect(bus.seats == 40 && bus === (container ~> (Car.self, arguments: (10, 4))))
    }

    @Test func `register an initializer`() {
        container.register(Engine.self, scope: .container) { Engine() }
        container.autoregister(Garage.self, scope: .container, initializer: Garage.init(engine:))
        container.autoregister(
            Car.self,
            argument: Int.self,
            scope: .container,
            initializer: Car.init
        )
        let car = container ~> (Car.self, argument: 4)

        #expect((container ~> Garage.self) === (container ~> Garage.self))
        #expect(car.seats == 4 && car === (container ~> (Car.self, argument: 4)))
    }

    @Test func `leave calls without a scope to Depin`() {
        container.register(Engine.self) { Engine() }
        container.register(Garage.self) { r in Garage(engine: r ~> Engine.self) }
        container.register(Car.self) { (r: Resolver, rows: Int, columns: Int) in
            Car(engine: r ~> Engine.self, seats: rows * columns)
        }

        #expect((container ~> Engine.self) !== (container ~> Engine.self))
        #expect((container ~> Garage.self) !== (container ~> Garage.self))
        #expect((container ~> (Car.self, arguments: (2, 2))).seats == 4)
    }

    @Test func `leave initializers without a scope to Depin`() {
        container.autoregister(Engine.self, initializer: Engine.init)
        container.autoregister(Garage.self, initializer: Garage.init(engine:))
        container.autoregister(
            Car.self,
            argument: Int.self,
            initializer: Car.init
        )

        #expect((container ~> Garage.self) !== (container ~> Garage.self))
        #expect((container ~> (Car.self, argument: 4)).seats == 4)
    }
}
