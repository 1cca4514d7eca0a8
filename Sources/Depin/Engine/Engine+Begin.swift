// The first half of every request's way: which engine answers it, what there is to do for it, and what a wait has led
// to. It never suspends.

/// What is to be done for a request.
enum Disposition {
    case ready(AnyBox)
    /// Make the instance, in a step of the engine: see ``Engine/step(for:_:_:)``.
    case make(Claim, by: Engine)
    /// Wait for another thread or task, which makes the instance.
    case wait(Wait, for: Awaited)
}

/// A build of another thread or task, with its slot.
struct Awaited {
    let building: Slot.Building
    let slot: Slot
}

/// An instance that is to be made; where a slot keeps it, the build has been claimed.
struct Claim {
    /// Its slot: the one for the arguments, or the open scope's, if there is one.
    let found: Found
    /// Where the instance goes.
    let destination: Resolution.Step.Destination
}

extension Engine {
    /// The engine that answers instead of this one, if any: a fork that stands for it, whose owner the request gets.
    ///
    /// - Throws: `ResolutionError`, if the container has been closed.
    func route(_ request: inout Request, _ path: Path) throws -> Engine? {
        // A validation runs each factory once, so all of it is one graph.
        if hasFlag(.isValidated) { request.beginsGraph = false }
        if let (engine, owner) = inForce(path), engine !== self {
            request.owner = owner
            return engine
        }
        if hasFlag(.isClosing) { try checkIsOpen(for: request, path) }
        // An open scope that has ended makes nothing, not even what a parent has registered.
        if opened != nil, isEnded { throw ended(for: request, path) }
        // What a container that has gone would hold, nobody would close or release.
        if isEnded, let open = chain.first(where: { !$0.isEnded }) { return open }
        return nil
    }

    /// Finds the instance for a request, or says what there is to do for it.
    ///
    /// - Throws: `ResolutionError`, if the instance cannot be made.
    func begin(_ request: Request, _ found: Found, _ path: Path) throws -> Disposition {
        let kind = found.slot.traits.kind
        switch kind {
        case .transient where !hasFlag(.isValidated):
            return .make(Claim(found: found, destination: .nowhere), by: self)
        case .transient, .graph:
            return beginInGraph(request, found, path)
        case .stored where found.holder.isStored(kind):
            return try found.holder.beginStored(request, found, path)
        case .permanent, .weak, .stored:
            return try found.holder.beginShared(request, found, kind, path)
        case .opened:
            let (home, found) = found.inScope(try openScope(for: found, request, path))
            return try home.beginShared(request, found, kind, path)
        }
    }

    private func beginInGraph(_ request: Request, _ found: Found, _ path: Path) -> Disposition {
        if !request.beginsGraph, let graph = path.graph,
            let known = graph.find(found.slot, for: number, request.arguments)
        {
            // Also for a held instance that asks later, by itself.
            if path.isHeld(by: self) || request.owner == nil && !isForValidation { graph.letGo() }
            if hasFlag(.notesNeeds) {
                let needed = graph.dependent(of: found.slot, for: number, request.arguments)
                note(path.dependent, needs: needed?.number ?? 0)
            }
            return .ready(known)
        }
        return .make(Claim(found: found, destination: .graph), by: self)
    }

    /// Enters a slot whose instance this engine shares.
    func beginShared(
        _ request: Request,
        _ found: Found,
        _ kind: ScopeKind,
        _ path: Path
    ) throws -> Disposition {
        while true {
            let found = slotForArguments(of: request, found, path)
            let own = path.building(of: found.slot)
            // The need is noted before the instance is taken or waited for, because a reset in between hands the
            // dropped instance's needs only to the dependents noted by then.
            let isNoted = hasFlag(.notesNeeds) && path.dependent != nil
            let noted = isNoted ? found.slot.kept?.node ?? 0 : 0
            if isNoted { note(path.dependent, needs: noted) }
            switch found.slot.enter(own, takesTime: request.takesTime) {
            case .ready(let box, let node):
                if node != noted, hasFlag(.notesNeeds) { note(path.dependent, needs: node) }
                if kind == .weak { path.madeGraph?.keep(box) }
                return .ready(box)
            case .wait(let building):
                if !request.mayAwait, building.takesTime {
                    throw path.error(.needsAwait, of: found.registration, request)
                }
                if hasFlag(.notesNeeds), let dependent = path.dependent, dependent.engine === self {
                    note(dependent, needs: found.slot.noteDependent(dependent.number, of: building))
                }
                let awaited = Awaited(building: building, slot: found.slot)
                return .wait(wait(for: awaited, request, path), for: awaited)
            case .make(let building):
                // The registration may have got another scope since the request found it.
                if found.slot.traits.kind != kind { found.slot.detach(building) }
                return .make(Claim(found: found, destination: .building(building)), by: self)
            case nil:
                continue
            }
        }
    }

