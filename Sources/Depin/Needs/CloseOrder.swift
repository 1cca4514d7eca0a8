/// Puts instances in the order in which they close: each after all that needed it, directly or not, and else the one
/// completed last first.
///
/// An instance that was completed after one that needs it, as a `Lazy` brings it about, follows that one, with what it
/// needs itself. It is what a ``NeedsGraph`` knew at one moment, and shares nothing with that.
package struct CloseOrder {
    /// Something to be closed.
    struct Step {
        /// What it closes, held; nil for one that only comes between others.
        let instance: ClosedInstance?
        /// The steps before it that must have ended.
        let after: [Int]
    }

    /// What is to be closed, held; nil for what only passes needs on.
    let instances: [ClosedInstance?]
    /// When each was completed; empty, as the needs are, where one alone is to be closed.
    let times: [Int]
    let needs: [[Int]]

    /// The steps in their order.
    @_optimize(size)
    func steps() -> [Step] {
        guard !needs.isEmpty else {
            return instances.compactMap(\.self).map { Step(instance: $0, after: []) }
        }
        let circles = circles()
        var circle = Array(repeating: 0, count: needs.count)
        for (number, members) in circles.enumerated() {
            for node in members { circle[node] = number }
        }
        var after = Array(repeating: [Int](), count: circles.count)
        var steps: [Step] = []
        for (number, members) in circles.enumerated().reversed() {
            for node in members {
                steps.append(Step(instance: instances[node], after: after[number]))
                // Those of a circle follow each other.
                after[number] = [steps.count - 1]
            }
            for needed in members.lazy.flatMap({ needs[$0] }).map({ circle[$0] })
            where needed != number && after[needed].last != steps.count - 1 {
                after[needed].append(steps.count - 1)
            }
        }
        return steps
    }

    /// Those that need each other, each circle with all its nodes, the last one first: the strongly connected components.
    ///
    /// A circle comes after those that it needs, and else after what was completed before. Tarjan's algorithm, without
    /// recursion: a chain of needs may be longer than a stack.
    @_optimize(size)
    private func circles() -> [[Int]] {
        // What only passes needs on holds nothing up.
        let times = zip(instances, times).map { $0 == nil ? Int.max : $1 }
        func inTime(_ nodes: some Sequence<Int>) -> [Int] {
            Array(nodes).ordered { (times[$0], $0) < (times[$1], $1) }
        }
        let needs = needs.map { inTime($0) }
        var circles: [[Int]] = []
        var index = Array(repeating: -1, count: needs.count)
        var (low, isOpen) = (index, Array(repeating: true, count: needs.count))
        var (stack, next, counter) = ([Int](), Array(repeating: 0, count: needs.count), 0)
        for root in inTime(needs.indices) where index[root] < 0 {
            var calls = [root]
            while let node = calls.last {
                if index[node] < 0 {
                    (index[node], low[node]) = (counter, counter)
                    counter += 1
                    stack.append(node)
                }
                if next[node] < needs[node].count {
                    let needed = needs[node][next[node]]
                    next[node] += 1
                    if index[needed] < 0 {
                        calls.append(needed)
                    } else if isOpen[needed] {
                        low[node] = min(low[node], index[needed])
                    }
                    continue
                }
                calls.removeLast()
                if let caller = calls.last { low[caller] = min(low[caller], low[node]) }
                guard low[node] == index[node] else { continue }
                var members: [Int] = []
                repeat {
                    members.append(stack.removeLast())
                    isOpen[members[members.count - 1]] = false
                } while members.last != node
                circles.append(inTime(members).reversed())
            }
        }
        return circles
    }
}
