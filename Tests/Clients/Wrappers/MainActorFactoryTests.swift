import Depin  // was: import Swinject
import Testing

// Factories of the main actor, as Knit adds them to Swinject's container.

extension Container {
    @discardableResult
    fileprivate func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        mainActorFactory: @escaping @MainActor (Resolver) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { r in
            MainActor.assumeIsolated { mainActorFactory(r) }
        }
    }

    @discardableResult
    fileprivate func register<Service, Arg1>(
        _ serviceType: Service.Type,
        name: String? = nil,
        mainActorFactory: @escaping @MainActor (Resolver, Arg1) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { (r: Resolver, arg1: Arg1) in
            MainActor.assumeIsolated { mainActorFactory(r, arg1) }
        }
    }

    @discardableResult
    fileprivate func register<Service, Arg1, Arg2>(
        _ serviceType: Service.Type,
        name: String? = nil,
        mainActorFactory: @escaping @MainActor (Resolver, Arg1, Arg2) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { (r: Resolver, arg1: Arg1, arg2: Arg2) in
            MainActor.assumeIsolated { mainActorFactory(r, arg1, arg2) }
        }
    }

    @discardableResult
    fileprivate func register<Service, Arg1, Arg2, Arg3>(
        _ serviceType: Service.Type,
        name: String? = nil,
        mainActorFactory: @escaping @MainActor (Resolver, Arg1, Arg2, Arg3) -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name) { (r: Resolver, arg1: Arg1, arg2: Arg2, arg3: Arg3) in
            MainActor.assumeIsolated { mainActorFactory(r, arg1, arg2, arg3) }
        }
    }
}

@MainActor struct `Wrappers around factories of the main actor` {
    private let container = Container()

    @Test func `register one`() {
        container.register(Dashboard.self, mainActorFactory: { _ in Dashboard(text: "0") })

        #expect((container ~> Dashboard.self).text == "0")
    }

    @Test func `register one with an argument`() {
        container.register(
            Dashboard.self,
            mainActorFactory: { (_, speed: Int) in Dashboard(text: "\(speed)") }
        )

        #expect((container ~> (Dashboard.self, argument: 50)).text == "50")
    }

    @Test func `register one with two arguments, under a name`() {
        container.register(
            Dashboard.self,
            name: "units",
            mainActorFactory: { (_, speed: Int, unit: String) in
                Dashboard(text: "\(speed) \(unit)")
            }
        )
        let dashboard = container ~> (Dashboard.self, name: "units", arguments: (50, "km/h"))

        #expect(dashboard.text == "50 km/h")
    }

    @Test func `register one with three arguments`() {
        container.register(
            Dashboard.self,
            mainActorFactory: { (_, speed: Int, unit: String, isOn: Bool) in
                Dashboard(text: "\(speed) \(unit) \(isOn)")
            }
        )
        let dashboard = container ~> (Dashboard.self, arguments: (50, "km/h", true))

        #expect(dashboard.text == "50 km/h true")
    }
}
