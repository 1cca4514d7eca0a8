postfix operator ~>

// The standard library declares the infix operator. Each form stops the program with the whole message if there is no
// service.

/// The service of a type: `resolver ~> API.self`.
public func ~> <Service>(resolver: any Resolver, serviceType: Service.Type) -> Service {
    resolver.demanded(nil, nil)
}

/// The service of a type and name: `resolver ~> (API.self, name: "test")`.
@_disfavoredOverload
public func ~> <Service>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, name: (any ServiceName)?)
) -> Service {
    resolver.demanded(service.name?.name, nil)
}

/// The service of a type for an argument: `resolver ~> (Profile.self, argument: id)`.
///
/// A value without a label is an argument too: `resolver ~> (Profile.self, id)`. A name needs its label.
@_alwaysEmitIntoClient
public func ~> <Service, Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, argument: Argument)
) -> Service {
    resolver.demanded(nil, ArgumentPack(service.argument))
}

/// The service of a type and name for an argument:
/// `resolver ~> (Profile.self, name: "guest", argument: id)`.
@_alwaysEmitIntoClient
@_disfavoredOverload
public func ~> <Service, Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, name: (any ServiceName)?, argument: Argument)
) -> Service {
    resolver.demanded(service.name?.name, ArgumentPack(service.argument))
}

/// The service of a type for arguments: `resolver ~> (Profile.self, arguments: (id, date))`.
@_alwaysEmitIntoClient
@_disfavoredOverload
public func ~> <Service, each Argument>(
    resolver: any Resolver,
    service: (serviceType: Service.Type, arguments: (repeat each Argument))
) -> Service {
    resolver.demanded(nil, ArgumentPack(repeat each service.arguments))
}

/// The service of a type and name for arguments:
/// `resolver ~> (Profile.self, name: "guest", arguments: (id, date))`.
@_alwaysEmitIntoClient
@_disfavoredOverload
public func ~> <Service, each Argument>(
    resolver: any Resolver,
    service: (
        serviceType: Service.Type, name: (any ServiceName)?, arguments: (repeat each Argument)
    )
) -> Service {
    resolver.demanded(service.name?.name, ArgumentPack(repeat each service.arguments))
}

/// The service of the type that the context determines: `Feed(api: resolver~>)`.
public postfix func ~> <Service>(resolver: any Resolver) -> Service {
    resolver.demanded(nil, nil)
}
