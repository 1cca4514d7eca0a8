import Depin

/// One validation: surveys a fork, builds every registration there once, and notes the problems.
///
/// It observes the fork, whose resolutions share everything, whatever the scope. Factories run on a
/// ``ValidationExecutor``, asynchronous ones on an ``AsyncValidationExecutor``.
final class Validation: EngineObserver {
    typealias Problem = ValidationReport.Problem

    struct State {
        var survey: Survey
        var problems: [Problem] = []
        var known: Set<String> = []
        /// Resolutions that failed because their instance would have kept one that ends earlier.
        var captives: [ResolutionError] = []
        /// How many of the problems have been printed to standard error.
        var reportedCount = 0
        /// The errors of factories, thrown or not, by the numbers of their registrations: each runs once.
        var failures: [UInt: ResolutionError] = [:]
        /// The asynchronous registrations that were not made because they need themselves.
        var circular: Set<UInt> = []
        /// Which registrations have awaited which ones, by their numbers.
        var awaited: [UInt: Set<UInt>] = [:]
        /// The registrations whose types tell all.
        var checkedByTypes: [Int] = []
        /// The registrations that were to be built, and why that did not check them; nil for those that it did check.
        var checks: [Int: String?] = [:]
        /// The registrations that are still to be checked, the last one first.
        var rest: [Int] = []
        /// The registration that is being checked.
        var current: Int?
        var executor: (any LeavableExecutor)?
    }

    /// True if asynchronous services are made.
    let runsAsync: Bool
    let state: Guarded<State>
    let needs = ObservedNeeds()
    let container: Container
    let graph = ObjectGraph()

    init(of fork: Container, _ options: ValidationOptions, runsAsync: Bool = false) {
        container = fork
        self.runsAsync = runsAsync
        state = Guarded(State(survey: Survey(of: fork.engine, options)))
    }

    var survey: Survey { state.withLock { $0.survey } }

    // MARK: - Running

    /// Finds problems, and makes the report.
    func runSync() throws -> ValidationReport {
        checkTypes()
        _ = build()
        return try result()
    }

    /// Builds everything that can be built, on an executor; gives the closers that are still to run.
    func build() -> [CloserRun] {
        let overlay = SpaceOverlay.current
        let executor = ValidationExecutor { [self] resolution in
            SpaceOverlay.withCurrent(overlay) { buildRest(resolution) }
        }
        state.withLock { $0.executor = executor }
        if !executor.run() {
            while let index = takeNext() {
                conclude(index, "the system could not start another thread")
            }
        }
        return finish()
    }

    /// Finds what the types tell before anything runs, and observes the fork from now on.
    func checkTypes() {
        let survey = survey
        let missing = survey.missing
        let circular = survey.circular { $0.isDeclared }
        let unopened = survey.unopenedNeeds
        let problems: [[Problem]] = [
            missing, circular, survey.unknownModules, survey.missingRoots, unopened,
            survey.unopenedProperties, survey.awaitedNeeds, survey.awaitedProperties,
            survey.ignoredArguments, survey.misfits, survey.overwrites, survey.doubledAssemblies,
            survey.shadowedScopes, survey.unsharedChildren, survey.unusedContributions,
            survey.duplicateNames, survey.unusedDecorators, survey.idleEager,
        ]
        for problem in problems.joined() { addProblem(problem) }
        var unbuilt = (missing + circular + unopened).flatMap(\.nodes)
        unbuilt += survey.gaps.filter { $0.kind == .provided }.map(\.from)
        if !runsAsync { unbuilt += survey.edges.filter(\.isAwaited).map(\.from) }
        unbuilt += survey.nodes.indices.filter { survey.isUnopened(survey.nodes[$0]) }
        let left = survey.dependents(of: unbuilt)
        let rest = survey.neededFirst.filter { !left.contains($0) }
        state.withLock { state in
            state.rest = rest.reversed()
            state.checkedByTypes = survey.nodes.indices.filter { survey.nodes[$0].isKnown }
        }
        for (index, node) in survey.nodes.enumerated() where survey.isUnopened(node) {
            let scope = node.registration.scopeName
            conclude(
                index,
                "its scope \(scope) is not open: the option `open` of the validation opens it"
            )
        }
        container.engine.beginValidation(by: self)
    }

