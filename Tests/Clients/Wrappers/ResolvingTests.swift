// swift-format-ignore-file: NeverForceUnwrap

import Depin  // was: import Swinject
import Testing

// What apps add to a resolver, as it is written for Swinject.

extension Resolver {
    fileprivate func resolve<Service>(
        _ serviceType: Service.Type,
        name: String? = nil
    ) -> Service {
        resolve(serviceType, name: name)!
    }

    fileprivate func resolve<Service>() -> Service { resolve(Service.self)! }

    fileprivate func resolve<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        argument: Argument
    ) -> Service {
        resolve(serviceType, name: name, argument: argument)!
    }

    fileprivate func resolve<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        default fallback: @autoclosure () -> Service
    ) -> Service {
        resolve(serviceType, name: name) ?? fallback()
    }
}

struct `Wrappers around resolve` {
    private let container = Container()

    @Test func `unwrap`() {
        container.register(Engine.self) { _ in Engine() }.inObjectScope(.container)
        container.register(Car.self) { (r: Resolver, seats: Int) in
            Car(engine: r.resolve(), seats: seats)
        }
        let engine: Engine = container.resolve(Engine.self)
        let inferred: Engine = container.resolve()
        let car: Car = container.resolve(Car.self, argument: 5)

        #expect(engine === inferred && car.engine === engine)
    }

    @Test func `take a fallback`() {
        let engine = Engine()

        #expect(container.resolve(Engine.self, default: engine) === engine)
    }
}
