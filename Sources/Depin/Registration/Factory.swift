/// A service's factory, by its parameters.
enum Factory<Service> {
    // A case of its own, because a closure around the user's costs 48 bytes a service.
    case withoutResolver(() throws -> Service)
    /// A registered instance.
    case instance(Box<Service>)
    case resolving((any Resolver) throws -> Service)
    case withArguments((any Resolver, Arguments?) throws -> Service)
    /// An asynchronous factory.
    case async((any Resolver, Arguments?) async throws -> Service)

    /// Makes a service.
    @inline(__always)
    func make(_ resolver: any Resolver, _ arguments: Arguments?) throws -> Service {
        switch self {
        case .withoutResolver(let make):
            return try make()
        case .instance(let box):
            return box.value
        case .resolving(let make):
            return try make(resolver)
        case .withArguments(let make):
            return try make(resolver, arguments)
        case .async:
            preconditionFailure("an asynchronous factory was called by who cannot wait")
        }
    }

    /// The traits that the factory gives its registration.
    var traits: Registration.Traits {
        switch self {
        case .withoutResolver: .asksNothing
        case .instance: [.isInstance, .asksNothing]
        case .resolving, .withArguments: []
        case .async: .isAsync
        }
    }
}
