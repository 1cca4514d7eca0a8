/// What a person may have meant by a request that found nothing.
struct NearMisses {
    typealias Hint = ResolutionError.Hint
    typealias Candidate = ResolutionError.Candidate
    typealias Registration = (key: ServiceKey, entry: AnyServiceEntry)

    /// How many registrations of one kind are named one by one.
    static let limit = 3

    let request: ServiceRequest

    private var key: ServiceKey { request.key }

    /// The likely fixes, the best first.
    func hints(among registrations: [Registration]) -> [Hint] {
        let others = registrations.filter { $0.key.serviceType != key.serviceType }
        var hints: [Hint] = []
        for registration in others
        where isLinkedTwice(registration.key.serviceType, key.serviceType) {
            hints.append(.linkedTwice(candidate(registration)))
        }
        hints += sameType(registrations.filter { $0.key.serviceType == key.serviceType })
        hints += first(others, Hint.optional) { isOptional($0.key.serviceType) }
        if hints.isEmpty {
            hints += first(others, Hint.conforming, where: isConforming)
        }
        if hints.isEmpty {
            hints += first(others, Hint.generalized) { isGeneralized($0.key.serviceType) }
        }
        return hints + (hints.isEmpty ? similar(others) : [])
    }

    /// The registration that another core has for the very key.
    func exact(in core: ContainerCore) -> Candidate? {
        core.lookUp(key).map { candidate((key, $0.entry)) }
    }

    // MARK: - Kinds of misses

    private func sameType(_ registrations: [Registration]) -> [Hint] {
        var otherNames = registrations.filter { $0.key.tupleType == key.tupleType }
        otherNames.sort { rank($0.key.name) < rank($1.key.name) }
        let otherArguments = registrations.filter { $0.key.tupleType != key.tupleType }
        var hints: [Hint] = otherNames.prefix(Self.limit).map { .otherName(candidate($0)) }
        if otherNames.count > Self.limit {
            hints.append(.moreNames(otherNames.dropFirst(Self.limit).map(\.key.name)))
        }
        let sameName = first(otherArguments, Hint.otherArguments) { $0.key.name == key.name }
        let nothingSame = first(otherArguments, Hint.otherArguments) { $0.key.name != key.name }
        // A near name is likelier than other arguments, and those than any other name.
        let isNearName = otherNames.first.map { isNear($0.key.name) } ?? false
        hints = isNearName ? hints + sameName : sameName + hints
        return hints.isEmpty ? nothingSame : hints
    }

    private func isOptional(_ type: Any.Type) -> Bool {
        (type as? any OptionalValue.Type)?.wrappedType == key.serviceType
    }

    private func isConforming(_ registration: Registration) -> Bool {
        guard !isAnything(key.serviceType), key.tupleType == registration.key.tupleType else {
            return false
        }
        if let box = registration.entry.permanentInstance as? any AnyBox {
            return isInstance(box.anyValue, of: key.serviceType)
        }
        return isKnown(registration.key.serviceType, toBe: key.serviceType)
    }

    private func isGeneralized(_ type: Any.Type) -> Bool {
        !isAnything(type) && isKnown(key.serviceType, toBe: type)
    }

    private func isAnything(_ type: Any.Type) -> Bool {
        type == Any.self || type == AnyObject.self || type == (any Sendable).self
    }

    private func similar(_ registrations: [Registration]) -> [Hint] {
        let name = readableName(of: key.serviceType)
        let near = registrations.compactMap { registration in
            Spelling.distance(name, readableName(of: registration.key.serviceType))
                .map { (distance: $0, candidate: candidate(registration)) }
        }
        return near.sorted {
            ($0.distance, order($0.candidate)) < ($1.distance, order($1.candidate))
        }
        .prefix(Self.limit)
        .map { .similar($0.candidate) }
    }

    // MARK: - Order

    /// Names that are spelled nearly the same come first, then no name, then the alphabet.
    private func rank(_ name: String?) -> (Int, String) {
        guard let name else { return (100, "") }
        guard let asked = key.name, let distance = Spelling.distance(asked, name) else {
            return (200, name)
        }
        return (distance, name)
    }

    private func isNear(_ name: String?) -> Bool { rank(name).0 < 100 }

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
        candidates.sorted { order($0) < order($1) }.prefix(Self.limit).map(hint)
    }

    private func candidate(_ registration: Registration) -> Candidate {
        Candidate(
            request: ResolutionError.Request(
                serviceType: registration.key.serviceType,
                name: registration.key.name,
                argumentTypes: registration.entry.argumentTypes
            ),
            registeredAt: registration.entry.place
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
        let misses = NearMisses(request: request)
        let chain = chain
        let own = chain.flatMap(\.registry.registrations)
        let near = misses.hints(among: own)
        let children = chain.flatMap { $0.originals + [$0] }.flatMap(\.children)
        hints += misses.first(children.compactMap(misses.exact), ResolutionError.Hint.inChild)
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
}
