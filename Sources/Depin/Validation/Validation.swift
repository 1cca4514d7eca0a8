/// One validation: surveys a fork, builds every registration there once, and notes what goes wrong.
///
/// It watches the fork, in whose resolutions everything is shared, whatever its scope. Factories run on a
/// ``ValidationStage``, asynchronous ones on an ``AsyncValidationStage``.
final class Validation: Watcher {
    typealias Problem = ValidationReport.Problem
    typealias Registration = ValidationReport.Registration

    struct State {
        var survey: Survey
        var problems: [Problem] = []
        var known: Set<String> = []
        /// The needs that were seen, for which nothing is registered.
        var misses: Set<Survey.Miss> = []
        /// Resolutions that failed because what they built would have kept what goes earlier.
        var captives: [ResolutionError] = []
        /// The collections that were seen to be empty, with the numbers of the registrations that need them.
        var empties: [(number: UInt, type: Any.Type)] = []
        /// How many of the problems have been written to standard error.
        var toldCount = 0
        /// What the factories threw, or were left behind for, by the numbers of their registrations: each
        /// runs once.
        var failures: [UInt: ResolutionError] = [:]
        var checkedByTypes: Set<Int> = []
        var checkedByRunning: Set<Int> = []
        var unchecked: [Int: String] = [:]
        /// The registrations that are still to be checked, the last one first.
        var rest: [Int] = []
        /// The registration that is being checked.
        var current: Int?
        /// Those that are not built.
        var unbuilt: Set<Int> = []
        var stage: (any Stage)?
    }

    let options: ValidationOptions
    /// True where what takes time to make is made.
    private let runsAsync: Bool
    let state: Guarded<State>
    let needs = Needs()
    let container: Container
    let graph = ObjectGraph()

    init(of fork: Container, _ options: ValidationOptions, runsAsync: Bool = false) {
        container = fork
        self.options = options
        self.runsAsync = runsAsync
        let survey = Survey(
            of: fork.core,
            providing: options.provided,
            injected: options.injected,
            roots: options.roots
        )
        state = Guarded(State(survey: survey))
    }

    var survey: Survey { state.withLock { $0.survey } }

    // MARK: - Running

    /// Finds what can be found.
    func run() {
        prepare()
        begin()
        build()
    }

    /// Builds all that can be built, on a stage.
    func build() {
        let overlay = SpaceOverlay.current
        let stage = ValidationStage { [self] path in
            SpaceOverlay.withCurrent(overlay) { buildRest(path) }
        }
        state.withLock { $0.stage = stage }
        let isComplete = stage.run()
        if !isComplete { skipRest("the system gave no further thread") }
        finish()
    }

    /// Finds nothing.
    func skip(_ reason: String) {
        let all = Array(survey.nodes.indices)
        state.withLock { $0.rest = all }
        skipRest(reason)
    }

    /// Finds what is known from the types, before anything runs.
    func prepare() {
        let survey = survey
        let missing = survey.missing
        let circular = survey.circular { $0.isDeclared }
        for problem in missing + circular + survey.missingForProperties + survey.missingRoots
            + survey.awaitedNeeds + survey.awaitedProperties + survey.ignoredArguments
            + survey.misfits + survey.overwrites + survey.shadowedScopes
            + survey.unsharedChildren + survey.unusedContributions + survey.duplicateNames
            + survey.unusedDecorators
        {
            add(problem)
        }
        let unbuilt = survey.dependents(
            of: (missing + circular).flatMap(\.nodes)
                + survey.gaps.filter(\.isProvided).map(\.from)
                + (runsAsync ? [] : survey.edges.filter(survey.isAwaited).map(\.from))
                + survey.nodes.indices.filter { isUnopened(survey.nodes[$0]) }
        )
        let rest = Array(survey.neededFirst.reversed())
        state.withLock { ($0.unbuilt, $0.rest) = (unbuilt, rest) }
    }

    /// Watches the fork from now on.
    func begin() {
        let validator = Path.withCurrent { Runner($0) }
        for core in container.core.chain {
            core.state.withLock { $0.validator = validator }
            core.setFlag(.isValidated, true)
            core.watch(self)
        }
    }

