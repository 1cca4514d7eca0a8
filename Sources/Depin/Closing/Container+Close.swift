extension Container {
    /// Ends the container: closes the instances that it keeps, and refuses every later request.
    ///
    /// ```swift
    /// container.register(Database.self) { LiveDatabase() }
    ///     .inObjectScope(.container)
    ///     .onClose { database in try await database.shutdown() }
    ///
    /// try await container.close()
    /// ```
    ///
    /// First it refuses new builds. Then open scopes and child containers close, all at the same time, and
    /// forks after them, and it waits for builds in progress. Then the closers of ``ServiceEntry/onClose(_:)``
    /// run, those of an instance after the closers of everything that needed it. The container knows these
    /// needs from the requests of factories, including later ones through a ``Lazy``, a ``Provider`` or a kept
    /// resolver. Without known needs, the instance built last closes first. Synchronous closers run one after
    /// the other. Closers that suspend run at the same time, unless their instances need each other.
    ///
    /// Every closer runs, even if others throw or the caller's task is canceled. Closers may use ready
    /// instances. Afterwards every request fails with an error that names the line of this call. An
    /// `@Injected` property that has its service keeps it.
    ///
    /// Closers that take two parameters hear how the work ended: the outcome that you pass here, by default
    /// `completed`. To end a scope whose work failed, write `try await scope.close(.failed(error))`.
    ///
    /// A limit makes sure that this returns. When time runs out, it cancels the closers that are still
    /// running, and stops waiting for them and for builds in progress; the ``CloseError`` names them. The
    /// remaining instances still close in order, as long as one of them ends within each second. The limit
    /// needs a thread on which tasks run: closers that block as many threads as there are processors hold it up.
    ///
    /// Closing twice is the same as closing once: each call waits for the first one, and throws the same
    /// error. You may call it from any thread, but not from a factory or a closer that it would wait for:
    /// that is an error.
    ///
    /// - Parameters:
    ///   - outcome: What closers hear, also those of children and of open scopes.
    ///   - limit: How long closing may take; nil for as long as it takes.
    ///   - file: The file that messages about later requests show.
    ///   - line: The line that they show.
    /// - Throws: ``CloseError`` with all errors of closers, including those of children, and with what is
    ///   still running when time runs out, or ``ResolutionError`` if it would wait for its caller.
    @_alwaysEmitIntoClient
    public func close(
        _ outcome: ScopeOutcome = .completed,
        within limit: Duration? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await close(outcome, within: limit, at: CodePlace(file: file, line: line))
    }

    @usableFromInline
    func close(_ outcome: ScopeOutcome, within limit: Duration?, at place: CodePlace) async throws {
        let engine = engine.inForce
        // A fork may have no other owner.
        let owner = engine === self.engine ? nil : Owner(beside: engine)
        defer { withExtendedLifetime(owner) {} }
        let frame = TaskFrame.current
        let path: Path = frame?.step
        defer { withExtendedLifetime(frame) {} }
        try engine.checkMayClose(at: place, path)
        let closed = engine.beginClosing(outcome, at: place, isLimited: limit != nil)
        if let closed { return try closed.throwIfAny() }
        let timer = limit.map { limit in
            Task {
                // A longer sleep would stop the program, since nanoseconds are counted.
                try? await Task.sleep(for: min(limit, .seconds(1 << 30)))
                if !Task.isCancelled { engine.endTime() }
            }
        }
        defer { timer?.cancel() }
        let failures = await engine.failuresOfClosing { number in
            let wait = path.wait(for: number)
            wait.yields = true
            return wait
        }
        guard let failures else { throw engine.closedFromWithin(at: place, path) }
        try failures.throwIfAny()
    }

    /// Closes the instances that a scope keeps, here and in the parents, and drops them.
    ///
    /// ```swift
    /// extension ObjectScope { static let session = ObjectScope(named: "session") }
    ///
    /// try await container.close(.session)     // at log-out
    /// ```
    ///
    /// This is ``resetObjectScope(_:)-(ObjectScope)`` with closers, in the order of
    /// ``close(_:within:file:line:)``. The container stays open, and builds new instances on request. It does
    /// not wait for a build in progress: the requests that wait for that instance get it, and it is neither
    /// kept nor closed. An instance that another container has built, to which a type here forwards, stays.
    ///
    /// If the scope is one that opens, this also closes every scope of that kind that is open below the container;
    /// closers hear `completed`. In an override, those that `openScope` has opened there are among them.
    ///
    /// - Throws: ``CloseError`` with all errors of closers, or ``ResolutionError`` if it is called from
    ///   code that `close()` would wait for.
    public func close(
        _ objectScope: ObjectScope,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let container = inForce
        let frame = TaskFrame.current
        defer { withExtendedLifetime(frame) {} }
        try container.engine.checkMayClose(at: CodePlace(file: file, line: line), frame?.step)
        var failures: [CloseError.Failure] = []
        var refusal: (any Error)?
        for owner in container.engine.openScopesInForce(of: objectScope) {
            do {
                try await Container.of(owner).close(file: file, line: line)
            } catch let error as CloseError {
                failures += error.failures
            } catch {
                // The others close all the same.
                refusal = error
            }
        }
        // In a task of its own, because canceling the caller must not stop closers.
        failures += await Task {
            defer { withExtendedLifetime(container) {} }
            // All are taken before any closer runs, because an instance may be built anew meanwhile, around one of a
            // parent.
            let closings = container.engine.chain.reversed().map { $0.takeKept(objectScope) }
            var failures: [CloseError.Failure] = []
            for close in closings.reversed() { failures += await close() }
            return failures
        }.value
        try failures.throwIfAny()
        if let refusal { throw refusal }
    }
}

