// The one way of every request, in two halves that never suspend. Between them a driver calls the factory.

/// What a request comes to: the first half of the way.
enum Begun {
    case ready(AnyBox)
    /// Make it for this place, in a step of the engine: see ``Engine/step(to:for:_:_:)``.
    case make(Resolution.Step.Place, by: Engine)
    /// Wait for who makes it in a slot.
    case wait(WaitCoordinator.Wait, Slot)
}

/// What a factory has made, and, where decorators have taken time, what they have made of it.
struct FactoryProduct {
    let inner: AnyBox
    var decorated: AnyBox?
}

extension Engine {
    // MARK: - The first half

    /// Finds the instance for a request, or says what is to be done for one.
    ///
    /// - Throws: `ResolutionError`, where it cannot be made.
    func begin(_ request: Request, _ found: Found, _ path: Path) throws -> Begun {
        switch found.slot.traits.kind {
        case .transient where !hasFlag(.isValidated):
            try check(request, found, path)
            return .make(.nowhere, by: self)
        case .transient, .graph:
            return try beginInGraph(request, found, path)
        case .permanent, .weak, .stored:
            return try found.holder.beginShared(request, found, path)
        case .opened:
            let (home, found) = found.kept(in: try openScope(for: found, request, path))
            return try home.beginShared(request, found, path)
        }
    }

    private func beginInGraph(_ request: Request, _ found: Found, _ path: Path) throws -> Begun {
        if !request.beginsGraph, let graph = path.graph,
            let known = graph.find(found.slot, for: number, request.arguments)
        {
            // The container keeps what asks, and may keep this.
            if path.isKept(by: self) { graph.letGo() }
            if hasFlag(.notesNeeds) { noteNeed(of: found.slot, in: graph, request.arguments, path) }
            return .ready(known)
        }
        try check(request, found, path)
        return .make(.graph, by: self)
    }

    /// Enters a slot that this container keeps.
    private func beginShared(_ request: Request, _ found: Found, _ path: Path) throws -> Begun {
        let traits = found.slot.traits
        while true {
            let found = try slotForArguments(of: request, found, path)
            let own = path.building(of: found.slot)
            if own == nil, isStored(traits), let kept = try storedInstance(in: found.slot, path) {
                return .ready(kept)
            }
            // Noted before it is taken or waited for: a reset that comes between passes on the needs of what it drops to
            // those alone who are known by then. Of a storage, which may have it no more, only what it gives is noted.
            let isNoted = hasFlag(.notesNeeds) && path.dependent != nil && !isStored(traits)
            let noted = isNoted ? found.slot.node : 0
            note(path.dependent, needs: noted)
            switch found.slot.enter(own, takesTime: request.takesTime) {
            case .ready(let box, let node):
                if node != noted, hasFlag(.notesNeeds) { note(path.dependent, needs: node) }
                if traits.kind == .weak { path.madeGraph?.keep(box) }
                return .ready(box)
            case .wait(let building):
                if !request.isAsync, building.takesTime {
                    throw path.error(.needsAwait, of: found.registration, request.injectedAt)
                }
                if hasFlag(.notesNeeds), let dependent = path.dependent {
                    noteWait(of: dependent, for: building, of: found.slot)
                }
                return .wait(wait(for: building, of: found.slot, request, path), found.slot)
            case .make(let building):
                // Another may have filled the storage since it was looked into.
                if own == nil, isStored(traits),
                    let kept = try storedInstance(in: found.slot, insteadOf: building, path)
                {
                    return .ready(kept)
                }
                let place = Resolution.Step.Place.slot(building, found.slot)
                do {
                    try check(request, found, path)
                } catch {
                    withdraw(place)
                    throw error
                }
                return .make(place, by: self)
            case nil:
                continue
            }
        }
    }

    /// The slot for the arguments of a request, where there is one for each.
    private func slotForArguments(
        of request: Request,
        _ found: Found,
        _ path: Path
    ) throws -> Found {
        guard found.slot.traits.contains(.perArguments), let arguments = request.arguments else {
            return found
        }
        try path.checkDepth(of: found.registration, for: request)
        // What is under construction here comes first, also when a reset came between.
        if let own = path.slot(of: found.slot, for: arguments, in: self) {
            return Found(slot: own, holder: found.holder)
        }
        let (slot, removed) = found.slot.slot(for: arguments)
        forgetNeeds(removed)
        return Found(slot: slot, holder: found.holder)
    }

