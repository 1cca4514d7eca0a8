// The driver of a task. It does what a thread's driver does (`Engine+OnThread.swift`), except that it suspends the task
// instead of blocking a thread, and awaits asynchronous factories.
//
// A task that requests an instance under construction is suspended until that build is over (`WaitCoordinator.swift`).
// If the build has an instance, the task gets it. If it has failed or was canceled, every waiter begins its request
// again: the first makes the instance, and the others wait for it.

extension Engine {
    /// Answers a request of a task; nil if nothing is registered.
    ///
    /// - Throws: `ResolutionError` for every other failure; `CancellationError`.
    func answer(_ request: Request, in frame: TaskFrame) async throws -> AnyBox? {
        var request = request
        let other = try route(&request, frame.step)
        if let other { return try await other.answer(request, in: frame) }
        guard let observation = observation(of: &request) else {
            return try await reply(to: request, in: frame)
        }
        do {
            try Resolution.joining(frame) { try observation.tellBegin(request, $0.path) }
            let box = try await reply(to: request, in: frame)
            Resolution.joining(frame) { observation.tellEnd(request, .success(box), $0.path) }
            return box
        } catch {
            Resolution.joining(frame) { observation.tellEnd(request, .failure(error), $0.path) }
            throw error
        }
    }

    private func reply(to request: Request, in frame: TaskFrame) async throws -> AnyBox? {
        if let found = find(request.key) {
            let request = found.isForAnyName ? request.withNameAsArgument : request
            return try await instance(of: found, request, in: frame)
        }
        let derived = try Resolution.joining(frame) { try self.derived(request, $0.path) }
        guard let derived else { return nil }
        var part = derived.requestForParts
        for key in derived.parts {
            part.key = key
            derived.boxes.append(try await answer(part, in: frame))
        }
        return Resolution.joining(frame) { _ in derived.type.compose(derived) }
    }

    /// The instance in a slot, for a request of a task.
    func instance(of found: Found, _ request: Request, in parent: TaskFrame) async throws -> AnyBox
    {
        if found.registration.dependencies != nil { try await prepare(found, request, in: parent) }
        while true {
            if let box = try await instanceInOneRound(of: found, request, in: parent) {
                return try converted(box, found, request, parent.step)
            }
        }
    }

    /// The instance in a slot; nil if the request must be made again, because another build has failed or things have
    /// changed.
    // Apart: the compiler writes a loop once more for each `await` in it.
    private func instanceInOneRound(
        of found: Found,
        _ request: Request,
        in parent: TaskFrame
    ) async throws -> AnyBox? {
        var request = request
        if found.slot.wrapping != nil {
            request.awaited = try await inner(of: found, request, in: parent)
            if request.awaited?.isForgotten == true { return nil }
        }
        request.takesTime = found.isDecoratedAsync || request.awaited == nil && found.isAsync
        switch try attempt(found, request, in: parent) {
        case .ready(let box):
            return box
        case .wait(let wait, let awaited):
            let outcome = try await WaitCoordinator.shared.suspend(wait)
            return try Resolution.joining(parent) { [request] in
                try settle(outcome, awaited, request, $0.path)
            }
        case .make(let claim, let engine):
            let step = try engine.step(for: claim, request, parent.step)
            let frame = TaskFrame(begun: step, in: parent)
            let making = Making(claim.found, for: request, of: self, in: frame)
            let space = engine.ownSpace(for: claim) ?? .current
            return try await withSpace(space) { try await making.product() }
        case nil:
            return try await MainActor.run { [request] in
                let disposition = try attempt(found, request, in: parent, isOnMainActor: true)
                return if case .ready(let box) = disposition { box } else { nil }
            }
        }
    }

    /// Awaits the instance that a shared slot decorates before the slot is claimed, so that nothing waits for a claimed
    /// slot whose task is suspended.
    ///
    /// Nil if the slot has its instance already, or if its scope shares none.
    private func inner(
        of found: Found,
        _ request: Request,
        in parent: TaskFrame
    ) async throws -> AwaitedInner? {
        var (home, found) = (found.holder, found)
        switch found.slot.traits.kind {
        case .transient, .graph: return nil
        case .weak where isValue(found.registration.serviceType): return nil
        case .permanent, .weak, .stored: break
        case .opened:
            (home, found) = try Resolution.joining(parent) {
                found.inScope(try openScope(for: found, request, $0.path))
            }
        }
        found = home.slotForArguments(of: request, found, parent.step)
        let kept = Resolution.joining(parent) { _ in home.keptInstance(in: found.slot) }
        guard let wrapping = found.slot.wrapping, kept == nil,
            Path(parent.step).building(of: found.slot) == nil
        else { return nil }
        let lastReset = found.slot.lastReset
        let inner = request.forInner(of: wrapping)
        let box = try await home.instance(of: wrapping.inner, inner, in: parent)
        let (holder, place) = home.home(of: wrapping.inner)
        let slot = holder.slotForArguments(of: inner, place, parent.step).slot
        return AwaitedInner(box, of: slot, for: found.slot, after: lastReset)
    }

