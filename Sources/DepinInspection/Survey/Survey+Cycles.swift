import Depin

extension Survey {
    /// Circles of registrations that need each other to be built: for each registration of a circle, one that it lies
    /// on.
    ///
    /// A factory with arguments may need itself with other arguments, so only running it can tell.
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
