/// One validation, from the survey to the report.
struct Validation {
    private typealias Registration = ValidationReport.Registration

    private let core: ContainerCore
    private let provided: Set<ObjectIdentifier>
    private let severity: Survey.Severities
    private let building: ValidationRun
    private var survey: Survey
    private var checkedByTypes: Set<Int> = []
    private var checkedByRunning: Set<Int> = []
    private var unchecked: [Int: String] = [:]

    init(
        of core: ContainerCore,
        providing provided: [Any.Type],
        severity: @escaping Survey.Severities
    ) {
        self.core = core
        self.provided = Set(provided.map { ObjectIdentifier($0) })
        self.severity = severity
        building = ValidationRun { severity($0) == .ignored }
        survey = Survey(of: core, providing: provided)
    }

    /// Finds what can be found.
    mutating func run() {
        // From the types, before anything runs: a trap then tells all of it.
        let missing = survey.missing
        let circular = survey.circular { $0.isDeclared }
        for finding in missing + circular + survey.ignoredArguments + survey.overwrites {
            building.add(finding)
        }
        let broken = survey.dependents(of: (missing + circular).flatMap(\.nodes))
        let dependent = survey.dependents(of: survey.gaps.filter(\.isProvided).map(\.from))
        for core in core.chain {
            core.setInterceptor(building)
        }
        defer {
            for core in core.chain {
                core.setInterceptor(nil)
            }
        }
        for index in survey.neededFirst {
            check(index, isBroken: broken.contains(index), isDependent: dependent.contains(index))
        }
        survey.addObservations()
        for finding in survey.circular(where: { _ in true }) + survey.captives
            + survey.mainActorNeeds
        {
            building.add(finding)
        }
    }

    /// What was found, with a word on how bad it is.
    var report: ValidationReport {
        let problems = building.findings.map { finding in
            ValidationReport.Problem(
                kind: finding.kind,
                severity: severity(finding.kind),
                error: finding.error,
                places: finding.nodes.map { survey.nodes[$0].entry.place },
                description: finding.text
            )
        }
        let reported = problems.filter { $0.severity != .ignored }
        return ValidationReport(
            problems: reported.filter { $0.severity == .error }
                + reported.filter { $0.severity != .error },
            checkedByTypes: checkedByTypes.sorted().map(registration),
            checkedByRunning: checkedByRunning.sorted().map(registration),
            unchecked: unchecked.sorted { $0.key < $1.key }.map { (registration($0), $1) }
        )
    }

    private func registration(_ index: Int) -> Registration {
        let node = survey.nodes[index]
        return Registration(request: node.request, registeredAt: node.entry.place)
    }

    private mutating func check(_ index: Int, isBroken: Bool, isDependent: Bool) {
        let node = survey.nodes[index]
        let isKnown = node.entry.dependencies != nil || node.isInstance
        if isKnown {
            checkedByTypes.insert(index)
        }
        let obstacle = isBroken || isDependent ? "" : obstacle(to: node)
        guard obstacle == nil else {
            if let obstacle, !isKnown {
                unchecked[index] = obstacle
            }
            return
        }
        var isComplete = true
        for key in node.keys where isVisible(key, of: node) {
            do {
                try building.check(key, in: core)
            } catch let error as ResolutionError {
                isComplete = note(error) && isComplete
            } catch {
                // Every error of a resolution is a `ResolutionError`.
            }
        }
        if !isKnown {
            if isComplete {
                checkedByRunning.insert(index)
            } else {
                unchecked[index] = "it needs what is provided elsewhere"
            }
        }
    }

    /// Why a registration cannot be built here.
    private func obstacle(to node: Survey.Node) -> String? {
        if node.entry.key.tupleType != nil { return "it takes runtime arguments" }
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
        core.lookUp(key)?.entry === node.entry
    }

    /// Notes an error; false where it is none, since what it misses is provided elsewhere.
    private func note(_ error: ResolutionError) -> Bool {
        if case .notRegistered = error.reason, isProvided(error.request.serviceType) {
            return false
        }
        building.add(Survey.Finding(error))
        return true
    }

    /// True also for an optional, `Lazy` or `Provider` of what is provided elsewhere.
    private func isProvided(_ type: Any.Type) -> Bool {
        if provided.contains(ObjectIdentifier(type)) { return true }
        let source = (type as? any DerivedService.Type)?.source
        return source.map(isProvided) ?? false
    }
}
