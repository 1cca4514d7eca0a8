extension Container {
    /// Registers a service by its initializer, whose parameters are resolved by their types.
    ///
    /// ```swift
    /// container.autoregister(Ranking.self, initializer: LiveRanking.init)
    /// ```
    ///
    /// A parameter may be optional, a `Lazy` or a `Provider`. Where the initializer is overloaded, or
    /// has defaults, say which one with a closure: `{ LiveRanking(api: $0, clock: $1) }`.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let place = CodePlace(file: file, line: line)
        return add(autoEntry(serviceType, name?.name, place, initializer))
    }

    /// Registers a service by its initializer, one of whose parameters is a runtime argument.
    ///
    /// ```swift
    /// container.autoregister(Profile.self, argument: User.ID.self, initializer: LiveProfile.init)
    /// let profile = container ~> (Profile.self, argument: id)
    /// ```
    @discardableResult
    @preconcurrency
    public func autoregister<Service, Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument.Type,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name,
            arguments: argument,
            initializer: initializer,
            file: file,
            line: line
        )
    }

    /// Registers a service by its initializer, some of whose parameters are runtime arguments.
    ///
    /// A parameter of a named type takes the next argument of that type; the others are resolved.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, First, each Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        arguments first: First.Type,
        _ further: repeat (each Argument).Type,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let factory: @Sendable (any Resolver, First, repeat each Argument) throws -> Service = {
            (resolver: any Resolver, first: First, further: repeat each Argument) in
            var arguments = GivenArguments(ArgumentPack(first, repeat each further))
            return try initializer(repeat arguments.next((each Dependency).self, else: resolver))
        }
        var arguments = GivenArguments(types: ArgumentPack<First, repeat each Argument>.types)
        var dependencies: [Any.Type] = []
        repeat arguments.collect((each Dependency).self, into: &dependencies)
        return add(
            argumentEntry(
                serviceType,
                name?.name,
                CodePlace(file: file, line: line),
                dependencies: dependencies,
                factory: factory
            )
        )
    }

    func autoEntry<Service, each Dependency>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ place: CodePlace,
        traits: AnyServiceEntry.Traits = [],
        _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        var dependencies: [Any.Type] = []
        repeat dependencies.append((each Dependency).self)
        return entry(
            serviceType,
            name,
            place,
            traits: traits,
            dependencies: dependencies,
            factory: .resolving { resolver in
                try initializer(repeat resolver.needed((each Dependency).self))
            }
        )
    }
}

/// The runtime arguments of an initializer whose other parameters are resolved.
private struct GivenArguments {
    private let types: [Any.Type]
    private let values: [Any]
    private var isTaken: [Bool]

    init(_ arguments: Arguments) {
        types = type(of: arguments).types
        values = arguments.values
        isTaken = types.map { _ in false }
    }

    init(types: [Any.Type]) {
        self.types = types
        values = []
        isTaken = types.map { _ in false }
    }

    /// The next argument of a type, or else the service of that type.
    mutating func next<Dependency>(
        _ type: Dependency.Type,
        else resolver: any Resolver
    ) throws -> Dependency {
        if let index = take(type), let value = values[index] as? Dependency { return value }
        return try resolver.needed(type)
    }

    /// Notes a type that no argument stands for.
    mutating func collect(_ type: Any.Type, into dependencies: inout [Any.Type]) {
        if take(type) == nil {
            dependencies.append(type)
        }
    }

    private mutating func take(_ type: Any.Type) -> Int? {
        let index = types.indices.first { !isTaken[$0] && types[$0] == type }
        if let index {
            isTaken[index] = true
        }
        return index
    }
}

extension Resolver {
    /// A dependency: what `require` gives, without a place in the source code.
    fileprivate func needed<Dependency>(_ type: Dependency.Type) throws -> Dependency {
        try _require(Dependency.self, nil, nil, nil, 0)
    }
}
