/// How many hints of one kind a message gives.
private let limit = 5

// What a request that found nothing may have meant.
extension ServiceKey {
    typealias Hint = ResolutionError.Hint
    typealias Candidate = ResolutionError.Registered

    /// The likely fixes among the registrations of a container and its parents, the best first.
    @_optimize(size)
    func nearMisses(in listings: [[Candidate]], seed: Hint?) -> [Hint] {
        var seen = RareSet<ServiceKey>()
        // A registration hides those of the same key further up.
        let all = listings.joined().filter { seen.insert($0.key) }
        if all.isEmpty { return [.nothingRegistered] }
        let asked = TypeFacts.of(serviceType)
        let services = all.filter { !$0.key.isContribution }
        let others = services.filter { $0.key.serviceType != serviceType }
        let same = services.filter { $0.key.serviceType == serviceType }
        let contributed = all.filter {
            arguments == nil && $0.key.isContribution && $0.key.serviceType == serviceType
                && (name == nil || $0.key.name == name)
        }
        var hints =
            nearest(of: Array(contributed.prefix(1)), .contributed)
            + nearest(of: others.filter { $0.facts.isLinkedTwice(asked) }, .linkedTwice)
            + nearest(of: same, .otherKey)
            + (same.count > limit ? [.more(same.count - limit)] : [])
            + nearest(of: others.filter { $0.facts.wrappedType == serviceType }, .optional)
        if hints.isEmpty, !asked.isAnything {
            let conforming = others.filter { $0.facts.isKnown(toBe: asked) }
            // A registration for any name answers under names only, also for a further type.
            hints = nearest(
                of: conforming.filter {
                    $0.key.arguments == arguments && (name != nil || !$0.key.isForAnyName)
                },
                .conforming
            )
        }
        let similar =
            hints.isEmpty
            ? nearest(of: others.filter { $0.facts.word.isClose(to: asked.word) }, .similar) : []
        return hints + (seed.map { [$0] } ?? []) + similar
    }

    /// The nearest candidates by name and arguments, and then by the alphabet.
    func nearest(of candidates: [Candidate], _ relation: ResolutionError.Relation) -> [Hint] {
        let texts = candidates.map { "\(ResolutionError.Request($0.key)) \($0.place)" }
        let distances = candidates.map(distance)
        let ordered = candidates.indices.ordered { one, other in
            (distances[one], texts[one]) < (distances[other], texts[other])
        }
        // Of those with the same text, one will do.
        var seen = RareSet<String>()
        return ordered.filter { seen.insert(texts[$0]) }.prefix(limit)
            .map { .registered(candidates[$0], relation) }
    }

    /// How far a candidate is: a similar name is nearer than other arguments, and those are nearer than another name.
    private func distance(to candidate: Candidate) -> Int {
        let (asked, name) = (self.name ?? "", candidate.key.name ?? "")
        let ofName = asked == name ? 0 : asked.isClose(to: name) ? 1 : 3
        return candidate.key.arguments == arguments ? ofName : ofName + 2
    }
}

extension String {
    /// True for similar words, ignoring case: one begins or ends with the other, or at most a fifth of the letters
    /// differ, in one place.
    func isClose(to other: String) -> Bool {
        let (one, other) = (Array(lowercased().utf8), Array(other.lowercased().utf8))
        let (shorter, longer) = (min(one.count, other.count), max(one.count, other.count))
        func length(_ agrees: (Int) -> Bool) -> Int {
            (0..<shorter).first { !agrees($0) } ?? shorter
        }
        let start = length { one[$0] == other[$0] }
        let end = length { one[one.count - 1 - $0] == other[other.count - 1 - $0] }
        let isPart = start == shorter || end == shorter
        return shorter > 2 && (isPart || longer - start - end <= longer / 5)
    }
}
