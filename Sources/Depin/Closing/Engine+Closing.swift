extension Resolution.Step {
    /// Counts the work of the step, unless a step around it counts for the same engine already; a frame's step does not
    /// stand for others, since it may be over first.
    ///
    /// False for a step that makes something in a closing container that does not wait for it: the step is refused.
    @inline(__always)
    @discardableResult
    mutating func beginWork() -> Bool {
        if let parent, parent.pointee.isCounted, parent.pointee.frame == nil,
            parent.pointee.isOf(engine)
        {
            return true
        }
        if isTurn { return true }
        isCounted = true
        let isClosing = withEngine { engine in
            engine.workCount.add(1, ordering: .sequentiallyConsistent)
            return engine.hasFlag(.isClosing)
        }
        guard isClosing, !engine.closesAfter(parent) else { return true }
        endWork()
        return !isMaking
    }

    @inline(__always)
    mutating func endWork() {
        guard isCounted else { return }
        isCounted = false
        withEngine { $0.endWork() }
    }
}

extension Engine {
    /// Counts work off.
    @inline(__always)
    func endWork() {
        let count = workCount.subtract(1, ordering: .sequentiallyConsistent).newValue
        if count == 0, hasFlag(.isClosing) { AwaitedEnd(number: number).tell() }
    }

    private var isWorking: Bool { workCount.load(ordering: .sequentiallyConsistent) > 0 }

    // MARK: - Refusing

    /// True if this container, or a parent of it, is closing and waits for the work on a path.
    func closesAfter(_ path: Path) -> Bool {
        chain.contains { closing in
            closing.hasFlag(.isClosing)
                && path.steps.contains { step in
                    step.pointee.isUnderWay && step.pointee.engine.isWithin(closing)
                }
        }
    }

    /// Refuses a request to a closing container if its service would have to be built.
    ///
    /// A shared service is refused later, when its build is about to begin.
    func checkIsOpen(for request: Request, _ path: Path) throws {
        // A child or a fork that was made too late is closed by nobody.
        let isLate = chain.contains { engine in
            engine.isEnded || engine.originals.contains { $0.isEnded && $0.hasFlag(.isClosing) }
        }
        if !isLate {
            guard let found = find(request.key), found.slot.traits.kind.isUnshared,
                !closesAfter(path)
            else { return }
        }
        throw ended(for: request, path)
    }

    /// The error for a request to a container that closes, or has been closed.
    @inline(never)
    func ended(for request: Request, _ path: Path) -> ResolutionError {
        let failure = closedAt.map {
            ResolutionError.Failure.containerClosed(at: $0.place, scope: $0.scope)
        }
        return path.error(failure ?? .containerGone, for: request)
    }

    /// Where this container, a parent, or one that it was forked from was closed, and which scope that was, if any.
    private var closedAt: (place: CodePlace, scope: String?)? {
        for closed in chain.flatMap({ ($0.originals + [$0]).reversed() }) {
            guard let closing = closed.state.withLock({ $0.closing }) else { continue }
            return (closing.place, closed.opened.map { "\($0.scope)" })
        }
        return nil
    }

    /// True if the container is closed, and the current path may not change it any more; prints that to standard error.
    func refusesChange(_ what: @autoclosure () -> String, at place: CodePlace) -> Bool {
        guard hasFlag(.isClosing), !Resolution.withCurrent({ closesAfter($0.path) }) else {
            return false
        }
        guard let closing = closedAt?.place else { return false }
        printToStandardError(
            "Depin: \(what()) at \(place), is ignored: the container was closed at \(closing)"
        )
        return true
    }

    /// Refuses to open a scope in a container that has been closed, or to warm it up.
    func checkIsOpen(for asker: String, at place: CodePlace? = nil) throws {
        guard hasFlag(.isClosing) else { return }
        try Resolution.withCurrent { resolution in
            let path = resolution.path
            guard !closesAfter(path) else { return }
            let error = ended(for: Request(ServiceKey(Container.self)), path)
            throw located(error, at: place, by: asker)
        }
    }

    // MARK: - Beginning and ending

    /// Refuses new work from now on, here and inside; true if nothing is under way or inside.
    ///
    /// Engines that join later see the flag.
    func refuseWork() -> Bool {
        setFlag(.isClosing)
        // Read before the children, because work under way may add some.
        let isWorking = isWorking
        let isAlone = state.withLock { $0.children.isEmpty && $0.forks.isEmpty }
        let inside = isAlone ? [] : children + closedForks
        for engine in inside { _ = engine.refuseWork() }
        return inside.isEmpty && !isWorking
    }

    /// The forks that close with the container; a validation closes its own fork.
    var closedForks: [Engine] { forks.filter { !$0.isForValidation } }

    /// Waits, on behalf of the container's end, for the work under way, until time runs out; gives what is still under
    /// way then.
    func waitForWork(_ closing: Closing) async -> [CloseError.Failure] {
        let timeIsOver = self.timeIsOver
        let wait = Wait(for: number, blocking: [closing.number])
        wait.begin = { self.isWorking && !timeIsOver.hasHappened }
        _ = await WaitCoordinator.shared.suspend(whileUnderWay: wait)
        return timeIsOver.hasHappened && isWorking ? stillMaking(closing) : []
    }

