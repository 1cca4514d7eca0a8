/// What makes a service, by what it is called with.
@usableFromInline
enum Factory<Service> {
    // PERF: a case of its own, because a closure around the user's cost 48 bytes a service and a
    // tenth of the time of a registration.
    case plain(() throws -> Service)
    case resolving((any Resolver) throws -> Service)
    case taking(ArgumentFactory<Service>)

    /// Makes a service without arguments.
    @inlinable
    @inline(__always)
    func make(_ resolver: any Resolver) throws -> Service {
        switch self {
        case .plain(let make): try make()
        case .resolving(let make): try make(resolver)
        case .taking: preconditionFailure("a factory was called without arguments")
        }
    }

    /// A factory that tells an observer before this one runs.
    func observed(by observer: @escaping @Sendable () -> Void) -> Factory {
        switch self {
        case .plain(let make):
            .plain {
                observer()
                return try make()
            }
        case .resolving(let make):
            .resolving { resolver in
                observer()
                return try make(resolver)
            }
        case .taking(let factory):
            .taking(ObservedFactory(factory, observer))
        }
    }

    /// The part for runtime arguments.
    @inlinable var forArguments: ArgumentFactory<Service>? {
        guard case .taking(let factory) = self else { return nil }
        return factory
    }
}

/// The factory of a service that takes runtime arguments.
@usableFromInline
class ArgumentFactory<Service>: @unchecked Sendable {  // Subclasses hold one `@Sendable` closure.
    @usableFromInline
    init() {}

    /// The types of the arguments, where they are known one by one.
    var argumentTypes: [Any.Type] { [] }

    func make(_ resolver: any Resolver, _ arguments: Arguments) throws -> Service {
        preconditionFailure("a factory without a body")
    }

    /// Makes a service from a tuple of resolver and arguments.
    func make(tuple: UnsafeRawPointer) throws -> Service {
        preconditionFailure("a factory without a body")
    }
}

/// A factory whose arguments are known one by one.
///
/// A variadic closure cannot be stored in a property of a non-variadic type, hence the class.
@usableFromInline
final class PackFactory<Service, each Argument>: ArgumentFactory<Service>, @unchecked Sendable {
    @usableFromInline let body: (any Resolver, repeat each Argument) throws -> Service

    init(_ body: @escaping (any Resolver, repeat each Argument) throws -> Service) {
        self.body = body
    }

    override var argumentTypes: [Any.Type] { ArgumentPack<repeat each Argument>.types }

    override func make(_ resolver: any Resolver, _ arguments: Arguments) throws -> Service {
        // The key of the request names these very types.
        let arguments = unsafeDowncast(arguments, to: ArgumentPack<repeat each Argument>.self)
        return try body(resolver, repeat each arguments.pack)
    }

    override func make(tuple: UnsafeRawPointer) throws -> Service {
        // A tuple that is only part a pack cannot be taken apart in the language, so this walks it as
        // it lies in memory: each element at the next multiple of its alignment.
        var place = tuple
        func next<Element>(_ type: Element.Type) -> Element {
            place = place.alignedUp(toMultipleOf: MemoryLayout<Element>.alignment)
            defer { place += MemoryLayout<Element>.size }
            return place.assumingMemoryBound(to: type).pointee
        }
        let resolver = next((any Resolver).self)
        return try body(resolver, repeat next((each Argument).self))
    }
}

/// A factory that an extension package registered with its arguments as one tuple.
final class TupleFactory<Service, Tuple>: ArgumentFactory<Service>, @unchecked Sendable {
    private let body: (Tuple) throws -> Service

    init(_ body: @escaping (Tuple) throws -> Service) {
        self.body = body
    }

    override func make(_ resolver: any Resolver, _ arguments: Arguments) throws -> Service {
        try arguments.withTuple(resolver) { try make(tuple: $0) }
    }

    override func make(tuple: UnsafeRawPointer) throws -> Service {
        try body(tuple.assumingMemoryBound(to: Tuple.self).pointee)
    }
}

/// A factory that tells an observer before another one runs.
private final class ObservedFactory<Service>: ArgumentFactory<Service>, @unchecked Sendable {
    private let original: ArgumentFactory<Service>
    private let observer: @Sendable () -> Void

    init(_ original: ArgumentFactory<Service>, _ observer: @escaping @Sendable () -> Void) {
        self.original = original
        self.observer = observer
    }

    override var argumentTypes: [Any.Type] { original.argumentTypes }

    override func make(_ resolver: any Resolver, _ arguments: Arguments) throws -> Service {
        observer()
        return try original.make(resolver, arguments)
    }

    override func make(tuple: UnsafeRawPointer) throws -> Service {
        observer()
        return try original.make(tuple: tuple)
    }
}
