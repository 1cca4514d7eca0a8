import Depin  // was: import Swinject, import SwinjectAutoregistration
import DepinOverloads
import Testing

// Methods whose name and scope have a default, and that pass on a name. Their parameters are not `@Sendable`, so
// without `import DepinOverloads` they call themselves in Swift 6 mode.

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping () -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
    }

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
    fileprivate func register<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver, First, Second) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, factory: factory).inObjectScope(scope)
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
    fileprivate func autoregister<Service, Argument, Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        argument: Argument.Type,
        scope: ObjectScope = .container,
        initializer: @escaping (Dependency, Argument) -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name, argument: argument, initializer: initializer)
            .inObjectScope(scope)
    }
}

struct `Methods with a name and a scope by default` {
    private let container = Container()

    @Test func `register a factory`() {
        container.register(Engine.self, name: "spare", scope: .container) { Engine() }
        container.register(Garage.self, name: "small", scope: .container) { (r: Resolver) in
            Garage(engine: r ~> (Engine.self, name: "spare"))
        }
        let garage = container ~> (Garage.self, name: "small")

        #expect(garage === (container ~> (Garage.self, name: "small")))
        #expect(garage.engine === (container ~> (Engine.self, name: "spare")))
    }

    @Test func `register a factory with arguments`() {
        container.register(Car.self, name: "bus", scope: .container) {
            (r: Resolver, rows: Int, columns: Int) in
            Car(engine: Engine(), seats: rows * columns)
        }
        let bus = container ~> (Car.self, name: "bus", arguments: (10, 4))

        #expect(bus.seats == 40)
        #expect(bus === (container ~> (Car.self, name: "bus", arguments: (10, 4))))
    }

    @Test func `register an initializer`() {
        container.register(Engine.self, scope: .container) { Engine() }
        container.autoregister(
            Garage.self,
            name: "small",
            scope: .container,
            initializer: Garage.init(engine:)
        )
        container.autoregister(
            Car.self,
            name: "taxi",
            argument: Int.self,
            scope: .container,
            initializer: Car.init
        )
        let garage = container ~> (Garage.self, name: "small")
        let taxi = container ~> (Car.self, name: "taxi", argument: 4)

        #expect(garage === (container ~> (Garage.self, name: "small")))
        #expect(taxi.seats == 4 && taxi === (container ~> (Car.self, name: "taxi", argument: 4)))
    }

    @Test func `leave calls without a scope to Depin`() {
        container.register(Engine.self) { Engine() }
        container.register(Engine.self, name: "spare") { Engine() }
        container.register(Garage.self, name: "small") { r in Garage(engine: r ~> Engine.self) }
        container.register(Car.self, name: "bus") { (r: Resolver, rows: Int, columns: Int) in
            Car(engine: r ~> Engine.self, seats: rows * columns)
        }
        let spare = container ~> (Engine.self, name: "spare")

        #expect((container ~> Engine.self) !== (container ~> Engine.self))
        #expect(spare !== (container ~> (Engine.self, name: "spare")))
        #expect(
            (container ~> (Garage.self, name: "small"))
                !== (container ~> (Garage.self, name: "small"))
        )
        #expect((container ~> (Car.self, name: "bus", arguments: (2, 2))).seats == 4)
    }

    @Test func `leave initializers without a scope to Depin`() {
        container.autoregister(Engine.self, name: "spare", initializer: Engine.init)
        container.autoregister(Engine.self, initializer: Engine.init)
        container.autoregister(
            Car.self,
            name: "taxi",
            argument: Int.self,
            initializer: Car.init
        )
        let spare = container ~> (Engine.self, name: "spare")

        #expect(spare !== (container ~> (Engine.self, name: "spare")))
        #expect((container ~> (Car.self, name: "taxi", argument: 4)).seats == 4)
    }
}
