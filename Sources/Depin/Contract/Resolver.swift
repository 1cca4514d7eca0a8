/// Gives out services: what a factory is handed, and what a container is to those who only ask.
///
/// ```swift
/// container.register(Feed.self) { resolver in
///     LiveFeed(api: resolver ~> API.self, cache: resolver.resolve(Cache.self))
/// }
/// ```
///
/// There are three strengths, each with every shape of name and arguments:
///
/// - `resolve` gives nil when nothing is registered for the key;
/// - `require` throws a ``ResolutionError``;
/// - `~>` and `autoResolve` stop the program with the same message.
///
/// For any other failure, a cycle or a factory that throws, `resolve` stops the program too: nil
/// means "not registered" and nothing else.
///
/// A factory may keep the resolver that it was given and use it later. Each use then begins a graph of
/// its own, and finds an error once the container is gone; it does not keep the container alive. All
/// resolvers of this library may be used from any thread.
///
/// To write a resolver of your own, for a test say, implement ``find(_:name:arguments:)``; everything
/// else rests on it.
///
/// ```swift
/// struct OneAnimal: Resolver {
///     func find<Service, each Argument>(
///         _ serviceType: Service.Type,
///         name: String?,
///         arguments: repeat each Argument
///     ) -> Service? {
///         Cat() as? Service
///     }
/// }
/// ```
public protocol Resolver: Sendable {
    /// The service registered for the type, the name and the static types of the arguments; nil when
    /// nothing is.
    ///
    /// - Throws: ``ResolutionError``, for any other failure.
    func find<Service, each Argument>(
        _ serviceType: Service.Type,
        name: String?,
        arguments: repeat each Argument
    ) throws -> Service?
}
