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
            let members = Set(group)
            var covered: Set<Int> = []
            return group.sorted().compactMap { member -> [Int]? in
                guard !covered.contains(member),
                    let way = way(from: member, to: member, by: next, among: members)
                else { return nil }
                covered.formUnion(way)
                return way
            }
        }
    }

    /// All registrations, each after those that it declares to need: built in this order they need no
    /// more of the stack than two of them do.
    var neededFirst: [Int] {
        groups(neighbors { $0.isDirect && $0.isDeclared }).flatMap(\.self)
    }

    private func neighbors(by isMeant: (Edge) -> Bool) -> [[Int]] {
        var next = [[Int]](repeating: [], count: nodes.count)
        for edge in edges where isMeant(edge) {
            next[edge.from].append(edge.to)
        }
        return next
    }

    /// The registrations that need one of these, however indirectly, by declared needs.
    func dependents(of starts: some Sequence<Int>) -> Set<Int> {
        var previous = [[Int]](repeating: [], count: nodes.count)
        for edge in edges where edge.isDirect && edge.isDeclared {
            previous[edge.to].append(edge.from)
        }
        var found = Set(starts)
        var queue = Array(found)
        while let index = queue.popLast() {
            for dependent in previous[index] where found.insert(dependent).inserted {
                queue.append(dependent)
            }
        }
        return found
    }

    /// The shortest way along edges, without its end.
    private func way(
        from start: Int,
        to end: Int,
        by next: [[Int]],
        among members: Set<Int>
    ) -> [Int]? {
        var origins: [Int: Int] = [:]
        var queue = [start]
        var head = 0
        while head < queue.count {
            let index = queue[head]
            head += 1
            for neighbor in next[index] where members.contains(neighbor) {
                if neighbor == end {
                    var way = [index]
                    while let last = way.last, last != start, let origin = origins[last] {
                        way.append(origin)
                    }
                    return way.reversed()
                }
                if origins[neighbor] == nil, neighbor != start {
                    origins[neighbor] = index
                    queue.append(neighbor)
                }
            }
        }
        return nil
    }

    /// The strongly connected components, by Tarjan's algorithm, without recursion: a chain of needs
    /// may be longer than the stack of a thread.
    private func groups(_ next: [[Int]]) -> [[Int]] {
        var numbers = [Int?](repeating: nil, count: next.count)
        var lowest = [Int](repeating: 0, count: next.count)
        var isOpen = [Bool](repeating: false, count: next.count)
        var open: [Int] = []
        var groups: [[Int]] = []
        var count = 0
        for start in next.indices where numbers[start] == nil {
            var walk: [(index: Int, edge: Int)] = [(start, 0)]
            while let (index, edge) = walk.last {
                if edge == 0 {
                    numbers[index] = count
                    lowest[index] = count
                    count += 1
                    open.append(index)
                    isOpen[index] = true
                }
                if edge < next[index].count {
                    walk[walk.count - 1].edge += 1
                    let neighbor = next[index][edge]
                    if let number = numbers[neighbor] {
                        if isOpen[neighbor] {
                            lowest[index] = min(lowest[index], number)
                        }
                    } else {
                        walk.append((neighbor, 0))
                    }
                    continue
                }
                walk.removeLast()
                if let (parent, _) = walk.last {
                    lowest[parent] = min(lowest[parent], lowest[index])
                }
                guard lowest[index] == numbers[index] else { continue }
                var group: [Int] = []
                while let member = open.popLast() {
                    isOpen[member] = false
                    group.append(member)
                    if member == index { break }
                }
                groups.append(group)
            }
        }
        return groups
    }
}
