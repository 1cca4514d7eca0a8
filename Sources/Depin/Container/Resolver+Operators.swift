postfix operator ~>

// The standard library declares the infix operator. Each form stops the program with the whole message
// when the service cannot be had.

/// The service of a type: `resolver ~> API.self`.
@inlinable
@inline(__always)
public func ~> <Service>(resolver: any Resolver, serviceType: Service.Type) -> Service {
    resolver.demand(serviceType)
}

/// The service of a type and name: `resolver ~> (API.self, name: "test")`.
@inlinable
@inline(__always)
@_disfavoredOverload
public func ~> <Service>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, name: (any ServiceName)?)
) -> Service {
    resolver.demand(service.serviceType, service.name?.name)
}

/// The service of a type for an argument: `resolver ~> (Profile.self, argument: id)`.
@inlinable
@inline(__always)
@_disfavoredOverload
public func ~> <Service, Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, argument: Argument)
) -> Service {
    resolver.demand(service.serviceType, nil, ArgumentPack(service.argument))
}

/// The service of a type and name for an argument:
/// `resolver ~> (Profile.self, name: "guest", argument: id)`.
@inlinable
@inline(__always)
@_disfavoredOverload
public func ~> <Service, Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, name: (any ServiceName)?, argument: Argument)
) -> Service {
    resolver.demand(service.serviceType, service.name?.name, ArgumentPack(service.argument))
}

/// The service of a type for arguments: `resolver ~> (Profile.self, arguments: (id, date))`.
@inlinable
@inline(__always)
@_disfavoredOverload
public func ~> <Service, each Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, arguments: (repeat each Argument))
) -> Service {
    resolver.demand(service.serviceType, nil, ArgumentPack(repeat each service.arguments))
}

/// The service of a type and name for arguments:
/// `resolver ~> (Profile.self, name: "guest", arguments: (id, date))`.
@inlinable
@inline(__always)
@_disfavoredOverload
public func ~> <Service, each Argument>(
    resolver: any Resolver,
    service: (
        serviceType: Service.Type, name: (any ServiceName)?, arguments: (repeat each Argument)
    )
) -> Service {
    let arguments = ArgumentPack(repeat each service.arguments)
    return resolver.demand(service.serviceType, service.name?.name, arguments)
}

/// The service of the type that the context asks for: `Feed(api: resolver~>)`.
@inlinable
@inline(__always)
public postfix func ~> <Service>(resolver: any Resolver) -> Service {
    resolver.demand(Service.self)
}
