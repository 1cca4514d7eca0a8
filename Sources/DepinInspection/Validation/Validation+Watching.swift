import Depin

extension Validation {
    // MARK: - Watching

    func requested(_ request: Engine.Request, _ observation: ObservedRequest, _ path: Path) throws {
        needs.note(request, observation, path)
        try checkAwaits(observation, request, path)
        guard let failure = failure(of: observation.found?.registration, request) else { return }
        throw failure.preceded(by: path.forError)
    }

    /// Refuses what only the validation has ready: it makes all asynchronous services first, and shares them.
    ///
    /// What has been awaited on the way is ready, unless nothing shares it. Declared needs have been checked from their
    /// types, except for those that can be awaited later. What a factory registers is not checked.
    private func checkAwaits(
        _ observation: ObservedRequest,
        _ request: Engine.Request,
        _ path: Path
    ) throws {
        guard runsAsync, let found = observation.found,
            request.mayAwait || found.isAsync && !found.registration.isReadyEarly,
            // What takes arguments is made only for others, which may have awaited the service before.
            let builder = path.steps.first(where: {
                $0.pointee.registration != nil && $0.pointee.arguments == nil
            }), let registration = builder.pointee.registration
        else { return }
        let needed = found.registration
        if request.mayAwait {
            return state.withLock { state in
                _ = state.awaited[registration.number, default: []].insert(needed.number)
            }
        }
        let survey = survey
        guard let index = survey.index(of: registration),
            needed.kind == .transient || !hasAwaited(needed, registration),
            !survey.edges.contains(where: {
                $0.from == index && $0.isDeclared && !$0.deferral.canAwait
                    && survey.nodes[$0.to].registration === needed
            })
        else { return }
        throw path.error(.needsAwait, of: needed, request)
    }

    /// True if a registration has awaited another one, directly or not.
    private func hasAwaited(_ needed: Registration, _ registration: Registration) -> Bool {
        let awaited = state.withLock { $0.awaited }
        var (seen, rest) = (Set<UInt>(), [registration.number])
        while let next = rest.popLast() {
            rest += (awaited[next] ?? []).filter { seen.insert($0).inserted }
        }
        return seen.contains(needed.number)
    }

    func willMake(_ registration: Registration, for request: Engine.Request, _ path: Path) throws {
        // It may have failed while this thread waited for it.
        guard var failure = failure(of: registration, request) else { return }
        failure.path = Array(failure.path.dropFirst())
        throw failure.preceded(by: path.forError)
    }

    private func failure(
        of registration: Registration?,
        _ request: Engine.Request
    ) -> ResolutionError? {
        guard let registration, request.arguments == nil else { return nil }
        return state.withLock { $0.failures[registration.number] }
    }

    func ended(_ request: Engine.Request, _ ended: ObservedRequest, _ path: Path) {
        switch ended.outcome {
        case .missing where isProvided(request.key), .derived where request.key.collected != nil:
            let answer = survey.answer(to: request.key, by: ended.asked)
            guard answer.gap != nil, let registration = path.builder?.pointee.registration,
                let index = survey.index(of: registration)
            else { return }
            addGap(answer, from: index)
        case .failed:
            guard let error = ended.error, let found = ended.found, request.arguments == nil
            else { return }
            fail(found.registration.number, error, after: path.depth)
        default:
            break
        }
    }

    private func addGap(_ answer: Survey.Answer, from index: Int) {
        let gap = Survey.Gap(from: index, answer: answer, isDeclared: false)
        state.withLock { $0.survey.addGap(gap) }
    }

    func gaveNothing(for request: Engine.Request, of asked: Engine, _ path: Path) {
        guard !isProvided(request.key), !(request.key.serviceType is any OptionalValue.Type) else {
            return
        }
        // The next thing may be a force unwrap, which stops the program without a word.
        printToStandardError("Depin, validating: \(asked.missing(request, path))")
    }

    /// Abandons the thread of a factory that can neither return nor throw.
    func willStop(for error: any Error, _ resolution: Resolution) -> Bool {
        guard let error = error as? ResolutionError else { return false }
        let (executor, current) = state.withLock { ($0.executor, $0.current) }
        guard let executor, resolution.executor === executor else {
            // This may stop the program.
            tellNewProblems()
            // A service that is provided elsewhere is not worth a word, wherever it is requested.
            return isProvided(error)
        }
        let obstacle = noteError(error)
        if let current { conclude(current, obstacle) }
        let steps = resolution.path.steps.filter { $0.pointee.registration != nil }.reversed()
        for (index, step) in steps.enumerated() where step.pointee.arguments == nil {
            if let number = step.pointee.registration?.number { fail(number, error, after: index) }
        }
        resolution.giveUp()
        tellNewProblems()
        executor.leaveThread()
        _ = finish()
        let outcome = isProvided(error) ? "which is provided elsewhere" : "and does not get it"
        let message = """
            Depin: a main-actor factory requests \(error.request) with `~>`, `autoResolve` or `@Injected`, \
            \(outcome): it can neither return nor throw, and the main thread cannot be abandoned
              fix: register a stand-in for it in `standIns`, or use `try require` there
               or: validate off the main thread, where no main-actor factory runs
            \(report)
            """
        error.askedAt?.stop(message)
        fatalError(message)
    }

