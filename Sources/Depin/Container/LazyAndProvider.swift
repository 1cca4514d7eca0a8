/// A service that is resolved on first use.
///
/// You can resolve a `Lazy` of any registered service. It belongs to the graph in which it was made, and
/// takes its instance from that graph if it is still alive.
///
/// ```swift
/// container.register(Editor.self) { resolver in Editor(spelling: resolver ~> Lazy<Spelling>.self) }
///
/// // in Editor, when there is something to check
/// spelling.instance.check(text)
/// ```
///
/// You may use it from any thread: all threads get the instance stored first. It keeps the container alive,
/// unless the container keeps the instance it was made for. If you first use it after the container is
/// gone, it stops the program with a message.
public final class Lazy<Service> {
    private let request: LaterRequest
    private let graph: ObjectGraph
    private let stored = Guarded<Service?>(nil)

    fileprivate init(_ request: LaterRequest, graph: ObjectGraph) {
        self.request = request
        self.graph = graph
    }

    /// The service, resolved on first use.
    public var instance: Service {
        if let stored = stored.withLock({ $0 }) { return stored }
        let made: Service = Resolution.withCurrent { request.service(in: graph, $0) }
        return stored.withLock { stored in
            if let stored { return stored }
            stored = made
            return made
        }
    }
}

extension Lazy: Sendable where Service: Sendable {}

extension Lazy: DeferredService {
    static var deferral: Deferral { .lazy }

    static func make(_ request: LaterRequest, _ graph: ObjectGraph) -> AnyBox {
        Box(Lazy(request, graph: graph))
    }
}

/// A service that is resolved again at each use.
///
/// You can resolve a `Provider` of any registered service. Each use begins a new graph.
///
/// ```swift
/// container.register(Login.self) { resolver in Login(session: resolver ~> Provider<Session>.self) }
///
/// // in Login, for each user
/// let session = session.instance
/// ```
///
/// If the space's container is a scope that was opened on the provider's container, the service comes from that
/// scope. So an object that was made before, such as a controller, finds the services of each request.
///
/// You may use it from any thread. It keeps the container alive, unless the container keeps the instance it
/// was made for. If you use it after the container is gone, it stops the program with a message.
public final class Provider<Service> {
    private let request: LaterRequest

    fileprivate init(_ request: LaterRequest) {
        self.request = request
    }

    /// The service, resolved now.
    public var instance: Service {
        Resolution.withCurrent { request.service($0) }
    }
}

extension Provider: Sendable where Service: Sendable {}

extension Provider: DeferredService {
    static var deferral: Deferral { .provider }

    static func assemble(
        _ parts: [AnsweredPart],
        _ request: Request,
        _ engine: Engine,
        _ resolution: Resolution
    ) -> AnyBox? {
        Box(Provider(LaterRequest(request.with(Service.self), engine, resolution.path)))
    }

    static func make(_ request: LaterRequest, _ graph: ObjectGraph) -> AnyBox {
        Box(Provider(request))
    }
}

/// A type that gives a service later.
protocol DeferredService: DerivedService {
    associatedtype Service

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
        let later = LaterRequest(request.with(Service.self), engine, resolution.path)
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
    let engine: Engine
    let owner: Owner?
    let dependent: Dependent?

    init(_ request: Request, _ engine: Engine, _ path: Path) {
        key = request.key
        arguments = request.arguments
        self.engine = engine
        owner = engine.lent(request.owner, path)
        dependent = path.dependent
    }

    var request: Request {
        var request = Request(key, arguments, owner)
        request.isNeeded = true
        return request
    }

    /// The service, as a part of a graph.
    func service<Service>(in graph: ObjectGraph, _ resolution: Resolution) -> Service {
        stopping(resolution, asking: engine) {
            try resolution.within(graph, of: engine, owner) {
                try resolution.asking(dependent, in: engine) {
                    try engine.needed(request, resolution)
                }
            }
        }
    }

    /// The service, as a graph of its own, of the open scope in force where there is one.
    fileprivate func service<Service>(_ resolution: Resolution) -> Service {
        var request = request
        request.beginsGraph = true
        guard OpenScope.wasOpened.load(ordering: .relaxed),
            let scope = Neighbors.shared.scope(openedOn: engine)
        else {
            return stopping(resolution, asking: engine) {
                try resolution.asking(dependent, in: engine) {
                    try engine.needed(request, resolution)
                }
            }
        }
        // The scope's instances are closed with it, so nobody outside is noted as needing them.
        request.owner = scope
        return stopping(resolution, asking: scope.engine) {
            try scope.engine.needed(request, resolution)
        }
    }

    private func stopping<Service>(
        _ resolution: Resolution,
        asking engine: Engine,
        _ body: () throws -> AnyBox
    ) -> Service {
        do {
            return unsafeDowncast(try body(), to: Box<Service>.self).value
        } catch {
            trap(error, resolution, asking: engine)
        }
    }
}