extension [CloseError.Failure] {
    fileprivate func throwIfAny() throws {
        if !isEmpty { throw CloseError(failures: self) }
    }
}

extension Engine {
    /// Closes the container and everything inside; gives the errors of closers if that took no time, and nil if closing
    /// goes on in a task of its own, or has begun before.
    // Not asynchronous itself, because nearly every scope closes at once (row 15: 400 instructions).
    fileprivate func beginClosing(
        _ outcome: ScopeOutcome,
        at place: CodePlace,
        isLimited: Bool
    ) -> [CloseError.Failure]? {
        let closing = Closing(place: place, outcome: outcome)
        let isFirst = state.withLock { state in
            guard state.closing == nil else { return false }
            state.closing = closing
            return true
        }
        guard isFirst else { return nil }
        if refuseWork(), let failures = closeAtOnce(closing, isLimited: isLimited) {
            endClosing(closing, failures)
            return failures
        }
        // In a task of its own, because canceling the caller must not stop closers.
        Task { [owner = Owner(beside: self)] in
            let failures = await frame(ofEnd: closing.number).run { await closeEverything(closing) }
            endClosing(closing, failures)
            withExtendedLifetime(owner) {}
        }
        return nil
    }

    /// The errors of closers that run at once; nil if one suspends, or might exceed the time limit.
    private func closeAtOnce(_ closing: Closing, isLimited: Bool) -> [CloseError.Failure]? {
        guard hasFlag(.notesBuilds) else { return [] }
        let run = CloserRun(state.withLock { $0.needs.order() }, of: self, closing.outcome)
        if run.isEmpty { return [] }
        // A closer must not see that the caller's task has been canceled.
        guard run.suspending.isEmpty, !isLimited, !Task.isCancelled else { return nil }
        state.withLock { $0.progress.hasBegun = true }
        return frame(ofEnd: closing.number).runAtOnce {
            run.runSync { registration in state.withLock { $0.progress.running = registration } }
        }
    }

    private func closeEverything(_ closing: Closing) async -> [CloseError.Failure] {
        var failures = await closeInside(closing)
        failures += await waitForWork(closing)
        // The work that has just ended may have opened a scope.
        failures += await closeInside(closing)
        state.withLock { $0.progress.hasBegun = true }
        let run = takeClosers(closing.outcome)
        return failures + (await run.run(until: timeIsOver))
    }

