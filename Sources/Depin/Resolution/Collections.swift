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

    static func isDerivable(_ request: borrowing ServiceRequest) -> Bool {
        request.contributions(to: Collected(of: Element.self)) != nil
    }

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) throws -> AnyBox? {
        let ready = request.asked.readyArray(of: Element.self)
        let (known, changeCount) = ready?.known ?? (nil, 0)
        if let known, request.key.isPlain { return known }
        guard let contributions = request.contributions(to: Collected(of: Element.self)) else {
            return nil
        }
        var isReady = false
        // PERF: appending where the element's type is not known looks up metadata (row "collection").
        let array = Box<[Element]>(
            try Array(unsafeUninitializedCapacity: contributions.count) { buffer, count in
                isReady = try request.collect(contributions, path) { (_, service: Element) in
                    buffer.initializeElement(at: count, to: service)
                    count += 1
                }
            }
        )
        if isReady { ready?.keep(array, since: changeCount) }
        return array
    }
}

extension Dictionary: DerivedService where Key == String {
    static var collected: Collected? { Collected(of: Value.self, hasNames: true) }
    static var deferral: Deferral { derivation(of: Value.self)?.deferral ?? .none }

    static func isDerivable(_ request: borrowing ServiceRequest) -> Bool {
        request.contributions(to: Collected(of: Value.self)) != nil
    }

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) throws -> AnyBox? {
        guard let all = request.contributions(to: Collected(of: Value.self)) else { return nil }
        let contributions = all.filter { $0.key.name != nil }
        if let failure = request.asked.duplicateName(among: contributions) {
            throw ResolutionError(failure, request.forError, path: path.forError)
        }
        var services: [String: Value] = [:]
        try request.collect(contributions, path) { index, service in
            if let name = contributions[index].key.name { services[name] = service }
        }
        return Box<[String: Value]>(services)
    }
}

extension ServiceRequest {
    /// What makes a collection; nil where it is a miss: nobody contributes to it, and it is not needed.
    fileprivate func contributions(to collected: Collected) -> [Contributions.Contribution]? {
        guard key.isPlain else { return nil }
        let all = asked.contributions(to: collected)
        return all.isEmpty && !isNeeded ? nil : all
    }

    /// Lends a body the service of each contribution, with its index; those that are built, of one graph.
    ///
    /// The result is true where all were ready.
    @discardableResult
    fileprivate func collect<Element>(
        _ contributions: [Contributions.Contribution],
        _ path: Path,
        _ body: (Int, Element) -> Void
    ) throws -> Bool {
        var index = 0
        while index < contributions.count, let box = ready(contributions[index], Element.self) {
            body(index, unsafeDowncast(box, to: Box<Element>.self).value)
            index += 1
        }
        guard index < contributions.count else { return true }
        try path.inGraph(asked: asked, beginsGraph: beginsGraph) {
            for index in index..<contributions.count {
                switch try answer(contributions[index], Element.self, path) {
                case .instance(let box):
                    body(index, unsafeDowncast(box, to: Box<Element>.self).value)
                case .factory(let entry):
                    let entry = unsafeDowncast(entry, to: ServiceEntry<Element>.self)
                    body(index, try asked.make(entry, nil, owner, path))
                case .nothing:
                    break  // It was removed meanwhile.
                }
            }
        }
        return false
    }

    /// The instance of a contribution that is ready, for a graph would be for nothing then.
    private func ready(_ contribution: Contributions.Contribution, _ element: Any.Type) -> AnyBox? {
        guard element == contribution.key.serviceType else { return nil }
        return asked.ready(contribution.key)
    }

    private func answer(
        _ contribution: Contributions.Contribution,
        _ element: Any.Type,
        _ path: Path
    ) throws -> Core.Answer {
        let key = contribution.key.with(element)
        guard injectedAt != nil else {
            return try asked.answer(key, nil, owner, isNeeded: false)
        }
        var part = with(key, beginsGraph: false)
        return try asked.answer(&part, path).map(Core.Answer.instance) ?? .nothing
    }
}

extension Core {
    /// Where the array of what is contributed to a type is kept while all of it is ready.
    ///
    /// There is none where a parent may contribute, too.
    fileprivate func readyArray(of type: Any.Type) -> ReadyArray? {
        guard parent == nil, isPlain else { return nil }
        return registry.contributions(to: type)?.ready
    }

    /// What makes a collection, from here and from the parents: by order, and of one order the parents'
    /// first.
    func contributions(to collected: Collected) -> [Contributions.Contribution] {
        let all = contributions(to: collected.type)
        return collected.hasNames ? all.filter { $0.key.name != nil } : all
    }

    func contributions(to type: Any.Type) -> [Contributions.Contribution] {
        var all: [Contributions.Contribution] = []
        for holder in chain {
            guard let own = holder.registry.contributions(to: type)?.all else { continue }
            all = all.isEmpty ? own : (own + all).sorted { $0.order < $1.order }
        }
        return all
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
    func duplicateName(
        among contributions: [Contributions.Contribution]
    ) -> ResolutionError.Failure? {
        var known: [String: CodePlace] = [:]
        for contribution in contributions {
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
