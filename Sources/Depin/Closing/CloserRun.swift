/// Runs the closers of a container's instances, each after those of all that needed the instance.
///
/// Those that suspend run at the same time where nothing says otherwise; the others one after another, the last
/// instance first.
package struct CloserRun {
    private struct Step {
        /// Nil for what only comes between others.
        let instance: ClosedInstance?
        let box: AnyBox?
        let isAsync: Bool
        /// How many steps must end before it.
        var blockers: Int
        var blocked: [Int] = []
        var failures: [CloseError.Failure] = []

        var isPlain: Bool { instance != nil && !isAsync }
    }

    private let outcome: ScopeOutcome
    private var steps: [Step] = []
    /// The steps that suspend, and what comes between, of which nothing is left that must end before.
    private var ready: [Int] = []
    /// The others, the next one last.
    private var plain: [Int] = []

    package init(
        _ needs: NeedsGraph<ClosedInstance>,
        _ outcome: ScopeOutcome,
        where isClosed: (ClosedInstance) -> Bool = { _ in true }
    ) {
        self.outcome = outcome
        let planned = needs.steps { instance in
            isClosed(instance) ? instance.box.map { (instance: instance, box: $0) } : nil
        }
        for step in planned {
            let number = steps.count
            for index in step.after { steps[index].blocked.append(number) }
            let added = Step(
                instance: step.item?.instance,
                box: step.item?.box,
                isAsync: step.item?.instance.registration.closesAsynchronously ?? false,
                blockers: step.after.count
            )
            if added.isPlain {
                plain.append(number)
            } else if step.after.isEmpty {
                ready.append(number)
            }
            steps.append(added)
        }
        plain.reverse()
    }

    var isEmpty: Bool { steps.isEmpty }

    /// True where one of the closers suspends.
    var suspends: Bool { steps.contains(where: \.isAsync) }

    /// The registrations of which a closer suspends.
    package var suspending: [Registration] {
        steps.filter(\.isAsync).compactMap { $0.instance?.registration }
    }

    /// Runs the closers that do not suspend.
    package mutating func runPlain() -> [CloseError.Failure] {
        while let next = plain.popLast() { runPlain(next) }
        return steps.flatMap(\.failures)
    }

    /// Runs the closers.
    package mutating func run() async -> [CloseError.Failure] {
        guard suspends else { return runPlain() }
        let outcome = outcome
        await withTaskGroup(of: (index: Int, errors: [any Error]).self) { group in
            while true {
                while let index = ready.popLast() {
                    guard let instance = steps[index].instance, let box = steps[index].box else {
                        end(index, [])
                        continue
                    }
                    group.addTask { (index, await instance.registration.runClosers(box, outcome)) }
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
        guard let instance = steps[index].instance, let box = steps[index].box else { return }
        end(index, instance.registration.runPlainClosers(box, outcome))
    }

    private mutating func end(_ index: Int, _ errors: [any Error]) {
        if let registration = steps[index].instance?.registration {
            steps[index].failures = errors.map { CloseError.Failure(of: registration, $0) }
        }
        for blocked in steps[index].blocked {
            steps[blocked].blockers -= 1
            if !steps[blocked].isPlain, steps[blocked].blockers == 0 { ready.append(blocked) }
        }
    }
}

extension Registration {
    var closesAsynchronously: Bool {
        closers.contains { if case .async = $0 { true } else { false } }
    }

    /// Runs the closers of an instance, whatever they throw, and gives back what that was.
    func runClosers(_ box: AnyBox, _ outcome: ScopeOutcome) async -> [any Error] {
        var errors: [any Error] = []
        for closer in closers.reversed() {
            do {
                switch closer {
                case .plain(let close): try close(box, outcome)
                case .async(let close): try await close(box, outcome)
                }
            } catch {
                errors.append(error)
            }
        }
        return errors
    }

    /// The same where none of them suspends.
    func runPlainClosers(_ box: AnyBox, _ outcome: ScopeOutcome) -> [any Error] {
        var errors: [any Error] = []
        for case .plain(let close) in closers.reversed() {
            do { try close(box, outcome) } catch { errors.append(error) }
        }
        return errors
    }
}