    /// Begins a request of a task, and makes the instance if that takes no time; nil if it must be made on the main
    /// actor, or not at once.
    // A task that is suspended after it has claimed a slot needs a thread to go on, and all threads may be waiting for
    // the slot.
    @inline(never)
    private func attempt(
        _ found: Found,
        _ request: Request,
        in parent: TaskFrame,
        isOnMainActor: Bool = false
    ) throws -> Disposition? {
        try Resolution.joining(parent) { resolution in
            let disposition = try begin(request, found, resolution.path)
            guard case .make(let claim, let engine) = disposition else { return disposition }
            if case .building(let building) = claim.destination, request.awaited?.isStale == true {
                claim.found.slot.detach(building)
            }
            if request.takesTime { return disposition }
            let isForMainActor =
                request.awaited == nil && found.registration.traits.contains(.isMainActor)
            // An asynchronous decorator may have been added meanwhile.
            if isForMainActor && !isOnMainActor || found.isDecoratedAsync {
                withdraw(claim)
                return nil
            }
            return try TaskFrame.withNone {
                .ready(try engine.makeAtOnce(claim, request, resolution))
            }
        }
    }
}

/// An instance that a task makes in a step of its own, with its request.
private final class Making: Sendable {
    private let found: Found
    private let request: Engine.Request
    /// The engine that was asked, which may be another one than the engine that makes the instance.
    private let asked: Engine
    private let frame: TaskFrame

    init(_ found: Found, for request: Engine.Request, of asked: Engine, in frame: TaskFrame) {
        (self.found, self.request, self.asked, self.frame) = (found, request, asked, frame)
    }

    private var engine: Engine { frame.step.pointee.engine }

    /// Makes the instance, and ends the step.
    func product() async throws -> AnyBox {
        try await frame.run {
            do {
                return try await finished(try await inner())
            } catch {
                throw Resolution.joining(frame) { _ in engine.abandon(error, frame.step) }
            }
        }
    }

    /// The product before its decorators: that of the factory, on the main actor if it must be, or the decorated
    /// instance.
    private func inner() async throws -> AnyBox {
        if let observation = request.observation {
            try Resolution.joining(frame) { _ in
                try observation.tellMaking(found.registration, request, frame.step)
            }
        }
        if let awaited = request.awaited { return engine.take(awaited, frame.step) }
        if let wrapping = found.slot.wrapping {
            let inner = request.forInner(of: wrapping)
            return try await engine.instance(of: wrapping.inner, inner, in: frame)
        }
        let resolver = engine.resolver(of: frame.step)
        guard frame.step.pointee.traits.contains(.isAsync) else {
            return try await frame.atOnce { _ in
                try self.found.registration.make(resolver, self.request.arguments)
            }
        }
        let box = try await found.registration.makeAsync(resolver, request.arguments)
        try await checkCancellation(box)
        return box
    }

    /// Ends the making, through asynchronous decorators if there are any.
    private func finished(_ inner: AnyBox) async throws -> AnyBox {
        var product = FactoryProduct(inner: inner)
        if found.isDecoratedAsync {
            do {
                product.decorated = try await engine.decorate(inner, found, in: frame)
            } catch {
                if Task.isCancelled {
                    await closeCanceled(inner)
                } else {
                    engine.noteLost(inner, frame.step)
                }
                throw error
            }
            try await checkCancellation(inner)
        }
        return try await frame.atOnce { [product] in try self.finish(product, $0) }
    }

    /// Ends the making on a copy of the step, because other tasks may read the frame's own.
    private func finish(_ product: FactoryProduct, _ resolution: Resolution) throws -> AnyBox {
        var step = Resolution.Step(copying: frame.step.pointee)
        return try withUnsafeMutablePointer(to: &step) { step in
            try resolution.within(step) {
                try step.pointee.engine.finish(product, step, found, request.observation)
            }
        }
    }

    /// Drops and closes an instance that a canceled task was to keep.
    private func checkCancellation(_ box: AnyBox) async throws {
        guard Task.isCancelled, frame.step.pointee.building != nil else { return }
        await closeCanceled(box)
        throw CancellationError()
    }

    private func closeCanceled(_ box: AnyBox) async {
        guard let slot = frame.step.pointee.slot, slot.closesWhatIsMade,
            let made = ClosedInstance(slot.registration, box, isKept: false)
        else { return }
        await asked.closeInTask(made, .canceled).value
    }
}
