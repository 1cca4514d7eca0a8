/// A type that gives a service later.
protocol DeferredService: DerivedService {
    associatedtype Service

    init(_ later: LaterRequest)
}

extension DeferredService {
    static func source(of key: ServiceKey) -> ServiceKey? { key.with(Service.self) }

    static func parts(of asked: DerivedRequest) throws -> [ServiceKey]? {
        guard let source = source(of: asked.request.key) else { return nil }
        return asked.engine.provides(asked.request.with(source)) ? [] : nil
    }

    static func compose(_ asked: DerivedRequest) -> AnyBox? {
        LaterRequest(asked).map { Box(Self($0)) }
    }
}

/// A request that is made later, perhaps many times.
@usableFromInline
final class LaterRequest: Sendable {
    /// The request, as in the graph that it was asked for in.
    let request: Engine.Request
    let engine: Engine
    /// The graph that the service belongs to; nil if each use begins one.
    let graph: ObjectGraph?
    let dependent: Dependent?
    /// Where the factory is registered that received the value.
    private let factory: CodePlace?
    private let deferral: Deferral
    /// True if a child of the container was in force where the value was made.
    private let isMadeInChild: Bool

    /// Nil for a type that gives no such service: see ``DerivedService/source(of:)``.
    init?(_ asked: DerivedRequest) {
        let (given, path) = (asked.request, asked.path)
        guard let key = asked.type.source(of: given.key) else { return nil }
        (engine, deferral) = (asked.engine, asked.type.deferral)
        isMadeInChild = engine.ownSpace != nil
        var request = Engine.Request(key, given.arguments, engine.handed(given.owner, path))
        (request.isNeeded, request.takesTurn) = (true, given.takesTurn)
        request.injectedAt = given.injectedAt
        self.request = request
        let joined = deferral.keeps ? given.joinedGraph(of: path) : nil
        joined?.name()
        graph = deferral.keeps ? joined ?? GraphIdentifier().objectGraph : nil
        dependent = path.dependent
        factory = given.injectedAt == nil ? path.builder?.pointee.registration?.place : nil
    }

    /// The space in which the instance in the graph is made: like the value's own, it is not that of a child.
    var space: SpaceValues { (isMadeInChild ? nil : engine.ownSpace) ?? .current }

    /// The instance in the graph; stops the program if there is none.
    func instance() -> AnyBox {
        withSpace(space) {
            Resolution.withCurrent { resolution in
                do {
                    return try resolution.within(graph, of: engine, request.owner) {
                        try engine.needed(request, by: dependent, resolution)
                    }
                } catch {
                    trap(placed(error), resolution, asking: engine)
                }
            }
        }
    }

    // MARK: - In a graph of its own

    /// A new instance, or one for the arguments of a call; stops the program if there is none.
    @usableFromInline
    func newInstance(for arguments: _Arguments? = nil, at call: CodePlace? = nil) -> AnyBox {
        do {
            return try requiredInstance(for: arguments, at: call)
        } catch {
            Resolution.withCurrent { trap(error, $0, asking: target.engine) }
        }
    }

    /// A new instance, or one for the arguments of a call.
    ///
    /// - Throws: `ResolutionError`, with the place of the call.
    @usableFromInline
    func requiredInstance(for arguments: _Arguments?, at call: CodePlace?) throws -> AnyBox {
        let (engine, request) = newRequest(for: arguments, at: call)
        return try Resolution.withCurrent { resolution in
            do {
                return try engine.needed(request, by: dependent, resolution)
            } catch {
                throw placed(error, call)
            }
        }
    }

    /// The same in a task, awaited.
    ///
    /// - Throws: `ResolutionError`, with the place of the call; `CancellationError`.
    @usableFromInline
    func awaitedInstance(for arguments: _Arguments?, at call: CodePlace) async throws -> AnyBox {
        let (engine, request) = newRequest(for: arguments, at: call)
        do {
            return try await engine.needed(request, by: dependent)
        } catch {
            throw placed(error, call)
        }
    }

    /// The request, or that of a call with arguments, and the engine that it asks.
    private func newRequest(
        for arguments: Arguments?,
        at call: CodePlace?
    ) -> (engine: Engine, request: Engine.Request) {
        let target = target
        var request = request
        (request.owner, request.beginsGraph) = (target.owner, true)
        // The message shows the call, and not the property.
        if call != nil {
            (request.arguments, request.injectedAt) = (Arguments.any(arguments), nil)
        }
        return (target.engine, request)
    }

    /// The open scope in force, if there is one; else the container.
    var target: (engine: Engine, owner: Owner?) {
        guard OpenScope.wasOpened.load(ordering: .relaxed),
            let scope = Neighbors.shared.scope(openedOn: engine)
        else { return (engine, request.owner) }
        return (scope.engine, scope)
    }

    /// An error with the place and the name of its requester.
    func placed(_ error: any Error, _ call: CodePlace? = nil) -> any Error {
        if let call { return located(error, at: call, by: deferral.name) }
        return located(error, at: factory, by: "the \(deferral.name) given to the factory")
    }
}
