// The two ways to go through ``Engine/begin(_:_:_:)`` and ``Engine/finish(_:_:_:_:)``: on a thread, which blocks, and in a
// task, which is suspended. They differ in how they wait and in how they call a factory: what takes no time, a task makes as
// a thread does.

// MARK: - On a thread

extension Engine {
    /// Answers a request, with nil where nothing is registered.
    ///
    /// - Throws: `ResolutionError` for every other failure.
    func answer(_ request: Request, _ resolution: Resolution) throws -> AnyBox? {
        isPlain ? try reply(to: request, resolution) : try answerHeeding(request, resolution)
    }

    /// The same where there is more to pay attention to than registrations.
    // Apart, because it changes the request, and every request would be copied for it (row 4g).
    @inline(never)
    private func answerHeeding(_ request: Request, _ resolution: Resolution) throws -> AnyBox? {
        var request = request
        let path = resolution.path
        if let other = try route(&request, path) { return try other.answer(request, resolution) }
        guard let observation = observation(of: &request, path) else {
            return try reply(to: request, resolution)
        }
        do {
            try observation.begin(request, path)
            let box = try reply(to: request, resolution)
            observation.end(request, box, path)
            return box
        } catch {
            observation.fail(request, error, path)
            throw error
        }
    }

    private func reply(to request: Request, _ resolution: Resolution) throws -> AnyBox? {
        if let found = find(request.key) {
            return found.isForAnyName
                ? try instance(of: found, request.withNameAsArgument, resolution)
                : try instance(of: found, request, resolution)
        }
        guard let derivation = try self.derivation(for: request, resolution.path),
            var parts = try derivation.parts(of: request, by: self, resolution.path)
        else { return nil }
        guard !parts.isEmpty else { return derivation.assemble([], request, self, resolution) }
        return try resolution.inGraph(of: self, beginsGraph: request.beginsGraph) {
            var part = derivation.requestForParts(of: request)
            for index in parts.indices {
                part.key = parts[index].key
                parts[index].box = try ready(part.key) ?? answer(part, resolution)
            }
            return derivation.assemble(parts, request, self, resolution)
        }
    }

    /// The instance of a slot, for a request.
    func instance(of found: Found, _ request: Request, _ resolution: Resolution) throws -> AnyBox {
        let path = resolution.path
        while true {
            switch try begin(request, found, path) {
            case .ready(let box):
                return try converted(box, found, request, path)
            case .wait(let wait, let slot):
                let outcome = WaitCoordinator.shared.block(wait)
                guard let box = try settle(outcome, slot, request, path) else { continue }
                return try converted(box, found, request, path)
            case .make(let place, let engine):
                let box = try engine.makeAtOnce(to: place, found, request, resolution)
                return try converted(box, found, request, path)
            }
        }
    }

    /// Makes what has begun, where the container does not refuse it.
    @inline(__always)
    private func makeAtOnce(
        to place: Resolution.Step.Place,
        _ found: Found,
        _ request: Request,
        _ resolution: Resolution
    ) throws -> AnyBox {
        let path = resolution.path
        var step = step(to: place, for: request, found, path)
        do {
            return try resolution.run(&step) { step in
                do {
                    let inner = try make(found, request, resolution, step)
                    let product = FactoryProduct(inner: inner)
                    return try finish(product, step, found, request.observation)
                } catch {
                    throw abandon(error, step)
                }
            }
        } catch let error as Resolution.Step.Refused {
            throw refused(error, place, request, path)
        }
    }

