// What a path refuses, and how it is told.
extension Path {
    /// How often one registration may be entered within itself with arguments that differ.
    static var depthLimit: Int { 100 }

    /// How many steps after its outermost one a registration may be entered again: rings of many have
    /// used up a stack of 8 MB, at up to 15 kB a step in an unoptimized build, before one of them has
    /// been entered a hundred times.
    static var stepLimit: Int { 200 }

    // MARK: - Cycles

    /// A step to a slot that is on the path already is a cycle, unless the path has since
    /// entered the callbacks of an instance that is kept: from there the way back ends.
    func check(
        _ slot: Slot,
        by engine: Engine,
        _ arguments: Arguments?,
        _ injectedAt: CodePlace?
    ) throws {
        let number = slot.number
        var (entered, outermost, count) = (0, 0, 0)
        var (hasCompleted, isRepeated) = (false, false)
        for step in steps {
            count += 1
            if step.pointee.isCompleting && step.pointee.traits.kind != .transient {
                hasCompleted = true
            }
            guard step.pointee.number == number else { continue }
            entered += 1
            outermost = count
            if !hasCompleted, !isRepeated, step.pointee.isOf(engine) {
                isRepeated = Arguments.isEqual(step.pointee.arguments, arguments)
            }
        }
        if isRepeated {
            throw error(
                .circularDependency(otherPath: []),
                of: slot.registration,
                injectedAt,
                arguments
            )
        }
        if entered >= Self.depthLimit || entered > 0 && outermost >= Self.stepLimit {
            throw error(.recursionTooDeep(entered), of: slot.registration, injectedAt, arguments)
        }
    }

    // MARK: - Errors

    /// The steps as messages show them.
    @_optimize(size)
    package var forError: [ResolutionError.Step] {
        var shown: [ResolutionError.Step] = []
        for step in steps {
            guard let registration = step.pointee.registration else { continue }
            var known = ResolutionError.Step(registration, step.pointee.forError)
            known.decoratedAt = step.pointee.decoratedAt
            known.isCompleting = step.pointee.isCompleting
            known.isAsync = step.pointee.traits.contains(.isAsync)
            shown.append(known)
        }
        return shown.reversed()
    }

    /// The error for a request that fails here.
    func error(_ failure: ResolutionError.Failure, for request: Engine.Request) -> ResolutionError {
        ResolutionError(failure, request.forError, path: forError)
    }

    /// The error for a request whose registration cannot be used here.
    func error(
        _ failure: ResolutionError.Failure,
        of registration: Registration,
        _ injectedAt: CodePlace?,
        _ arguments: Arguments? = nil
    ) -> ResolutionError {
        let key = registration.key.named(by: arguments)
        let request = ResolutionError.Request(key, injectedAt: injectedAt)
        return ResolutionError(failure, request, path: forError)
    }

    /// The same for a request.
    func error(
        _ failure: ResolutionError.Failure,
        of registration: Registration,
        _ request: Engine.Request
    ) -> ResolutionError {
        error(failure, of: registration, request.injectedAt, request.arguments)
    }

    /// What came of the innermost step, where something has thrown an error.
    func failure(_ error: any Error) -> any Error {
        guard let self, self.pointee.registration != nil else { return error }
        guard let error = error as? ResolutionError else {
            return ResolutionError(.factoryFailed(error), self.pointee.forError, path: forError)
        }
        return hasPassedHere(error) ? error : error.preceded(by: forError)
    }

    /// True when an error comes from within the steps under way, which its path then begins with.
    ///
    /// A factory may also pass on an error of another thread, or one that it has kept.
    private func hasPassedHere(_ error: ResolutionError) -> Bool {
        var index = depth
        guard index <= error.path.count else { return false }
        for step in steps {
            guard let registration = step.pointee.registration else { continue }
            index -= 1
            let known = error.path[index]
            guard known.registeredAt == registration.place,
                known.request.name == registration.key.name || registration.key.isForAnyName,
                known.request.serviceType == registration.serviceType
            else { return false }
        }
        return true
    }
}

extension ResolutionError.Step {
    /// A step to what was requested of a registration.
    package init(_ registration: Registration, _ request: ResolutionError.Request) {
        self.init(request: request, registeredAt: registration.place)
        isAutoregistered = registration.dependencies != nil
    }

    /// A step that a request of a slot cannot make.
    init(to slot: Slot, for request: Engine.Request) {
        let key = slot.key.named(by: request.arguments)
        self.init(
            slot.registration,
            ResolutionError.Request(key, injectedAt: request.injectedAt)
        )
        isAsync = slot.traits.contains(.isAsync)
    }
}

extension Resolution.Step {
    fileprivate var forError: ResolutionError.Request {
        let key = slot?.key.named(by: arguments) ?? ServiceKey(Void.self)
        return ResolutionError.Request(key, injectedAt: injectedAt)
    }
}
