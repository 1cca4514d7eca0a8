/// What a person may have meant by a request that found nothing.
struct NearMisses {
    typealias Hint = ResolutionError.Hint
    typealias Candidate = ResolutionError.Candidate

    /// A registration that may be what was meant, without anything that would keep its container open.
    // A class, since lists of it are filtered and ordered: 10 KB.
    final class Registration: Sendable {
        /// What finds it.
        let key: ServiceKey
        /// The key of the registration, where it is found by a forwarded one.
        let origin: ServiceKey
        let place: CodePlace
        /// The type of the instance that it was registered with, if it was.
        let instanceType: Any.Type?

        init(
            key: ServiceKey,
            origin: ServiceKey,
            place: CodePlace,
            instanceType: Any.Type?
        ) {
            self.key = key
            self.origin = origin
            self.place = place
            self.instanceType = instanceType
        }

        fileprivate var facts: TypeFacts { .of(key.serviceType) }
    }

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
        var seen: Set<ServiceKey> = []
        // A registration hides those of its key that are further up.
        let all = listings.flatMap(\.registrations).filter { seen.insert($0.key).inserted }
        var hints = hints(among: all.filter { !$0.key.isContribution })
        // A name that is spelled nearly so is less likely than a seed that was forgotten.
        if let seed, !all.isEmpty {
            if case .similar? = hints.first {
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
    private func hints(among registrations: [Registration]) -> [Hint] {
        let others = registrations.filter { $0.key.serviceType != key.serviceType }
        var hints = others.filter { $0.facts.isLinkedTwice(asked) }
            .map { Hint.linkedTwice(candidate($0)) }
        hints += sameType(registrations.filter { $0.key.serviceType == key.serviceType })
        hints += first(others, Hint.optional) { $0.facts.wrappedType == key.serviceType }
        if hints.isEmpty {
            // A forward is a further key of an entry, whose own registration is what is to be changed.
            let origins = others.filter(isConforming).map {
                Candidate(key: $0.origin, registeredAt: $0.place)
            }
            hints += first(origins, Hint.conforming)
        }
        if hints.isEmpty {
            hints += first(others, Hint.generalized, where: isGeneralized)
        }
        return hints + (hints.isEmpty ? similar(others) : [])
    }

    // MARK: - Kinds of misses

    @_optimize(size)
    private func sameType(_ registrations: [Registration]) -> [Hint] {
        let ranked = registrations.map { (rank: rank($0.key.name), registration: $0) }
            .ordered { $0.rank < $1.rank }
            .map(\.registration)
        let otherNames = ranked.filter { $0.key.arguments == key.arguments }
        let otherArguments = ranked.filter { $0.key.arguments != key.arguments }
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
        guard !isAnything(asked), key.arguments == registration.key.arguments else { return false }
        if let type = registration.instanceType { return TypeFacts.of(type).isKnown(toBe: asked) }
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

    @_optimize(size)
    private func similar(_ registrations: [Registration]) -> [Hint] {
        let spelling = Spelling.of(asked)
        let near = registrations.compactMap { registration in
            spelling.distance(to: .of(registration.facts))
                .map { (distance: $0, registration: registration) }
        }
        let hints = Set(near.map(\.distance)).ordered(by: <).lazy.flatMap { distance in
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

    @_optimize(size)
    private func first(
        _ registrations: [Registration],
        _ hint: (Candidate) -> Hint,
        where matches: (Registration) -> Bool
    ) -> [Hint] {
        first(registrations.filter(matches).map(candidate), hint)
    }

    @_optimize(size)
    func first(_ candidates: [Candidate], _ hint: (Candidate) -> Hint) -> [Hint] {
        // Of those that read the same, one will do.
        let ordered = Dictionary(candidates.map { (order($0), $0) }) { one, _ in one }
        return ordered.ordered { $0.key < $1.key }.prefix(Self.limit).map { hint($0.value) }
    }

    private func candidate(_ registration: Registration) -> Candidate {
        Candidate(key: registration.key, registeredAt: registration.place)
    }
}
