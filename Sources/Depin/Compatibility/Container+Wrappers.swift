// What a method of an app's own calls, `register(_:name:scope:factory:)` with a default for `scope`, say.
// Both it and Depin's method fit the call in its body, and the compiler takes the one with fewer
// parameters left to their defaults. So with a place the app's own method would call itself.
//
// These have none, and are taken where the name is a variable of type `String?`, as the parameter of such
// a method is. A literal, nil or a string is no `Name`, and neither is a ``ServiceName``: other calls keep
// their place, and those without a name are not checked against these forms at all.

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

extension Container {
    /// Registers a service with a closure, for a method around `register`.
    @discardableResult
    @preconcurrency
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func register<Service, Name: _OptionalName>(
        _ serviceType: Service.Type,
        name: Name,
        factory: @escaping @Sendable (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name._name, factory: factory, file: #fileID, line: #line)
    }

    /// Registers a service that is made from runtime arguments, for a method around `register`.
    @discardableResult
    @preconcurrency
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func register<Service, Name: _OptionalName, First, each Argument>(
        _ serviceType: Service.Type,
        name: Name,
        factory: @escaping @Sendable (any Resolver, First, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name._name, factory: factory, file: #fileID, line: #line)
    }

    /// Registers a service by its initializer, for a method around `autoregister`.
    @discardableResult
    @preconcurrency
    @_documentation(visibility: internal)
    @_alwaysEmitIntoClient
    public func autoregister<Service, Name: _OptionalName, each Dependency>(
        _ serviceType: Service.Type,
        name: Name,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        autoregister(
            serviceType,
            name: name._name,
            initializer: initializer,
            file: #fileID,
            line: #line
        )
    }

    /// Registers a service by its initializer, one of whose parameters is a runtime argument.
    @discardableResult
    @preconcurrency
    @_documentation(visibility: internal)
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
            file: #fileID,
            line: #line
        )
    }
}
