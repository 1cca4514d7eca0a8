/// How a service is requested that is not needed at once.
enum Deferral: Sendable {
    /// It is needed at once.
    case none
    /// As a `Lazy`, which keeps it.
    case lazy
    /// As an `AsyncLazy`, which keeps it too.
    case asyncLazy
    /// As a `Provider`, which does not.
    case provider
}

/// A type that can be resolved without being registered, from what is.
protocol DerivedService {
    /// The service without which there is none, if there is one.
    static var source: Any.Type? { get }
    /// What it is a collection of, if it is one.
    static var collected: Collected? { get }
    /// Whether it gives the service later, and is no need to build it now.
    static var deferral: Deferral { get }
    /// True when a request for it would not be a miss.
    static func isDerivable(_ request: borrowing ServiceRequest) -> Bool
    /// The service, or nil when it cannot be derived.
    static func derive(_ request: borrowing ServiceRequest, _ path: Path) throws -> AnyBox?
}

extension DerivedService {
    static var source: Any.Type? { nil }
    static var collected: Collected? { nil }
    static var deferral: Deferral { .none }
}

/// What a type is derived by, if it is.
///
/// PERF: a cast of a metatype takes 100 ns, which every miss would pay (row 10: 4 L instead of 1.4).
func derivation(of type: Any.Type) -> (any DerivedService.Type)? {
    if let known = knownDerivations.withLock({ $0[TypeKey(type)] }) { return known.type }
    let derivation = type as? any DerivedService.Type
    knownDerivations.withLock { $0[TypeKey(type)] = Derivation(type: derivation) }
    return derivation
}

private struct Derivation {
    let type: (any DerivedService.Type)?
}

private let knownDerivations = Guarded(HashTable<TypeKey, Derivation>())

extension Optional: DerivedService {
    static func isDerivable(_ request: borrowing ServiceRequest) -> Bool { true }

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) throws -> AnyBox? {
        var wrapped = request.with(Wrapped.self)
        wrapped.isNeeded = false
        let service: Wrapped? = try request.asked.service(&wrapped, path)
        return Box<Wrapped?>(service)
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

    init(of graph: ObjectGraph) {
        graph.name()
        self.init(graph)
    }

    static func isDerivable(_ request: borrowing ServiceRequest) -> Bool { request.key.isPlain }

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) -> AnyBox? {
        guard request.key.isPlain, !request.beginsGraph, !path.steps.isEmpty else { return nil }
        return Box(GraphIdentifier(of: path.madeGraph(of: path.steps.count - 1)))
    }
}
