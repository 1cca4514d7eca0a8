postfix operator ~>

// The standard library declares the infix operator. Each form stops the program with the whole message when the service cannot be had.

/// The service of a type: `resolver ~> API.self`.
@inlinable
@inline(__always)
public func ~> <Service>(resolver: any Resolver, serviceType: Service.Type) -> Service {
    trapping { try resolver.demand(serviceType) }
}

// PERF: where the resolver's type is known this is preferred, and no existential is made of it. That
// would retain the container twice, slowly, for its core has a weak reference to it.

/// The service of a type: `container ~> API.self`.
@inlinable
@inline(__always)
public func ~> <Service>(resolver: some Resolver, serviceType: Service.Type) -> Service {
    trapping { try resolver.demand(serviceType) }
}

/// The service of a type and name: `resolver ~> (API.self, name: "test")`.
@inlinable
@inline(__always)
public func ~> <Service>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, name: String?)
) -> Service {
    trapping { try resolver.demand(service.serviceType, name: service.name) }
}

/// The service of a type and name: `resolver ~> (API.self, name: Server.test)`.
@inlinable
@inline(__always)
public func ~> <Service>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, name: any ServiceName)
) -> Service {
    trapping { try resolver.demand(service.serviceType, name: service.name.name) }
}

/// The service of a type for an argument: `resolver ~> (Profile.self, argument: id)`.
@inlinable
@inline(__always)
public func ~> <Service, Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, argument: Argument)
) -> Service {
    trapping { try resolver.demand(service.serviceType, name: nil, arguments: service.argument) }
}

/// The service of a type and name for an argument:
/// `resolver ~> (Profile.self, name: "guest", argument: id)`.
@inlinable
@inline(__always)
public func ~> <Service, Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, name: String?, argument: Argument)
) -> Service {
    trapping {
        try resolver.demand(service.serviceType, name: service.name, arguments: service.argument)
    }
}

/// The service of a type for arguments: `resolver ~> (Profile.self, arguments: (id, date))`.
@inlinable
@inline(__always)
public func ~> <Service, each Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, arguments: (repeat each Argument))
) -> Service {
    trapping {
        try resolver.demand(
            service.serviceType,
            name: nil,
            arguments: repeat each service.arguments
        )
    }
}

/// The service of a type and name for arguments:
/// `resolver ~> (Profile.self, name: "guest", arguments: (id, date))`.
@inlinable
@inline(__always)
public func ~> <Service, each Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, name: String?, arguments: (repeat each Argument))
) -> Service {
    trapping {
        try resolver.demand(
            service.serviceType,
            name: service.name,
            arguments: repeat each service.arguments
        )
    }
}

/// The service of the type that the context asks for: `Feed(api: resolver~>)`.
@inlinable
@inline(__always)
public postfix func ~> <Service>(resolver: any Resolver) -> Service {
    trapping { try resolver.demand(Service.self) }
}
