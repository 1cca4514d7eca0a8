/// Makes a service for runtime arguments, anew at each call.
///
/// You can resolve a `ServiceFactory` of any service that is registered with these arguments. A type then says what it
/// makes, and needs no container and no closure for it:
///
/// ```swift
/// container.register(Profile.self) { r, id in LiveProfile(database: r(Database.self), id: id as Int) }
///
/// struct FriendList {
///     @Injected private var profiles: ServiceFactory<Profile, Int>
///
///     func open(_ friend: Int) -> Profile { profiles(friend) }
/// }
/// ```
///
/// Each call begins a new graph. If the registration's scope keeps its instances, for example
/// ``ObjectScope/perArguments``, the call gives the instance that is kept. If the space's container is a scope that was
/// opened on the factory's container, the service comes from that scope, as with a ``Provider``.
///
/// The arguments' types are those of the registration. A factory for others cannot be resolved, and the message names
/// the registrations that there are. For a service without arguments, write `ServiceFactory<Session>` or
/// `Provider<Session>`.
///
/// You may use it from any thread. It keeps the container alive, unless the container keeps the instance it was made
/// for.
public final class ServiceFactory<Service, each Argument> {
    @usableFromInline let later: LaterRequest

    init(_ later: LaterRequest) {
        self.later = later
    }

    /// The service for some arguments; stops the program if it cannot be made, with the line of this call, unless a
    /// factory inside stops it first.
    @_alwaysEmitIntoClient
    public func callAsFunction(
        _ arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Service {
        let place = CodePlace(file: file, line: line)
        let box = later.newInstance(for: ArgumentPack(repeat each arguments), at: place)
        return unsafeDowncast(box, to: Box<Service>.self).value
    }

    /// The service for some arguments.
    ///
    /// ```swift
    /// let profile = try profiles.require(friend)
    /// ```
    ///
    /// - Throws: ``ResolutionError``, with the line of this call.
    @_alwaysEmitIntoClient
    public func require(
        _ arguments: repeat each Argument,
        file: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Service {
        let place = CodePlace(file: file, line: line)
        let box = try later.requiredInstance(for: ArgumentPack(repeat each arguments), at: place)
        return unsafeDowncast(box, to: Box<Service>.self).value
    }

    /// The service for some arguments, awaited if its factory is asynchronous.
    ///
    /// - Throws: ``ResolutionError``, with the line of this call, or `CancellationError` if the task is canceled while
    ///   it waits for the service or makes it.
    @_alwaysEmitIntoClient
    public func requireAsync(
        _ arguments: repeat each Argument,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Service {
        let arguments = ArgumentPack(repeat each arguments)
        let place = CodePlace(file: file, line: line)
        let box = try await later.awaitedInstance(for: arguments, at: place)
        return unsafeDowncast(box, to: Box<Service>.self).value
    }
}

extension ServiceFactory: Sendable where Service: Sendable {}

extension ServiceFactory: DeferredService {
    static var deferral: Deferral { .factory }

    /// The key with the arguments that the factory takes later; nil for a request that has arguments itself.
    static func source(of key: ServiceKey) -> ServiceKey? {
        guard key.arguments == nil else { return nil }
        let arguments = ArgumentPack<repeat each Argument>.ifAny
        return ServiceKey(Service.self, arguments: arguments, name: key.name, role: key.role)
    }
}
