import Depin

/// What factories and closers do beside their work, of which the reference knows nothing.
extension World {
    /// Starts a task that nobody awaits, for an instance that is made, or closes.
    func start(
        _ errand: Program.Errand,
        _ resolver: (any Resolver)? = nil,
        of number: Int? = nil
    ) {
        guard isInLanes.value, !history.isMuted, mayRun(errand), errand.moment != .awaited else {
            return
        }
        guard errand.moment == .afterwards else {
            let task = Task { await run(errand, resolver, of: number) }
            return leftTasks.change { $0.append(task) }
        }
        let goOn = goOn.value
        let task = Task {
            await goOn.stopAsync()
            await run(errand, resolver, of: number)
        }
        stoppedTasks.change { $0.append(task) }
    }

    func run(
        _ errand: Program.Errand,
        _ resolver: (any Resolver)? = nil,
        of number: Int? = nil
    ) async {
        guard isInLanes.value, !history.isMuted, mayRun(errand) else { return }
        do {
            try await TurnMark.$isSet.withValue(false) {
                try await ErrandMark.$isSet.withValue(true) {
                    try await `do`(errand, resolver, of: number)
                }
            }
        } catch {
            judge(error, of: errand)
        }
    }

    /// An errand's request may make what has an errand, and so on for ever.
    private func mayRun(_ errand: Program.Errand) -> Bool { errand.closes || !ErrandMark.isSet }

    private func `do`(
        _ errand: Program.Errand,
        _ resolver: (any Resolver)?,
        of number: Int?
    ) async throws {
        switch errand.operation {
        case .close(let index):
            try await place(index).close()
        case .resolve(let index, let request):
            let item = try await (resolver ?? place(index)).askAsync(request)
            if let number { history.noteOtherNeed(of: number, item.number) }
        default: break
        }
    }

    private func place(_ index: Int) -> Container {
        let places = places.value
        return places[cyclic: index]
    }

    private func judge(_ error: any Error, of errand: Program.Errand) {
        let kind = Self.kind(of: error)
        switch kind {
        case "closedFromWithin" where errand.closes:
            if errand.moment == .afterwards { history.fail("nothing waits for it: \(error)") }
        case "circularDependency" where !program.hasCircles && errand.moment != .awaited:
            // Of a factory that is under way the error says what to do.
            let isTold = errand.moment == .meanwhile && "\(error)".contains("Task.detached")
            if !isTold { history.fail("it was to begin anew: \(error)") }
        case "circularDependency", "containerClosed", "containerGone": break
        default:
            if !program.errorKinds.contains(kind) {
                history.fail("\(errand) came to \(kind): \(error)")
            }
        }
    }

    /// Waits for all that was left running, when what has started it is over.
    func awaitLeftTasks() async {
        while true {
            while case let tasks = leftTasks.replace(by: []), !tasks.isEmpty {
                for task in tasks { await task.value }
            }
            let stopped = stoppedTasks.replace(by: [])
            if stopped.isEmpty { return }
            goOn.replace(by: BuildGate()).open()
            for task in stopped { await task.value }
        }
    }
}

/// Says that an errand is under way.
enum ErrandMark {
    @TaskLocal static var isSet = false
}
