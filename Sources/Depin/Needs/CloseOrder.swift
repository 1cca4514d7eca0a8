/// Puts instances in the order in which they close: each after all that needed it, directly or not, and else the one
/// completed last first.
///
/// It is what a ``NeedsGraph`` knew at one moment, and shares nothing with that.
package final class CloseOrder: Sendable {
    /// Something to be closed.
    final class Step: Sendable {
        /// What it closes, held; nil for one that only comes between others.
        let instance: ClosedInstance?
        /// The steps before it that must have ended.
        let after: [Int]

        init(_ instance: ClosedInstance?, after: [Int]) {
            (self.instance, self.after) = (instance, after)
        }
    }

    /// What is to be closed, held; nil for what only passes needs on.
    let instances: [ClosedInstance?]
    /// When each was completed; empty, as the needs are, where one alone is to be closed.
    let times: [Int]
    let needs: [[Int]]

    init(_ instances: [ClosedInstance?], times: [Int], needs: [[Int]]) {
        (self.instances, self.times, self.needs) = (instances, times, needs)
    }

    /// The steps in their order.
    func steps() -> [Step] {
        guard !needs.isEmpty else {
            return instances.compactMap(\.self).map { Step($0, after: []) }
        }
        // What only passes needs on holds nothing up.
        let times = instances.indices.map { instances[$0] == nil ? Int.max : self.times[$0] }
        let circles = Circles.groups(needs).map { $0.ordered { (times[$0], $0) > (times[$1], $1) } }
            .ordered { (times[$0[0]], $0[0]) > (times[$1[0]], $1[0]) }
        var circle = Array(repeating: 0, count: needs.count)
        for (number, members) in circles.enumerated() {
            for node in members { circle[node] = number }
        }
        var open = Array(repeating: 0, count: circles.count)
        for node in needs.indices {
            for needed in needs[node] where circle[needed] != circle[node] {
                open[circle[needed]] += 1
            }
        }
        // In descending order: the next one is the last.
        var free = Array(circles.indices.filter { open[$0] == 0 }.reversed())
        var after = Array(repeating: [Int](), count: circles.count)
        var steps: [Step] = []
        while let next = free.popLast() {
            for node in circles[next] {
                steps.append(Step(instances[node], after: after[next]))
                // Those of a circle follow each other.
                after[next] = [steps.count - 1]
            }
            let last = steps.count - 1
            for node in circles[next] {
                for needed in needs[node] where circle[needed] != next {
                    let needed = circle[needed]
                    if after[needed].last != last { after[needed].append(last) }
                    open[needed] -= 1
                    if open[needed] > 0 { continue }
                    let later = free.lastIndex { $0 > needed }
                    free.insert(needed, at: later.map { $0 + 1 } ?? 0)
                }
            }
        }
        return steps
    }
}
