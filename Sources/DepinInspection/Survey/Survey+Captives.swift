import Depin

extension Survey {
    /// Shared instances that keep services which were meant to end earlier.
    var captives: [Problem] {
        let next = uses { $0.deferral.keeps && !$0.isAround && !$0.isOfOwnScope }
        return nodes.indices.filter { nodes[$0].kind.keeps || nodes[$0].kind == .weak }
            .flatMap { captives(of: $0, next) }
    }

    private func captives(of holder: Int, _ next: [[Int]]) -> [Problem] {
        var problems: [Problem] = []
        let start = use(of: holder, by: 0)
        var seen: Set<Int> = [start]
        var ways = [[start]]
        while let way = ways.popLast() {
            for use in next[way[way.count - 1]] where seen.insert(use).inserted {
                guard nodes[registered(in: use)].kind.keeps else {
                    // Its dependent keeps it, and everything that it keeps. An instance of a weak scope lives as long
                    // as someone holds it, which is what such a scope is for.
                    ways.append(way + [use])
                    continue
                }
                if outlives(holder, registered(in: use)) {
                    problems.append(captive((way + [use]).map(registered(in:))))
                }
            }
        }
        return problems
    }

    private func outlives(_ holder: Int, _ kept: Int) -> Bool {
        let (holder, kept) = (nodes[holder], nodes[kept])
        // A weakly shared instance may keep one that a reset drops, but not one that an open scope closes.
        guard holder.kind.keeps || kept.isOpened else { return false }
        if let holderLevel = home(of: holder), let keptLevel = home(of: kept) {
            if holderLevel > keptLevel { return true }
            return holder.registration.lasts && !kept.registration.lasts && !kept.isOpened
        }
        // For scopes that are not open, nobody knows which is inside the other.
        return kept.isOpened && !holder.isOpened
    }

    private func captive(_ way: [Int]) -> Problem {
        let holder = nodes[way[0]]
        let kept = nodes[way[way.count - 1]]
        let owner = holder.level > kept.level ? " of a child container" : ""
        let name = TypeNames(way.flatMap { nodes[$0].types })
        let passing = way.count > 2 ? way.map { nodes[$0].named(by: name) } : []
        let key = kept.registration.key
        let type = name(key.serviceType)
        let service = key.requestedType(name)
        let isPlain = !key.isContribution && key.argumentTypes.isEmpty
        let deferred =
            key.argumentTypes.isEmpty
            ? "Provider<\(service)>"
            : "ServiceFactory<\(([type] + key.argumentTypes.map { name($0) }).joined(separator: ", "))>"
        let fix =
            kept.isOpened
            ? "have its methods take the \(service) as an argument"
                + (isPlain ? ", take a Scoped<\(service)>\(key.nameText)" : "")
            : "take a \(deferred)\(key.isContribution ? "" : key.nameText)"
        let text = """
            \(holder.named(by: name)), shared in scope \(holder.registration.scopeName), keeps \
            \(kept.named(by: name)) of scope \(kept.registration.scopeName)\(owner) for longer than that \
            scope lasts
              registered at \(holder.registration.place) and at \(kept.registration.place)\
            \(passing.isEmpty ? "" : "\n  by way of \(passing.joined(separator: " → "))")
              fix: \(fix), or give both the same scope
            """
        return problem(.captive, [way[0], way[way.count - 1]], text).along(way)
    }
}

extension Registration {
    /// True for a singleton: its instance lives as long as the container.
    fileprivate var lasts: Bool { ObjectScope.container.includes(objectScope) }
}
