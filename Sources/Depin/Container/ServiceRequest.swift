/// A request for a service in all its parts: what the general way through a container works on.
struct ServiceRequest {
    /// What the factory is called with.
    enum Input {
        case nothing
        case arguments(Arguments)
        /// An extension package calls the factory itself, with a tuple that only it knows.
        case invoker((_ factory: (UnsafeRawPointer) throws -> Any) throws -> Any)

        var arguments: Arguments? {
            guard case .arguments(let arguments) = self else { return nil }
            return arguments
        }
    }

    var key: ServiceKey
    var input = Input.nothing
    var injectedAt: CodePlace?
    /// True where a graph begins although a resolution is under way: for `@Injected` and `Provider`.
    var beginsGraph = false
    /// Called before the factory, if that is needed for the answer.
    var onMake: (() -> Void)?

    init(
        _ serviceType: Any.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        arguments: Arguments? = nil
    ) {
        key = ServiceKey(serviceType, tuple: arguments?.tupleType, name: name, option: option)
        if let arguments, arguments.tupleType != nil {
            input = .arguments(arguments)
        }
    }

    /// The same request for another type.
    func asking(for serviceType: Any.Type) -> ServiceRequest {
        var request = self
        request.key = ServiceKey(
            serviceType,
            tuple: key.tupleType,
            name: key.name,
            option: key.option
        )
        return request
    }

    /// Lends a frame for an entry that answers the request.
    func withFrame<Result>(
        for entry: AnyServiceEntry,
        asked: ContainerCore,
        _ body: (Resolution.FramePointer) throws -> Result
    ) rethrows -> Result {
        let arguments = input.arguments
        let place = injectedAt ?? CodePlace(file: "", line: 0)
        return try withExtendedLifetime(arguments) {
            try withUnsafePointer(to: place) { place in
                var frame = Frame(
                    entry,
                    entry.currentTraits,
                    asked: asked,
                    arguments: arguments,
                    injectedAt: injectedAt == nil ? nil : place,
                    beginsGraph: beginsGraph
                )
                return try body(&frame)
            }
        }
    }

    var forError: ResolutionError.Request {
        ResolutionError.Request(
            serviceType: key.serviceType,
            name: key.name,
            argumentTypes: input.arguments?.types ?? [],
            injectedAt: injectedAt
        )
    }
}

extension ServiceEntry {
    /// Runs the factory.
    func make(_ resolver: any Resolver, _ request: ServiceRequest) throws -> Service {
        request.onMake?()
        switch request.input {
        case .nothing:
            return try factory.make(resolver)
        case .arguments(let arguments):
            guard let factory = factory.forArguments else {
                preconditionFailure("arguments for a factory that takes none")
            }
            return try factory.make(resolver, arguments)
        case .invoker(let invoke):
            let made = try invoke { tuple in
                guard let factory = factory.forArguments else {
                    let resolver = tuple.assumingMemoryBound(to: (any Resolver).self).pointee
                    return try self.factory.make(resolver)
                }
                return try factory.make(tuple: tuple)
            }
            guard let service = made as? Service else {
                fatalError("Depin: an invoker returned \(made), not what the factory made")
            }
            return service
        }
    }
}
