// What a path refuses, and the errors that tell of it.
extension Path {
    /// How often a registration may be entered within itself with different arguments.
    static var depthLimit: Int { 100 }

    /// How many steps after its outermost entry a registration may be entered again.
    ///
    /// Rings of many registrations have used up a stack of 8 MB, at up to 15 kB a step in an unoptimized build, before
    /// one of them was entered a hundred times.
    static var stepLimit: Int { 200 }

    // MARK: - Cycles

    /// Refuses a step to a slot that is on the path already, unless callbacks of a kept instance have begun since: from
    /// there the way back ends.
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
        let isTooDeep = entered >= Self.depthLimit || outermost >= Self.stepLimit
        guard isRepeated || isTooDeep else { return }
        let failure: ResolutionError.Failure =
            isRepeated ? .circularDependency(otherPath: []) : .recursionTooDeep(entered)
        throw error(failure, of: slot.registration, injectedAt, arguments)
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

    /// The error for a failed request.
    func error(_ failure: ResolutionError.Failure, for request: Engine.Request) -> ResolutionError {
        ResolutionError(failure, request.forError, path: forError)
    }

    /// The error for a request that cannot use its registration.
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
    package func error(
        _ failure: ResolutionError.Failure,
        of registration: Registration,
        _ request: Engine.Request
    ) -> ResolutionError {
        error(failure, of: registration, request.injectedAt, request.arguments)
    }

    /// An error that the innermost step threw, with the steps that led to it.
    func failure(_ error: any Error) -> any Error {
        guard let self, self.pointee.registration != nil else { return error }
        guard let error = error as? ResolutionError else {
            return ResolutionError(.factoryFailed(error), self.pointee.forError, path: forError)
        }
        return hasPassedHere(error) ? error : error.preceded(by: forError)
    }

    /// True if an error comes from within the steps under way, with which its path then begins.
    ///
    /// A factory may also throw an error of another thread, or an old one.
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
    /// A step to a request's registration.
    package init(_ registration: Registration, _ request: ResolutionError.Request) {
        self.init(request: request, registeredAt: registration.place)
        isAutoregistered = registration.dependencies != nil
    }

    /// The step that a request would have made to a slot.
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
