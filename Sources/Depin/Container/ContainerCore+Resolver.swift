extension ContainerCore: Resolver {
    @inlinable
    func find<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) throws -> Service? {
        if ArgumentPack<repeat each Argument>.isEmpty {
            return try service(of: serviceType, name: name)
        }
        return try service(of: serviceType, name: name, arguments: repeat each arguments)
    }
}

/// What ``Container/synchronize()`` gives: it asks the container, and keeps it alive.
@usableFromInline
final class SynchronizedResolver: Resolver {
    private let container: Container
    @usableFromInline let core: ContainerCore

    init(_ container: Container) {
        self.container = container
        core = container.core
    }

    @inlinable
    func find<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) throws -> Service? {
        try core.find(serviceType, name: name, arguments: repeat each arguments)
    }
}

extension Resolver {
    /// The core behind a resolver of this library; nil for one that a user wrote.
    ///
    /// PERF: a call through the protocol cannot be specialised for the service's type, and takes 107
    /// ns for a ready instance where the core takes 30. Comparing the type's address costs one.
    @inlinable
    @inline(__always)
    var ownCore: Unmanaged<ContainerCore>? {
        if Self.self == SynchronizedResolver.self {
            return unsafeBitCast(self, to: Unmanaged<SynchronizedResolver>.self)
                ._withUnsafeGuaranteedRef { .passUnretained($0.core) }
        }
        if Self.self == ContainerCore.self {
            return unsafeBitCast(self, to: Unmanaged<ContainerCore>.self)
        }
        if Self.self == Container.self {
            return unsafeBitCast(self, to: Unmanaged<Container>.self)
                ._withUnsafeGuaranteedRef { .passUnretained($0.core) }
        }
        return nil
    }
}
