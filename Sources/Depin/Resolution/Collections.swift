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
        request.parts(of: Collected(of: Element.self)) != nil
    }

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) throws -> AnyBox? {
        let collected = Collected(of: Element.self)
        guard let parts = request.parts(of: collected) else { return nil }
        if let ready = parts.home?.known.array, collected.type == Element.self,
            request.asked.isOnFastPath
        {
            return ready
        }
        // The initializer below would write the count into the empty array that all threads share.
        if parts.all.isEmpty { return Box<[Element]>([]) }
        var isReady = false
        // PERF: appending where the element's type is not known looks up metadata (row "collection").
        let array = Box<[Element]>(
            try Array(unsafeUninitializedCapacity: parts.all.count) { buffer, count in
                isReady = try request.collect(parts, path) { (_, service: consuming Element) in
                    buffer.initializeElement(at: count, to: service)
                    count += 1
                }
            }
        )
        if isReady { parts.keep(array) }
        return array
    }
}

extension Dictionary: DerivedService where Key == String {
    static var collected: Collected? { Collected(of: Value.self, hasNames: true) }
    static var deferral: Deferral { derivation(of: Value.self)?.deferral ?? .none }

    static func isDerivable(_ request: borrowing ServiceRequest) -> Bool {
        request.parts(of: Collected(of: Value.self)) != nil
    }

    static func derive(_ request: borrowing ServiceRequest, _ path: Path) throws -> AnyBox? {
        guard var parts = request.parts(of: Collected(of: Value.self)) else { return nil }
        parts.all.removeAll { $0.key.name == nil }
        if let failure = request.asked.duplicateName(among: parts.all) {
            throw ResolutionError(failure, request.forError, path: path.forError)
        }
        var services: [String: Value] = [:]
        try request.collect(parts, path) { index, service in
            if let name = parts.all[index].key.name { services[name] = service }
        }
        return Box<[String: Value]>(services)
    }
}

/// What a collection is made of.
private struct Parts {
    var all: [Contributions.Contribution]
    /// The container that all of them are from, and what is known of them there.
    var home: (core: Core, findings: Findings, known: Findings.Known)?

    /// Keeps the array of the instances, all of which are ready.
    func keep(_ array: AnyBox) {
        guard let home else { return }
        home.findings.keep(all, array, since: home.known.changeCount)
    }
}

extension ServiceRequest {
    /// What makes a collection; nil where it is a miss: nobody contributes to it, and it is not needed.
    fileprivate func parts(of collected: Collected) -> Parts? {
        guard key.isPlain else { return nil }
        let parts = asked.parts(of: collected.type)
        return parts.all.isEmpty && !isNeeded ? nil : parts
    }

    /// Lends a body the service of each part, with its index; those that are built, of one graph.
    ///
    /// The result is true where all were ready.
    @discardableResult
    fileprivate func collect<Element>(
        _ parts: Parts,
        _ path: Path,
        _ body: (Int, consuming Element) -> Void
    ) throws -> Bool {
        var index = 0
        while index < parts.all.count, let box = ready(index, of: parts, Element.self) {
            body(index, unsafeDowncast(box, to: Box<Element>.self).value)
            index += 1
        }
        guard index < parts.all.count else { return true }
        let (asked, owner) = (asked, owner)
        try path.inGraph(asked: asked, beginsGraph: beginsGraph) {
            for index in index..<parts.all.count {
                if asked.isOnFastPath, let entry = factory(index, of: parts, Element.self) {
                    // PERF: in place, or each element would be copied.
                    body(
                        index,
                        try asked.make(
                            Element.self,
                            entry,
                            nil,
                            owner,
                            injectedAt: injectedAt,
                            path
                        )
                    )
                } else {
                    let key = parts.all[index].key.with(Element.self)
                    var part = with(key, beginsGraph: false)
                    // Where there is nothing, it was removed meanwhile.
                    guard let box = try asked.answer(&part, path) else { continue }
                    body(index, unsafeDowncast(box, to: Box<Element>.self).value)
                }
            }
        }
        return false
    }

    /// The registration of a part that nobody keeps or hears of.
    private func factory(
        _ index: Int,
        of parts: borrowing Parts,
        _ element: Any.Type
    ) -> AnyServiceEntry? {
        guard let entry = parts.all[index].entry, entry.serviceType == element else { return nil }
        let traits = entry.currentTraits
        return traits.kind == .transient && entry.needsOnlyFactory(traits, for: entry.key)
            ? entry : nil
    }

    /// The instance of a part that is ready, for a graph would be for nothing then.
    private func ready(
        _ index: Int,
        of parts: borrowing Parts,
        _ element: Any.Type
    ) -> AnyBox? {
        guard factory(index, of: parts, element) == nil,
            parts.all[index].key.serviceType == element
        else { return nil }
        return asked.ready(parts.all[index].key, in: parts.home?.core ?? asked)
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
        var all: [Contributions.Contribution] = []
        for holder in chain {
            guard let own = holder.registry.contributions[type]?.all else { continue }
            all = all.isEmpty ? own : (own + all).sorted { $0.order < $1.order }
        }
        return all
    }

    fileprivate func parts(of type: Any.Type) -> Parts {
        guard let (home, contributions) = contributor(to: type) else {
            return Parts(all: contributions(to: type))
        }
        let findings = contributions.findings
        let known = findings.known
        let parts = known.parts ?? home.withEntries(contributions.all)
        if known.parts == nil { findings.keep(parts, since: known.changeCount) }
        return Parts(all: parts, home: (home, findings, known))
    }

    /// The container that has all contributions to a type, unless one between it and this one decorates.
    private func contributor(
        to type: Any.Type
    ) -> (core: Core, contributions: Contributions)? {
        var found: (core: Core, contributions: Contributions)?
        for holder in chain {
            if let contributions = holder.registry.contributions[type] {
                guard found == nil else { return nil }
                found = (holder, contributions)
            } else if found == nil, holder.hasFlag(.hasDecorators) {
                return nil
            }
        }
        return found
    }

    /// Contributions with those of their registrations that are all that answers for them here.
    private func withEntries(
        _ contributions: [Contributions.Contribution]
    ) -> [Contributions.Contribution] {
        contributions.map { part in
            var part = part
            let entry = registry.entry(for: part.key)
            part.entry = entry.flatMap { answersAlone($0, for: part.key) ? $0 : nil }
            return part
        }
    }

    /// The contribution to a type that has a name, and the container that holds it.
    func contribution(to type: Any.Type, named name: String) -> (key: ServiceKey, holder: Core)? {
        for holder in chain {
            let known = holder.registry.contributions[type]?.all.first { $0.key.name == name }
            if let known { return (known.key, holder) }
        }
        return nil
    }

    /// The first two contributions of which a dictionary could have but one.
    func duplicateName(
        among contributions: [Contributions.Contribution]
    ) -> ResolutionError.Failure? {
        var known: [String: ServiceKey] = [:]
        for key in contributions.map(\.key) {
            guard let name = key.name, let first = known.updateValue(key, forKey: name),
                let place = find(key)?.entry.place, let firstPlace = find(first)?.entry.place
            else { continue }
            return .duplicateName(name, firstPlace, place)
        }
        return nil
    }
}
