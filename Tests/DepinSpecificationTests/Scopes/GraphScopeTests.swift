import Depin
import Testing

struct `Graph scope` {
    private let container = Container()

    @Test func `it is the default`() {
        let entry = container.register(Engine.self) { _ in Engine() }

        #expect(entry.objectScope === ObjectScope.graph)
    }

    // Car ──► Engine ──► Battery
    //  └────────────────────┘
    @Test func `one instance serves all that is asked for in one outermost resolve`() throws {
        registerCar()

        let car = try container.require(Car.self)
        #expect(car.battery === car.engine.battery)
    }

    @Test func `each outermost resolve is a graph of its own`() throws {
        registerCar()

        let (one, other) = (try container.require(Car.self), try container.require(Car.self))
        #expect(one !== other)
        #expect(one.battery !== other.battery)
        #expect(container.resolve(Battery.self) !== container.resolve(Battery.self))
    }

    @Test func `a captured container joins the graph`() throws {
        let captured = container
        container.register(Battery.self) { _ in Battery() }
        container.register(Engine.self) { [unowned captured] _ in
            Engine(captured ~> Battery.self)
        }
        container.register(Car.self) { resolver in
            Car(resolver ~> Engine.self, resolver ~> Battery.self)
        }
        let car = try container.require(Car.self)
        #expect(car.battery === car.engine.battery)
    }

    @Test func `a synchronized view joins the graph`() throws {
        defer { container.removeAll() }
        let view = container.synchronize()
        container.register(Battery.self) { _ in Battery() }
        container.register(Engine.self) { _ in Engine(view ~> Battery.self) }
        container.register(Car.self) { resolver in
            Car(resolver ~> Engine.self, resolver ~> Battery.self)
        }
        let car = try view.require(Car.self)
        #expect(car.battery === car.engine.battery)
    }

    @Test func `a resolve in a child does not end the graph of the outer one`() throws {
        defer { container.removeAll() }  // A factory holds the child, which holds the container.
        let child = Container(parent: container)
        child.register(Radio.self) { resolver in Radio(resolver ~> Battery.self) }
        container.register(Battery.self) { _ in Battery() }
        container.register([Battery].self) { resolver in
            let before = resolver ~> Battery.self
            _ = child.resolve(Radio.self)
            return [before, resolver ~> Battery.self]
        }
        let batteries = try container.require([Battery].self)
        #expect(batteries[0] === batteries[1])
    }

    @Test func `instances are apart for each container that is asked`() throws {
        defer { container.removeAll() }  // A factory holds the child, which holds the container.
        let child = Container(parent: container)
        container.register(Battery.self) { _ in Battery() }
        container.register([Battery].self) { resolver in
            [resolver ~> Battery.self, child ~> Battery.self, child ~> Battery.self]
        }
        let batteries = try container.require([Battery].self)
        #expect(batteries[0] !== batteries[1])
        #expect(batteries[1] === batteries[2])
    }

    @Test func `values are shared too`() throws {
        let builds = CallCount()
        container.register(Int.self) { _ in builds.add() }
        container.register([Int].self) { resolver in [resolver ~> Int.self, resolver ~> Int.self] }

        #expect(try container.require([Int].self) == [1, 1])
        #expect(try container.require([Int].self) == [2, 2])
    }

    @Test func `a shared instance is built in the graph that first asks for it`() throws {
        container.register(Battery.self) { _ in Battery() }
        container.register(Engine.self) { resolver in Engine(resolver ~> Battery.self) }
            .inObjectScope(.container)
        container.register(Car.self) { resolver in
            Car(resolver ~> Engine.self, resolver ~> Battery.self)
        }
        let (first, second) = (try container.require(Car.self), try container.require(Car.self))
        #expect(first.battery === first.engine.battery)
        #expect(second.engine === first.engine)
        #expect(second.battery !== first.battery)
    }

