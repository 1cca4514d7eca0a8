import Depin

extension Survey {
    /// Shared instances that keep services which were meant to end earlier.
    var captives: [Problem] {
        var next: [Use: [Use]] = [:]
        for (holder, service) in kept { next[made(holder), default: []].append(made(service)) }
        // Resolutions show needs in no order.
        next = next.mapValues { $0.sorted { ($0.index, $0.asked) < ($1.index, $1.asked) } }
        return nodes.indices.filter { nodes[$0].kind.keeps || nodes[$0].kind == .weak }
            .flatMap { captives(of: $0, next) }
    }

    private func captives(of holder: Int, _ next: [Use: [Use]]) -> [Problem] {
        var problems: [Problem] = []
        let first = made(Use(index: holder, asked: 0))
        var seen: Set<Use> = [first]
        var ways = [[first]]
        while let way = ways.popLast() {
            for use in next[way[way.count - 1]] ?? [] where seen.insert(use).inserted {
                guard nodes[use.index].kind.keeps else {
                    // Its dependent keeps it, and everything that it keeps. An instance of a weak scope lives as long
                    // as someone holds it, which is what such a scope is for.
                    ways.append(way + [use])
                    continue
                }
                if outlives(holder, use.index) {
                    problems.append(captive((way + [use]).map(\.index)))
                }
            }
        }
        return problems
    }

    /// A shared instance is made for the container that keeps it, whichever was asked.
    private func made(_ use: Use) -> Use {
        Use(index: use.index, asked: home(of: nodes[use.index]) ?? use.asked)
    }

    /// Notes what an instance keeps, if the need is one that makes it keep the other.
    mutating func keep(_ need: Edge, for maker: Int, asking asked: Int) {
        guard need.deferral.keeps, !need.isAround, !need.isOfOwnScope else { return }
        kept.append((Use(index: need.from, asked: maker), Use(index: need.to, asked: asked)))
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
