// Where packages that build on the container reach below its everyday API.

extension Container {
    /// Registers a factory that takes its resolver and arguments as one tuple, for packages that add
    /// an option of their own to the key.
    ///
    /// `Arguments` is `Resolver`, or a tuple that begins with it: `(Resolver, Window)`.
    ///
    /// ```swift
    /// container._register(Window.self, factory: { (resolver: Resolver, window: Window) in window },
    ///                     option: Storyboard(controller: "main"))
    /// ```
    @discardableResult
    public func _register<Service, Arguments>(
        _ serviceType: Service.Type,
        factory: @escaping (Arguments) -> Any,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ServiceEntry<Service> {
        let isPlain = Arguments.self == (any Resolver).self
        let factory = TupleFactory<Service, Arguments> { arguments in
            let made = factory(arguments)
            guard let service = made as? Service else {
                fatalError("Depin: a factory of \(Service.self) made \(made)")
            }
            return service
        }
        return add(
            ServiceEntry(
                key: ServiceKey(
                    Service.self,
                    tuple: isPlain ? nil : Arguments.self,
                    name: name,
                    option: option
                ),
                place: CodePlace(file: file, line: line),
                scope: core.defaultScope,
                factory: isPlain
                    ? .resolving { try withUnsafePointer(to: $0) { try factory.make(tuple: $0) } }
                    : .taking(factory),
                sink: core.inForce
            )
        )
    }
}

/// What packages that build on a container resolve by.
public protocol _Resolver {
    /// Resolves a service whose factory the caller calls itself.
    ///
    /// - Parameters:
    ///   - name: The name in the key.
    ///   - option: The option in the key.
    ///   - invoker: Is handed the factory, calls it with a tuple of resolver and arguments, and returns
    ///     what it made. It is not called where an instance exists already.
    /// - Returns: The service, or nil when nothing is registered for the key. The arguments are
    ///   invisible to the library, so in graph scope an instance is shared whatever they were.
    func _resolve<Service, Arguments>(
        name: String?,
        option: (any ServiceKeyOption)?,
        invoker: @escaping ((Arguments) -> Any) -> Any
    ) -> Service?
}

extension Container: _Resolver {
    /// Resolves a service whose factory the caller calls itself.
    ///
    /// ```swift
    /// let window: Window? = container._resolve(name: nil, option: Storyboard(controller: "main")) {
    ///     (factory: ((Resolver, Window)) -> Any) in factory((container, window))
    /// }
    /// ```
    public func _resolve<Service, Arguments>(
        name: String?,
        option: (any ServiceKeyOption)? = nil,
        invoker: @escaping ((Arguments) -> Any) -> Any
    ) -> Service? {
        var request = ServiceRequest(Service.self, name: name, option: option)
        if Arguments.self != (any Resolver).self {
            request.key = ServiceKey(
                Service.self,
                tuple: Arguments.self,
                name: name,
                option: option
            )
        }
        request.input = .invoker { factory in
            // The invoker's closures cannot throw, so an error takes the way around them.
            var failure: (any Error)?
            let made = withoutActuallyEscaping(factory) { factory in
                invoker { arguments in
                    do {
                        return try withUnsafePointer(to: arguments) { try factory($0) }
                    } catch {
                        failure = error
                        return error
                    }
                }
            }
            if let failure { throw failure }
            return made
        }
        return trapping { try core.find(request) }
    }
}
