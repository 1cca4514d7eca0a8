import Depin
import Testing

/// `registerSynchronized` as code for the older Depin has it: its factory is handed a view of the
/// container, which is in no graph, so that each request begins one.
struct `registerSynchronized` {
    private let container = Container()

    init() {
        container.register(Engine.self) { Engine() }
        container.register(Wheel.self) { r in Wheel(engine: r ~> Engine.self) }
    }

    @Test func `what its factory asks for is not of the graph that it is built in`() throws {
        container.registerSynchronized(Car.self) { r in Car(engine: r ~> Engine.self) }
        container.register(Garage.self) { r in
            Garage(engine: r ~> Engine.self, car: r ~> Car.self)
        }

        let garage = try container.require(Garage.self)
        #expect(garage.car.engine !== garage.engine)
    }

    @Test func `what its resolver is asked for later in a task is of no graph either`() async throws
    {
        container.registerSynchronized(Remote.self) { r in Remote(resolver: r) }
        container.register(
            [Engine].self,
            asyncFactory: { r in
                let resolver = (r ~> Remote.self).resolver
                return [
                    r ~> Engine.self, resolver ~> Engine.self,
                    try await resolver.requireAsync(Engine.self),
                ]
            }
        )
        let engines = try await container.requireAsync([Engine].self)
        #expect(Set(engines.map(ObjectIdentifier.init)).count == 3)
    }

    @Test func `two services made by it share nothing of a graph`() throws {
        container.registerSynchronized(Car.self) { r in Car(engine: r ~> Engine.self) }
        container.registerSynchronized(Boat.self) { r in Boat(engine: r ~> Engine.self) }
        container.register(Fleet.self) { r in Fleet(car: r ~> Car.self, boat: r ~> Boat.self) }

        let fleet = try container.require(Fleet.self)
        #expect(fleet.car.engine !== fleet.boat.engine)
    }

    @Test func `each request of its factory begins a graph`() throws {
        container.registerSynchronized([Engine].self) { r in [r ~> Engine.self, r ~> Engine.self] }

        let engines = try container.require([Engine].self)
        #expect(engines[0] !== engines[1])
    }

    @Test func `a Lazy of its factory begins a graph, too`() throws {
        container.registerSynchronized(Car.self) { r in
            Car(engine: (r ~> Lazy<Engine>.self).instance)
        }
        container.register(Garage.self) { r in
            Garage(engine: r ~> Engine.self, car: r ~> Car.self)
        }

        let garage = try container.require(Garage.self)
        #expect(garage.car.engine !== garage.engine)
    }

    @Test func `what one request makes is one graph`() throws {
        container.register(Axle.self) { r in
            Axle(left: r ~> Wheel.self, right: r ~> Wheel.self, engine: r ~> Engine.self)
        }
        container.registerSynchronized([Axle].self) { r in [r ~> Axle.self] }

        let axle = try #require(try container.require([Axle].self).first)
        #expect(axle.left === axle.right)
        #expect(axle.left.engine === axle.engine)
    }

    @Test func `its own instance is of the graph that it is built in`() throws {
        container.registerSynchronized(Car.self) { r in Car(engine: r ~> Engine.self) }
        container.register([Car].self) { r in [r ~> Car.self, r ~> Car.self] }

        let cars = try container.require([Car].self)
        #expect(cars[0] === cars[1])
    }

    @Test func `shared instances are shared`() throws {
        container.register(Engine.self) { Engine() }.inObjectScope(.container)
        container.registerSynchronized(Car.self) { r in Car(engine: r ~> Engine.self) }

        #expect(try container.require(Car.self).engine === container.require(Engine.self))
    }

    @Test func `a name makes no difference`() throws {
        container.registerSynchronized(Car.self, name: "n") { r in Car(engine: r ~> Engine.self) }
        container.register(Garage.self) { r in
            Garage(engine: r ~> Engine.self, car: r ~> (Car.self, name: "n"))
        }

        let garage = try container.require(Garage.self)
        #expect(garage.car.engine !== garage.engine)
    }

    @Test func `a circle through it is found, with the whole path`() throws {
        container.registerSynchronized(Car.self) { r in Car(engine: try r.require(Engine.self)) }
        container.register(Engine.self) { r in
            _ = try r.require(Car.self)
            return Engine()
        }

        let error = try #require(throws: ResolutionError.self) { try container.require(Car.self) }
        guard case .circularDependency = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(error.path.count == 2)
    }

    @Test func `a child's registrations reach it`() throws {
        container.registerSynchronized(Car.self) { r in Car(engine: r ~> Engine.self) }
        let child = Container(parent: container)
        let engine = Engine()
        child.register(Engine.self, instance: engine)

        #expect(try child.require(Car.self).engine === engine)
    }
}

private final class Engine: Sendable {}

private final class Wheel: Sendable {
    let engine: Engine

    init(engine: Engine) { self.engine = engine }
}

private final class Car: Sendable {
    let engine: Engine

    init(engine: Engine) { self.engine = engine }
}

private struct Remote: Sendable {
    let resolver: any Resolver
}

private struct Boat: Sendable {
    let engine: Engine
}

private struct Garage: Sendable {
    let engine: Engine
    let car: Car
}

private struct Fleet: Sendable {
    let car: Car
    let boat: Boat
}

private final class Axle: Sendable {
    let left: Wheel
    let right: Wheel
    let engine: Engine

    init(left: Wheel, right: Wheel, engine: Engine) {
        (self.left, self.right, self.engine) = (left, right, engine)
    }
}
