// Forms for the body of an app's own method, such as `register(_:name:scope:factory:)` with a default for `scope`. Both
// this method and Depin's fit the call in its body, and the compiler prefers the one with fewer defaulted parameters.
// If Depin's had a place, the app's method would call itself.
//
// These forms have no defaulted parameters, and apply if the name is a variable of type `String?`, like the parameter
// of such a method. A literal, nil or a string is no `Name`, and neither is a ``ServiceName``: other calls keep their
// place, and calls without a name are not checked against these forms at all.

/// The type of a variable that may hold a name.
@_documentation(visibility: internal)
public protocol _OptionalName {
    /// The string, if there is one.
    var _name: String? { get }
}

@_documentation(visibility: internal)
extension Optional: _OptionalName where Wrapped == String {
    /// The string, if there is one.
    public var _name: String? { self }
}

@_documentation(visibility: internal)
extension Container {
    /// Registers a service with a closure, for a method around `register`.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func register<Service, Name: _OptionalName>(
        _ serviceType: Service.Type,
        name: Name,
        factory: @escaping @Sendable (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name._name, factory: factory, file: #fileID)
    }

    /// Registers a service that is made from runtime arguments, for a method around `register`.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func register<Service, Name: _OptionalName, First, each Argument>(
        _ serviceType: Service.Type,
        name: Name,
        factory: @escaping @Sendable (any Resolver, First, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name._name, factory: factory, file: #fileID)
    }

    /// Registers a service by its initializer, for a method around `autoregister`.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func autoregister<Service, Name: _OptionalName, each Dependency>(
        _ serviceType: Service.Type,
        name: Name,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        autoregister(serviceType, name: name._name, initializer: initializer, file: #fileID)
    }

    /// Registers a service by its initializer, one of whose parameters is a runtime argument.
    @discardableResult
    @preconcurrency
    @_alwaysEmitIntoClient
    public func autoregister<Service, Name: _OptionalName, Argument, each Dependency>(
        _ serviceType: Service.Type,
        name: Name,
        argument: Argument.Type,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name._name,
            argument: argument,
            initializer: initializer,
            file: #fileID
        )
    }
}
