/// How a service is requested for later.
package struct Deferral: Hashable, Sendable {
    /// The name of what makes the later request, for messages.
    package let name: String
    /// True if a dependent keeps the service through it.
    package let keeps: Bool
    /// True if the service can be awaited, so that synchronous code need not wait for it.
    package let canAwait: Bool

    /// Not at all: it is needed at once.
    package static let none = Deferral(name: "", keeps: true, canAwait: false)
    static let lazy = Deferral(name: "Lazy", keeps: true, canAwait: false)
    static let asyncLazy = Deferral(name: "AsyncLazy", keeps: true, canAwait: true)
    static let provider = Deferral(name: "Provider", keeps: false, canAwait: false)
    static let factory = Deferral(name: "ServiceFactory", keeps: false, canAwait: true)
    package static let scoped = Deferral(name: "Scoped.use", keeps: false, canAwait: true)
}

/// The contributions that make a collection.
package struct Collected {
    /// The type of the collection's elements, which may give a service later.
    let element: Any.Type
    /// The type that is contributed to.
    package let type: Any.Type
    /// True for a dictionary, which has the contributions with a name.
    package let hasNames: Bool

    /// A collection of elements of a type, which may be deferred: an array of `Lazy<Tracker>` has contributions to
    /// `Tracker`.
    init(of element: Any.Type, hasNames: Bool = false) {
        // Contributions take no arguments, so a `ServiceFactory` is an ordinary element.
        let derived = derivation(of: element)
        let source = derived?.deferral == .factory ? nil : derived?.source(of: ServiceKey(element))
        type = source?.serviceType ?? element
        self.element = element
        self.hasNames = hasNames
    }
}

/// A type that can be resolved without being registered.
///
/// It is composed of parts, each of which is a request of its own.
protocol DerivedService {
    /// The key that must be registered for a key of this type; nil if there is no such key.
    static func source(of key: ServiceKey) -> ServiceKey?

    /// The collection that the type is, if it is one.
    static var collected: Collected? { get }

    /// How the type defers its service.
    static var deferral: Deferral { get }

    /// The keys of the parts; nil if the type cannot be derived, which is a miss.
    static func parts(of asked: DerivedRequest) throws -> [ServiceKey]?

    /// The service in a box, composed of the boxes of the parts; nil if that is impossible.
    static func compose(_ asked: DerivedRequest) -> AnyBox?
}

extension DerivedService {
    static func source(of key: ServiceKey) -> ServiceKey? { nil }
    static var collected: Collected? { nil }
}

/// A request for a derived service, which no slot answers.
final class DerivedRequest {
    let request: Engine.Request
    let engine: Engine
    let path: Path
    /// The type that derives the service.
    let type: any DerivedService.Type
    /// The keys of the parts, once they are known.
    fileprivate(set) var parts: [ServiceKey] = []
    /// The results of the requests for the parts.
    var boxes: [AnyBox?] = []

    // Not a failable initializer, because each miss would allocate an object (row 10).
    init(
        _ request: Engine.Request,
        of engine: Engine,
        _ path: Path,
        by type: any DerivedService.Type
    ) {
        (self.request, self.engine, self.path, self.type) = (request, engine, path, type)
    }

    /// The request for each part, except for its key; the parts of a collection belong to one graph.
    var requestForParts: Engine.Request {
        var part = request
        (part.isNeeded, part.observation) = (false, nil)
        if part.beginsGraph { part.beginsGraph = type.collected == nil }
        return part
    }
}

/// The derivation of a type, if there is one.
///
/// A cast of a metatype takes 100 ns, which every miss would pay (row 10: three times as much).
func derivation(of type: Any.Type) -> (any DerivedService.Type)? {
    if let known = knownDerivations.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    let derivation = type as? any DerivedService.Type
    knownDerivations.withLock { $0[ObjectIdentifier(type)] = .some(derivation) }
    return derivation
}

/// Nil for types that are not derived.
private let knownDerivations = Guarded([ObjectIdentifier: (any DerivedService.Type)?]())

extension ServiceKey {
    /// True if the service is derived, so that it need not be registered.
    package var isDerived: Bool { derivation(of: serviceType) != nil }
    /// The key that must be registered for it; nil if there is none.
    package var source: ServiceKey? { derivation(of: serviceType)?.source(of: self) }
    package var collected: Collected? { derivation(of: serviceType)?.collected }
    package var deferral: Deferral { derivation(of: serviceType)?.deferral ?? .none }
}

extension Optional: DerivedService {
    static func parts(of asked: DerivedRequest) -> [ServiceKey]? {
        [asked.request.key.with(Wrapped.self)]
    }

    static func compose(_ asked: DerivedRequest) -> AnyBox? {
        let wrapped = asked.boxes.first ?? nil
        return Box<Wrapped?>(wrapped.map { unsafeDowncast($0, to: Box<Wrapped>.self).value })
    }
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

    // The initializer takes nothing but object graphs.
    var objectGraph: ObjectGraph { unsafeDowncast(graph, to: ObjectGraph.self) }

    static func compose(_ asked: DerivedRequest) -> AnyBox? {
        guard let graph = asked.request.joinedGraph(of: asked.path) else { return nil }
        graph.name()
        return Box(GraphIdentifier(graph))
    }
}

extension Engine {
    /// The derived request that answers a request without a slot; nil if nothing is derived for it.
    func derived(_ request: Request, _ path: Path) throws -> DerivedRequest? {
        if isEnded { throw ended(for: request, path) }
        guard let type = derivation(of: request.key.serviceType) else { return nil }
        let asked = DerivedRequest(request, of: self, path, by: type)
        guard let parts = try type.parts(of: asked) else { return nil }
        asked.parts = parts
        return asked
    }

    /// True if a request would find something.
    func provides(_ request: Request) -> Bool {
        if find(request.key) != nil { return true }
        do {
            return try !isEnded && derived(request, nil) != nil
        } catch {
            return true
        }
    }
}
