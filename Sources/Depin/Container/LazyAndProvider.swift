/// A service that is resolved when it is first used.
///
/// A `Lazy` can be resolved for every registered service. It belongs to the graph in which it was
/// made: what it gives is shared with that graph, as far as that still lives.
///
/// ```swift
/// container.register(Editor.self) { resolver in Editor(spelling: resolver ~> Lazy<Spelling>.self) }
///
/// // in Editor, when there is something to check
/// spelling.instance.check(text)
/// ```
///
/// It may be used from any thread: all get the instance stored first. It does not keep the container
/// alive; used first when that is gone, it stops the program with a message.
public final class Lazy<Service>: @unchecked Sendable {
    // Guarded: `stored` by `lock`; what it holds is the user's duty.
    private let core: ContainerCore
    private let request: ServiceRequest
    private let graph: ObjectGraph
    private let lock = Lock()
    private var stored: Service?

    init(_ request: ServiceRequest, in core: ContainerCore, graph: ObjectGraph) {
        self.core = core
        self.request = request
        self.graph = graph
    }

    deinit {
        lock.destroy()
    }

    /// The service, resolved at the first use.
    public var instance: Service {
        if let stored = lock.withLock({ stored }) { return stored }
        let made: Service = trapping {
            try Resolution.within(graph, asked: core) { try core.require(request) }
        }
        return lock.withLock {
            if let stored { return stored }
            stored = made
            return made
        }
    }
}

extension Lazy: DerivedService {
    static var source: Any.Type? { Service.self }
    static var deferral: Deferral { .lazy }

    static func isDerivable(_ request: ServiceRequest, in core: ContainerCore) -> Bool {
        core.provides(request.asking(for: Service.self))
    }

    static func derive(_ request: ServiceRequest, in core: ContainerCore) -> Any? {
        let request = request.asking(for: Service.self)
        guard core.provides(request) else { return nil }
        return Resolution.withGraph(asked: core) { graph in
            graph.share()
            return Lazy(request, in: core, graph: graph)
        }
    }
}

/// A service that is resolved anew at each use.
///
/// A `Provider` can be resolved for every registered service. Each use begins a graph of its own.
///
/// ```swift
/// container.register(Login.self) { resolver in Login(session: resolver ~> Provider<Session>.self) }
///
/// // in Login, for each user
/// let session = session.instance
/// ```
///
/// It may be used from any thread. It does not keep the container alive; used when that is gone, it
/// stops the program with a message.
public final class Provider<Service>: @unchecked Sendable {  // Nothing changes after init.
    private let core: ContainerCore
    private let request: ServiceRequest

    init(_ request: ServiceRequest, in core: ContainerCore) {
        self.core = core
        self.request = request
    }

    /// The service, resolved now.
    public var instance: Service {
        trapping { try core.require(request) }
    }
}

extension Provider: DerivedService {
    static var source: Any.Type? { Service.self }
    static var deferral: Deferral { .provider }

    static func isDerivable(_ request: ServiceRequest, in core: ContainerCore) -> Bool {
        core.provides(request.asking(for: Service.self))
    }

    static func derive(_ request: ServiceRequest, in core: ContainerCore) -> Any? {
        var request = request.asking(for: Service.self)
        guard core.provides(request) else { return nil }
        request.beginsGraph = true
        return Provider(request, in: core)
    }
}
