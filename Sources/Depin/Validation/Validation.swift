/// One validation: surveys a fork, builds every registration there once, and notes what goes wrong.
///
/// It watches the fork, in whose resolutions everything is shared, whatever its scope.
final class Validation: Watcher {
    private typealias Problem = ValidationReport.Problem
    private typealias Registration = ValidationReport.Registration

    private struct State {
        var problems: [Problem] = []
        var known: Set<String> = []
        /// What the factories threw, by the numbers of their registrations: each runs once.
        var failures: [UInt: any Error] = [:]
        var checkedByTypes: Set<Int> = []
        var checkedByRunning: Set<Int> = []
        var unchecked: [Int: String] = [:]
    }

    private let container: Container
    private let provided: Set<ObjectIdentifier>
    private let ignored: Set<ValidationReport.Kind>
    private let needs = Needs()
    private let survey: Guarded<Survey>
    private let state = Guarded(State())

    init(
        of fork: Container,
        providing provided: [Any.Type],
        ignoring ignored: Set<ValidationReport.Kind>
    ) {
        container = fork
        self.ignored = ignored
        self.provided = Set(provided.map { ObjectIdentifier($0) })
        survey = Guarded(Survey(of: fork.core, providing: provided))
    }

    // MARK: - Running

    /// Finds what can be found.
    func run() {
        var survey = survey.withLock { $0 }
        // From the types, before anything runs: a trap then tells all of it.
        let missing = survey.missing
        let circular = survey.circular { $0.isDeclared }
        for problem in missing + circular + survey.ignoredArguments + survey.misfits
            + survey.overwrites
        {
            add(problem)
        }
        let broken = survey.dependents(of: (missing + circular).flatMap(\.nodes))
        let dependent = survey.dependents(of: survey.gaps.filter(\.isProvided).map(\.from))
        begin()
        Path.withCurrent { path in
            // In one graph, and so that a factory of a parent finds the fork, where it captured the
            // original.
            path.within(ObjectGraph(), asked: container.core, owner: container.owner) {
                for index in survey.neededFirst {
                    let isUnbuilt = broken.contains(index) || dependent.contains(index)
                    check(index, of: survey, isUnbuilt: isUnbuilt, path)
                }
            }
        }
        end()
        survey.add(needs.all)
        for problem in survey.circular(where: { _ in true }) + survey.captives
            + survey.mainActorNeeds
        {
            add(problem)
        }
        self.survey.withLock { $0 = survey }
    }

    private func begin() {
        for core in container.core.chain {
            core.setFlag(.isValidated, true)
            core.watch(self)
        }
    }

    /// Ends the sharing, and drops what was built.
    ///
    /// A product that goes on by itself gets further instances from the fork, which keeps none of them.
    private func end() {
        for core in container.core.chain {
            core.setFlag(.keepsNothing, true)
            core.setFlag(.isValidated, false)
            core.endWatching(self)
        }
        container.core.reset()
    }

    private func check(_ index: Int, of survey: Survey, isUnbuilt: Bool, _ path: Path) {
        let node = survey.nodes[index]
        let isKnown = node.entry.dependencies != nil || node.isInstance
        if isKnown {
            state.withLock { _ = $0.checkedByTypes.insert(index) }
        }
        let obstacle = isUnbuilt ? "" : obstacle(to: node)
        guard obstacle == nil else {
            if let obstacle, !isKnown {
                state.withLock { $0.unchecked[index] = obstacle }
            }
            return
        }
        var isComplete = true
        for key in node.keys where isVisible(key, of: node) {
            do {
                try build(key, path)
            } catch let error as ResolutionError {
                isComplete = note(error) && isComplete
            } catch {
                // Every error of a resolution is a `ResolutionError`.
            }
        }
        if !isKnown {
            state.withLock { state in
                if isComplete {
                    state.checkedByRunning.insert(index)
                } else {
                    state.unchecked[index] = "it needs what is provided elsewhere"
                }
            }
        }
    }

    /// Requests what is registered under a key.
    private func build(_ key: ServiceKey, _ path: Path) throws {
        func build<Service>(_: Service.Type) throws {
            var request = ServiceRequest(key, nil, to: container.core, container.owner)
            let service: Service? = try container.core.service(&request, path)
            if case .none = service { throw container.core.missing(request, path) }
        }
        try _openExistential(key.serviceType, do: build)
    }

    /// Why a registration cannot be built here.
    private func obstacle(to node: Survey.Node) -> String? {
        if node.entry.key.arguments != nil { return "it takes runtime arguments" }
        if node.isMainActor, !CurrentThread.isMain {
            return "it is made on the main actor, and this is not the main thread"
        }
        if !node.keys.contains(where: { isVisible($0, of: node) }) {
            return "a child registers over it"
        }
        return nil
    }

