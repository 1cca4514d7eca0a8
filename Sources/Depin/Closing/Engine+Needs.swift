// Needs between instances are noted only in containers that close something: others pay nothing.

extension Engine {
    /// Notes the needs of instances from now on, here and in the children.
    func noteNeeds() {
        // Another thread that has set the flag may not have told the children yet.
        setFlag(.notesNeeds)
        for child in children { child.noteNeeds() }
    }

    /// True if builds are noted, because their instances may be closed here, or need such instances.
    ///
    /// PERF: not wherever a parent closes something (row 15-app: 94,000 instructions instead of 141,000).
    var notesBuilds: Bool {
        hasFlag(.notesNeeds) && (hasFlag(.notesBuilds) || notesBuildsOfChildren)
    }

    // Recursive, because a loop retains each engine (row 15-app).
    private var notesBuildsOfChildren: Bool {
        hasFlag(.notesBuildsOfChildren) || parent?.notesBuildsOfChildren == true
    }

    /// Notes builds from now on, here or also in the children, if needs are noted.
    func noteBuilds(ofChildren: Bool) {
        setFlag(.notesBuilds)
        if ofChildren { setFlag(.notesBuildsOfChildren) }
    }

    /// Notes that the instances of a slot are to be closed.
    @_optimize(size)
    func noteCloser(of slot: Slot) {
        // Nodes hold their instances, and nothing would ever empty the graph of an ended engine.
        guard !isEnded, !hasFlag(.isClosing) || registry.slot(of: slot.key) === slot else { return }
        let traits = slot.registration.traits
        // The instance may be built in an open scope around this container.
        let outermost =
            traits.kind == .opened ? nearestOpenScope(of: slot.registration) ?? self : self
        outermost.noteBuilds(ofChildren: !traits.kind.isOfHolder)
        outermost.noteNeeds()
        for home in homes(of: slot) {
            for slot in [home.slot] + home.slot.argumentSlots {
                // A registration with an instance closes that instance, without its decorators.
                let made = slot.registration.instance ?? home.holder.keptInstance(in: slot)
                if let made { home.holder.noteKept(made, in: slot) }
            }
        }
        for forked in counterparts(of: slot) { forked.holder.noteCloser(of: forked.slot) }
    }

    /// Notes an instance that exists already.
    private func noteKept(_ made: AnyBox, in slot: Slot) {
        guard let closed = ClosedInstance(slot.registration, made, isKept: true) else { return }
        setFlag(.notesBuilds)
        let known = slot.node
        let number = known == 0 ? Serial.next() : known
        let replaced = state.withLock { state in
            if known == 0 { state.needs.addNode(number) }
            defer {
                state.needs.complete(number, closed, isKept: true)
                if known == 0 { state.needs.endAsking(number) }
            }
            return state.needs.held(number)
        }
        withExtendedLifetime(replaced) {}
        if known == 0 { slot.node = number }
    }

    /// The slots that keep the instances of a slot's registration: those of open scopes, or the slot itself.
    func homes(of slot: Slot) -> [Found] {
        slot.registration.kind == .opened
            ? scopeSlots(of: slot) : [Found(slot: slot, holder: self)]
    }

    /// Notes a factory's product, and how it is closed, if it is.
    func noteMade(
        _ made: AnyBox,
        _ step: UnsafeMutablePointer<Resolution.Step>,
        isKept: Bool,
        _ time: UInt
    ) {
        guard let slot = step.pointee.slot else { return }
        let closed =
            slot.closesWhatIsMade ? ClosedInstance(slot.registration, made, isKept: isKept) : nil
        guard case let node = step.pointee.node, node != 0 else {
            // A closer was added after the build had begun.
            if let closed { discard([CloseOrder.Step(closed, after: [])]) }
            return
        }
        // The node of a registered instance exists already: it closes with the needs of its decorators.
        let known = isKept && slot.traits.contains(.isInstance) ? slot.node : 0
        // A weak scope keeps no value.
        let isKept = isKept && (slot.traits.kind != .weak || made.weakened() != nil)
        let late = state.withLock { state in
            let late = closed == nil ? nil : lateOutcome(state)
            if late == nil {
                state.needs.complete(node, closed, isKept: isKept, at: time)
                state.needs.merge(known, into: node)
            }
            return late
        }
        if let closed, let late { closeInTask(closed, late) }
    }

    /// Notes that the decorated instance closes before anything that its decorators will use.
    func noteDecorating(_ step: UnsafeMutablePointer<Resolution.Step>) {
        guard step.pointee.slot?.wrapping != nil, case let node = step.pointee.node, node != 0,
            step.pointee.registration?.traits.contains(.hasClosers) == true
        else { return }
        // The needs so far are those of the decorated instance.
        state.withLock { $0.needs.needInTurn(for: node) }
    }

