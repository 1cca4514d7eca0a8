/// Runs the closers of instances: synchronous ones one after the other, and meanwhile those that suspend, each
/// after those of all that needed its instance.
struct CloserRun {
    private struct Step {
        let instance: ClosedInstance
        let box: AnyBox
        let isAsync: Bool
        /// How many steps must have ended before.
        var blockers: Int
        /// The steps that wait for this one.
        var blocked: [Int] = []
        var failures: [CloseError.Failure] = []

        var entry: AnyServiceEntry { instance.entry }
    }

    private var steps: [Step] = []
    /// Those that suspend and can begin.
    private var ready: [Int] = []
    /// Those that do not suspend, the next one last.
    private var plain: [Int] = []

    init(_ order: CloseOrder<ClosedInstance>, _ box: (ClosedInstance) -> AnyBox?) {
        let planned = order.steps { instance in
            instance.hasClosers ? box(instance).map { (instance: instance, box: $0) } : nil
        }
        for step in planned {
            let (instance, box) = step.item
            let number = steps.count
            for index in step.after { steps[index].blocked.append(number) }
            let isAsync = instance.entry.closesAsynchronously
            if !isAsync {
                plain.append(number)
            } else if step.after.isEmpty {
                ready.append(number)
            }
            steps.append(
                Step(instance: instance, box: box, isAsync: isAsync, blockers: step.after.count)
            )
        }
        plain.reverse()
    }

    /// True where one of them suspends.
    var suspends: Bool { steps.contains(where: \.isAsync) }

    /// Runs them all where none suspends, and gives back what they threw.
    mutating func runPlain() -> [CloseError.Failure] {
        while let next = plain.popLast() { runPlain(next) }
        return steps.flatMap(\.failures)
    }

    /// Runs them all, and gives back what they threw.
    mutating func run() async -> [CloseError.Failure] {
        guard suspends else { return runPlain() }
        if steps.count == 1 {
            end(0, await steps[0].entry.runClosers(steps[0].box))
            return steps[0].failures
        }
        await withTaskGroup(of: (index: Int, errors: [any Error]).self) { group in
            while true {
                while let index = ready.popLast() {
                    let (entry, box) = (steps[index].entry, steps[index].box)
                    group.addTask { (index, await entry.runClosers(box)) }
                }
                if let next = plain.last, steps[next].blockers == 0 {
                    plain.removeLast()
                    runPlain(next)
                } else if let (index, errors) = await group.next() {
                    end(index, errors)
                } else {
                    return
                }
            }
        }
        return steps.flatMap(\.failures)
    }

    private mutating func runPlain(_ index: Int) {
        end(index, steps[index].entry.runClosers(steps[index].box))
    }

    private mutating func end(_ index: Int, _ errors: [any Error]) {
        let entry = steps[index].entry
        steps[index].failures = errors.map { error in
            CloseError.Failure(
                request: ResolutionError.Request(entry.key),
                registeredAt: entry.place,
                error: error
            )
        }
        for blocked in steps[index].blocked {
            steps[blocked].blockers -= 1
            if steps[blocked].isAsync, steps[blocked].blockers == 0 { ready.append(blocked) }
        }
    }
}
