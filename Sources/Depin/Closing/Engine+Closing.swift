extension Resolution.Step {
    /// Counts the work that begins with the step, unless the container has counted it already: that of a frame may be
    /// over before it.
    ///
    /// False for a step that makes something where the container closes, and nobody waits for the step: it is refused.
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
    /// Counts off work that was under way.
    @inline(__always)
    func endWork() {
        let count = workCount.subtract(1, ordering: .sequentiallyConsistent).newValue
        if count == 0, hasFlag(.isClosing) { AwaitedEnd(number: number).tell() }
    }

    private var isWorking: Bool { workCount.load(ordering: .sequentiallyConsistent) > 0 }

    // MARK: - Refusing

    /// True where what is under way on a path is waited for before this container, or a parent of it, closes.
    func closesAfter(_ path: Path) -> Bool {
        chain.contains { closing in
            closing.hasFlag(.isClosing)
                && path.steps.contains { step in
                    step.pointee.isUnderWay && step.pointee.engine.isWithin(closing)
                }
        }
    }

    /// Refuses what is requested of a container that closes, where that would have to be built.
    ///
    /// Of what is shared, whoever comes to build it is refused.
    func checkIsOpen(for request: Request, _ path: Path) throws {
        // A child or a fork that was made too late is not closed, and closes with nobody.
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
        let failure = closedAt.map { ResolutionError.Failure.containerClosed(at: $0) }
        return path.error(failure ?? .containerGone, for: request)
    }

    /// Where the container was closed, or a parent, or one of which it is a fork.
    private var closedAt: CodePlace? {
        for engine in chain {
            for closed in (engine.originals + [engine]).reversed() {
                if let closing = closed.state.withLock({ $0.closing }) { return closing.place }
            }
        }
        return nil
    }

    /// True where the container has been closed, and nothing that is under way may change it any more; says so.
    func refusesChange(_ what: @autoclosure () -> String, at place: CodePlace) -> Bool {
        guard hasFlag(.isClosing), !Resolution.withCurrent({ closesAfter($0.path) }) else {
            return false
        }
        guard let closing = closedAt else { return false }
        printToStandardError(
            "Depin: \(what()) at \(place), is ignored: the container was closed at \(closing)"
        )
        return true
    }

    /// Refuses a scope in a container that has been closed.
    func checkMayOpen(_ scope: ObjectScope, at place: CodePlace) throws {
        guard hasFlag(.isClosing) else { return }
        try Resolution.withCurrent { resolution in
            let path = resolution.path
            guard !closesAfter(path) else { return }
            throw ended(for: Request(ServiceKey(Container.self)), path)
                .required(at: place, by: "withScope", depth: path.forError.count)
        }
    }

    // MARK: - Beginning and ending

    /// Refuses work from now on, here and inside, and says whether nothing is under way or inside.
    ///
    /// What joins later sees the flag.
    func refuseWork() -> Bool {
        setFlag(.isClosing)
        // Before what is inside, to which what is under way may add.
        let isWorking = isWorking
        let isAlone = state.withLock { $0.children.isEmpty && $0.forks.isEmpty }
        let inside = isAlone ? [] : children + closedForks
        for engine in inside { _ = engine.refuseWork() }
        return inside.isEmpty && !isWorking
    }

    /// The forks that close with the container: a validation closes its own itself.
    var closedForks: [Engine] { forks.filter { !$0.isForValidation } }

    /// Returns when what was under way has ended, on behalf of the end of the container, or when the time is over;
    /// gives what is still under way then.
    func waitForWork(_ closing: Closing) async -> [CloseError.Failure] {
        let timeIsOver = timeIsOver(of: closing)
        let wait = Wait(for: number, blocking: [closing.number])
        wait.begin = { self.isWorking && !timeIsOver.hasHappened }
        let hasEnded = await WaitCoordinator.shared.suspend(whileUnderWay: wait)
        return hasEnded && timeIsOver.hasHappened && isWorking ? stillMaking(closing) : []
    }

    /// Happens when nobody waits any more for what keeps the container from its end.
    @inline(never)
    func timeIsOver(of closing: Closing) -> Signal {
        state.withLock { _ in
            let known = closing.timeIsOver ?? Signal()
            closing.timeIsOver = known
            return known
        }
    }

    /// Ends all waiting for what keeps the container from its end, and those that close with it from theirs.
    func endTime() {
        state.withLock { $0.closing }.map(timeIsOver)?.happen()
        AwaitedEnd(number: number).tell()
        for inside in children + forks where inside.hasFlag(.isClosing) { inside.endTime() }
    }

    /// Ends it, with what closers have thrown.
    func endClosing(_ closing: Closing, _ failures: [CloseError.Failure]) {
        end()
        let (hasWaiters, timeIsOver) = state.withLock { _ in
            closing.failures = failures
            return (closing.hasWaiters, closing.timeIsOver)
        }
        timeIsOver?.happen()
        if hasWaiters { AwaitedEnd(number: closing.number).tell() }
    }

    /// What closers have thrown, when all have run; nil where that would wait for who waits.
    func failuresOfClosing(_ wait: (UInt) -> Wait) async -> [CloseError.Failure]? {
        guard let closing = state.withLock({ $0.closing }) else { return [] }
        let wait = wait(closing.number)
        wait.begin = {
            self.state.withLock { _ in
                closing.hasWaiters = true
                return closing.failures == nil
            }
        }
        let hasEnded = await WaitCoordinator.shared.suspend(whileUnderWay: wait)
        return hasEnded ? state.withLock { _ in closing.failures } : nil
    }

    /// Refuses an end that would wait for who asks for it.
    func checkMayClose(at place: CodePlace, _ path: Path) throws {
        // Nobody waits for who does nothing.
        guard path != nil else { return }
        let isCloser = path.steps.contains { step in
            step.pointee.isTurn && step.pointee.engine.isWithin(self)
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

    /// What is to be closed of a container that nobody has closed, in its order.
    private var unclosed: [CloseOrder.Step] {
        guard hasFlag(.notesBuilds) else { return [] }
        let order = state.withLock { $0.closing == nil ? $0.needs.order() : nil }
        return order?.steps() ?? []
    }

    /// Says which closers have not run, where a container has gone that nobody closed.
    ///
    /// What a fork has made closes with the container that it was made from.
    func willEnd() {
        let unclosed = unclosed
        guard !unclosed.isEmpty, !isForValidation else { return }
        if let original = originals.last(where: { !$0.hasFlag(.isClosing) && !$0.isEnded }) {
            return original.discard(unclosed)
        }
        let container = opened.map { "scope \($0.scope), opened at \($0.place)," } ?? "a container"
        printToStandardError(
            "Depin: \(container) was released without close(); these closers did not run: \(names(of: unclosed))"
        )
    }

    /// Says which closers have not run, where the process ends and nobody has closed the app's container.
    func processWillEnd() {
        let unclosed = unclosed
        guard !unclosed.isEmpty else { return }
        printToStandardError(
            """
            Depin: the process ends without close() of the app's container; \
            these closers did not run: \(names(of: unclosed))
              fix: run the program in `assembler.run { … }`, or close the container last
            """
        )
    }

    private func names(of steps: [CloseOrder.Step]) -> String {
        let names = steps.compactMap { $0.instance?.registration }
            .map { "\(ResolutionError.Request($0.key)), registered at \($0.place)" }
        var seen = RareSet<String>()
        return Page.list(names.filter { seen.insert($0) }, lines: Page.lineCount * 3 / 4)
            .joined(separator: "; ")
    }
}
