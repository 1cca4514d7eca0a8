/// Resolves services: every factory receives one, and a container is one.
///
/// ```swift
/// container.register(Feed.self) { resolver in
///     LiveFeed(api: resolver ~> API.self, cache: resolver.resolve(Cache.self))
/// }
/// ```
///
/// Choose one of three forms. Each takes a name and arguments, too:
///
/// - `resolve` returns nil if nothing is registered for the key;
/// - `require` throws a ``ResolutionError``;
/// - `~>`, `autoResolve` and a call of the resolver, `resolver(API.self)`, stop the program with the same message.
///
/// `resolve` stops the program, too, for any other failure, such as a cycle or a factory that throws: nil
/// only ever means "not registered".
///
/// A factory may keep its resolver and use it later. Each use then begins a new graph. In an unshared
/// instance without closers the resolver keeps the container's registrations and instances alive. In an
/// instance that the container holds it does not, and gives an error once the container is gone. You may use
/// every resolver of this library from any thread.
///
/// To write a resolver of your own, for example in a test, implement ``resolve(_:name:arguments:)``.
/// Everything else follows from it.
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
    /// The service registered for the type, name and static types of the arguments, or nil.
    @_disfavoredOverload
    func resolve<Service, each Argument>(
        _ serviceType: Service.Type,
        name: (any ServiceName)?,
        arguments: repeat each Argument
    ) -> Service?

    /// The service, or nil where nothing is registered: how every `resolve` enters the library.
    func _find<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service?

    /// The service: how every form that needs one enters the library.
    func _require<Service>(_ name: String?, _ arguments: _Arguments?) throws -> Service
}
