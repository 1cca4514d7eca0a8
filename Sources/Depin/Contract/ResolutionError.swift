/// Why a service could not be had: what was asked, who asked, and the likely fix.
///
/// `require` throws it; where the non-throwing forms stop the program, its ``description`` is the
/// message. The error holds data only, so a test can look at ``reason`` and ``path``.
///
/// ```swift
/// do {
///     let feed = try container.require(Feed.self)
/// } catch let error as ResolutionError {
///     print(error)    // what is missing, the path that led there, what to do
/// }
/// ```
public struct ResolutionError: Error, Sendable {
    /// What went wrong.
    public let reason: Reason
    /// What was asked for.
    public internal(set) var request: Request
    /// Who asked: the factories under way, outermost first.
    ///
    /// Those of another thread follow on those of this one, where a factory passes on an error that it
    /// had from there.
    public internal(set) var path: [Step]

    /// What can go wrong.
    public enum Reason: Sendable {
        /// Nothing is registered for the request; the hints are the likely fixes, best first.
        case notRegistered([Hint])
        /// The request leads back to a factory that is still running. Where two threads wait for
        /// each other, the other thread's path comes with it.
        case circularDependency(otherPath: [Step])
        /// One registration's factory was entered this often within itself, with arguments that
        /// were never equal: 100 times, or less often where 200 steps lie in between.
        case recursionTooDeep(Int)
        /// The factory threw.
        case factoryFailed(any Error)
        /// The type forwards to a registration whose product, of the given type, is no such thing.
        case forwardMismatch(product: Any.Type, registeredAt: CodePlace)
        /// A main-actor factory would have to run off the main thread.
        case offMainActor
        /// The container of a resolver, `Lazy` or `Provider` that was kept has gone.
        case containerGone
    }

    /// A key as it was asked for.
    public struct Request: Sendable {
        /// The service's type.
        public let serviceType: Any.Type
        /// The name, if one was given.
        public let name: String?
        /// The static types of the arguments.
        public let argumentTypes: [Any.Type]
        /// The place of the `@Injected` property that asked, if one did.
        public let injectedAt: CodePlace?
        /// The place of the `require` that asked, if one did.
        public internal(set) var requiredAt: CodePlace?

        init(
            serviceType: Any.Type,
            name: String? = nil,
            argumentTypes: [Any.Type] = [],
            injectedAt: CodePlace? = nil
        ) {
            self.serviceType = serviceType
            self.name = name
            self.argumentTypes = argumentTypes
            self.injectedAt = injectedAt
        }
    }

    /// A registration whose factory or callbacks were running.
    public struct Step: Sendable {
        /// What was asked for there.
        public internal(set) var request: Request
        /// Where it was registered.
        public let registeredAt: CodePlace
        /// True when the factory had returned and an `initCompleted` callback was running.
        public let isCompleting: Bool
    }
}
