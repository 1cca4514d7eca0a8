/// Why a service could not be resolved: what was requested, by whom, and the likely fix.
///
/// `require` throws it. The other forms stop the program with its ``description``. A test can check
/// ``reason`` and ``path``.
///
/// ```swift
/// do {
///     let feed = try container.require(Feed.self)
/// } catch let error as ResolutionError {
///     print(error)    // what is missing, the path that led there, what to do
/// }
/// ```
public struct ResolutionError: Error, Sendable {
    /// The kind of failure, with its details.
    package let failure: Failure
    /// What was requested.
    public package(set) var request: Request
    /// The factories that were running, outermost first.
    ///
    /// If a factory passes on an error from another thread, that thread's factories follow this one's.
    public package(set) var path: [Step]

    package init(_ failure: Failure, _ request: Request, path: [Step]) {
        self.failure = failure
        self.request = request
        self.path = path
    }

    /// What went wrong.
    public var reason: Reason {
        switch failure {
        case .notRegistered: .notRegistered
        case .circularDependency: .circularDependency
        case .recursionTooDeep: .recursionTooDeep
        case .factoryFailed: .factoryFailed
        case .forwardMismatch: .forwardMismatch
        case .offMainActor: .offMainActor
        case .needsAwait: .needsAwait
        case .containerGone: .containerGone
        case .containerClosed: .containerClosed
        case .closedFromWithin: .closedFromWithin
        case .noOpenScope: .noOpenScope
        case .notOpened: .notOpened
        case .captive: .captive
        case .duplicateName: .duplicateName
        }
    }

    /// The error that the factory threw, if the reason is ``Reason/factoryFailed``.
    public var underlyingError: (any Error)? {
        guard case .factoryFailed(let error) = failure else { return nil }
        return error
    }

    /// The path of the other thread or task, if two wait for each other.
    public var otherPath: [Step] {
        guard case .circularDependency(let path) = failure else { return [] }
        return path
    }

    /// What can go wrong.
    ///
    /// Later versions may add reasons, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// Its name, as in source code.
        public let description: String

        /// Nothing is registered for the request.
        public static let notRegistered = Reason(description: "notRegistered")
        /// The request leads back to a factory that is still running.
        ///
        /// If two threads or tasks wait for each other, ``ResolutionError/otherPath`` is the path of the
        /// other one.
        public static let circularDependency = Reason(description: "circularDependency")
        /// One registration's factory was re-entered within itself, with unequal arguments: 100 times, or
        /// fewer if the path has 200 steps.
        public static let recursionTooDeep = Reason(description: "recursionTooDeep")
        /// The factory threw ``ResolutionError/underlyingError``.
        public static let factoryFailed = Reason(description: "factoryFailed")
        /// The type forwards to a registration whose instance does not conform.
        public static let forwardMismatch = Reason(description: "forwardMismatch")
        /// A main-actor factory would have to run off the main thread.
        public static let offMainActor = Reason(description: "offMainActor")
        /// Synchronous code requested a service that is made asynchronously and is not ready.
        public static let needsAwait = Reason(description: "needsAwait")
        /// The container of a kept resolver, `Lazy` or `Provider` is gone.
        public static let containerGone = Reason(description: "containerGone")
        /// The container was closed, or closes and the service would have to be built.
        public static let containerClosed = Reason(description: "containerClosed")
        /// A factory or a closer has closed the container that was waiting for it.
        public static let closedFromWithin = Reason(description: "closedFromWithin")
        /// The service belongs to an opened scope, and none is open in the container that received the
        /// request or in its parents.
        public static let noOpenScope = Reason(description: "noOpenScope")
        /// A ``Scoped`` was requested of a service that belongs to no scope that opens and closes.
        public static let notOpened = Reason(description: "notOpened")
        /// The instance under construction outlives the open scope of the service.
        public static let captive = Reason(description: "captive")
        /// Two contributions to a dictionary have one name.
        public static let duplicateName = Reason(description: "duplicateName")
    }

    /// A key as it was requested.
    public struct Request: Sendable {
        package let key: ServiceKey
        /// The service's type.
        public var serviceType: Any.Type { key.serviceType }
        /// The name, if one was given.
        public var name: String? { key.name }
        /// The static types of the arguments.
        public var argumentTypes: [Any.Type] { key.argumentTypes }
        /// True for one of the contributions to a collection.
        public var isContribution: Bool { key.isContribution }
        /// The place of the `@Injected` property that made the request, if one did.
        public let injectedAt: CodePlace?
        /// The place of the `require`, `autoResolve` or `resolver(…)` that made the request, if one did.
        public internal(set) var requiredAt: CodePlace?
        /// How the message names the call that made the request.
        var asker = "require"
        /// The name of the `@Injected` property, if a validation has found it.
        package var property: String?
        /// The scope or override that has the service, and that the `@Injected` property was made outside of.
        var surroundings: Surroundings?

        package init(_ key: ServiceKey, injectedAt: CodePlace? = nil) {
            self.key = key
            self.injectedAt = injectedAt
        }
    }

    /// A registration whose factory or callbacks were running.
    public struct Step: Sendable {
        /// What was requested there.
        public internal(set) var request: Request
        /// Where it was registered.
        public let registeredAt: CodePlace
        /// Where the decorator was added that was running, if one was.
        public var decoratedAt: CodePlace?
        /// True when the factory had returned and an `initCompleted` callback was running.
        public internal(set) var isCompleting = false
        /// True if the factory is asynchronous, so that a task runs it.
        var isAsync = false
        /// True if the needs were read from an initializer's parameters.
        var isAutoregistered = false
    }

    package enum Failure: Sendable {
        case notRegistered(Hints)
        case circularDependency(otherPath: [Step])
        case recursionTooDeep(Int)
        case factoryFailed(any Error)
        case forwardMismatch(product: Any.Type, registeredAt: CodePlace)
        case offMainActor
        case needsAwait
        case containerGone
        /// For an open scope that was closed, its name.
        case containerClosed(at: CodePlace, scope: String?)
        case closedFromWithin(at: CodePlace)
        case noOpenScope(Registered, ScopeMiss)
        case notOpened(Registered, isPerArguments: Bool)
        case captive(of: Registered, Registered)
        case duplicateName(String, Registered, Registered)
    }

    /// What is in force where an `@Injected` property is read, and was not where it was made.
    enum Surroundings: Sendable {
        /// An open scope.
        case scope
        case override
    }

    /// Why a request has found no open scope.
    package enum ScopeMiss: Sendable {
        /// No such scope is open, though another one may be around the request. A test's trait could open it.
        case isNotOpen(around: (scope: String, place: CodePlace)?, isInTest: Bool)
        /// It is in force, but the request went to the container that it was opened on, or to another one.
        case wentElsewhere(openedAt: CodePlace, isToParent: Bool)
        /// It is in force, but the request was made through a resolver that a shared instance has kept.
        case keptResolver(openedAt: CodePlace)
        /// One of its kind is open, and in force somewhere else, or nowhere.
        case isNotInForce(openedAt: CodePlace, isEntered: Bool, isInTest: Bool)
        /// Another scope of the same name is open.
        case namesake(openedAt: CodePlace)
    }

    /// The innermost known line of user code that made the request: of the property or the call, or else of the
    /// decorator or the registration whose factory made it.
    package var askedAt: CodePlace? {
        request.injectedAt ?? request.requiredAt ?? path.last?.decoratedAt
            ?? path.last?.registeredAt
    }

    /// The error with further steps before its own.
    package func preceded(by steps: [Step]) -> ResolutionError {
        var error = self
        error.path = steps + path
        return error
    }
}
