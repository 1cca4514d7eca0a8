/// Gives out services: what a factory is handed, and what a container is to those who only resolve.
///
/// ```swift
/// container.register(Feed.self) { resolver in
///     LiveFeed(api: resolver ~> API.self, cache: resolver.resolve(Cache.self))
/// }
/// ```
///
/// A request has one of three strengths, each with every shape of name and arguments:
///
/// - `resolve` gives nil when nothing is registered for the key;
/// - `require` throws a ``ResolutionError``;
/// - `~>` and `autoResolve` stop the program with the same message.
///
/// For any other failure, a cycle or a factory that throws, `resolve` stops the program too: nil
/// means "not registered" and nothing else.
///
/// A factory may keep the resolver that it was given and use it later. Each use then begins a graph of
/// its own. What was made for a registration that is not kept holds its container by that resolver; what
/// a container keeps does not, and finds an error once the container is gone. All resolvers of this
/// library may be used from any thread.
///
/// To write a resolver of your own, for a test say, implement ``resolve(_:name:arguments:)``; everything
/// else rests on it.
///
/// ```swift
/// struct OneAnimal: Resolver {
///     func resolve<Service, each Argument>(
///         _ serviceType: Service.Type,
///         name: (any ServiceName)?,
///         arguments: repeat each Argument
///     ) -> Service? {
///         Cat() as? Service
///     }
/// }
/// ```
public protocol Resolver: Sendable {
    /// The service registered for the type, the name and the static types of the arguments; nil when
    /// nothing is.
    @_disfavoredOverload
    func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service?

    /// The service, or nil where nothing is registered: how every `resolve` enters the library.
    func _find<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?
    ) throws -> Service?

    /// The service: how every form that needs one enters the library.
    func _require<Service>(
        _ serviceType: Service.Type,
        _ name: String?,
        _ arguments: _Arguments?,
        _ file: StaticString?,
        _ line: UInt
    ) throws -> Service
}
