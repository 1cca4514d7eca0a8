/// How a service is requested that is not needed at once.
package enum Deferral: UInt, Sendable {
    /// It is needed at once.
    case none
    /// As a `Lazy`, which keeps it.
    case lazy
    /// As an `AsyncLazy`, which keeps it too.
    case asyncLazy
    /// As a `Provider`, which does not.
    case provider
    /// As a `ServiceFactory`, which does not either, and can await it.
    case factory
    /// As a `Scoped`, which opens a scope for each use of it.
    case scoped
}

/// The contributions that make a collection.
package struct Collected {
    /// What it has, which may give a service later.
    let element: Any.Type
    /// What they are contributions to.
    package let type: Any.Type
    /// True for a dictionary, which has those with a name.
    package let hasNames: Bool

    /// A collection of elements of a type, which may be deferred: a `Lazy<Tracker>` is one of `Tracker`.
    init(of element: Any.Type, hasNames: Bool = false) {
        // What is contributed takes no arguments, so a `ServiceFactory` is an element by itself.
        let derived = derivation(of: element)
        let isOfSource = derived.map { $0.deferral != .none && $0.deferral != .factory } ?? false
        let source = isOfSource ? derived?.source(of: ServiceKey(element)) : nil
        type = source?.serviceType ?? element
        self.element = element
        self.hasNames = hasNames
    }
}

/// A type that can be resolved without being registered, from what is.
///
/// It is assembled of parts, each of which is a request of its own.
protocol DerivedService {
    /// The key of what there must be for a key of this type; nil where there is no such key.
    static func source(of key: ServiceKey) -> ServiceKey?

    /// What it is a collection of, if it is one.
    static var collected: Collected? { get }

    /// Whether it gives the service later, and is no need to build it now.
    static var deferral: Deferral { get }

    /// The keys of its parts; nil where it cannot be derived, which is a miss.
    static func parts(of asked: DerivedRequest) throws -> [ServiceKey]?

    /// The service in a box, of what the requests for its parts have come to; nil where it cannot be derived.
    static func compose(_ asked: DerivedRequest) -> AnyBox?
}

extension DerivedService {
    static func source(of key: ServiceKey) -> ServiceKey? { nil }
    static var collected: Collected? { nil }
}

/// A request for what is derived, which no slot answers.
final class DerivedRequest {
    let request: Engine.Request
    let engine: Engine
    let path: Path
    /// What its type is derived by.
    let type: any DerivedService.Type
    /// The keys of what the service is made of, once that is known.
    fileprivate(set) var parts: [ServiceKey] = []
    /// What the requests for the parts have come to.
    var boxes: [AnyBox?] = []

    // Not one that may fail, since each miss would allocate it (row 10).
    init(
        _ request: Engine.Request,
        of engine: Engine,
        _ path: Path,
        by type: any DerivedService.Type
    ) {
        (self.request, self.engine, self.path, self.type) = (request, engine, path, type)
    }

    /// What is requested for each part, but for the key: those of a collection belong to one graph.
    var requestForParts: Engine.Request {
        var part = request
        (part.isNeeded, part.isReported, part.observation) = (false, false, nil)
        if part.beginsGraph { part.beginsGraph = type.collected == nil }
        return part
    }
}

/// What a type is derived by, if it is.
///
/// A cast of a metatype takes 100 ns, which every miss would pay (row 10: three times as much).
func derivation(of type: Any.Type) -> (any DerivedService.Type)? {
    if let known = knownDerivations.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    let derivation = type as? any DerivedService.Type
    knownDerivations.withLock { $0[ObjectIdentifier(type)] = .some(derivation) }
    return derivation
}

/// Nil under the types that are derived by none.
private let knownDerivations = Guarded([ObjectIdentifier: (any DerivedService.Type)?]())

extension ServiceKey {
    /// True for what need not be registered, since it is derived.
    package var isDerived: Bool { derivation(of: serviceType) != nil }
    /// The key of what there must be for it; nil where there is no such key.
    package var source: ServiceKey? { derivation(of: serviceType)?.source(of: self) }
    package var collected: Collected? { derivation(of: serviceType)?.collected }
    package var deferral: Deferral { derivation(of: serviceType)?.deferral ?? .none }
}

extension Optional: DerivedService {
    static func parts(of asked: DerivedRequest) -> [ServiceKey]? {
        [asked.request.key.with(Wrapped.self)]
    }

    static func compose(_ asked: DerivedRequest) -> AnyBox? { boxed(asked.boxes.first ?? nil) }
}

extension GraphIdentifier: DerivedService {
    /// Makes the identifier of a new, empty graph.
    public init() {
        let graph = ObjectGraph()
        graph.name()
        _ = graph.end()
        self.init(graph)
    }

    init(_ graph: ObjectGraph) { self.init(graph: graph) }

    // The initializer takes nothing else.
    var objectGraph: ObjectGraph { unsafeDowncast(graph, to: ObjectGraph.self) }

    static func compose(_ asked: DerivedRequest) -> AnyBox? {
        guard !asked.request.beginsGraph, let graph = asked.path.madeGraph else { return nil }
        graph.name()
        return Box(GraphIdentifier(graph))
    }
}

extension Engine {
    /// What a request is answered with that no slot answers; nil where nothing is derived for it.
    func derived(_ request: Request, _ path: Path) throws -> DerivedRequest? {
        if isEnded { throw ended(for: request, path) }
        guard let type = derivation(of: request.key.serviceType) else { return nil }
        let asked = DerivedRequest(request, of: self, path, by: type)
        guard let parts = try type.parts(of: asked) else { return nil }
        asked.parts = parts
        return asked
    }

    /// True where a request that no slot answers would not be a miss.
    func isDerivable(_ request: Request) -> Bool {
        guard let type = derivation(of: request.key.serviceType) else { return false }
        do {
            return try type.parts(of: DerivedRequest(request, of: self, nil, by: type)) != nil
        } catch {
            return true
        }
    }
}
