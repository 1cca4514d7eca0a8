// What a path refuses, and how it is told.

extension Path {
    // MARK: - Cycles

    /// A step to a registration that is on the path already is a cycle, unless the path has since
    /// entered the callbacks of an instance that is kept: from there the way back ends.
    @inline(__always)
    func check(
        _ entry: AnyServiceEntry,
        asked: Core,
        _ arguments: Arguments?,
        injectedAt: CodePlace?
    ) throws {
        if let refusal = refusal(of: entry, asked: asked, arguments) {
            throw error(refusal, entry, injectedAt)
        }
    }

    private enum Refusal {
        case cycle
        case tooDeep(Int)
    }

    // Not inlined, because a failure takes 300 bytes of the stack, which each step would have.
    @inline(never)
    private func error(
        _ refusal: Refusal,
        _ entry: AnyServiceEntry,
        _ injectedAt: CodePlace?
    ) -> any Error {
        switch refusal {
        case .cycle: error(.circularDependency(otherPath: []), entry, injectedAt)
        case .tooDeep(let entered): error(.recursionTooDeep(entered), entry, injectedAt)
        }
    }

    @inline(never)
    private func refusal(
        of entry: AnyServiceEntry,
        asked: Core,
        _ arguments: Arguments?
    ) -> Refusal? {
        var entered = 0
        var outermost = 0
        var hasCompleted = false
        var isRepeated = false
        for index in steps.indices.reversed() {
            if steps[index].isCompleting && steps[index].traits.kind != .transient {
                hasCompleted = true
            }
            guard steps[index].number == entry.number else { continue }
            entered += 1
            outermost = steps.count - index
            if !hasCompleted, !isRepeated, steps[index].asked === asked {
                isRepeated = Arguments.isEqual(steps[index].arguments, arguments)
            }
        }
        if isRepeated { return .cycle }
        let isTooDeep = entered >= Self.depthLimit || outermost >= Self.stepLimit
        return isTooDeep ? .tooDeep(entered) : nil
    }

    /// Refuses what goes too deep in a registration of which there is a copy for each value of the arguments.
    func checkDepth(of entry: AnyServiceEntry, for request: borrowing ServiceRequest) throws {
        let indices = steps.indices.filter { steps[$0].entry?.origin == entry.origin }
        guard let first = indices.first,
            indices.count >= Self.depthLimit || steps.count - first >= Self.stepLimit
        else { return }
        throw ResolutionError(
            .recursionTooDeep(indices.count),
            request.forError,
            path: forError
        )
    }

    /// A main-actor factory runs on the main actor only, an asynchronous one in a task only.
    @inline(never)
    func checkThread(
        _ entry: AnyServiceEntry,
        _ traits: AnyServiceEntry.Traits,
        injectedAt: CodePlace?
    ) throws {
        if traits.contains(.isAsync) { throw error(.needsAwait, entry, injectedAt) }
        if !hasMainActor { throw error(.offMainActor, entry, injectedAt) }
    }

    // MARK: - Errors

    /// The steps as messages show them.
    var forError: [ResolutionError.Step] {
        steps.compactMap { step in
            guard let entry = step.entry else { return nil }
            return ResolutionError.Step(
                request: request(of: step),
                registeredAt: entry.place,
                decoratedAt: step.decorator?.place,
                isCompleting: step.isCompleting,
                isAsync: step.traits.contains(.isAsync)
            )
        }
    }

    /// How many factories are running.
    var depth: Int { steps.count { $0.number != 0 } }

    private func error(
        _ failure: ResolutionError.Failure,
        _ entry: AnyServiceEntry,
        _ injectedAt: CodePlace?
    ) -> ResolutionError {
        let request = ResolutionError.Request(entry.key, injectedAt: injectedAt)
        return ResolutionError(failure, request, path: forError)
    }

    /// What came of the innermost step, where a task has thrown an error.
    func failure(_ error: any Error) -> any Error {
        guard let step = steps.last, step.entry != nil else { return error }
        return failure(error, at: steps.count - 1)
    }

    func failure(_ error: any Error, at index: Int) -> any Error {
        guard let error = error as? ResolutionError else {
            let request = request(of: steps[index])
            return ResolutionError(.factoryFailed(error), request, path: forError)
        }
        return hasPassedHere(error) ? error : error.preceded(by: forError)
    }

    /// True when an error comes from within the steps under way, which its path then begins with.
    ///
    /// A factory may also pass on an error of another thread, or one that it has kept.
    private func hasPassedHere(_ error: ResolutionError) -> Bool {
        let known = steps.lazy.filter { $0.number != 0 }
        guard depth <= error.path.count else { return false }
        return zip(known, error.path).allSatisfy { step, known in
            guard let entry = step.entry else { return false }
            return known.registeredAt == entry.place && known.request.name == entry.key.name
                && known.request.serviceType == entry.serviceType
        }
    }

    private func request(of step: Step) -> ResolutionError.Request {
        guard let entry = step.entry else {
            preconditionFailure("a step that builds nothing has no request")
        }
        return ResolutionError.Request(entry.key, injectedAt: step.injectedAt)
    }
}
