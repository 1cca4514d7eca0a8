/// One validation, from the survey to the report.
struct Validation {
    private typealias Registration = ValidationReport.Registration

    private let core: ContainerCore
    private let provided: Set<ObjectIdentifier>
    private let building = ValidationRun()
    private var survey: Survey
    private var checkedByTypes: [Registration] = []
    private var checkedByRunning: [Registration] = []
    private var unchecked: [(registration: Registration, reason: String)] = []

    init(of core: ContainerCore, providing provided: [Any.Type]) {
        self.core = core
        self.provided = Set(provided.map { ObjectIdentifier($0) })
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
        for index in survey.nodes.indices {
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
    func report(severity: Survey.Severities) -> ValidationReport {
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
            checkedByTypes: checkedByTypes,
            checkedByRunning: checkedByRunning,
            unchecked: unchecked
        )
    }

    private mutating func check(_ index: Int, isBroken: Bool, isDependent: Bool) {
        let node = survey.nodes[index]
        let registration = Registration(request: node.request, registeredAt: node.entry.place)
        let isKnown = node.entry.dependencies != nil || node.isInstance
        if isKnown {
            checkedByTypes.append(registration)
        }
        let obstacle = isBroken || isDependent ? "" : obstacle(to: node)
        guard obstacle == nil else {
            if let obstacle, !isKnown {
                unchecked.append((registration, obstacle))
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
                checkedByRunning.append(registration)
            } else {
                unchecked.append((registration, "it needs what is provided elsewhere"))
            }
        }
    }

    /// Why a registration cannot be built here.
    private func obstacle(to node: Survey.Node) -> String? {
        if node.entry.key.tupleType != nil { return "it takes runtime arguments" }
        if node.isMainActor, !CurrentThread.isMain {
            return "it is made on the main actor, and this is not the main thread"
        }
        return nil
    }

    /// False for what a child registers over.
    private func isVisible(_ key: ServiceKey, of node: Survey.Node) -> Bool {
        core.lookUp(key)?.entry === node.entry
    }

    /// Notes an error; false where it is none, since what it misses is provided elsewhere.
    private func note(_ error: ResolutionError) -> Bool {
        if case .notRegistered = error.reason,
            provided.contains(ObjectIdentifier(error.request.serviceType))
        {
            return false
        }
        building.add(Survey.Finding(error))
        return true
    }
}
