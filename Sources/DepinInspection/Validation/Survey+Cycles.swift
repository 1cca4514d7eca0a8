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
        return groups(next).flatMap { group in
            var covered: Set<Int> = []
            return group.sorted().compactMap { member -> [Int]? in
                guard !covered.contains(member),
                    let circle = circle(through: member, by: next, among: group)
                else { return nil }
                covered.formUnion(circle)
                return circle
            }
        }
    }

    /// All registrations, each after those that it declares to need: built in this order they need no
    /// more of the stack than two of them do.
    var neededFirst: [Int] { postorder(neighbors { $0.isDirect && $0.isDeclared }) }

    /// The registrations that need one of these, however indirectly, by declared needs.
    func dependents(of starts: [Int]) -> Set<Int> {
        let previous = reversed(neighbors { $0.isDirect && $0.isDeclared })
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

    private func reversed(_ next: [[Int]]) -> [[Int]] {
        var previous = [[Int]](repeating: [], count: next.count)
        for (index, neighbors) in next.enumerated() {
            for neighbor in neighbors { previous[neighbor].append(index) }
        }
        return previous
    }

    /// These, and what they lead to besides what has been seen.
    func reach(_ starts: [Int], by next: [[Int]], besides seen: Set<Int> = []) -> Set<Int> {
        var found = Set(starts.filter { !seen.contains($0) })
        var queue = Array(found)
        while let index = queue.popLast() {
            for neighbor in next[index]
            where !seen.contains(neighbor) && found.insert(neighbor).inserted {
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

    /// The groups whose members lead to each other, each after those that it leads to: Kosaraju's algorithm.
    private func groups(_ next: [[Int]]) -> [Set<Int>] {
        let previous = reversed(next)
        var seen: Set<Int> = []
        let groups = postorder(next).reversed().map { start in
            let group = reach([start], by: previous, besides: seen)
            seen.formUnion(group)
            return group
        }
        return groups.reversed()
    }

    /// All registrations, each after those that it leads to, but for circles.
    ///
    /// Without recursion: a chain of needs may be longer than the stack of a thread.
    private func postorder(_ next: [[Int]]) -> [Int] {
        var order: [Int] = []
        var seen: Set<Int> = []
        for start in next.indices where seen.insert(start).inserted {
            var walk = [(index: start, rest: next[start][...])]
            while let (index, rest) = walk.last {
                guard let neighbor = rest.first else {
                    order.append(index)
                    walk.removeLast()
                    continue
                }
                walk[walk.count - 1].rest = rest.dropFirst()
                if seen.insert(neighbor).inserted { walk.append((neighbor, next[neighbor][...])) }
            }
        }
        return order
    }
}
