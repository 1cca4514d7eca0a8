import Depin

extension Survey {
    /// Circles of registrations that need each other to be built: for each registration of a circle, one that it lies
    /// on.
    ///
    /// A factory with arguments may need itself with other arguments, and one for any name under another name, so only
    /// running it can tell.
    func cycles(where isMeant: (Edge) -> Bool) -> [[Int]] {
        let next = uses { edge in
            let key = nodes[edge.to].registration.key
            return edge.isDirect && isMeant(edge) && key.arguments == nil && !key.isForAnyName
        }
        var covered: Set<Int> = []
        return Circles.groups(next).flatMap { group in
            group.sorted().compactMap { member -> [Int]? in
                guard !covered.contains(registered(in: member)),
                    let circle = circle(through: member, by: next, among: Set(group))
                else { return nil }
                covered.formUnion(circle.map(registered(in:)))
                return circle.map(registered(in:))
            }
        }
    }

    /// All registrations, each after its declared needs: built in this order, no registration needs more of the stack
    /// than two of them.
    var neededFirst: [Int] {
        Circles.groups(neighbors { $0.isDirect && $0.isDeclared }).flatMap(\.self)
    }

    /// These registrations, and those that need one of them, directly or not, as far as needs are declared.
    func dependents(of starts: [Int]) -> Set<Int> {
        var previous = nodes.map { _ in [Int]() }
        for edge in edges where edge.isDirect && edge.isDeclared {
            previous[edge.to].append(edge.from)
        }
        return reach(starts.filter { property($0) == nil }, by: previous)
    }

    // MARK: - Walks

    /// The number of a registration's use in a container that makes its instances: what a shared instance needs comes
    /// from its own container, and what any other one needs from the container that was asked for it.
    func use(of index: Int, by maker: Int) -> Int {
        index * chain.count + (home(of: nodes[index]) ?? maker)
    }

    /// The registration of a use.
    func registered(in use: Int) -> Int { use / chain.count }

    /// For each use, those at the other ends of the chosen edges.
    func uses(by isMeant: (Edge) -> Bool) -> [[Int]] {
        var next = [[Int]](repeating: [], count: nodes.count * chain.count)
        for edge in edges where isMeant(edge) {
            next[use(of: edge.from, by: edge.maker)].append(use(of: edge.to, by: edge.asked))
        }
        return next
    }

    /// For each registration, those at the other ends of the chosen edges.
    func neighbors(by isMeant: (Edge) -> Bool) -> [[Int]] {
        var next = [[Int]](repeating: [], count: nodes.count)
        for edge in edges where isMeant(edge) {
            next[edge.from].append(edge.to)
        }
        return next
    }

    /// These registrations, and all that they lead to.
    func reach(_ starts: [Int], by next: [[Int]]) -> Set<Int> {
        var found = Set(starts)
        var queue = starts
        while let index = queue.popLast() {
            for neighbor in next[index] where found.insert(neighbor).inserted {
                queue.append(neighbor)
            }
        }
        return found
    }

    /// The shortest way from a member of a group back to itself, without its end.
    private func circle(through start: Int, by next: [[Int]], among group: Set<Int>) -> [Int]? {
        var origins: [Int: Int] = [:]
        var queue = [start][...]
        while origins[start] == nil, let index = queue.popFirst() {
            for neighbor in next[index] where group.contains(neighbor) && origins[neighbor] == nil {
                origins[neighbor] = index
                queue.append(neighbor)
            }
        }
        guard let end = origins[start] else { return nil }
        var circle = [end]
        while let last = circle.last, last != start, let origin = origins[last] {
            circle.append(origin)
        }
        return circle.reversed()
    }
}