    /// Notes that a step's instance is lost: it failed, or another one was first, which the dependent needs instead.
    func noteLost(_ made: AnyBox?, _ step: UnsafeMutablePointer<Resolution.Step>) {
        if let made { noteMade(made, step, isKept: false, Serial.next()) }
        guard step.pointee.isDependent, let lost = step.pointee.dependent else { return }
        let first =
            switch step.pointee.destination {
            case .building(let building): step.pointee.slot?.node(of: building) ?? 0
            case .graph: known(step)?.number ?? 0
            case .nowhere: 0 as UInt
            }
        let dependent = step.pointee.parent.dependent
        let own = dependent?.engine === self ? dependent?.number : nil
        state.withLock { $0.needs.lose(lost.number, to: first, by: own) }
    }

    /// The dependent of the step's slot in its graph.
    private func known(_ step: UnsafeMutablePointer<Resolution.Step>) -> Dependent? {
        guard let graph = Path(step).graph, let slot = step.pointee.slot else { return nil }
        return graph.dependent(of: slot, for: number, step.pointee.arguments)
    }

    /// Has instances closed that nothing keeps any more, in order: a single one, or those that a fork has left.
    ///
    /// If the closers of this engine have begun, or its validation has ended, each closes at once, in a task of its own.
    func discard(_ steps: [CloseOrder.Step]) {
        setFlag(.notesBuilds)
        let late = state.withLock { state in
            let late = lateOutcome(state)
            if late == nil { state.needs.adopt(steps) }
            return late
        }
        guard let late else { return }
        for instance in steps.compactMap(\.instance) { closeInTask(instance, late) }
    }

    /// What closers hear that run at once, because the container's closers have begun without them; nil for none.
    private func lateOutcome(_ state: State) -> ScopeOutcome? {
        if hasFlag(.keepsNothing) { return .canceled }
        return state.closing.flatMap { isEnded || state.progress.hasBegun ? $0.outcome : nil }
    }

    /// Notes that a dependent needs an instance, if both belong to this container: an instance further inside closes
    /// first anyway.
    func note(_ dependent: Dependent?, needs number: UInt) {
        guard let dependent, dependent.engine === self, number != 0 else { return }
        state.withLock { $0.needs.need(of: dependent.number, for: number) }
    }

    /// Sets the node of a build's instance, which the waiters of the build need already.
    func noteBuild(_ building: Slot.Building, of slot: Slot, by node: UInt) {
        // An instance that was held weakly here has gone, unless something outside of its decorators still holds it.
        if slot.traits.kind == .weak, case let old = slot.node, old != 0 {
            let held = state.withLock { $0.needs.held(old) }
            if held == nil { forgetNeeds([old]) }
        }
        let dependents = slot.setNode(node, of: building)
        guard !dependents.isEmpty else { return }
        state.withLock { state in
            for dependent in dependents { state.needs.need(of: dependent, for: node) }
        }
    }

    /// True if a slot's registration has been replaced or removed.
    func isReplaced(_ slot: Slot) -> Bool {
        // A slot for arguments has the registration of the slot for all arguments.
        let registration = slot.registration
        guard slot.wrapping == nil, registration.kind != .opened else { return false }
        return registry.slot(of: registration.key)?.registration !== registration
            && places(of: registration).isEmpty
    }

    /// Drops the instances of a slot, or of its target, if no key leads there any more: they are not closed.
    @inline(never)
    func forgetUnfound(_ slot: Slot) {
        let found = target(of: slot)
        let isOpened = found.slot.traits.kind == .opened
        guard isOpened || found.holder.hasFlag(.notesBuilds),
            found.holder.places(of: found.registration).isEmpty
        else { return }
        found.holder.empty(found.slot)
        if isOpened { found.holder.dropScopeSlots(of: found.slot) }
    }

    /// Forgets the instances of slots that were emptied: they are not closed.
    @inline(never)
    func forgetNeeds(_ nodes: [UInt]) {
        guard hasFlag(.notesBuilds) else { return }
        let dropped = state.withLock { $0.needs.dropLastMadeFirst(nodes) }
        withExtendedLifetime(dropped) {}
    }
}

extension Resolution.Step {
    /// Notes an instance that is about to be built, as a dependent of its own and for the waiters of its build.
    ///
    /// The needs of an instance that nothing keeps or closes count for the dependent around it.
    mutating func noteBegin() {
        // A decorated instance has no closers of its own: the instance inside has them.
        let closes = withSlot { $0.registration.traits.contains(.hasClosers) } == true
        guard closes || withEngine(\.notesBuilds) else { return }
        if case .nowhere = destination, !closes { return }
        let own = Dependent(in: engine)
        dependent = own
        engine.note(parent.dependent, needs: own.number)
        guard case .building(let building) = destination, let slot else { return }
        engine.noteBuild(building, of: slot, by: own.number)
    }
}