    /// Happens when closing has run out of time.
    @inline(never)
    var timeIsOver: Signal {
        state.withLock { state in
            let known = state.progress.timeIsOver ?? Signal()
            state.progress.timeIsOver = known
            return known
        }
    }

    /// Ends all waiting on behalf of the container's end, and of the ends of those that close with it.
    func endTime() {
        if let closing = state.withLock({ $0.closing }) {
            timeIsOver.happen()
            AwaitedEnd(number: closing.number).tell()
        }
        AwaitedEnd(number: number).tell()
        for inside in children + forks where inside.hasFlag(.isClosing) { inside.endTime() }
    }

    /// Ends the closing with the errors of closers.
    func endClosing(_ closing: Closing, _ failures: [CloseError.Failure]) {
        end()
        let isWorking = isWorking
        let (hasWaiters, timeIsOver) = state.withLock { state in
            state.progress.failures = failures
            // Nothing is made that could close later, and the outcome's error may hold the container. The caller holds it.
            if !isWorking { state.closing?.outcome = .canceled }
            return (state.progress.hasWaiters, state.progress.timeIsOver)
        }
        timeIsOver?.happen()
        if hasWaiters { AwaitedEnd(number: closing.number).tell() }
    }

    /// The errors of closers when all have run; nil if waiting for them would be circular.
    func failuresOfClosing(_ wait: (UInt) -> Wait) async -> [CloseError.Failure]? {
        guard let closing = state.withLock({ $0.closing }) else { return [] }
        let (wait, timeIsOver) = (wait(closing.number), self.timeIsOver)
        wait.begin = {
            let hasTime = !timeIsOver.hasHappened
            return self.state.withLock { state in
                state.progress.hasWaiters = true
                // Closers that run at once know of no time limit.
                return state.progress.failures == nil && (hasTime || state.progress.running == nil)
            }
        }
        guard await WaitCoordinator.shared.suspend(whileUnderWay: wait) else { return nil }
        return state.withLock { state in
            state.progress.failures
                ?? state.progress.running.map { [CloseError.Failure(of: $0, StillRunning.closer)] }
        }
    }

    /// Refuses a closing that would wait for its caller.
    func checkMayClose(at place: CodePlace, _ path: Path) throws {
        // Nothing waits for a caller that makes nothing.
        guard path != nil else { return }
        let isCloser = path.steps.contains { step in
            step.pointee.isTurn && !step.pointee.isOver && step.pointee.engine.isWithin(self)
        }
        guard isCloser || WaitCoordinator.shared.wouldBeCircular(path.wait(for: number)) else {
            return
        }
        throw closedFromWithin(at: place, path)
    }

    func closedFromWithin(at place: CodePlace, _ path: Path) -> ResolutionError {
        let steps = path.forError
        let request = steps.last?.request ?? ResolutionError.Request(ServiceKey(Container.self))
        return ResolutionError(.closedFromWithin(at: place), request, path: steps)
    }

    /// The container that closes what a fork leaves: the last one that it was forked from and that is open, or has not
    /// ended yet, or was closed while the fork was ending.
    private var heir: Engine? {
        originals.last { !$0.hasFlag(.isClosing) && !$0.isEnded }
            ?? originals.last { !$0.isEnded || $0.state.withLock { $0.closing != nil } }
    }

    /// Drops the instances that scopes keep, here and in the parents.
    ///
    /// A singleton may hold a child of its container, for example for a session, and the child holds the container. An
    /// open scope closes the instances of its forks.
    @_optimize(size)
    package func dropInstances() {
        for engine in chain where engine.opened != nil {
            guard let heir = engine.heir else { continue }
            let steps = engine.takeNeeds().order().steps()
            if !steps.isEmpty { heir.discard(steps) }
        }
        resetChain()
    }

    /// Prints which closers did not run, when a container goes that nobody has closed.
    ///
    /// The instances of a fork close with the container that it was forked from.
    func willEnd() {
        guard hasFlag(.notesBuilds), state.withLock({ $0.closing == nil }) else { return }
        // Taken, because an owner that was late may end the container once more.
        let unclosed = takeNeeds().order().steps()
        guard !unclosed.isEmpty, !isForValidation else { return }
        if let heir { return heir.discard(unclosed) }
        let container = opened.map { "scope \($0.scope), opened at \($0.place)," } ?? "a container"
        printToStandardError(
            "Depin: \(container) was released without close(); these closers did not run: \(names(of: unclosed))"
        )
    }

    /// Prints which closers did not run, when the process ends and nobody has closed the app's container.
    func processWillEnd() {
        let order = state.withLock { $0.closing == nil ? $0.needs.order() : nil }
        guard let unclosed = order?.steps(), !unclosed.isEmpty else { return }
        printToStandardError(
            """
            Depin: the process ends without close() of the app's container; \
            these closers did not run: \(names(of: unclosed))
              fix: run the program in `assembler.run { … }`, or close the container last
            """
        )
    }

    private func names(of steps: [CloseOrder.Step]) -> String {
        let names = steps.compactMap { $0.instance?.registration.words }
        var seen = RareSet<String>()
        return Page.list(names.filter { seen.insert($0) }, lines: Page.lineCount * 3 / 4)
            .joined(separator: "; ")
    }
}