    /// False for what a child registers over.
    private func isVisible(_ key: ServiceKey, of node: Survey.Node) -> Bool {
        container.core.find(key)?.entry === node.entry
    }

    // MARK: - Watching

    func requested(_ request: ServiceRequest, _ found: Found?, _ path: Path) throws {
        needs.note(request, found, path)
        if let found, request.arguments == nil,
            let failure = state.withLock({ $0.failures[found.entry.number] })
        {
            throw failure
        }
    }

    func ended(
        _ request: ServiceRequest,
        _ found: Found?,
        _ end: RequestEnd,
        after duration: Duration,
        _ path: Path
    ) {
        switch end {
        case .missing where !isProvided(request.key):
            // The next thing may be a force unwrap, which stops the program without a word.
            printToStandardError("Depin, validating: \(request.asked.missing(request, path))")
        case .failed(let error):
            guard let found, request.arguments == nil else { return }
            // A circle fails for those on it, and may not fail when it is entered elsewhere.
            if (error as? ResolutionError)?.reason == .circularDependency { return }
            state.withLock { $0.failures[found.entry.number] = error }
        default:
            break
        }
    }

    var account: String {
        let problems = state.withLock { $0.problems.copied }
        guard !problems.isEmpty else {
            return "\nvalidation stops here, with no other problem found"
        }
        let list = problems.enumerated().map { index, problem in
            let text = problem.description.split(separator: "\n").joined(separator: "\n     ")
            return "\n  \(index + 1). \(text)"
        }
        return "\nvalidation stops here; it had found:" + list.joined()
    }

    // MARK: - Noting

    /// Notes a problem, unless it has been noted before.
    private func add(_ problem: Problem) {
        guard !ignored.contains(problem.kind) else { return }
        let identity = problem.identity
        state.withLock { state in
            if state.known.insert(identity).inserted {
                state.problems.append(problem)
            }
        }
    }

    /// Notes an error; false where it is none, since what it misses is provided elsewhere.
    private func note(_ error: ResolutionError) -> Bool {
        if error.reason == .notRegistered, isProvided(error.key) {
            return false
        }
        add(Problem(error))
        return true
    }

    /// True also for an optional, `Lazy` or `Provider` of what is provided elsewhere.
    ///
    /// What is provided has no name: a name that is missing is missing.
    private func isProvided(_ key: ServiceKey) -> Bool {
        guard key.name == nil else { return false }
        if provided.contains(ObjectIdentifier(key.serviceType)) { return true }
        let source = derivation(of: key.serviceType)?.source
        return source.map { isProvided(key.with($0)) } ?? false
    }

    // MARK: - Reporting

    func report(
        severities: [ValidationReport.Kind: ValidationReport.Severity]
    ) -> ValidationReport {
        let (survey, state) = (survey.withLock { $0 }, state.withLock { $0 })
        let problems = state.problems.map { problem in
            var problem = problem
            problem.severity = severities[problem.kind] ?? problem.severity
            return problem
        }
        func registration(_ index: Int) -> Registration {
            let node = survey.nodes[index]
            return Registration(request: node.request, registeredAt: node.entry.place)
        }
        return ValidationReport(
            problems: problems.filter { $0.severity == .error }
                + problems.filter { $0.severity != .error },
            checkedByTypes: state.checkedByTypes.sorted().map(registration),
            checkedByRunning: state.checkedByRunning.sorted().map(registration),
            unchecked: state.unchecked.sorted { $0.key < $1.key }.map { (registration($0), $1) },
            survey: survey
        )
    }
}

extension ResolutionError {
    /// The key that was requested, but for its arguments.
    fileprivate var key: ServiceKey { ServiceKey(request.serviceType, name: request.name) }
}

extension ValidationReport.Problem {
    fileprivate init(_ error: ResolutionError) {
        let kind: ValidationReport.Kind =
            switch error.failure {
            case .notRegistered: .missing
            case .circularDependency, .recursionTooDeep: .circular
            case .forwardMismatch: .forwardMismatch
            case .offMainActor: .mainActor
            case .factoryFailed, .containerGone: .failed
            }
        self.init(kind, error: error, error.description)
    }

    /// Tells one problem from another: an error is the same on whatever way it is met.
    fileprivate var identity: String {
        guard let error else { return "\(kind) \(description)" }
        if error.reason == .circularDependency {
            let path = error.path.map { "\($0.request)" }
            let start = path.lastIndex(of: "\(error.request)") ?? path.startIndex
            return "\(kind) " + path[start...].sorted().joined(separator: ", ")
        }
        let origin = error.path.last.map { "\($0.request) at \($0.registeredAt)" } ?? ""
        return "\(kind) \(error.request) for \(origin)"
    }
}