    /// Notes a factory's error, so that the factory does not run again.
    private func fail(_ number: UInt, _ error: any Error, after depth: Int) {
        guard var error = error as? ResolutionError,
            // A circle is an error only for its members; other requests may not enter it.
            error.reason != .circularDependency
        else { return }
        error.path.removeFirst(min(depth, error.path.count))
        // Others may await what this request could not, or make it in an open scope.
        let ofRequester: [ResolutionError.Reason] = [.needsAwait, .noOpenScope, .captive]
        if error.path.isEmpty, ofRequester.contains(error.reason) { return }
        state.withLock { $0.failures[number] = error }
    }

    /// Prints the new problems to standard error, because the rest may wait for something that an abandoned factory
    /// holds.
    private func tellNewProblems() {
        let problems = state.withLock { state in
            defer { state.reportedCount = state.problems.count }
            return Array(state.problems.dropFirst(state.reportedCount))
        }
        for problem in problems {
            printToStandardError("Depin, validating: \(problem)")
        }
    }

    // MARK: - Noting

    /// Adds a problem, unless it is known.
    func addProblem(_ problem: Problem) {
        let options = survey.options
        guard !options.ignored.contains(problem.kind) else { return }
        let identity = problem.identity
        var problem = problem
        problem.severity = options.severity(of: problem)
        state.withLock { [problem] state in
            if state.known.insert(identity).inserted { state.problems.append(problem) }
        }
    }

    /// Notes an error, or gives back why it is none.
    func noteError(_ error: ResolutionError) -> String? {
        if isProvided(error) {
            return error.reason == .needsAwait
                ? "it needs a service that is made asynchronously"
                : "it needs a service that is provided elsewhere"
        }
        switch error.failure {
        case .noOpenScope(let service, _):
            let isOption = survey.options.scopes.contains { "\($0)" == service.scope }
            return "it needs a service of scope \(service.scope), which is not open"
                + (isOption
                    ? " where it is needed: the option `open` opens scopes in its order"
                    : ": the option `open` of the validation opens it")
        case .captive:
            state.withLock { $0.captives.append(error) }
            return nil
        case .needsAwait where isCircular(error.request.key):
            // The circle is the problem.
            return nil
        case .notRegistered:
            if let index = error.path.last.flatMap(survey.index) {
                let answer = survey.answer(to: error.key, by: container.engine)
                addGap(answer, from: index)
            }
        default:
            break
        }
        addProblem(Problem(error))
        return nil
    }

    private func isCircular(_ key: ServiceKey) -> Bool {
        guard let number = container.engine.find(key)?.registration.number else { return false }
        return state.withLock { $0.circular.contains(number) }
    }

    /// Adds captives that the needs do not show.
    func addCaptives(besides known: [Problem]) {
        for error in state.withLock({ $0.captives }) {
            guard case .captive(let owner, let service) = error.failure else { continue }
            let isKnown = known.contains {
                $0.places.contains(owner.place) && $0.places.contains(service.place)
            }
            if !isKnown { addProblem(Problem(error)) }
        }
    }

    private func isProvided(_ error: ResolutionError) -> Bool {
        switch error.reason {
        case .notRegistered: isProvided(error.key)
        // It will be there when the app has warmed up.
        case .needsAwait:
            // The key of the registration, because a contribution is not found by its type.
            container.engine.find(error.request.key)
                .map { !$0.isAsync || $0.registration.isReadyEarly } ?? false
        default: false
        }
    }

    /// True for a service that is provided elsewhere, and for an optional, a `Lazy` or the like of one.
    private func isProvided(_ key: ServiceKey) -> Bool {
        guard key.name == nil else { return false }
        if survey.provided.contains(ObjectIdentifier(key.serviceType)) { return true }
        return key.source.map(isProvided) ?? false
    }
}

extension ResolutionError {
    /// The requested key, without arguments.
    var key: ServiceKey { ServiceKey(request.serviceType, name: request.name) }
}

extension ValidationReport.Problem {
    fileprivate init(_ error: ResolutionError) {
        let kind: ValidationReport.Kind =
            switch error.failure {
            case .notRegistered: .missing
            case .circularDependency, .recursionTooDeep: .circular
            case .forwardMismatch: .forwardMismatch
            case .offMainActor: .mainActor
            case .captive: .captive
            case .needsAwait: .needsAwait
            case .notOpened: .notOpened
            case .duplicateName: .duplicateName
            case .factoryFailed, .containerGone, .containerClosed, .closedFromWithin, .noOpenScope:
                .failed
            }
        self.init(kind, error: error)
    }

    /// Identifies a problem: the same error on another path is the same problem.
    fileprivate var identity: String {
        guard let error else { return "\(kind) \(description)" }
        if error.reason == .circularDependency {
            let path = error.path.map { "\($0.request)" }
            let start = path.lastIndex(of: "\(error.request)") ?? path.startIndex
            return "\(kind) " + path[start...].sorted().joined(separator: ", ")
        }
        let origin = error.path.last.map { "\($0.request) at \($0.registeredAt)" } ?? ""
        return "\(kind) \(error.request) for \(origin)\(error.request.property ?? "")"
    }
}
