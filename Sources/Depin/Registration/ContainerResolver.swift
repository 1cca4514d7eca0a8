// PERF: not `any Resolver`, which each request of an app would have to open first. A factory with three requests by
// `require` has 374 bytes of machine code instead of 485, and `resolve` is type-checked in a tenth less (see
// `Tests/Benchmarks/buildcost`).

/// The resolver that a container hands to factories, decorators and callbacks.
///
/// ```swift
/// container.register(Feed.self) { resolver in LiveFeed(api: resolver ~> API.self) }
/// ```
///
/// Everything that takes a ``Resolver`` takes one of these. Whoever registers need not name the type: closures
/// and functions with a parameter of type `Resolver` are factories, too.
public struct ContainerResolver: Resolver {
    /// An object, so that this is two words, which are passed in registers.
    let base: any Resolver & AnyObject

    // As a member of this type: for that of a protocol the type is passed, too. Never inlined, because an optimized
    // build of an app would do so. There is none for `resolve(_:)`: of two the compiler explains no mistake.

    /// The service registered for the type.
    ///
    /// - Throws: ``ResolutionError``
    @inline(never)
    public func require<Service>(
        _ serviceType: Service.Type,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        try base._require(Service.self, nil, nil, file, line)
    }

    /// The service registered for the type, the name and the arguments' static types, or nil.
    @_disfavoredOverload
    public func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service? {
        base.resolve(serviceType, name: name, arguments: repeat each arguments)
    }

    /// What ``Resolver/resolve(_:)`` gives.
    @_documentation(visibility: internal)
    @inline(__always)
    public func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service? {
        try base._find(Service.self, name, arguments)
    }

    /// What ``require(_:file:line:)`` gives.
    @_documentation(visibility: internal)
    @inline(__always)
    public func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> Service {
        try base._require(Service.self, name, arguments, file, line)
    }
}
