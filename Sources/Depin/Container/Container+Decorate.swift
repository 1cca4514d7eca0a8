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
        let (name, place) = (name?.name, CodePlace(file: file, line: line))
        let (core, number) = (core.inForce, Serial.next())
        let homes = core.hasFlag(.isOverride) ? core.holders(of: Service.self, name) : []
        for home in homes.isEmpty ? [core] : homes {
            home.decorate(Service.self) { earlier in
                Decorator(
                    number,
                    name: name,
                    place: place,
                    wrapsInherited: homes.isEmpty,
                    decorator,
                    after: earlier
                )
            }
        }
    }
}

extension Core {
    /// The containers that hold what a decorator is for: the registration that is found, and contributions.
    fileprivate func holders(of type: Any.Type, _ name: String?) -> [Core] {
        var isFound = false
        return chain.filter { core in
            let keys = core.registry.registrations.map(\.key).filter { $0.serviceType == type }
            let contributes = keys.contains {
                $0.isContribution && (name == nil || $0.name == name)
            }
            let isHolder = !isFound && keys.contains { !$0.isContribution && $0.name == name }
            isFound = isFound || isHolder
            return isHolder || contributes
        }
    }
}