    /// Refuses a cycle, and what cannot be made here.
    ///
    /// - Throws: `ResolutionError`.
    @inline(__always)
    func check(_ request: Request, _ found: Found, _ path: Path) throws {
        if path != nil {
            try path.check(found.slot, by: self, request.arguments, request.injectedAt)
        }
        guard !request.isAsync else { return }
        // First, because what a task can do is done on the main actor, too.
        if found.isDecoratedAsync {
            throw path.error(.needsAwait, of: found.registration, request.injectedAt)
        }
        let traits = found.slot.traits
        if !traits.isDisjoint(with: [.isMainActor, .isAsync]) {
            try checkThread(traits, of: found.registration, request)
        }
    }

    /// A main-actor factory runs on the main actor only, an asynchronous one in a task only.
    @inline(never)
    private func checkThread(
        _ traits: Registration.Traits,
        of registration: Registration,
        _ request: Request
    ) throws {
        try Resolution.withCurrent { resolution in
            let path = resolution.path
            if traits.contains(.isAsync) {
                throw path.error(.needsAwait, of: registration, request.injectedAt)
            }
            if !resolution.hasMainActor {
                throw path.error(.offMainActor, of: registration, request.injectedAt)
            }
        }
    }

    /// The wait for a build of another thread or task.
    private func wait(
        for building: Slot.Building,
        of slot: Slot,
        _ request: Request,
        _ path: Path
    ) -> WaitCoordinator.Wait {
        WaitCoordinator.Wait(
            edge: path.edge(for: building.number),
            path: path.forError(and: slot, request),
            begin: { slot.addWaiter(to: building) },
            product: { slot.product(of: building) }
        )
    }

    // MARK: - Between the halves

    /// The step in which this container makes what a request has begun, after those of a path.
    @inline(__always)
    func step(to place: Resolution.Step.Place, for request: Request, _ found: Found, _ path: Path)
        -> Resolution.Step
    {
        let made = place.slot.map { Found(slot: $0, holder: found.holder) } ?? found
        var step = Resolution.Step(made, request, by: self, after: path)
        step.place = place
        if step.traits.isHeld {
            step.owner = isForValidation ? request.owner?.owner(of: self) : nil
        } else {
            step.owner = lent(request.owner, path)
        }
        if case .graph = place { step.join(request.beginsGraph ? nil : path.madeGraph) }
        if hasFlag(.notesNeeds) {
            step.noteDependent()
            if case .slot(let building, let slot) = place {
                noteBuild(building, of: slot, by: step.node)
            }
        }
        return step
    }

    /// Nothing is made that has begun: those who wait for it look again.
    func withdraw(_ place: Resolution.Step.Place) {
        if case .slot(let building, let slot) = place { tell(slot.abandon(building)) }
    }

    // MARK: - The second half

    /// Ends the making of an instance, after its factory: decorates, keeps, runs callbacks, and tells.
    ///
    /// - Throws: what a decorator throws; `ResolutionError`, where waiting for a storage would close a circle.
    func finish(
        _ product: FactoryProduct,
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ found: Found,
        _ observation: (any Observation)?
    ) throws -> AnyBox {
        let inner = product.inner
        var made = product.decorated ?? inner
        let other = found.slot.decorated != nil ? decoratedMeanwhile(step, found) : nil
        if other == nil, found.holder.hasFlag(.hasDecorators), product.decorated == nil {
            do {
                made = try decorate(inner, step, found)
            } catch {
                noteMade(inner, step, isLost: true)
                throw error
            }
        }
        let (kept, isFirst) = other.map { ($0, false) } ?? construct(made, step, found)
        if isFirst {
            step.pointee.isCompleting = true
            complete(inner, kept, step, observation)
        } else {
            noteMade(inner, step, isLost: true)
            if hasFlag(.notesNeeds) { noteLost(step) }
        }
        try keep(kept, isFirst: isFirst, step)
        return kept
    }

    /// What a cycle that led back here has put around the same instance, for which nothing more is to be put around it.
    private func decoratedMeanwhile(
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ found: Found
    ) -> AnyBox? {
        switch step.pointee.place {
        case .nowhere, .turn: nil
        case .graph: Path(step).graph?.find(found.slot, for: number, step.pointee.arguments)
        case .slot(let building, let slot): slot.product(of: building)
        }
    }

