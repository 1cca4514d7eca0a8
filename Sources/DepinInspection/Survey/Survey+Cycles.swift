import Depin

extension Survey {
    /// Ways around among the registrations that need each other to be built: for each of them one on
    /// which it lies.
    ///
    /// What takes arguments may need itself with others, so only running it can tell.
    func cycles(where isMeant: (Edge) -> Bool) -> [[Int]] {
        let next = neighbors { edge in
            edge.isDirect && isMeant(edge) && nodes[edge.to].registration.key.arguments == nil
        }
        return Circles.groups(next).flatMap { group in
            var covered: Set<Int> = []
            return group.sorted().compactMap { member -> [Int]? in
                guard !covered.contains(member),
                    let circle = circle(through: member, by: next, among: Set(group))
                else { return nil }
                covered.formUnion(circle)
                return circle
            }
        }
    }

    /// All registrations, each after those that it declares to need: built in this order they need no
    /// more of the stack than two of them do.
    var neededFirst: [Int] {
        Circles.postorder(neighbors { $0.isDirect && $0.isDeclared })
    }

    /// The registrations that need one of these, however indirectly, by declared needs.
    func dependents(of starts: [Int]) -> Set<Int> {
        var previous = nodes.map { _ in [Int]() }
        for edge in edges where edge.isDirect && edge.isDeclared {
            previous[edge.to].append(edge.from)
        }
        return reach(starts.filter { property($0) == nil }, by: previous)
    }

    // MARK: - Walks

    /// For each registration those that it needs by the edges that are meant.
    func neighbors(by isMeant: (Edge) -> Bool) -> [[Int]] {
        var next = [[Int]](repeating: [], count: nodes.count)
        for edge in edges where isMeant(edge) {
            next[edge.from].append(edge.to)
        }
        return next
    }

    /// These, and what they lead to.
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

    /// The shortest way around from one of a group to itself, without its end.
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
