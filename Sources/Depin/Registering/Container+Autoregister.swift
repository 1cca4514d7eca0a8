extension Container {
    /// Registers a service by its initializer, whose parameters are resolved by their types.
    ///
    /// ```swift
    /// container.autoregister(Ranking.self, initializer: LiveRanking.init)
    /// ```
    ///
    /// A parameter may be an optional, a `Lazy` or a `Provider`. If the initializer is overloaded or has
    /// default values, choose one with a closure: `{ LiveRanking(api: $0, clock: $1) }`.
    ///
    /// If the services of parameters are registered under names, pass the names in the order of the
    /// parameters:
    ///
    /// ```swift
    /// // init(main: Database, copy: Database, clock: Clock)
    /// container.autoregister(Report.self, names: ["main", "copy"], initializer: LiveReport.init)
    /// ```
    ///
    /// A parameter whose name is nil, or that comes after the last name, is resolved without a name. More
    /// names than parameters stop the program.
    ///
    /// - Returns: The entry, which you can configure further.
    @discardableResult
    @preconcurrency
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        names: [(any ServiceName)?] = [],
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = ServiceKey(Service.self, name: name?.name)
        let place = CodePlace(file: file, line: line)
        return autoregister(key, place, names, initializer)
    }

    /// Registers a service by its initializer, one of whose parameters is a runtime argument.
    ///
    /// ```swift
    /// container.autoregister(Profile.self, argument: User.ID.self, initializer: LiveProfile.init)
    /// let profile = container ~> (Profile.self, argument: id)
    /// ```
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func autoregister<Service, Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        argument: Argument.Type,
        names: [(any ServiceName)?] = [],
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name,
            arguments: argument,
            names: names,
            initializer: initializer,
            file: file,
            line: line
        )
    }

    /// Registers a service by its initializer, some of whose parameters are runtime arguments.
    ///
    /// A parameter takes the next argument of exactly its type, or else the first that can be cast to it,
    /// such as a `Cat` to an `Animal` or a `String` to a `String?`. The other parameters are resolved. So
    /// one argument may serve several parameters. `validate()` warns if it does, or if several arguments
    /// fit one parameter, and reports an error for an argument that no parameter takes. A parameter with
    /// a name in `names` is resolved, whatever the arguments.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    public func autoregister<Service, First, each Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: (any ServiceName)? = nil,
        arguments first: First.Type,
        _ further: repeat (each Argument).Type,
        names: [(any ServiceName)?] = [],
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let key = key(for: Service.self, name, ArgumentPack<First, repeat each Argument>.self)
        let place = CodePlace(file: file, line: line)
        let parameters = keys(of: Service.self, repeat (each Dependency).self, named: names, place)
        let factory = Factory<Service>.withArguments { resolver, given in
            let arguments = GivenArguments(given, for: parameters)
            return try initializer(repeat arguments.next((each Dependency).self, else: resolver))
        }
        return add(key, place, factory, needing: parameters)
    }

    /// Registers a service with an initializer as its factory.
    func autoregister<Service, each Dependency>(
        _ key: ServiceKey,
        _ place: CodePlace,
        _ names: [(any ServiceName)?],
        _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        let parameters = keys(of: Service.self, repeat (each Dependency).self, named: names, place)
        let factory = Factory<Service>.resolving { resolver in
            var rest = parameters[...]
            return try initializer(
                repeat try resolver._require(rest.popFirst()?.name, nil) as each Dependency
            )
        }
        // Most initializers have no named parameters, and need not count theirs (row 4, a fifth).
        let unnamed = Factory<Service>.resolving { resolver in
            try initializer(repeat try resolver._require(nil, nil) as each Dependency)
        }
        return add(key, place, names.isEmpty ? unnamed : factory, needing: parameters)
    }

    /// The keys of an initializer's parameters.
    @usableFromInline
    func keys<each Dependency>(
        of serviceType: Any.Type,
        _ types: repeat (each Dependency).Type,
        named names: [(any ServiceName)?],
        _ place: CodePlace
    ) -> [ServiceKey] {
        var parameters: [ServiceKey] = []
        for type in repeat each types {
            let index = parameters.count
            let name = index < names.count ? names[index]?.name : nil
            parameters.append(ServiceKey(type, name: name))
        }
        guard names.count <= parameters.count else {
            place.stop(
                """
                Depin: \(names.count) names are given for the \(parameters.count) parameters of the \
                initializer of \(readableName(of: serviceType))
                  fix: pass one name for each parameter, in order; nil for a parameter without one
                """
            )
        }
        return parameters
    }
}

/// The runtime arguments for an initializer, whose other parameters are resolved.
@usableFromInline
final class GivenArguments {
    private let types: [Any.Type]
    private let values: [Any]
    private var isTaken: [Bool]
    private var parameters: ArraySlice<ServiceKey>

    @usableFromInline
    init(_ arguments: _Arguments?, for parameters: [ServiceKey]) {
        self.parameters = parameters[...]
        types = arguments.map { type(of: $0).types } ?? []
        values = arguments?.values ?? []
        isTaken = types.map { _ in false }
    }

    /// The argument for the next parameter, or else the resolved service.
    @usableFromInline
    func next<Dependency>(
        _ type: Dependency.Type,
        else resolver: any Resolver
    ) throws -> Dependency {
        if let name = parameters.popFirst()?.name { return try resolver._require(name, nil) }
        return try argument(for: type) ?? resolver._require(nil, nil)
    }

    /// The parameters that no argument serves, so that they are resolved.
    var unserved: [ServiceKey] {
        parameters.filter { parameter in
            func isServed<Dependency>(_ type: Dependency.Type) -> Bool {
                argument(for: type) != nil
            }
            return parameter.name != nil || !_openExistential(parameter.serviceType, do: isServed)
        }
    }

    /// The next argument of a type, or else the first that can be cast to it.
    ///
    /// A validation predicts this from the types.
    private func argument<Dependency>(for type: Dependency.Type) -> Dependency? {
        if let index = types.indices.first(where: { !isTaken[$0] && types[$0] == type }) {
            isTaken[index] = true
            if let value = values[index] as? Dependency { return value }
        }
        for index in values.indices {
            // A nil can be cast to every optional, whatever it wraps.
            if let optional = values[index] as? any OptionalValue, optional.wrappedAny == nil,
                TypeFacts.of(types[index]).fits(TypeFacts.of(type)) != true
            {
                continue
            }
            if let value = values[index] as? Dependency { return value }
        }
        return nil
    }
}
