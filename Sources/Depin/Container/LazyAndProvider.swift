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
        let made: Service = Path.withCurrent { path in
            graph.begin()
            return path.within(graph, asked: request.asked, owner: request.owner) {
                request.service(path)
            }
        }
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

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) -> AnyBox? {
        derive(request, path) { Box(Lazy($0, graph: $1)) }
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
        Path.withCurrent { request.serviceOfOpenScope($0) }
    }
}

extension Provider: Sendable where Service: Sendable {}

extension Provider: DeferredService {
    static var deferral: Deferral { .provider }

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) -> AnyBox? {
        guard isDerivable(request) else { return nil }
        return Box(Provider(LaterRequest(request.with(Service.self), path)))
    }
}

/// A type that gives a service later.
protocol DeferredService: DerivedService {
    associatedtype Service
}

extension DeferredService {
    static var source: Any.Type? { Service.self }

    static func isDerivable(_ request: borrowing ServiceRequest) -> Bool {
        request.asked.provides(request.with(Service.self))
    }

    /// What gives the service in the graph of a request.
    static func derive(
        _ request: borrowing ServiceRequest,
        _ path: Path,
        _ make: (LaterRequest, ObjectGraph) -> AnyBox
    ) -> AnyBox? {
        guard isDerivable(request) else { return nil }
        let later = LaterRequest(request.with(Service.self), path)
        return path.withGraph(asked: request.asked, beginsGraph: request.beginsGraph) { graph in
            graph.name()
            return make(later, graph)
        }
    }
}

/// A request that is made later, from any thread.
struct LaterRequest: Sendable {
    private let key: ServiceKey
    private let arguments: Arguments?
    let asked: Core
    let owner: CoreOwner?
    /// The instance that it was made for, where needs are noted.
    let needer: Needer?

    init(_ request: borrowing ServiceRequest, _ path: Path) {
        key = request.key
        arguments = request.arguments
        asked = request.asked
        owner = request.asked.lent(request.owner, path)
        needer = path.needer
    }

    /// The same request, to be awaited.
    var asynchronous: AsyncRequest { AsyncRequest(key, arguments, to: asked, owner) }

    func circular(
        _ otherPath: [ResolutionError.Step],
        in frame: AsyncFrame
    ) -> ResolutionError {
        ResolutionError(
            .circularDependency(otherPath: otherPath),
            ResolutionError.Request(key),
            path: frame.path
        )
    }

    func service<Service>(_ path: Path) -> Service {
        service(from: asked, owner, needer, path, beginsGraph: false)
    }

    /// The service in a graph of its own, from the scope that is in force where that was opened on the container.
    fileprivate func serviceOfOpenScope<Service>(_ path: Path) -> Service {
        guard OpenScope.wasOpened.load(ordering: .relaxed),
            let scope = Neighbors.shared.scope(openedOn: asked)
        else { return service(from: asked, owner, needer, path, beginsGraph: true) }
        // The scope's instances are closed with it, so nobody outside is noted as needing them.
        return service(from: scope.core, scope, nil, path, beginsGraph: true)
    }

    @inline(__always)
    private func service<Service>(
        from asked: Core,
        _ owner: CoreOwner?,
        _ needer: Needer?,
        _ path: Path,
        beginsGraph: Bool
    ) -> Service {
        var request = ServiceRequest(key, arguments, to: asked, owner)
        request.beginsGraph = beginsGraph
        // The request only borrows them.
        defer { withExtendedLifetime((asked, owner)) {} }
        do {
            return try path.needing(needer) { try asked.neededService(&request, path) }
        } catch {
            trap(error, path, asking: asked)
        }
    }
}
