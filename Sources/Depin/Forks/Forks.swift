// A fork has the registrations of a container, and slots of its own. In the fork's resolutions it takes the place of
// the containers that it was made from, where factories have captured them.

extension Engine {
    /// An engine with the same registrations, and nothing built.
    @_optimize(size)
    func fork(parent: Engine?) -> Engine {
        let fork = Engine(
            parent: parent,
            defaultScope: defaultScope,
            originals: originals + [self],
            opened: opened?.forked
        )
        let all = registry.slots
        for slot in all where slot.forward == nil {
            _ = fork.registry.put(for: slot.key) { lock in
                Slot(slot.registration, lock, ready: slot.registration.instance)
            }
        }
        for forward in all.compactMap(\.forward) {
            let found = fork.counterpart(of: forward.target)
            fork.put(forward.key, to: found, at: forward.place)
        }
        // The parents' forks came first, so what they forward to this container leads to the original.
        for outer in fork.chain.dropFirst() {
            for forward in outer.registry.slots.compactMap(\.forward)
            where forward.target.holder === self {
                let found = fork.counterpart(of: forward.target)
                outer.put(forward.key, to: found, at: forward.place)
            }
        }
        let additions = state.withLock { $0.additions.forked }
        fork.state.withLock { $0.additions.adopt(additions) }
        for decorator in decorators { fork.addDecorator(decorator) }
        for observer in inheritedObservers { fork.observe(by: observer) }
        for original in fork.originals { original.noteFork(fork) }
        // Only now, when what begins later reaches the fork.
        let inherited: [Flag] = [.notesNeeds, .notesBuilds, .notesBuildsOfChildren, .hasBehaviors]
        for flag in inherited where hasFlag(flag) { fork.setFlag(flag) }
        return fork
    }

    private func noteFork(_ fork: Engine) {
        state.withLock { state in
            state.forks[fork.number] = fork
            setFlag(.hasForks)
            setFlag(.wasForked)
        }
        if hasFlag(.isClosing) { fork.setFlag(.isClosing) }
    }

    /// Removes a fork that has gone.
    func endFork(_ fork: Engine) {
        state.withLock { state in
            state.forks[fork.number] = nil
            setFlag(.hasForks, !state.forks.isEmpty)
        }
    }

    /// The forks that have not ended.
    var forks: [Engine] { state.withLock { $0.forks.inOrder } }

    /// The slots of a registration in the forks that have not ended.
    func counterparts(of slot: Slot) -> [Found] {
        forks.compactMap { fork in
            fork.slot(of: slot.registration).map { Found(slot: $0, holder: fork) }
        }
    }

    /// True for this engine, and for those that it is a fork of.
    func stands(for other: Engine) -> Bool {
        self === other || originals.contains { $0 === other }
    }

    /// The fork of an engine that this one is, or that one of its parents is.
    func fork(of original: Engine) -> Engine? {
        chain.first { fork in fork.originals.contains { $0 === original } }
    }

    /// The fork of this engine that a path resolves in, with its owner.
    func inForce(_ path: Path) -> (engine: Engine, owner: Owner?)? {
        guard hasFlag(.hasForks) else { return nil }
        for step in path.steps {
            guard let fork = step.pointee.engine.fork(of: self) else { continue }
            return (fork, step.pointee.owner?.owner(of: fork))
        }
        return nil
    }

    /// This engine, or the fork of it that the thread resolves in.
    package var inForce: Engine {
        guard hasFlag(.hasForks) else { return self }
        return Resolution.withCurrent { inForce($0.path)?.engine } ?? self
    }
}
