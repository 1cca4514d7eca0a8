extension Container {
    /// Wraps each new instance of a service.
    ///
    /// ```swift
    /// container.decorate(API.self) { r, inner in LoggedAPI(inner, log: r ~> Log.self) }
    /// ```
    ///
    /// A decorator applies to all registrations of the type and name here, earlier and later ones, with any
    /// arguments. It also applies to contributions to the type, whatever their names. Several decorators
    /// wrap each other in the order in which they were added: the last one is outermost. A decorator runs
    /// once for each new instance, right after the factory. The scope keeps its result, and requests get
    /// it; `initCompleted` gets the innermost instance. An existing instance is not wrapped.
    ///
    /// A type that forwards to a registration has its own decorators outside those of the registration.
    ///
    /// A child's decorator also wraps services of a parent, but only for requests to the child, and once
    /// for the child if the parent shares the instance. A parent's decorators do not wrap services of a
    /// child. In `withSpace(overriding:)` a decorator applies where the service is registered:
    ///
    /// ```swift
    /// withSpace(overriding: { $0.decorate(API.self) { _, live in SpyAPI(live) } }) { … }
    /// ```
    ///
    /// `validate()` warns about a decorator whose service is not registered. A decorator has no closer: see
    /// <doc:Modules>.
    @preconcurrency
    public func decorate<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        decorator: @escaping @Sendable (any Resolver, Service) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let key = ServiceKey(Service.self, name: name?.name)
        let (engine, number) = (engine.inForce, Serial.next())
        let place = CodePlace(file: file, line: line)
        guard !engine.refusesChange("a decorator of \(readableName(of: Service.self))", at: place)
        else {
            return
        }
        let homes = engine.hasFlag(.isOverride) ? engine.holders(of: key) : []
        for home in homes.isEmpty ? [engine] : homes {
            home.add(
                Decorator(
                    number,
                    key,
                    at: place,
                    wrapsInherited: homes.isEmpty,
                    decorator
                )
            )
        }
    }
}

extension Engine {
    /// The containers that hold what a decorator of an override wraps.
    fileprivate func holders(of key: ServiceKey) -> [Engine] {
        var isFound = false
        return chain.filter { engine in
            let keys = engine.registry.slots.map(\.key).filter { $0.serviceType == key.serviceType }
            let contributes = keys.contains {
                $0.isContribution && (key.name == nil || $0.name == key.name)
            }
            let isHolder =
                !isFound && keys.contains { !$0.isContribution && $0.name == key.name }
            isFound = isFound || isHolder
            return isHolder || contributes
        }
    }
}