    /// The slot for a request's arguments, if the scope keeps one instance for each value of them.
    func slotForArguments(of request: Request, _ found: Found, _ path: Path) -> Found {
        guard found.slot.traits.contains(.perArguments), let arguments = request.arguments else {
            return found
        }
        // An instance that this path has under construction comes first, even after a reset.
        if let own = path.slot(of: found.slot, for: arguments, in: self) {
            return Found(slot: own, holder: found.holder)
        }
        let (slot, removed) = found.slot.slot(for: arguments)
        forgetNeeds(removed.map(\.node))
        return Found(slot: slot, holder: found.holder)
    }

    /// The step in which this engine makes a claimed instance, at the end of a path; its work has begun.
    ///
    /// - Throws: `ResolutionError`, if it is a cycle, or cannot be made here; then the claim is given up.
    func step(for claim: Claim, _ request: Request, _ path: Path) throws -> Resolution.Step {
        do {
            try check(request, claim.found, path)
            var step = Resolution.Step(claim.found, request, by: self, after: path)
            step.destination = claim.destination
            if case .graph = claim.destination { step.joinGraph() }
            if hasFlag(.notesNeeds) { step.noteBegin() }
            guard step.beginWork() else { throw ended(for: request, path) }
            return step
        } catch {
            withdraw(claim)
            throw error
        }
    }

    /// Gives a claim up: waiters of its build make their requests again.
    @inline(never)
    func withdraw(_ claim: Claim) {
        if case .building(let building) = claim.destination {
            claim.found.slot.abandon(building)?.tell()
        }
    }

    /// Refuses a cycle, and a factory that cannot run here.
    ///
    /// - Throws: `ResolutionError`.
    func check(_ request: Request, _ found: Found, _ path: Path) throws {
        if path != nil {
            try path.check(found.slot, by: self, request.arguments, request.injectedAt)
        }
        guard !request.mayAwait else { return }
        let traits = found.slot.traits
        // Checked first: a task can make the instance on the main actor, too.
        if found.isDecoratedAsync || traits.contains(.isAsync) {
            throw path.error(.needsAwait, of: found.registration, request)
        }
        if traits.contains(.isMainActor), !Resolution.withCurrent({ $0.hasMainActor }) {
            throw path.error(.offMainActor, of: found.registration, request)
        }
    }

    private func wait(for awaited: Awaited, _ request: Request, _ path: Path) -> Wait {
        let (building, slot) = (awaited.building, awaited.slot)
        let wait = path.wait(for: building.number)
        wait.path.append(ResolutionError.Step(to: slot, for: request))
        wait.begin = { slot.addWaiter(to: building) }
        wait.product = { slot.product(of: building) }
        return wait
    }

    /// The instance that a wait has led to; nil if the request is to be made again.
    func settle(
        _ outcome: Wait.Outcome,
        _ awaited: Awaited,
        _ request: Request,
        _ path: Path
    ) throws -> AnyBox? {
        let (building, slot) = (awaited.building, awaited.slot)
        switch outcome {
        case .again:
            return nil
        case .product(let box):
            if slot.traits.kind != .permanent { path.madeGraph?.keep(box) }
            // A storage may keep its instance for one graph only, which need not be this one.
            if isStored(slot.traits.kind), slot.hasKept(building) {
                defer { withExtendedLifetime(box) {} }
                return try storedInstance(in: slot, for: request.joinedGraph(of: path))
            }
            if hasFlag(.notesNeeds) { note(path.dependent, needs: slot.node(of: building)) }
            return box
        case .circular(let circle):
            throw ResolutionError(
                .circularDependency(otherPath: circle.flatMap(\.path)),
                request.forError,
                path: path.forError + [ResolutionError.Step(to: slot, for: request)]
            )
        }
    }
}

extension Path {
    /// A wait on behalf of everything that cannot end before it.
    func wait(for number: UInt) -> Wait {
        var blocked: [UInt] = []
        for step in steps {
            if let building = step.pointee.building { blocked.append(building.number) }
            guard step.pointee.isUnderWay else { continue }
            blocked += step.pointee.engine.chain.map(\.number)
        }
        let wait = Wait(for: number, blocking: blocked)
        wait.path = forError
        wait.isFromCallback = isInCallback
        return wait
    }
}
