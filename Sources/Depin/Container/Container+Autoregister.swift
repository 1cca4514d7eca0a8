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
    /// A parameter takes the next argument of its very type, or else the first one that can be cast to it, as
    /// a `Cat` to an `Animal` or a `String` to a `String?`; the others are resolved. One argument may so serve
    /// several parameters. `validate()` warns where it does, or where several fit one parameter, and has an
    /// error for an argument that no parameter takes.
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
        var dependencies: [Any.Type] = []
        repeat dependencies.append((each Dependency).self)
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

    /// The next argument of a type, or else the first that can be cast to it, or else the service.
    ///
    /// ``ArgumentFit`` knows the same from the types.
    mutating func next<Dependency>(
        _ type: Dependency.Type,
        else resolver: any Resolver
    ) throws -> Dependency {
        if let index = types.indices.first(where: { !isTaken[$0] && types[$0] == type }) {
            isTaken[index] = true
            if let value = values[index] as? Dependency { return value }
        }
        for index in values.indices {
            if let value = cast(index, to: Dependency.self) { return value }
        }
        return try resolver.needed(type)
    }

    private func cast<Dependency>(_ index: Int, to type: Dependency.Type) -> Dependency? {
        let value = values[index]
        // A nil can be cast to every optional, whatever it wraps.
        if let optional = value as? any OptionalValue, optional.wrappedAny == nil,
            TypeFacts.of(types[index]).fit(to: TypeFacts.of(type)) != .sure
        {
            return nil
        }
        return value as? Dependency
    }
}

extension Resolver {
    /// A dependency: what `require` gives, without a place in the source code.
    fileprivate func needed<Dependency>(_ type: Dependency.Type) throws -> Dependency {
        try _require(Dependency.self, nil, nil, nil, 0)
    }
}
