/// What makes a service, by what it is called with.
enum Factory<Service> {
    // A case of its own, because a closure around the user's costs 48 bytes a service.
    case withoutResolver(() throws -> Service)
    /// For an instance that there is.
    case instance(Box<Service>)
    case resolving((any Resolver) throws -> Service)
    case taking(ArgumentFactory<Service>)
    case async(AsyncFactory<Service>)

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
        case .taking(let factory):
            guard let arguments else {
                preconditionFailure("a factory was called without arguments")
            }
            return try factory.make(resolver, arguments)
        case .async:
            preconditionFailure("an asynchronous factory was called by who cannot wait")
        }
    }

    /// What it says of its registration.
    var traits: Registration.Traits {
        switch self {
        case .withoutResolver, .resolving, .taking: []
        case .instance: .isInstance
        case .async: .isAsync
        }
    }

    /// `Resolver`, or the tuple of it and the arguments' types.
    var argumentsType: Any.Type {
        switch self {
        case .withoutResolver, .instance, .resolving: (any Resolver).self
        case .taking(let factory): factory.argumentsType
        case .async(let factory): factory.argumentsType
        }
    }
}

/// The factory of a service that takes runtime arguments.
final class ArgumentFactory<Service> {
    let argumentsType: Any.Type
    let make: (any Resolver, Arguments) throws -> Service

    init<each Argument>(
        _ body: @escaping (any Resolver, repeat each Argument) throws -> Service
    ) {
        argumentsType = (any Resolver, repeat each Argument).self
        make = { resolver, arguments in
            // The key of the request names this very class.
            let pack = unsafeDowncast(arguments, to: ArgumentPack<repeat each Argument>.self).pack
            return try body(resolver, repeat each pack)
        }
    }
}

/// The factory of a service that takes time to make.
final class AsyncFactory<Service> {
    let argumentsType: Any.Type
    let make: (any Resolver, Arguments?) async throws -> Service

    init(_ body: @escaping (any Resolver) async throws -> Service) {
        argumentsType = (any Resolver).self
        make = { resolver, _ in try await body(resolver) }
    }

    /// One that takes runtime arguments.
    init<each Argument>(
        taking body: @escaping (any Resolver, repeat each Argument) async throws -> Service
    ) {
        argumentsType = (any Resolver, repeat each Argument).self
        make = { resolver, arguments in
            guard let arguments else {
                preconditionFailure("a factory was called without arguments")
            }
            // The key of the request names this very class.
            let pack = unsafeDowncast(arguments, to: ArgumentPack<repeat each Argument>.self).pack
            return try await body(resolver, repeat each pack)
        }
    }
}
