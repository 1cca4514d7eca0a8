extension ContainerCore: Resolver {
    @inlinable
    func find<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) throws -> Service? {
        let pack = ArgumentPack(repeat each arguments)
        if pack.isEmpty { return try service(of: serviceType, name: name) }
        return try service(of: serviceType, name: name, arguments: pack)
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
    var ownCore: ContainerCore? {
        withUnsafePointer(to: self) { pointer in
            // Memory of type `Self`, which is the very class that is compared with.
            let pointer = UnsafeRawPointer(pointer)
            if Self.self == ContainerCore.self {
                return pointer.assumingMemoryBound(to: ContainerCore.self).pointee
            }
            if Self.self == Container.self {
                return pointer.assumingMemoryBound(to: Container.self).pointee.core
            }
            if Self.self == SynchronizedResolver.self {
                return pointer.assumingMemoryBound(to: SynchronizedResolver.self).pointee.core
            }
            return nil
        }
    }
}
