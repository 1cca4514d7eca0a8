// Which instance needs which is seen only in containers that close something: everyone else pays nothing.

extension Engine {
    /// Notes the needs of instances from now on, here and in the children.
    func noteNeeds() {
        guard !hasFlag(.notesNeeds) else { return }
        setFlag(.notesNeeds)
        for child in children { child.noteNeeds() }
    }

    /// True where what is built is noted, since it may be closed here, or need what is.
    ///
    /// PERF: not wherever a parent closes something (row 15-app: 94,000 instructions instead of 141,000).
    var notesBuilds: Bool {
        hasFlag(.notesNeeds)
            && (hasFlag(.notesBuilds) || chain.contains { $0.hasFlag(.notesBuildsOfChildren) })
    }

    /// Notes what is built from now on, here or also in the children, where needs are noted.
    func noteBuilds(ofChildren: Bool) {
        setFlag(.notesBuilds)
        if ofChildren { setFlag(.notesBuildsOfChildren) }
    }

    /// Notes that instances of a slot are to be closed.
    func noteCloser(of slot: Slot) {
        // What is noted is held, and nobody empties what has gone.
        guard !isEnded, !hasFlag(.isClosing) || registry.slot(of: slot.key) === slot else { return }
        let traits = slot.registration.traits
        // An open scope around this container may be who builds.
        let outermost =
            traits.kind == .opened ? nearestOpenScope(of: slot.registration) ?? self : self
        outermost.noteBuilds(ofChildren: !traits.kind.isOfHolder)
        outermost.noteNeeds()
        for (engine, home) in homes(of: slot) {
            for slot in [home] + home.argumentSlots {
                // Where the registration was made with one, its factory gives it without the decorators.
                let made = slot.registration.instance ?? engine.keptInstance(in: slot)
                if let made { engine.noteKept(made, in: slot) }
            }
        }
        for (fork, slot) in counterparts(of: slot) { fork.noteCloser(of: slot) }
    }

    /// Notes an instance that there is already.
    private func noteKept(_ made: AnyBox, in slot: Slot) {
        guard let closed = ClosedInstance(slot.registration, made, isKept: true) else { return }
        setFlag(.notesBuilds)
        let known = slot.node
        let number = known == 0 ? Serial.next() : known
        state.withLock { state in
            if known == 0 { state.needs.addNode(number, isAsking: false) }
            state.needs.complete(number, closed, isKept: true)
        }
        if known == 0 { slot.node = number }
    }

    /// The slots that keep instances of a registration: in open scopes, or the slot itself.
    func homes(of slot: Slot) -> [(engine: Engine, slot: Slot)] {
        slot.registration.kind == .opened ? scopeSlots(of: slot) : [(self, slot)]
    }

    /// Notes what a factory has made, and how it is closed, if it is.
    func noteMade(_ made: AnyBox, _ step: UnsafeMutablePointer<Resolution.Step>, isKept: Bool) {
        guard let slot = step.pointee.slot else { return }
        let closed =
            slot.closesWhatIsMade ? ClosedInstance(slot.registration, made, isKept: isKept) : nil
        if let closed, let outcome = lateOutcome {
            closeInTask(closed, outcome)
            return
        }
        if case let node = step.pointee.node, node != 0 {
            // What was registered as an instance is noted since then, and closes with what its decorators need.
            let known = isKept && slot.traits.contains(.isInstance) ? slot.node : 0
            // A weak scope keeps no value.
            let isKept = isKept && (slot.traits.kind != .weak || made.weakened() != nil)
            state.withLock { state in
                state.needs.complete(node, closed, isKept: isKept)
                state.needs.merge(known, into: node)
            }
        } else if let closed {
            // Somebody has said how it closes since it was begun.
            discard([CloseOrder.Step(closed, after: [])])
        }
    }

    /// Notes that what is decorated closes before what its decorators are about to use.
    func noteDecorating(_ step: UnsafeMutablePointer<Resolution.Step>) {
        guard step.pointee.slot?.wrapping != nil, case let node = step.pointee.node, node != 0,
            step.pointee.registration?.traits.contains(.hasClosers) == true
        else { return }
        // It is all that is needed by now.
        state.withLock { $0.needs.needInTurn(for: node) }
    }

