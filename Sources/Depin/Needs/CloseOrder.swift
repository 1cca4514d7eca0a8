/// Orders instances for closing: each after everything that needed it, directly or not, and otherwise the last
/// made first.
///
/// It is a snapshot of a ``NeedsGraph``, with which it shares nothing.
final class CloseOrder: Sendable {
    /// An instance to close, in its place.
    final class Step: Sendable {
        /// The instance, held; nil for a step that only stands between others.
        let instance: ClosedInstance?
        /// The earlier steps that must have ended.
        let after: [Int]

        init(_ instance: ClosedInstance?, after: [Int]) {
            (self.instance, self.after) = (instance, after)
        }
    }

    /// The instances to close, held; nil for a node that only passes needs on.
    let instances: [ClosedInstance?]
    /// When the factory of each returned.
    ///
    /// Empty, like the needs, if there is only one instance to close.
    let times: [UInt]
    let needs: [[Int]]

    init(_ instances: [ClosedInstance?], times: [UInt], needs: [[Int]]) {
        (self.instances, self.times, self.needs) = (instances, times, needs)
    }

    /// The steps in order.
    func steps() -> [Step] {
        guard !needs.isEmpty else {
            return instances.compactMap(\.self).map { Step($0, after: []) }
        }
        // A node that only passes needs on must not delay others.
        let times = instances.indices.map { instances[$0] == nil ? UInt.max : self.times[$0] }
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
        // Descending, so that the next circle is the last element.
        var free = Array(circles.indices.filter { open[$0] == 0 }.reversed())
        var after = Array(repeating: [Int](), count: circles.count)
        var steps: [Step] = []
        while let next = free.popLast() {
            for node in circles[next] {
                steps.append(Step(instances[node], after: after[next]))
                // The members of a circle follow each other.
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
