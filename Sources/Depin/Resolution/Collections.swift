// A collection is derived from what modules contribute to its elements' type: registrations under keys of
// their own, each of which is asked for as any other.

/// The contributions that make a collection.
struct Collected {
    /// What they are contributions to.
    let type: Any.Type
    /// True for a dictionary, which has those with a name.
    let hasNames: Bool

    /// A collection of elements of a type, which may be deferred: a `Lazy<Tracker>` is one of `Tracker`.
    fileprivate init(of element: Any.Type, hasNames: Bool = false) {
        let source = derivation(of: element).flatMap { $0.deferral == .none ? nil : $0.source }
        type = source ?? element
        self.hasNames = hasNames
    }
}

extension Array: DerivedService {
    static var collected: Collected? { Collected(of: Element.self) }
    static var deferral: Deferral { derivation(of: Element.self)?.deferral ?? .none }

    static func isDerivable(_ request: ServiceRequest) -> Bool {
        request.isCollectable(Collected(of: Element.self))
    }

    static func derive(_ request: ServiceRequest, _ path: Path) throws -> AnyBox? {
        guard isDerivable(request) else { return nil }
        let contributions = request.asked.contributions(to: Collected(of: Element.self))
        var services: [Element] = []
        services.reserveCapacity(contributions.count)
        try request.collect(contributions, path) { _, service in services.append(service) }
        return Box<[Element]>(services)
    }
}

extension Dictionary: DerivedService where Key == String {
    static var collected: Collected? { Collected(of: Value.self, hasNames: true) }
    static var deferral: Deferral { derivation(of: Value.self)?.deferral ?? .none }

    static func isDerivable(_ request: ServiceRequest) -> Bool {
        request.isCollectable(Collected(of: Value.self))
    }

    static func derive(_ request: ServiceRequest, _ path: Path) throws -> AnyBox? {
        guard isDerivable(request) else { return nil }
        let collected = Collected(of: Value.self, hasNames: true)
        if let failure = request.asked.duplicateName(in: collected) {
            throw ResolutionError(failure, request.forError, path: path.forError)
        }
        var services: [String: Value] = [:]
        try request.collect(request.asked.contributions(to: collected), path) { key, service in
            if let name = key.name { services[name] = service }
        }
        return Box<[String: Value]>(services)
    }
}

extension ServiceRequest {
    /// True where a collection is no miss: somebody contributes to it, or it is needed, and may be empty.
    fileprivate func isCollectable(_ collected: Collected) -> Bool {
        key.isPlain && (isNeeded || !asked.contributions(to: collected).isEmpty)
    }

    /// Lends a body each contribution's key and service, all of one graph.
    fileprivate func collect<Element>(
        _ contributions: [Contributions.Contribution],
        _ path: Path,
        _ body: (ServiceKey, Element) -> Void
    ) throws {
        try path.withGraph(asked: asked, beginsGraph: beginsGraph) { _ in
            for contribution in contributions {
                var part = with(Element.self)
                part.key = contribution.key.with(Element.self)
                part.beginsGraph = false
                // One that was removed meanwhile is none.
                guard let box = try asked.answer(&part, path) else { continue }
                body(contribution.key, unsafeDowncast(box, to: Box<Element>.self).value)
            }
        }
    }
}

extension Core {
    /// What makes a collection, from here and from the parents: by order, and of one order the parents'
    /// first.
    func contributions(to collected: Collected) -> [Contributions.Contribution] {
        let all = contributions(to: collected.type)
        return collected.hasNames ? all.filter { $0.key.name != nil } : all
    }

    func contributions(to type: Any.Type) -> [Contributions.Contribution] {
        var levels = chain.compactMap { $0.registry.contributions(to: type)?.all }
        guard levels.count > 1 else { return levels.popLast() ?? [] }
        levels.reverse()
        return levels.joined().sorted { $0.order < $1.order }
    }

    /// The contribution to a type that has a name, and the container that holds it.
    func contribution(to type: Any.Type, named name: String) -> (key: ServiceKey, holder: Core)? {
        for holder in chain {
            let known = holder.registry.contributions(to: type)?.all.first { $0.key.name == name }
            if let known { return (known.key, holder) }
        }
        return nil
    }

    /// The first two contributions of which a dictionary could have but one.
    func duplicateName(in collected: Collected) -> ResolutionError.Failure? {
        var known: [String: CodePlace] = [:]
        for contribution in contributions(to: collected) {
            guard let name = contribution.key.name,
                let place = find(contribution.key)?.entry.place
            else { continue }
            if let first = known.updateValue(place, forKey: name) {
                return .duplicateName(name, first, place)
            }
        }
        return nil
    }
}