    /// Notes that nobody is given the instance that a step has made, or was to make: the one that asked needs the
    /// instance that was there first, if there is one.
    func noteLost(_ made: AnyBox?, _ step: UnsafeMutablePointer<Resolution.Step>) {
        if let made { noteMade(made, step, isKept: false) }
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

    /// The instance that the graph of a step has.
    private func known(_ step: UnsafeMutablePointer<Resolution.Step>) -> Dependent? {
        guard let graph = Path(step).graph, let slot = step.pointee.slot else { return nil }
        return graph.dependent(of: slot, for: number, step.pointee.arguments)
    }

    /// Has closed what nobody keeps, in its order: an instance, or what a fork has made and left.
    func discard(_ steps: [CloseOrder.Step]) {
        if let outcome = hasFlag(.keepsNothing) ? .canceled : lateOutcome {
            for case let instance? in steps.map(\.instance) { closeInTask(instance, outcome) }
            return
        }
        setFlag(.notesBuilds)
        state.withLock { $0.needs.adopt(steps) }
    }

    /// Notes that who asks needs an instance, where both are this container's: what is inside closes before it anyway.
    func note(_ dependent: Dependent?, needs number: UInt) {
        guard let dependent, dependent.engine === self, number != 0 else { return }
        state.withLock { $0.needs.need(of: dependent.number, for: number) }
    }

    /// Tells a build the node of its instance, and notes that those who wait for the build already need that.
    func noteBuild(_ building: Slot.Building, of slot: Slot, by node: UInt) {
        // What was held weakly here has gone.
        if slot.traits.kind == .weak, case let old = slot.node, old != 0 { forgetReleased(old) }
        let dependents = slot.setNode(node, of: building)
        guard !dependents.isEmpty else { return }
        state.withLock { state in
            for dependent in dependents { state.needs.need(of: dependent, for: node) }
        }
    }

    /// True where another registration has taken the place of a slot's, or none.
    func isReplaced(_ slot: Slot) -> Bool {
        // One for arguments has the registration of the whole.
        let registration = slot.registration
        guard slot.wrapping == nil, registration.kind != .opened else { return false }
        return self.slot(of: registration) == nil
    }

    /// Forgets the instances of a slot, or of that to which it forwards, where no key finds it any more.
    func forgetUnfound(_ slot: Slot) {
        let found = slot.forward?.target ?? Found(slot: slot, holder: self)
        let isOpened = found.slot.traits.kind == .opened
        guard isOpened || found.holder.hasFlag(.notesBuilds),
            found.holder.keys(of: found.slot).isEmpty
        else { return }
        found.holder.forgetNeeds([found.slot])
        if isOpened { found.holder.dropScopeSlots(of: found.slot) }
    }

    /// Forgets the instances of slots that have been emptied, or are found no more: they are not closed.
    func forgetNeeds(_ slots: [Slot]) {
        forgetNeeds(slots.flatMap { [$0.node] + $0.argumentSlots.map(\.node) })
    }

    func forgetNeeds(_ nodes: [UInt]) {
        guard hasFlag(.notesBuilds) else { return }
        let dropped = state.withLock { state in
            nodes.filter { $0 != 0 }.map { state.needs.drop($0) }
        }
        withExtendedLifetime(dropped) {}
    }

    /// Forgets an instance that was held weakly, unless somebody holds it still, out of its decorators.
    private func forgetReleased(_ node: UInt) {
        let held = state.withLock { $0.needs.held(node) }
        if held == nil { forgetNeeds([node]) }
    }
}

extension Resolution.Step {
    /// Notes an instance that is about to be built: whose needs are noted meanwhile, and who waits for it already.
    mutating func noteBegin() {
        beginDependent()
        guard case .building(let building) = destination, let slot else { return }
        engine.noteBuild(building, of: slot, by: node)
    }

    /// The needs are the instance's own, or, where nobody keeps or closes it, those of who asks.
    private mutating func beginDependent() {
        // What is around another slot's instance closes nothing, but that instance does.
        let closes = registration?.traits.contains(.hasClosers) == true
        if case .nowhere = destination, !closes { return }
        guard closes || engine.notesBuilds else { return }
        let own = Dependent(in: engine)
        dependent = own
        engine.note(parent.dependent, needs: own.number)
        guard case .graph = destination, let graph = graph ?? parent.graph, let slot else { return }
        graph.setDependent(own, of: slot, for: engine.number, arguments)
    }
}
