/// Finds circles in a graph whose nodes are indices: registrations or instances that need each other.
package enum Circles {
    /// The groups of nodes that lead to each other, each after the groups that it leads to: Kosaraju's algorithm.
    package static func groups(_ next: [[Int]]) -> [[Int]] {
        var previous = next.map { _ in [Int]() }
        for (index, neighbors) in next.enumerated() {
            for neighbor in neighbors { previous[neighbor].append(index) }
        }
        var groups: [[Int]] = []
        var isOpen = next.map { _ in true }
        for start in postorder(next).reversed() where isOpen[start] {
            isOpen[start] = false
            var group = [start]
            var position = 0
            while position < group.count {
                for neighbor in previous[group[position]] where isOpen[neighbor] {
                    isOpen[neighbor] = false
                    group.append(neighbor)
                }
                position += 1
            }
            groups.append(group)
        }
        return groups.reversed()
    }

    /// All nodes, each after those that it leads to, except in circles.
    ///
    /// Without recursion, because a chain of needs may be longer than a thread's stack.
    private static func postorder(_ next: [[Int]]) -> [Int] {
        var order: [Int] = []
        var isNew = next.map { _ in true }
        var walk = next.indices.reversed().map { (index: $0, isDone: false) }
        while let (index, isDone) = walk.popLast() {
            if isDone {
                order.append(index)
            } else if isNew[index] {
                isNew[index] = false
                walk.append((index, true))
                walk += next[index].reversed().map { ($0, false) }
            }
        }
        return order
    }
}