    @Test func `a large graph shares every one of its instances`() throws {
        for number in 0..<100 {
            container.register(Battery.self, name: "\(number)") { resolver in
                for other in 0..<number {
                    _ = resolver.resolve(Battery.self, name: "\(other)")
                }
                return Battery()
            }
        }
        container.register([Battery].self) { resolver in
            (0..<100).map { resolver ~> (Battery.self, name: "\($0)") }
                + (0..<100).map { resolver ~> (Battery.self, name: "\($0)") }
        }
        let batteries = try container.require([Battery].self)
        for number in 0..<100 {
            #expect(batteries[number] === batteries[number + 100])
        }
        #expect(Set(batteries.map(ObjectIdentifier.init)).count == 100)
    }

    @Test func `instances are released when the graph has ended`() throws {
        registerCar()

        weak let battery = try container.require(Car.self).battery
        #expect(battery == nil)
    }

    @Test func `a resolver kept by a product begins a graph at each use`() throws {
        container.register(Battery.self) { _ in Battery() }
        container.register(Garage.self) { resolver in
            Garage(resolver: resolver, first: resolver ~> Battery.self)
        }
        let garage = try container.require(Garage.self)
        let second = garage.resolver ~> Battery.self
        #expect(garage.first !== second)
        #expect(try garage.resolver.require(Battery.self) !== second)
    }

    @Test func `an object and its identifier are no equal arguments`() {
        container.register(Battery.self) { (_, _: Any) in Battery() }
        let object = Engine()
        container.withObjectGraph(GraphIdentifier()) { container in
            let one = container.resolve(Battery.self, argument: object as Any)
            let other = container.resolve(Battery.self, argument: ObjectIdentifier(object) as Any)
            #expect(one !== other)
        }
    }

    @Test func `requests of an assembly belong to no common graph`() {
        let log = EventLog<Bool>()
        container.register(Battery.self) { Battery() }
        _ = Assembler([Requesting(log: log)], container: container)
        #expect(log.all == [true, true])
    }

    @Test func `requests of a closer belong to no common graph`() async throws {
        let log = EventLog<Bool>()
        let other = Container()
        other.register(Battery.self) { Battery() }
        other.register(GraphIdentifier?.self, name: "own") { $0.resolve(GraphIdentifier.self) }
        container.register(Int.self) { 1 }.inObjectScope(.container).onClose { [log] _ in
            log.note((other ~> Battery.self) !== (other ~> Battery.self))
            log.note(other.resolve(GraphIdentifier.self) == nil)
            let one = try await other.requireAsync(GraphIdentifier?.self, name: "own")
            let another = try await other.requireAsync(GraphIdentifier?.self, name: "own")
            log.note(one != nil && one != another)
        }
        use(container ~> Int.self)
        try await container.close()
        #expect(log.all == [true, true, true])
    }

    private func registerCar() {
        container.register(Battery.self) { _ in Battery() }
        container.register(Engine.self) { resolver in Engine(resolver ~> Battery.self) }
        container.register(Car.self) { resolver in
            Car(resolver ~> Engine.self, resolver ~> Battery.self)
        }
    }
}

private final class Battery {}

private struct Requesting: Assembly {
    let log: EventLog<Bool>

    func assemble(container: Container) {
        log.note((container ~> Battery.self) !== (container ~> Battery.self))
        log.note(container.resolve(GraphIdentifier.self) == nil)
    }
}

private final class Engine {
    let battery: Battery

    init(_ battery: Battery = Battery()) {
        self.battery = battery
    }
}

private final class Car {
    let engine: Engine
    let battery: Battery

    init(_ engine: Engine, _ battery: Battery) {
        self.engine = engine
        self.battery = battery
    }
}

private final class Radio {
    let battery: Battery

    init(_ battery: Battery) {
        self.battery = battery
    }
}

private final class Garage {
    let resolver: Resolver
    let first: Battery

    init(resolver: Resolver, first: Battery) {
        self.resolver = resolver
        self.first = first
    }
}