    /// Closes the children, and then the forks.
    ///
    /// What a child's fork has left to the child may need an instance of this container's fork, which may be a fork
    /// itself.
    private func closeInside(_ closing: Closing) async -> [CloseError.Failure] {
        func ownForks() -> [Engine] {
            closedForks.filter { $0.originals.last { !$0.isEnded } === self }
        }
        var failures: [CloseError.Failure] = []
        // The last one for a fork that is ending at this moment.
        for inside in [{ self.children }, ownForks, { self.closedForks }] {
            for end in closings(of: inside(), with: closing) { failures += await end.value }
        }
        return failures
    }

    /// Begins to close some containers inside of this one.
    // Apart: the compiler writes a loop once more for each `await` in it.
    @inline(never)
    private func closings(
        of inside: [Engine],
        with closing: Closing
    ) -> [Task<[CloseError.Failure], Never>] {
        // Each once: one that has run out of time is still there.
        let new = state.withLock { state in
            inside.filter { state.progress.asked.insert($0.number) }
        }
        return new.compactMap(Owner.init(beside:)).map { owner in
            Task { await close(owner, with: closing) }
        }
    }

    /// Closes a container inside of this one.
    private func close(_ inside: Owner, with closing: Closing) async -> [CloseError.Failure] {
        defer { withExtendedLifetime(inside) {} }
        let inside = inside.engine
        _ = inside.beginClosing(closing.outcome, at: closing.place, isLimited: true)
        if timeIsOver.hasHappened { inside.endTime() }
        // On behalf of this container's end, not of the task that asked for it.
        return await inside.failuresOfClosing { Wait(for: $0, blocking: [closing.number]) } ?? []
    }

    /// The owners of the open scopes of a kind below this container, the oldest first; under an override also those that
    /// `openScope` has opened on the fork.
    fileprivate func openScopesInForce(of scope: ObjectScope) -> [Owner] {
        // Only a scope of this kind can be open; of its form for arguments, each open scope closes its own instances.
        guard scope.isOpenable else { return [] }
        let fork = Neighbors.fork(of: self)?.engine
        return openScopes(of: scope) + (fork?.openScopes(of: scope) ?? [])
    }

    /// The same without those of a fork.
    ///
    /// What is inside of a scope closes along, and so do the scope's forks.
    private func openScopes(of scope: ObjectScope) -> [Owner] {
        children.flatMap { child in
            child.opens(scope) && child.originals.isEmpty
                ? [Owner(beside: child)].compactMap(\.self) : child.openScopes(of: scope)
        }
    }

    /// Takes the instances made so far out, for closing them.
    func takeClosers(_ outcome: ScopeOutcome) -> CloserRun {
        CloserRun(takeNeeds().order(), of: self, outcome)
    }

    /// Takes the graph of needs out.
    func takeNeeds() -> NeedsGraph {
        state.withLock { state in
            defer { state.needs = NeedsGraph() }
            return state.needs
        }
    }

    /// Takes the instances that a scope keeps here out of their slots, unless the container closes; gives what closes
    /// them.
    ///
    /// Closing the container waits until that has ended, as for a build.
    fileprivate func takeKept(_ scope: ObjectScope) -> () async -> [CloseError.Failure] {
        workCount.add(1, ordering: .sequentiallyConsistent)
        let isClosing = hasFlag(.isClosing)
        let dropped = isClosing ? [] : reset(scope, isForClosing: true)
        let nodes = dropped.map(\.node)
        // Taken out with the order, so that nobody else closes them again.
        let (order, taken) = state.withLock { state in
            (state.needs.order(of: nodes), state.needs.dropLastMadeFirst(nodes))
        }
        let run = CloserRun(order, of: self, .completed)
        return { [self] in
            defer {
                withExtendedLifetime((dropped, taken)) {}
                endWork()
            }
            return await frame(ofEnd: Serial.next()).run { await run.run() }
        }
    }

    /// The frame of closers, which tells a request among them that it would wait for its own end.
    private func frame(ofEnd number: UInt) -> TaskFrame {
        let outer = TaskFrame.current
        let step = Resolution.Step(in: self, turn: Slot.Building(number), after: outer?.step)
        return TaskFrame(step, in: outer)
    }
}