    /// Builds what has not been built yet.
    private func buildRest(_ path: Path) {
        graph.begin()
        // In one graph, and so that a factory of a parent finds the fork, where it captured the original.
        path.within(graph, asked: container.core, owner: container.owner) {
            while let index = takeNext() { check(index, path) }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            state.current = state.rest.popLast()
            return state.current
        }
    }

    private func skipRest(_ reason: String) {
        while let index = takeNext() {
            guard !isKnown(survey.nodes[index]) else { continue }
            state.withLock { $0.unchecked[index] = reason }
        }
    }

    /// Ends the sharing, drops what was built, and finds what the needs show.
    func finish() {
        end()
        var (survey, misses, empties) = state.withLock { ($0.survey, $0.misses, $0.empties) }
        survey.add(needs.all)
        for miss in misses { survey.add(miss) }
        for empty in empties { survey.addEmpty(empty.type, neededBy: empty.number) }
        state.withLock { ($0.survey, $0.stage) = (survey, nil) }
        let captives = survey.captives
        for problem in survey.circular(where: { _ in true }) + captives + survey.mainActorNeeds
            + survey.emptyCollections
        {
            add(problem)
        }
        addCaptives(besides: captives)
    }

    /// A product that goes on by itself gets further instances from the fork, which keeps none of them.
    private func end() {
        for core in container.core.chain {
            core.setFlag(.keepsNothing, true)
            core.setFlag(.isValidated, false)
            core.endWatching(self)
        }
        container.core.reset()
        withExtendedLifetime(graph.end()) {}
    }

    // MARK: - Checking a registration

    private func check(_ index: Int, _ path: Path) {
        let node = survey.nodes[index]
        if isKnown(node) {
            state.withLock { _ = $0.checkedByTypes.insert(index) }
        }
        let isUnbuilt = state.withLock { $0.unbuilt.contains(index) }
        guard !isUnbuilt || isUnopened(node) else { return }
        if let obstacle = obstacle(to: node, path) {
            if !isKnown(node) {
                state.withLock { $0.unchecked[index] = obstacle }
            }
            return
        }
        var obstacle: String?
        for key in node.keys where isVisible(key, of: node) {
            do {
                try build(key, path)
            } catch let error as ResolutionError {
                obstacle = note(error) ?? obstacle
            } catch {
                // Every error of a resolution is a `ResolutionError`.
            }
        }
        conclude(index, obstacle)
    }

    /// Notes that a factory has run, or has been left behind.
    func conclude(_ index: Int, _ obstacle: String?) {
        guard !isKnown(survey.nodes[index]) else { return }
        state.withLock { state in
            if let obstacle {
                state.unchecked[index] = obstacle
            } else {
                state.checkedByRunning.insert(index)
            }
        }
    }

    /// True for what cannot be built, since its scope is not open.
    private func isUnopened(_ node: Survey.Node) -> Bool {
        node.isOpened && node.home(in: container.core) == nil
    }

    private func isKnown(_ node: Survey.Node) -> Bool {
        node.entry.dependencies != nil || node.isInstance
    }

    /// Requests what is registered under a key.
    private func build(_ key: ServiceKey, _ path: Path) throws {
        var request = ServiceRequest(key, nil, to: container.core, container.owner)
        _ = try container.core.needed(&request, path)
    }

    /// Why a registration cannot be built here.
    private func obstacle(to node: Survey.Node, _ path: Path) -> String? {
        if isUnopened(node) {
            return "its scope \(node.entry.scopeName) is not open: validate(open:) opens it"
        }
        if node.entry.key.arguments != nil { return "it takes runtime arguments" }
        if node.isAsync, !runsAsync {
            return "it takes time to make: `validateAsync` runs it"
        }
        if node.isMainActor, path.stage?.mainActor == .nowhere {
            return "it is made on the main actor, and this is not the main thread"
        }
        if !node.keys.contains(where: { isVisible($0, of: node) }) {
            return node.isDefault
                ? "it yields to another registration" : "a child registers over it"
        }
        return nil
    }

    /// False for what a child registers over.
    func isVisible(_ key: ServiceKey, of node: Survey.Node) -> Bool {
        container.core.find(key)?.entry === node.entry
    }
}