    /// Calls what makes the instance: the factory, or what is decorated.
    private func make(
        _ found: Found,
        _ request: Request,
        _ resolution: Resolution,
        _ step: UnsafeMutablePointer<Resolution.Step>
    ) throws -> AnyBox {
        try request.observation?.willMake(found.registration, request, step)
        if !found.slot.isOwn, let decorated = step.pointee.slot?.decorated {
            var inner = request.forInner(of: decorated, step.pointee.owner)
            inner.isAsync = false
            return try instance(of: decorated.inner, inner, resolution)
        }
        if step.pointee.traits.contains(.isMainActor), let stage = resolution.stage,
            stage.mainActor == .callingThread, !CurrentThread.isMain
        {
            return try stage.onCallingThread(resolution) {
                try found.registration.make(resolver(of: step), request.arguments)
            }
        }
        return try found.registration.make(resolver(of: step), request.arguments)
    }
}

// MARK: - In a task

extension Engine {
    /// Answers a request of a task, with nil where nothing is registered.
    ///
    /// - Throws: `ResolutionError` for every other failure; `CancellationError`.
    func answer(_ request: Request, in frame: TaskFrame) async throws -> AnyBox? {
        var request = request
        let other = try Resolution.joining(frame) { try route(&request, $0.path) }
        if let other { return try await other.answer(request, in: frame) }
        guard let observation = observation(of: &request, frame.step) else {
            return try await reply(to: request, in: frame)
        }
        do {
            try Resolution.joining(frame) { try observation.begin(request, $0.path) }
            let box = try await reply(to: request, in: frame)
            Resolution.joining(frame) { observation.end(request, box, $0.path) }
            return box
        } catch {
            Resolution.joining(frame) { observation.fail(request, error, $0.path) }
            throw error
        }
    }

    private func reply(to request: Request, in frame: TaskFrame) async throws -> AnyBox? {
        if let found = find(request.key) {
            let request = found.isForAnyName ? request.withNameAsArgument : request
            return try await instance(of: found, request, in: frame)
        }
        let (derivation, parts) = try Resolution.joining(frame) { resolution in
            let derivation = try self.derivation(for: request, resolution.path)
            return (derivation, try derivation?.parts(of: request, by: self, resolution.path))
        }
        guard let derivation, var parts else { return nil }
        var part = derivation.requestForParts(of: request)
        for index in parts.indices {
            part.key = parts[index].key
            parts[index].box = try await answer(part, in: frame)
        }
        return Resolution.joining(frame) { [parts] in
            derivation.assemble(parts, request, self, $0)
        }
    }

    /// The instance of a slot, for a request of a task.
    func instance(of found: Found, _ request: Request, in parent: TaskFrame) async throws -> AnyBox
    {
        try await prepare(found, request, in: parent)
        var isInnerAwaited = true
        while true {
            let box: AnyBox
            let inner = isInnerAwaited ? try await inner(of: found, request, in: parent) : nil
            defer { withExtendedLifetime(inner) {} }
            var request = request
            request.takesTime = found.isDecoratedAsync || inner == nil && found.isAsync
            switch try attempt(found, request, in: parent) {
            case .begun(.ready(let ready)):
                box = ready
            case .begun(.wait(let wait, let slot)):
                let outcome = try await WaitCoordinator.shared.suspend(wait)
                let settled = try Resolution.joining(parent) {
                    try settle(outcome, slot, request, $0.path)
                }
                guard let settled else { continue }
                box = settled
            case .innerHasGone:
                isInnerAwaited = false
                continue
            case .goToMainActor:
                guard let made = try await makeOnMainActor(found, request, in: parent) else {
                    continue
                }
                box = made
            case .begun(.make(let place, let engine)):
                let frame = try engine.frame(to: place, for: request, found, in: parent)
                box = try await frame.run {
                    do {
                        return try await make(found, request, in: frame)
                    } catch {
                        throw Resolution.joining(frame) { _ in engine.abandon(error, frame.step) }
                    }
                }
            }
            return try Resolution.joining(parent) { try converted(box, found, request, $0.path) }
        }
    }

