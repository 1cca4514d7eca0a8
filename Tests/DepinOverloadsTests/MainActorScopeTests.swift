import Depin  // was: import Swinject
import DepinOverloads
import Testing

// Methods around factories of the main actor, whose scope has a default.

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        mainActorFactory: @escaping @MainActor (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, mainActorFactory: mainActorFactory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        mainActorFactory: @escaping @MainActor (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, mainActorFactory: mainActorFactory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service, Argument>(
        _ serviceType: Service.Type,
        scope: ObjectScope = .container,
        mainActorFactory: @escaping @MainActor (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, mainActorFactory: mainActorFactory).inObjectScope(scope)
    }

    @discardableResult
    fileprivate func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: ObjectScope = .container,
        mainActorFactory: @escaping @MainActor (Resolver, Argument) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, mainActorFactory: mainActorFactory).inObjectScope(scope)
    }
}

@MainActor struct `Methods around factories of the main actor` {
    private let container = Container()

    @Test func `register one`() {
        container.register(
            Dashboard.self,
            scope: .container,
            mainActorFactory: { _ in Dashboard(text: "plain") }
        )
        container.register(
            Dashboard.self,
            name: "named",
            scope: .container,
            mainActorFactory: { _ in Dashboard(text: "named") }
        )
        let plain = container ~> Dashboard.self
        let named = container ~> (Dashboard.self, name: "named")

        #expect(plain.text == "plain" && plain === (container ~> Dashboard.self))
        #expect(named.text == "named")
        #expect(named === (container ~> (Dashboard.self, name: "named")))
    }

    @Test func `register one with an argument`() {
        container.register(
            Dashboard.self,
            scope: .container,
            mainActorFactory: { (_, speed: Int) in Dashboard(text: "\(speed)") }
        )
        container.register(
            Dashboard.self,
            name: "unit",
            scope: .container,
            mainActorFactory: { (_, speed: Int) in Dashboard(text: "\(speed) km/h") }
        )
        let plain = container ~> (Dashboard.self, argument: 50)
        let unit = container ~> (Dashboard.self, name: "unit", argument: 50)

        #expect(plain.text == "50" && plain === (container ~> (Dashboard.self, argument: 50)))
        #expect(unit.text == "50 km/h")
        #expect(unit === (container ~> (Dashboard.self, name: "unit", argument: 50)))
    }
}
