/// What a person may have meant by a request that found nothing.
struct NearMisses {
    typealias Hint = ResolutionError.Hint
    typealias Candidate = ResolutionError.Candidate

    /// How many registrations of one kind are named one by one.
    static let limit = 3

    private let key: ServiceKey
    private let asked: TypeFacts

    init(_ key: ServiceKey) {
        self.key = key
        asked = .of(key.serviceType)
    }

    /// The likely fixes among what a container and its parents have, the best first.
    @_optimize(size)
    func hints(in listings: [Listing], seed: Hint?) -> [Hint] {
        var seen = RareSet<ServiceKey>()
        // A registration hides those of its key that are further up.
        let all = listings.flatMap(\.registrations).filter { seen.insert($0.key) }
        var hints = hints(among: all.filter { !$0.key.isContribution })
        // A name that is spelled nearly so is less likely than a seed that was forgotten.
        if let seed, !all.isEmpty {
            if case .registered(_, .similar)? = hints.first {
                hints.insert(seed, at: 0)
            } else {
                hints.append(seed)
            }
        }
        if key.isPlain, let contributed = all.first(where: { $0.key.isContribution(to: key) }) {
            hints.insert(.contributed(to: key.serviceType, at: contributed.place), at: 0)
        }
        return all.isEmpty ? [.nothingRegistered] : hints
    }

    @_optimize(size)
    private func hints(among registrations: [Candidate]) -> [Hint] {
        let others = registrations.filter { $0.key.serviceType != key.serviceType }
        let hints =
            others.filter { $0.facts.isLinkedTwice(asked) }.map { .registered($0, .linkedTwice) }
            + sameType(registrations.filter { $0.key.serviceType == key.serviceType })
            + first(others.filter { $0.facts.wrappedType == key.serviceType }, .optional)
        if !hints.isEmpty { return hints }
        // A forward is a further key of an entry, whose own registration is what is to be changed.
        let origins = others.filter(isConforming).map { Candidate($0.origin, at: $0.place) }
        if !origins.isEmpty { return first(origins, .conforming) }
        let generalized = first(others.filter(isGeneralized), .generalized)
        return generalized.isEmpty ? similar(others) : generalized
    }

    // MARK: - Kinds of misses

    @_optimize(size)
    private func sameType(_ registrations: [Candidate]) -> [Hint] {
        let ranks = registrations.map { rank($0.key.name) }
        let ranked = registrations.indices.ordered { ranks[$0] < ranks[$1] }
            .map { registrations[$0] }
        let otherNames = ranked.filter { $0.key.arguments == key.arguments }
        let otherArguments = ranked.filter { $0.key.arguments != key.arguments }
        let shown = Array(otherNames.prefix(Self.limit))
        // A near name is likelier than other arguments, and those than any other name.
        var hints = shown.filter(isNear).map { Hint.registered($0, .otherName) }
        hints += first(otherArguments.filter { $0.key.name == key.name }, .otherArguments)
        hints += first(otherArguments.filter(isNear), .otherArguments)
        hints += shown.filter { !isNear($0) }.map { .registered($0, .otherName) }
        if otherNames.count > Self.limit {
            hints.append(.moreNames(otherNames.dropFirst(Self.limit).map(\.key.name)))
        }
        return hints.isEmpty ? first(otherArguments, .otherArguments) : hints
    }

    private func isConforming(_ registration: Candidate) -> Bool {
        guard !isAnything(asked), key.arguments == registration.key.arguments else { return false }
        if let type = registration.instanceType { return TypeFacts.of(type).isKnown(toBe: asked) }
        let facts = registration.facts.wrappedType.map(TypeFacts.of) ?? registration.facts
        return facts.isKnown(toBe: asked)
    }

    private func isGeneralized(_ registration: Candidate) -> Bool {
        !isAnything(registration.facts) && asked.isKnown(toBe: registration.facts)
    }

    private func isAnything(_ facts: TypeFacts) -> Bool {
        facts.type == Any.self || facts.type == AnyObject.self
            || facts.type == (any Sendable).self
    }

    @_optimize(size)
    private func similar(_ registrations: [Candidate]) -> [Hint] {
        var near: [Candidate] = []
        var distances: [Int] = []
        for registration in registrations {
            guard let distance = asked.spelling.distance(to: registration.facts.spelling) else {
                continue
            }
            near.append(registration)
            distances.append(distance)
        }
        return first(near, .similar, distances)
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

    private func isNear(_ registration: Candidate) -> Bool {
        registration.key.name != key.name && rank(registration.key.name).0 < 100
    }

    /// The first of some candidates: the nearest, and of those by the alphabet.
    @_optimize(size)
    func first(
        _ candidates: [Candidate],
        _ relation: ResolutionError.Relation,
        _ distances: [Int]? = nil
    ) -> [Hint] {
        let texts = candidates.map { "\(ResolutionError.Request($0.key)) \($0.place)" }
        let ordered = candidates.indices.ordered { one, other in
            (distances?[one] ?? 0, texts[one]) < (distances?[other] ?? 0, texts[other])
        }
        // Of those that read the same, one will do.
        var seen = RareSet<String>()
        return ordered.filter { seen.insert(texts[$0]) }.prefix(Self.limit)
            .map { .registered(candidates[$0], relation) }
    }
}

/// What was registered in a container when a message asked, and how many changes had led there.
struct Listing: Sendable {
    let registrations: [ResolutionError.Candidate]
    let changeCount: Int
}