    /// Awaits what a shared slot is around, before the slot is claimed: nobody waits for a task that waits.
    ///
    /// Nil where the slot is around nothing or has its instance, and where nothing keeps what it is around.
    private func inner(
        of found: Found,
        _ request: Request,
        in parent: TaskFrame
    ) async throws -> AnyBox? {
        guard found.slot.decorated != nil, !found.slot.traits.contains(.perArguments) else {
            return nil
        }
        var (home, place) = (found.holder, found)
        switch found.slot.traits.kind {
        case .transient, .graph, .stored: return nil
        case .weak where isValue(found.registration.serviceType): return nil
        case .permanent, .weak: break
        case .opened:
            (home, place) = try Resolution.joining(parent) {
                found.kept(in: try openScope(for: found, request, $0.path))
            }
        }
        let isUnderWay = Resolution.joining(parent) { $0.path.building(of: place.slot) != nil }
        guard let decorated = place.slot.decorated, place.slot.kept == nil, !isUnderWay else {
            return nil
        }
        let owner = home.isForValidation ? request.owner?.owner(of: home) : nil
        let inner = request.forInner(of: decorated, owner)
        return try await home.instance(of: decorated.inner, inner, in: parent)
    }

    /// What a request of a task comes to before anything is suspended.
    private enum Attempt {
        case begun(Begun)
        case goToMainActor
        case innerHasGone
    }

    /// Makes the instance, where that takes no time.
    // A task that had claimed its slot and were suspended would need a thread to go on, and all that there are may wait
    // for the slot.
    private func attempt(
        _ found: Found,
        _ request: Request,
        in parent: TaskFrame
    ) throws -> Attempt {
        try Resolution.joining(parent) { resolution in
            let begun = try begin(request, found, resolution.path)
            guard case .make(let place, let engine) = begun, !request.takesTime else {
                return .begun(begun)
            }
            let inner = (place.slot ?? found.slot).decorated?.inner.keptSlot(from: engine)
            let isInnerThere = inner?.kept != nil
            // It is only decorated here, unless a reset has come between, or nothing keeps it.
            if !isInnerThere, found.isAsync {
                withdraw(place)
                return .innerHasGone
            }
            if !isInnerThere, found.registration.traits.contains(.isMainActor) {
                withdraw(place)
                return .goToMainActor
            }
            do {
                let box = try TaskFrame.withNone {
                    try engine.makeAtOnce(to: place, found, request, resolution)
                }
                return .begun(.ready(box))
            } catch {
                guard isInnerThere, inner?.kept == nil else { throw error }
                return .innerHasGone
            }
        }
    }

    /// Nil where it is not to be made here any more: look again.
    @MainActor
    private func makeOnMainActor(
        _ found: Found,
        _ request: Request,
        in parent: TaskFrame
    ) throws -> AnyBox? {
        try Resolution.joining(parent) { resolution in
            switch try begin(request, found, resolution.path) {
            case .ready(let box): return box
            case .wait: return nil
            // A decorator that takes time has come meanwhile.
            case .make(let place, _) where found.isAsync:
                withdraw(place)
                return nil
            case .make(let place, let engine):
                return try TaskFrame.withNone {
                    try engine.makeAtOnce(to: place, found, request, resolution)
                }
            }
        }
    }

    /// Calls what makes the instance, on the main actor where it must be, and ends the making.
    private func make(_ found: Found, _ request: Request, in frame: TaskFrame) async throws
        -> AnyBox
    {
        let engine = frame.step.pointee.engine
        try Resolution.joining(frame) { _ in
            try request.observation?.willMake(found.registration, request, frame.step)
        }
        if !found.slot.isOwn, let decorated = frame.step.pointee.slot?.decorated {
            let inner = request.forInner(of: decorated, frame.step.pointee.owner)
            let box = try await engine.instance(of: decorated.inner, inner, in: frame)
            return try await end(box, found, request, in: frame)
        }
        let resolver = engine.resolver(of: frame.step)
        if frame.step.pointee.traits.contains(.isAsync) {
            let box = try await found.registration.makeAsync(resolver, request.arguments)
            try await checkCancellation(box, in: frame)
            return try await end(box, found, request, in: frame)
        }
        let box = try await frame.atOnce {
            try Resolution.joining(frame) { _ in
                try TaskFrame.withNone { try found.registration.make(resolver, request.arguments) }
            }
        }
        return try await end(box, found, request, in: frame)
    }

