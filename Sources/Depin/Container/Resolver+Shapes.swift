// Every shape of asking for what may be missing; `require` has the same.
//
// An argument is a parameter pack even where there is one: a plain generic parameter would open an
// existential and so miss the key.

extension Resolver {
    // MARK: - resolve

    /// The service registered for the type, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service>(_ serviceType: Service.Type) -> Service? {
        trapping { try seek(serviceType) }
    }

    /// The service registered for the type and the argument's type, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        argument: repeat each Argument
    ) -> Service? {
        trapping { try seek(serviceType, name: nil, arguments: repeat each argument) }
    }

    /// The service registered for the type and the arguments' types, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        arguments: repeat each Argument
    ) -> Service? {
        trapping { try seek(serviceType, name: nil, arguments: repeat each arguments) }
    }

    /// The service registered for the type and name, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service? {
        trapping { try seek(serviceType, name: name) }
    }

    /// The service registered for the type, the name and the argument's type, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        argument: repeat each Argument
    ) -> Service? {
        trapping { try seek(serviceType, name: name, arguments: repeat each argument) }
    }

    /// The service registered for the type, the name and the arguments' types, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) -> Service? {
        trapping { try seek(serviceType, name: name, arguments: repeat each arguments) }
    }

    /// The service registered for the type and name, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service>(_ serviceType: Service.Type, name: any ServiceName) -> Service? {
        trapping { try seek(serviceType, name: name.name) }
    }

    /// The service registered for the type, the name and the argument's type, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        argument: repeat each Argument
    ) -> Service? {
        trapping { try seek(serviceType, name: name.name, arguments: repeat each argument) }
    }

    /// The service registered for the type, the name and the arguments' types, or nil.
    @inlinable
    @inline(__always)
    public func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        arguments: repeat each Argument
    ) -> Service? {
        trapping { try seek(serviceType, name: name.name, arguments: repeat each arguments) }
    }
}

// The ways to ask, for all shapes: straight to the core, specialised for the service's type where
// the caller stands, or by the requirement of a resolver that a user wrote.
extension Resolver {
    @inlinable
    @inline(__always)
    func seek<Service>(_ serviceType: Service.Type) throws -> Service? {
        guard let core = ownCore else { return try find(serviceType, name: nil) }
        return try core._withUnsafeGuaranteedRef { try $0.service(of: serviceType) }
    }

    @inlinable
    @inline(__always)
    func seek<Service>(_ serviceType: Service.Type, name: String?) throws -> Service? {
        guard let core = ownCore else { return try find(serviceType, name: name) }
        return try core._withUnsafeGuaranteedRef {
            try $0.service(of: serviceType, name: name)
        }
    }

    @inlinable
    @inline(__always)
    func seek<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) throws -> Service? {
        guard let core = ownCore else {
            return try find(serviceType, name: name, arguments: repeat each arguments)
        }
        return try core._withUnsafeGuaranteedRef {
            try $0.find(serviceType, name: name, arguments: repeat each arguments)
        }
    }

    /// What `require` gives, without a place in the source code.
    @inlinable
    @inline(__always)
    func demand<Service>(_ serviceType: Service.Type) throws -> Service {
        if let service = try seek(serviceType) { return service }
        throw missing(Service.self, name: nil)
    }

    @inlinable
    @inline(__always)
    func demand<Service>(_ serviceType: Service.Type, name: String?) throws -> Service {
        if let service = try seek(serviceType, name: name) { return service }
        throw missing(Service.self, name: name)
    }

    @inlinable
    @inline(__always)
    func demand<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) throws -> Service {
        if let service = try seek(serviceType, name: name, arguments: repeat each arguments) {
            return service
        }
        throw missing(Service.self, name: name, arguments: repeat each arguments)
    }

    @usableFromInline
    @inline(never)
    func missing<each Argument>(
        _ serviceType: Any.Type,
        name: String?,
        arguments: repeat each Argument
    ) -> any Error {
        let request = ServiceRequest(
            serviceType,
            name: name,
            arguments: ArgumentPack(repeat each arguments)
        )
        guard let core = ownCore else {
            return ResolutionError(reason: .notRegistered([]), request: request.forError, path: [])
        }
        return core.takeUnretainedValue().missing(request)
    }
}
