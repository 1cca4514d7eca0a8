/// What a person may have meant by a request that found nothing.
struct NearMisses {
    typealias Hint = ResolutionError.Hint
    typealias Candidate = ResolutionError.Candidate

    /// A registration that may be what was meant.
    private struct Registration {
        let key: ServiceKey
        let entry: AnyServiceEntry
        let facts: TypeFacts

        init(_ key: ServiceKey, _ entry: AnyServiceEntry) {
            self.key = key
            self.entry = entry
            facts = .of(key.serviceType)
        }
    }

    /// How many registrations of one kind are named one by one.
    static let limit = 3

    private let key: ServiceKey
    private let asked: TypeFacts

    init(_ key: ServiceKey) {
        self.key = key
        asked = .of(key.serviceType)
    }

    /// The likely fixes, the best first.
    func hints(among registrations: [(key: ServiceKey, entry: AnyServiceEntry)]) -> [Hint] {
        let registrations = registrations.map { Registration($0.key, $0.entry) }
        let others = registrations.filter { $0.key.serviceType != key.serviceType }
        var hints = others.filter { $0.facts.isLinkedTwice(asked) }
            .map { Hint.linkedTwice(candidate($0)) }
        hints += sameType(registrations.filter { $0.key.serviceType == key.serviceType })
        hints += first(others, Hint.optional) { $0.facts.wrappedType == key.serviceType }
        if hints.isEmpty {
            // A forward is a further key of an entry, whose own registration is what is to be changed.
            let entries = others.filter(isConforming).map(\.entry)
            hints += first(entries.map { candidate($0.key, $0) }, Hint.conforming)
        }
        if hints.isEmpty {
            hints += first(others, Hint.generalized, where: isGeneralized)
        }
        return hints + (hints.isEmpty ? similar(others) : [])
    }

    /// The registration that another core has for the very key.
    func exact(in core: ContainerCore) -> Candidate? {
        core.lookUp(key).map { candidate(key, $0.entry) }
    }

    // MARK: - Kinds of misses

    private func sameType(_ registrations: [Registration]) -> [Hint] {
        let ranked = registrations.map { (rank: rank($0.key.name), registration: $0) }
            .sorted { $0.rank < $1.rank }
            .map(\.registration)
        let otherNames = ranked.filter { $0.key.tupleType == key.tupleType }
        let otherArguments = ranked.filter { $0.key.tupleType != key.tupleType }
        let shown = otherNames.prefix(Self.limit)
        // A near name is likelier than other arguments, and those than any other name.
        var hints = shown.filter(isNear).map { Hint.otherName(candidate($0)) }
        hints += first(otherArguments, Hint.otherArguments) { $0.key.name == key.name }
        hints += first(otherArguments, Hint.otherArguments, where: isNear)
        hints += shown.filter { !isNear($0) }.map { .otherName(candidate($0)) }
        if otherNames.count > Self.limit {
            hints.append(.moreNames(otherNames.dropFirst(Self.limit).map(\.key.name)))
        }
        return hints.isEmpty ? first(otherArguments.map(candidate), Hint.otherArguments) : hints
    }

    private func isConforming(_ registration: Registration) -> Bool {
        guard !isAnything(asked), key.tupleType == registration.key.tupleType else { return false }
        if let box = registration.entry.permanentInstance as? any AnyBox {
            return isInstance(box.anyValue, of: key.serviceType)
        }
        let facts = registration.facts.wrappedType.map(TypeFacts.of) ?? registration.facts
        return facts.isKnown(toBe: asked)
    }

    private func isGeneralized(_ registration: Registration) -> Bool {
        !isAnything(registration.facts) && asked.isKnown(toBe: registration.facts)
    }

    private func isAnything(_ facts: TypeFacts) -> Bool {
        facts.type == Any.self || facts.type == AnyObject.self
            || facts.type == (any Sendable).self
    }

    private func similar(_ registrations: [Registration]) -> [Hint] {
        let near = registrations.compactMap { registration in
            asked.spelling.distance(to: registration.facts.spelling)
                .map { (distance: $0, registration: registration) }
        }
        let hints = Set(near.map(\.distance)).sorted().lazy.flatMap { distance in
            let equallyNear = near.filter { $0.distance == distance }.map(\.registration)
            return first(equallyNear.map(candidate), Hint.similar)
        }
        return Array(hints.prefix(Self.limit))
    }

    // MARK: - Order

    /// Names that are spelled nearly the same come first, then no name, then the alphabet.
    private func rank(_ name: String?) -> (Int, String) {
        guard let name else { return (100, "") }
        guard let asked = key.name,
            let distance = Spelling(asked).distance(to: Spelling(name))
        else { return (200, name) }
        return (distance, name)
    }

    private func isNear(_ registration: Registration) -> Bool {
        registration.key.name != key.name && rank(registration.key.name).0 < 100
    }

    private func order(_ candidate: Candidate) -> String {
        "\(candidate.request) \(candidate.registeredAt)"
    }

    private func first(
        _ registrations: [Registration],
        _ hint: (Candidate) -> Hint,
        where matches: (Registration) -> Bool
    ) -> [Hint] {
        first(registrations.filter(matches).map(candidate), hint)
    }

    func first(_ candidates: [Candidate], _ hint: (Candidate) -> Hint) -> [Hint] {
        // Of those that read the same, one will do.
        let ordered = Dictionary(candidates.map { (order($0), $0) }) { one, _ in one }
        return ordered.sorted { $0.key < $1.key }.prefix(Self.limit).map { hint($0.value) }
    }

    private func candidate(_ registration: Registration) -> Candidate {
        candidate(registration.key, registration.entry)
    }

    private func candidate(_ key: ServiceKey, _ entry: AnyServiceEntry) -> Candidate {
        Candidate(
            request: ResolutionError.Request(
                serviceType: key.serviceType,
                name: key.name,
                argumentTypes: entry.argumentTypes
            ),
            registeredAt: entry.place
        )
    }
}

extension ContainerCore {
    /// What a person may have meant by a request that found nothing here.
    func hints(for request: ServiceRequest) -> [ResolutionError.Hint] {
        var hints: [ResolutionError.Hint] = []
        var sources: [Any.Type] = []
        var request = request
        while let type = request.key.serviceType as? any DerivedService.Type,
            let source = type.source
        {
            sources.append(source)
            request = request.asking(for: source)
        }
        let misses = NearMisses(request.key)
        let chain = chain
        var seen: Set<ServiceKey> = []
        // A registration hides those of its key that are further up.
        let own = chain.flatMap(\.registry.registrations).filter {
            seen.insert($0.key).inserted
        }
        let near = misses.hints(among: own)
        let others = chain.flatMap { $0.originals + [$0] }.flatMap(\.descendants)
        hints += misses.first(others.compactMap(misses.exact), ResolutionError.Hint.inChild)
        for other in Neighbours.shared.all where !chain.contains(where: { $0 === other.core }) {
            guard let candidate = misses.exact(in: other.core) else { continue }
            hints.append(.inSpace(candidate, key: other.name))
        }
        if own.isEmpty {
            hints.append(.nothingRegistered)
        }
        return hints + near + sources.map(ResolutionError.Hint.needed)
    }

    /// This core and its parents, the nearest first.
    var chain: [ContainerCore] {
        var chain: [ContainerCore] = []
        var next: ContainerCore? = self
        while let core = next {
            chain.append(core)
            next = core.parent
        }
        return chain
    }

    /// The cores of which this one is the parent.
    var children: [ContainerCore] { Family.shared.children(of: self) }

    private var descendants: [ContainerCore] { children.flatMap { [$0] + $0.descendants } }
}