    /// Ends the making, by way of decorators that take time, if there are any.
    private func end(
        _ inner: AnyBox,
        _ found: Found,
        _ request: Request,
        in frame: TaskFrame
    ) async throws -> AnyBox {
        var product = FactoryProduct(inner: inner)
        if found.isDecoratedAsync {
            product.decorated = try await frame.step.pointee.engine.decorate(
                inner,
                found,
                in: frame
            )
            try await checkCancellation(inner, in: frame)
        }
        return try await frame.atOnce { [product] in
            try self.finish(product, found, request, in: frame)
        }
    }

    /// Ends the making on a copy of the step: other tasks may read the frame's own.
    private func finish(
        _ product: FactoryProduct,
        _ found: Found,
        _ request: Request,
        in frame: TaskFrame
    ) throws -> AnyBox {
        try Resolution.joining(frame) { resolution in
            var step = Resolution.Step(copying: frame.step.pointee)
            return try withUnsafeMutablePointer(to: &step) { step in
                try resolution.within(step) {
                    try TaskFrame.withNone {
                        try step.pointee.engine.finish(product, step, found, request.observation)
                    }
                }
            }
        }
    }

    /// What is made for nobody is not kept.
    private func checkCancellation(_ box: AnyBox, in frame: TaskFrame) async throws {
        guard Task.isCancelled, frame.step.pointee.building != nil else { return }
        if let registration = frame.step.pointee.registration {
            await closeCanceled(box, of: registration)
        }
        throw CancellationError()
    }

    /// The frame in which this container makes what a request of a task has begun.
    private func frame(
        to place: Resolution.Step.Place,
        for request: Request,
        _ found: Found,
        in parent: TaskFrame
    ) throws -> TaskFrame {
        do {
            let step = step(to: place, for: request, found, parent.step)
            return try TaskFrame(step, in: parent)
        } catch {
            throw Resolution.joining(parent) { refused(error, place, request, $0.path) }
        }
    }
}

// MARK: - For both

extension Engine {
    /// Another container that is to answer instead of this one: a fork that stands for it.
    ///
    /// - Throws: `ResolutionError`, where the container has been closed.
    fileprivate func route(_ request: inout Request, _ path: Path) throws -> Engine? {
        if hasFlag(.isValidated) { request.beginsGraph = false }
        if let (engine, owner) = inForce(path), engine !== self {
            request.owner = owner
            return engine
        }
        if hasFlag(.isClosing) { try checkIsOpen(for: request, path) }
        // An open scope that has ended makes nothing, also of what a parent has registered.
        if opened != nil, isEnded { throw ended(for: request, path) }
        return nil
    }

    /// The instance of a wait that has ended; nil where the request is to be made again.
    fileprivate func settle(
        _ outcome: WaitCoordinator.Outcome,
        _ slot: Slot,
        _ request: Request,
        _ path: Path
    ) throws -> AnyBox? {
        switch outcome {
        case .again:
            return nil
        case .product(let box):
            // A storage may keep an instance for one graph only, and not for this one. What is under construction still
            // is given in a circle alone.
            if isStored(slot.traits), let graph = path.madeGraph,
                !slot.isConstructing(box)
            {
                graph.keep(box)
                return try storedInstance(in: slot, path)
            }
            if slot.traits.kind != .permanent { path.madeGraph?.keep(box) }
            if hasFlag(.notesNeeds) { note(path.dependent, needs: slot.node(of: box)) }
            return box
        case .circular(let otherPath):
            throw ResolutionError(
                .circularDependency(otherPath: otherPath),
                request.forError,
                path: path.forError(and: slot, request)
            )
        }
    }
}
