/// A type that gives a service later.
protocol DeferredService: DerivedService {
    associatedtype Service

    /// What messages call it.
    static var asker: ResolutionError.Request.Asker { get }

    /// What asks later, as a part of a graph.
    static func make(_ request: LaterRequest, _ graph: ObjectGraph) -> AnyBox
}

extension DeferredService {
    static var source: Any.Type? { Service.self }

    static func isDerivable(_ request: Request, by engine: Engine) -> Bool {
        engine.provides(request.with(Service.self))
    }

    static func assemble(
        _ parts: [AnsweredPart],
        _ request: Request,
        _ engine: Engine,
        _ resolution: Resolution
    ) -> AnyBox? {
        let later = LaterRequest(request.with(Service.self), engine, resolution.path, asker)
        guard let graph = request.beginsGraph ? nil : resolution.path.madeGraph else {
            // Of a graph of its own, which nothing else is a part of yet.
            let graph = ObjectGraph()
            graph.name()
            defer { graph.endResolution() }
            return make(later, graph)
        }
        graph.name()
        return make(later, graph)
    }
}

/// A request that is made later, perhaps often.
struct LaterRequest: Sendable {
    private let key: ServiceKey
    private let arguments: Arguments?
    private let takesTurn: Bool
    let engine: Engine
    let owner: Owner?
    let dependent: Dependent?
    /// The `@Injected` property for which it was made.
    private let injectedAt: CodePlace?
    /// Where the factory is registered that was given what asks, and what messages call that.
    private let factory: CodePlace?
    private let asker: ResolutionError.Request.Asker

    init(
        _ request: Request,
        _ engine: Engine,
        _ path: Path,
        _ asker: ResolutionError.Request.Asker
    ) {
        key = request.key
        arguments = request.arguments
        takesTurn = request.takesTurn
        self.engine = engine
        owner = engine.lent(request.owner, path)
        dependent = path.dependent
        injectedAt = request.injectedAt
        factory = request.injectedAt == nil ? path.builder?.pointee.registration?.place : nil
        self.asker = asker
    }

    var request: Request {
        var request = Request(key, arguments, owner)
        (request.isNeeded, request.takesTurn) = (true, takesTurn)
        request.injectedAt = injectedAt
        return request
    }

    // MARK: - On a thread

    /// The instance, as a part of a graph; stops the program where there is none.
    func instance(in graph: ObjectGraph) -> AnyBox {
        Resolution.withCurrent { resolution in
            do {
                return try resolution.within(graph, of: engine, owner) {
                    try resolution.asking(dependent, in: engine) {
                        try engine.needed(request, resolution)
                    }
                }
            } catch {
                trap(told(error), resolution, asking: engine)
            }
        }
    }

    /// The instance, of a graph of its own; stops the program where there is none.
    func newInstance() -> AnyBox {
        Resolution.withCurrent { resolution in
            let target = target
            do {
                return try instance(of: target, request, resolution)
            } catch {
                trap(told(error), resolution, asking: target.engine)
            }
        }
    }

    /// The same for arguments that are given now.
    ///
    /// - Throws: `ResolutionError`, with the place of the call.
    func newInstance(for arguments: Arguments?, _ call: CodePlace) throws -> AnyBox {
        try Resolution.withCurrent { resolution in
            do {
                return try instance(of: target, request(for: arguments), resolution)
            } catch {
                throw told(error, call)
            }
        }
    }

    /// Stops the program for an error that a call was to throw.
    func stop(for error: any Error) -> Never {
        Resolution.withCurrent { trap(error, $0, asking: target.engine) }
    }

    private func instance(
        of target: Target,
        _ request: Request,
        _ resolution: Resolution
    ) throws -> AnyBox {
        var request = request
        (request.owner, request.beginsGraph) = (target.owner, true)
        return try resolution.asking(target.dependent, in: target.engine) {
            try target.engine.needed(request, resolution)
        }
    }

    // MARK: - In a task

    /// The instance for arguments that are given now, of a graph of its own.
    ///
    /// - Throws: `ResolutionError`, with the place of the call; `CancellationError`.
    func newInstanceAsync(for arguments: Arguments?, _ call: CodePlace) async throws -> AnyBox {
        let target = target
        var request = request(for: arguments)
        (request.owner, request.beginsGraph, request.isAsync) = (target.owner, true, true)
        do {
            return try await target.engine.instance(for: request, target.dependent)
        } catch {
            throw told(error, call)
        }
    }

    // MARK: - Whom it asks

    struct Target {
        let engine: Engine
        let owner: Owner?
        let dependent: Dependent?
    }

    /// The open scope in force where there is one, and else the container.
    var target: Target {
        guard OpenScope.wasOpened.load(ordering: .relaxed),
            let scope = Neighbors.shared.scope(openedOn: engine)
        else { return Target(engine: engine, owner: owner, dependent: dependent) }
        // The scope's instances are closed with it, so nobody outside is noted as needing them.
        return Target(engine: scope.engine, owner: scope, dependent: nil)
    }

    private func request(for arguments: Arguments?) -> Request {
        var request = Request(key, Arguments.any(arguments), owner)
        (request.isNeeded, request.takesTurn) = (true, takesTurn)
        return request
    }

    /// An error, with what is known of who asks.
    func told(_ error: any Error, _ call: CodePlace? = nil) -> any Error {
        guard let error = error as? ResolutionError, let place = call ?? factory else {
            return error
        }
        let depth = Resolution.withCurrent { $0.path.depth }
        return error.required(at: place, by: asker, depth: depth)
    }
}
