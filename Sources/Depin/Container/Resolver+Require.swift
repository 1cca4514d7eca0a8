extension Resolver {
    // An error names the place of the `require` that it passed through, which costs nothing before.

    /// The service registered for the type.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service>(
        _ serviceType: Service.Type,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) { try demand(serviceType) }
    }

    /// The service registered for the type and the argument's type.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service, each Argument>(
        _ serviceType: Service.Type,
        argument: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) {
            try demand(serviceType, name: nil, arguments: repeat each argument)
        }
    }

    /// The service registered for the type and the arguments' types.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service, each Argument>(
        _ serviceType: Service.Type,
        arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) {
            try demand(serviceType, name: nil, arguments: repeat each arguments)
        }
    }

    /// The service registered for the type and name.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service>(
        _ serviceType: Service.Type,
        name: String?,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) { try demand(serviceType, name: name) }
    }

    /// The service registered for the type, the name and the argument's type.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        argument: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) {
            try demand(serviceType, name: name, arguments: repeat each argument)
        }
    }

    /// The service registered for the type, the name and the arguments' types.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) {
            try demand(serviceType, name: name, arguments: repeat each arguments)
        }
    }

    /// The service registered for the type and name.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) { try demand(serviceType, name: name.name) }
    }

    /// The service registered for the type, the name and the argument's type.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service, each Argument>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        argument: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) {
            try demand(serviceType, name: name.name, arguments: repeat each argument)
        }
    }

    /// The service registered for the type, the name and the arguments' types.
    ///
    /// - Throws: ``ResolutionError``
    @inlinable
    @inline(__always)
    public func require<Service, each Argument>(
        _ serviceType: Service.Type,
        name: any ServiceName,
        arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try locating(file, line) {
            try demand(serviceType, name: name.name, arguments: repeat each arguments)
        }
    }

    @inlinable
    @inline(__always)
    func locating<Result>(
        _ file: StaticString,
        _ line: UInt,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw required(error, at: CodePlace(file: file, line: line))
        }
    }

    @usableFromInline
    @inline(never)
    func required(_ error: any Error, at place: CodePlace) -> any Error {
        (error as? ResolutionError)?.required(at: place, depth: Resolution.depth) ?? error
    }
}