    /// Gives back the instance to keep: a cycle, or another task, may have made one meanwhile, and the first wins.
    private func construct(
        _ made: AnyBox,
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ found: Found
    ) -> (kept: AnyBox, isFirst: Bool) {
        switch step.pointee.place {
        case .nowhere, .turn:
            return (made, true)
        case .graph:
            guard let graph = Path(step).graph else { return (made, true) }
            let kept = graph.add(made, of: found.slot, for: number, step.pointee.arguments)
            return (kept, kept === made)
        case .slot(let building, let slot):
            return slot.construct(building, made, node: step.pointee.node)
        }
    }

    /// Runs the callbacks of an instance that is kept, or of the one in its decorators, and tells.
    private func complete(
        _ inner: AnyBox,
        _ made: AnyBox,
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ observation: (any Observation)?
    ) {
        if step.pointee.traits.contains(.hasCallbacks), let registration = step.pointee.registration
        {
            let resolver = resolver(of: step)
            for callback in registration.callbacks { callback(resolver, inner) }
        }
        if let observation, let registration = step.pointee.registration {
            observation.made(made, by: registration, step)
        }
        if hasFlag(.notesNeeds) { noteMade(inner, step) }
    }

    /// Puts an instance into its slot, and lets those have it who wait.
    private func keep(
        _ box: AnyBox,
        isFirst: Bool,
        _ step: UnsafeMutablePointer<Resolution.Step>
    ) throws {
        guard case .slot(let building, let slot) = step.pointee.place else { return }
        var kind = step.pointee.traits.kind
        // In a validation every instance that is shared is kept, and after it none.
        if hasFlag(.isValidated) { kind = .permanent }
        // As where a storage keeps it, so the slot does not, and here no storage has it.
        if hasFlag(.keepsNothing) { return tell(slot.leave(building, as: .stored)) }
        switch kind {
        case .weak: Path(step).madeGraph?.keep(box)
        case .stored where isFirst: try store(box, in: slot, building, Path(step))
        case .stored, .permanent, .opened, .graph, .transient: break
        }
        // An instance that a reset or a registration has come over is not kept, and so not closed either.
        let isDetached =
            hasFlag(.notesNeeds) && isFirst && (!slot.isCurrent(building) || isReplaced(slot))
        tell(slot.leave(building, as: kind))
        if isDetached { forgetNeeds([step.pointee.node]) }
    }

    /// Follows instead of the second half, where something has failed.
    ///
    /// - Returns: the error, with the steps that led to it.
    func abandon(_ error: any Error, _ step: UnsafeMutablePointer<Resolution.Step>) -> any Error {
        withdraw(step.pointee.place)
        if hasFlag(.notesNeeds) { noteLost(step) }
        // What decorates an asynchronous service fails with it.
        if error is CancellationError, Task.isCancelled, let slot = step.pointee.slot,
            Found(slot: slot, holder: step.pointee.holder).isAsync
        {
            return error
        }
        return Path(step).failure(error)
    }

    /// A thread never goes on that is at a build: those who wait for it make the request again.
    func giveUp(_ building: Slot.Building, of slot: Slot) {
        withExtendedLifetime(slot.isCurrent(building) ? slot.detach() : nil) {}
        tell(slot.abandonWholly(building))
    }

    /// Tells those who wait of the end of a build.
    func tell(_ end: BuildEnd?) {
        if let end { WaitCoordinator.shared.end(end) }
    }

    // MARK: - As another type

    /// An instance as the type that was requested, which may forward to its registration.
    @inline(__always)
    func converted(_ box: AnyBox, _ found: Found, _ request: Request, _ path: Path) throws -> AnyBox
    {
        if found.registration.serviceType == request.key.serviceType, found.slot.decorated == nil {
            return box
        }
        return try convert(box, found, request, path)
    }

    @inline(never)
    private func convert(
        _ box: AnyBox,
        _ found: Found,
        _ request: Request,
        _ path: Path
    ) throws -> AnyBox {
        let type = request.key.serviceType
        if found.slot.key.serviceType == type { return box }
        if let known = found.slot.conversion(of: box, to: type) { return known }
        let product = box.anyValue
        func convert<Service>(_: Service.Type) -> AnyBox? {
            (product as? Service).map(Box.init)
        }
        if let converted = _openExistential(type, do: convert) {
            found.slot.keep(converted, as: type, of: box)
            return converted
        }
        throw ResolutionError(
            .forwardMismatch(
                product: Swift.type(of: product),
                registeredAt: found.registration.place
            ),
            request.forError,
            path: path.forError
        )
    }
}