    /// Builds the registrations that have not been built yet.
    private func buildRest(_ resolution: Resolution) {
        // In one graph, and so that a parent's factory finds the fork if it has captured the original.
        resolution.within(graph, of: container.engine, container.owner) {
            while let index = takeNext() { check(index, resolution) }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            state.current = state.rest.popLast()
            return state.current
        }
    }

    /// Ends the sharing, drops the instances, finds what the needs show, and gives the closers that are still to run.
    func finish() -> [CloserRun] {
        let made = endForks()
        let needs = needs.all
        let survey = state.withLock { state in
            state.survey.addNeeds(needs)
            state.executor = nil
            return state.survey
        }
        let captives = survey.captives
        let others = survey.mainActorNeeds + survey.emptyCollections
        for problem in survey.circular(where: { _ in true }) + captives + others {
            addProblem(problem)
        }
        addCaptives(besides: captives)
        return made
    }

    /// Ends the sharing, and drops the instances.
    ///
    /// Without a task, the closers that do not suspend run here; otherwise they are given back, and a task runs all of
    /// them.
    private func endForks() -> [CloserRun] {
        // A run holds its instances, whose graph ends here.
        var made = container.engine.endValidation(by: self)
        if !runsAsync {
            runClosers(made)
            made = []
        }
        container.engine.resetChain()
        graph.endResolution()
        return made
    }

    /// Closes the instances of the validation; prints which are not closed, because their closers suspend.
    private func runClosers(_ made: [CloserRun]) {
        for run in made {
            for registration in run.suspending {
                printToStandardError(
                    "Depin, validating: an instance of \(registration.words), is not closed: its closer is"
                        + " asynchronous. validateAsync closes it"
                )
            }
            run.runSync().report(to: run.observers)
        }
    }

    // MARK: - Checking a registration

    private func check(_ index: Int, _ resolution: Resolution) {
        let node = survey.nodes[index]
        if let obstacle = obstacle(to: node, resolution) { return conclude(index, obstacle) }
        var obstacle: String?
        for key in visibleKeys(of: node) {
            if !runsAsync, takesTime(key) {
                obstacle = "it is made asynchronously: `validateAsync` runs it"
                continue
            }
            do {
                var request = Engine.Request(key, nil, container.owner)
                request.isNeeded = true
                _ = try container.engine.needed(request, resolution)
            } catch {
                // Every error of a resolution is a `ResolutionError`.
                obstacle = (error as? ResolutionError).flatMap(noteError) ?? obstacle
            }
        }
        conclude(index, obstacle)
    }

    /// Notes that a factory has run or was abandoned, or why it was not checked.
    func conclude(_ index: Int, _ obstacle: String?) {
        guard !survey.nodes[index].isKnown else { return }
        state.withLock { _ = $0.checks.updateValue(obstacle, forKey: index) }
    }

    /// Why a registration cannot be built here.
    private func obstacle(to node: Survey.Node, _ resolution: Resolution) -> String? {
        if node.registration.key.isForAnyName { return "it takes the name of the request" }
        if node.registration.key.arguments != nil { return "it takes runtime arguments" }
        if node.isMainActor, resolution.executor?.hasMainActor == false {
            return "it is made on the main actor, and this is not the main thread"
        }
        if visibleKeys(of: node).isEmpty {
            return node.isDefault
                ? "it yields to another registration" : "a child replaces it"
        }
        return nil
    }

    /// True for a service that synchronous code cannot make.
    func takesTime(_ key: ServiceKey) -> Bool { container.engine.find(key)?.isAsync == true }

    /// The keys of a registration, without those that a child registers over.
    func visibleKeys(of node: Survey.Node) -> [ServiceKey] {
        node.keys.filter { container.engine.find($0)?.registration === node.registration }
    }
}
