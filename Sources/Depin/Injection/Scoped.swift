/// Opens a scope for a service of that scope, gives the service to an operation, and closes the scope.
///
/// You can resolve a `Scoped` of any service that is registered in a scope that opens and closes:
///
/// ```swift
/// container.register(UnitOfWork.self) { r in UnitOfWork(database: r(Database.self)) }
///     .inObjectScope(.request)
///     .onClose { unit, outcome in
///         outcome.isCompleted ? try await unit.commit() : try await unit.rollback()
///     }
///
/// struct Janitor {
///     @Injected private var work: Scoped<UnitOfWork>
///
///     func clean() async throws {
///         try await work.use { unit in try await unit.removeOldDrafts() }
///     }
/// }
/// ```
///
/// Each use opens a scope of its own, as ``Container/withScope(_:seeding:isolation:file:line:operation:)`` does: on the
/// container, on the scope in force that was opened on it, or on the override in force.
///
/// You may use it from any thread and task. It keeps the container alive, unless the container keeps the instance it
/// was made for. A `Scoped` of a service in another scope, or in the ``ObjectScope/perArguments`` form of one, cannot be
/// resolved: the message says which scope that is.
public final class Scoped<Service> {
    private let later: LaterRequest

    init(_ later: LaterRequest) {
        self.later = later
    }

    /// Runs an operation with the service of a new scope, and closes the scope at the end.
    ///
    /// ```swift
    /// try await work.use(seeding: { $0.register(User.self, instance: ada) }) { unit in
    ///     try await unit.removeOldDrafts()
    /// }
    /// ```
    ///
    /// The service is awaited if its factory is asynchronous. Inside, `@Injected` properties of objects that you make
    /// resolve from the scope. The scope closes even if the operation throws or its task is canceled, and closers hear
    /// how it ended.
    ///
    /// - Parameters:
    ///   - seeding: Registers what only this scope knows.
    ///   - isolation: The actor to run on, the caller's unless another is given.
    ///   - file: The file that messages show.
    ///   - line: The line that they show.
    ///   - operation: Runs with the service.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws, ``ResolutionError`` if the service cannot be made, or else a ``CloseError``
    ///   with the errors of closers.
    @discardableResult
    @_alwaysEmitIntoClient
    public func use<Result>(
        seeding: (Container) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        operation: (Service) async throws -> Result
    ) async throws -> Result {
        let place = CodePlace(file: file, line: line)
        let (container, scope) = try scopeToOpen(at: place)
        return try await container.withScope(
            scope,
            seeding: seeding,
            isolation: isolation,
            file: file,
            line: line
        ) { opened in
            let box = try await scoped(in: opened, at: place)
            return try await operation(unsafeDowncast(box, to: Box<Service>.self).value)
        }
    }

    /// The container on which to open a scope for the service, and the scope.
    ///
    /// - Throws: `ResolutionError`, with the place of the call.
    @usableFromInline
    func scopeToOpen(at place: CodePlace) throws -> (Container, ObjectScope) {
        try Resolution.withCurrent { resolution in
            do {
                let (engine, given) = later.target
                guard !engine.isEnded, let owner = given ?? Owner(beside: engine) else {
                    throw engine.ended(for: later.request, resolution.path)
                }
                guard let found = engine.find(later.request.key) else {
                    throw engine.missing(later.request, resolution.path)
                }
                let scope = try found.registration.openedScope(
                    for: later.request.with(Scoped.self),
                    resolution.path
                )
                return (Container.of(owner), scope)
            } catch {
                throw later.placed(error, place)
            }
        }
    }

    /// The instance in a scope that was opened for it.
    @usableFromInline
    func scoped(in opened: Container, at place: CodePlace) async throws -> AnyBox {
        var request = later.request
        request.owner = opened.owner
        do {
            return try await opened.engine.needed(request, by: later.dependent)
        } catch {
            throw later.placed(error, place)
        }
    }
}

extension Scoped: Sendable where Service: Sendable {}

extension Scoped: DeferredService {
    static var deferral: Deferral { .scoped }

    static func parts(of asked: DerivedRequest) throws -> [ServiceKey]? {
        let found = asked.engine.find(asked.request.key.with(Service.self))
        guard let found else { return nil }
        _ = try found.registration.openedScope(for: asked.request, asked.path)
        return []
    }
}

extension Registration {
    /// The scope that a `Scoped` of the service opens; nil if it cannot open one.
    package var openedScope: ObjectScope? {
        (objectScope as? ObjectScope).flatMap { $0.isOpenable ? $0 : nil }
    }

    /// Why a `Scoped` of the service cannot be resolved.
    package var notOpened: ResolutionError.Failure {
        .notOpened(ResolutionError.Registered(of: self), isPerArguments: kind == .opened)
    }

    /// The scope to open for the registration's instances.
    ///
    /// - Throws: `ResolutionError`, if their scope is not one that opens.
    fileprivate func openedScope(for request: Engine.Request, _ path: Path) throws -> ObjectScope {
        if let openedScope { return openedScope }
        throw path.error(notOpened, for: request)
    }
}
