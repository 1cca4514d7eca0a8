extension Container {
    /// Wraps each new instance of a service.
    ///
    /// ```swift
    /// container.decorate(API.self) { r, inner in LoggedAPI(inner, log: r ~> Log.self) }
    /// ```
    ///
    /// It applies to whatever is registered here for the type and name, before or after, whatever its
    /// arguments, and to contributions to the type, whatever their names. Several wrap each other in the
    /// order in which they were added: the last one is outermost. A decorator runs once for each new
    /// instance, right after the factory, and what it gives is what the scope keeps and what requests
    /// get; `initCompleted` gets the innermost. An instance that is there already is not wrapped any more.
    ///
    /// A type that forwards to a registration has the decorators of that type and, inside, those of
    /// the registration's own.
    ///
    /// On a child container, it wraps what a parent has registered too, for requests to the child only,
    /// once for the child where the parent shares the instance. A parent's decorators do not reach what a
    /// child registers. In `withSpace(overriding:)` it goes where the service is registered:
    ///
    /// ```swift
    /// withSpace(overriding: { $0.decorate(API.self) { _, live in SpyAPI(live) } }) { … }
    /// ```
    ///
    /// A decorator whose service nobody registers is a warning of `validate()`.
    @preconcurrency
    public func decorate<Service>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        decorator: @escaping @Sendable (any Resolver, Service) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let (name, place) = (name?.name, CodePlace(file: file, line: line))
        let core = core.inForce
        let homes = core.hasFlag(.isOverride) ? core.holders(of: Service.self, name) : []
        for home in homes.isEmpty ? [core] : homes {
            home.decorate(Service.self) { earlier in
                Decorator(
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
