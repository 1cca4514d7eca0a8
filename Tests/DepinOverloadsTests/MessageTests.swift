import Depin
import DepinOverloads
import Testing

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        factory: @escaping (Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, factory: factory).inObjectScope(scope)
    }
}

struct `What messages show` {
    @Test func `is a place in DepinOverloads`() throws {
        let container = Container()
        container.register(Garage.self, scope: .container) { r in
            Garage(engine: try r.require(Engine.self))
        }
        let error = try #require(throws: ResolutionError.self) {
            try container.require(Garage.self)
        }

        #expect(error.path.last?.registeredAt.file == "DepinOverloads/Container+Register.swift")
    }
}
