/// What makes a service, by what it is called with.
enum Factory<Service> {
    // PERF: a case of its own, because a closure around the user's cost 48 bytes a service and a
    // tenth of the time of a registration.
    case plain(() throws -> Service)
    case resolving((any Resolver) throws -> Service)
    case taking(ArgumentFactory<Service>)
    /// For an entry that asks another one, with whatever arguments there are.
    case passing((any Resolver, Arguments?) throws -> Service)

    /// Makes a service.
    @inline(__always)
    func make(_ resolver: any Resolver, _ arguments: Arguments?) throws -> Service {
        switch self {
        case .plain(let make):
            return try make()
        case .resolving(let make):
            return try make(resolver)
        case .taking(let factory):
            guard let arguments else {
                preconditionFailure("a factory was called without arguments")
            }
            return try factory.make(resolver, arguments)
        case .passing(let make):
            return try make(resolver, arguments)
        }
    }

    /// `Resolver`, or the tuple of it and the arguments' types.
    var argumentsType: Any.Type {
        guard case .taking(let factory) = self else { return (any Resolver).self }
        return factory.argumentsType
    }
}

/// The factory of a service that takes runtime arguments.
class ArgumentFactory<Service> {
    var argumentsType: Any.Type { (any Resolver).self }

    func make(_ resolver: any Resolver, _ arguments: Arguments) throws -> Service {
        preconditionFailure("a factory without a body")
    }
}

/// A factory whose arguments are known one by one.
///
/// A variadic closure cannot be stored in a property of a non-variadic type, hence the class.
final class PackFactory<Service, each Argument>: ArgumentFactory<Service> {
    private let body: (any Resolver, repeat each Argument) throws -> Service

    init(_ body: @escaping (any Resolver, repeat each Argument) throws -> Service) {
        self.body = body
    }

    override var argumentsType: Any.Type { (any Resolver, repeat each Argument).self }

    override func make(_ resolver: any Resolver, _ arguments: Arguments) throws -> Service {
        // The key of the request names this very class.
        let arguments = unsafeDowncast(arguments, to: ArgumentPack<repeat each Argument>.self)
        return try body(resolver, repeat each arguments.pack)
    }
}
