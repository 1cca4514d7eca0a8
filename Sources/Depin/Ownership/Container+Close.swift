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
    /// First it refuses new builds, and waits for builds in progress. Then open scopes and child containers
    /// close, all at the same time. Then the closers of ``ServiceEntry/onClose(_:)`` run, those of an instance
    /// after the closers of everything that needed it. The container knows these needs from the requests of
    /// factories, including later ones through a ``Lazy``, a ``Provider`` or a kept resolver. Without known
    /// needs, the instance built last closes first. Synchronous closers run one after the other. Closers that
    /// suspend run at the same time, unless their instances need each other.
    ///
    /// Every closer runs, even if others throw or the caller's task is canceled. Closers may use ready
    /// instances. Afterwards every request fails with an error that names the line of this call. An
    /// `@Injected` property that has its service keeps it.
    ///
    /// Closing twice is the same as closing once: each call waits for the first one, and throws the same
    /// error. You may call it from any thread, but not from a factory or a closer that it would wait for:
    /// that is an error.
    ///
    /// - Throws: ``CloseError`` with all errors of closers, including those of children, or
    ///   ``ResolutionError`` if it would wait for its caller.
    public func close(file: StaticString = #fileID, line: UInt = #line) async throws {
        let core = core.inForce
        // A fork may be held by nobody else.
        let owner = core === self.core ? nil : CoreOwner(beside: core)
        defer { withExtendedLifetime(owner) {} }
        let place = CodePlace(file: file, line: line)
        try core.checkMayClose(at: place)
        if let failures = core.end(at: place) { return try failures.check() }
        try await core.failuresOfClosing.check()
    }

    /// Closes the instances that a scope keeps, here and in the parents, and drops them.
    ///
    /// ```swift
    /// extension ObjectScope { static let session = ObjectScope(named: "session") }
    ///
    /// try await container.close(.session)     // at log-out
    /// ```
    ///
    /// This is ``resetObjectScope(_:)-(ObjectScope)`` with closers, in the order of ``close(file:line:)``.
    /// The container stays open, and builds new instances on request. It does not wait for a build in progress:
    /// whoever asked gets that instance, and nobody keeps it or closes it. An instance that another container has
    /// built, to which a type here forwards, stays.
    ///
    /// - Throws: ``CloseError`` with all errors of closers, or ``ResolutionError`` if it is called from
    ///   code that `close()` would wait for.
    public func close(
        _ objectScope: ObjectScope,
        file: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let container = inForce
        try container.core.checkMayClose(at: CodePlace(file: file, line: line))
        var failures: [CloseError.Failure] = []
        for core in container.core.chain {
            // In a task of its own: canceling who waits must not stop closers.
            failures += await Task { await core.end(objectScope) }.value
        }
        withExtendedLifetime(container) {}
        try failures.check()
    }
}

extension [CloseError.Failure] {
    fileprivate func check() throws {
        if !isEmpty { throw CloseError(failures: self) }
    }
}

extension Core {
    /// Refuses to wait for what waits for this.
    fileprivate func checkMayClose(at place: CodePlace) throws {
        let isCloser = Closing.underWay.contains { $0.chain.contains { $0 === self } }
        try Path.withCurrent { path in
            guard isCloser || path.isBuilding(in: self) else { return }
            let steps = path.forError
            let request = steps.last?.request ?? ResolutionError.Request(ServiceKey(Container.self))
            throw ResolutionError(.closedFromWithin(at: place), request, path: steps)
        }
    }

    /// Closes everything; nil where there is something to wait for.
    // PERF: not asynchronous itself, since nearly every scope closes at once (row 15: 400 instructions).
    fileprivate func end(at place: CodePlace) -> [CloseError.Failure]? {
        guard beginClosing(at: place) else { return nil }
        if let failures = endAtOnce() { return failures }
        inTaskOfItsOwn { [self, owner = CoreOwner(beside: self)] in
            await Closing.$underWay.withValue(Closing.underWay(and: self)) {
                let failures = await endEverything(at: place)
                close()
                endClosing(failures)
                withExtendedLifetime(owner) {}
            }
        }
        return nil
    }

    /// Closes everything without a task; nil where there is something to wait for.
    private func endAtOnce() -> [CloseError.Failure]? {
        guard drain(ifChildless: true) else { return nil }
        var failures: [CloseError.Failure] = []
        let order = hasFlag(.notesBuilds) ? state.withLock { $0.order } : nil
        if let order, !order.isEmpty {
            var run = CloserRun(order, \.box)
            // No closer sees that who waits has been canceled.
            guard !run.suspends, !Task.isCancelled else { return nil }
            failures = Closing.$underWay.withValue(Closing.underWay(and: self)) { run.runPlain() }
        }
        close()
        endClosing(failures)
        return failures
    }

    private func endEverything(at place: CodePlace) async -> [CloseError.Failure] {
        var failures = await endChildren(at: place)
        await waitForBuilds()
        // One of the builds may have opened a scope.
        failures += await endChildren(at: place)
        let order = state.withLock { $0.order }
        var run = CloserRun(order, \.box)
        return failures + (await run.run())
    }

    private func endChildren(at place: CodePlace) async -> [CloseError.Failure] {
        let owners = children.sorted { $0.number < $1.number }
            .compactMap(CoreOwner.init(beside:))
        guard !owners.isEmpty else { return [] }
        return await withTaskGroup(of: (Int, [CloseError.Failure]).self) { group in
            for (index, owner) in owners.enumerated() {
                group.addTask {
                    let core = owner.core
                    defer { withExtendedLifetime(owner) {} }
                    if let ended = core.end(at: place) { return (index, ended) }
                    return (index, await core.failuresOfClosing)
                }
            }
            var failures = [[CloseError.Failure]](repeating: [], count: owners.count)
            for await (index, thrown) in group { failures[index] = thrown }
            return failures.flatMap(\.self)
        }
    }

    /// Closes what a scope keeps here.
    fileprivate func end(_ scope: ObjectScope) async -> [CloseError.Failure] {
        // Whoever closes the container waits for it, as for a build.
        countBuild()
        defer { endBuild() }
        guard !hasFlag(.isClosing) else { return [] }
        let order = state.withLock { $0.order }
        var dropped: [UInt: AnyBox] = [:]
        for entry in keptEntries where dropped[entry.number] == nil {
            // What forwards to another container's, and was built there, is closed there.
            guard entry.sink === self || order.number(of: entry.number) != nil else { continue }
            let instances = entry.resetAll(scope)
            guard !instances.isEmpty else { continue }
            entry.sink.forgetInstances(of: entry)
            for (entry, instance) in instances {
                dropped[entry.number] = entry.box(of: instance)
            }
        }
        return await Closing.$underWay.withValue(Closing.underWay(and: self)) {
            var run = CloserRun(order) { instance in
                instance.isKept ? dropped[instance.entry.number].flatMap(instance.bare) : nil
            }
            return await run.run()
        }
    }
}

/// Runs closers: canceling who waits for them must not stop them.
///
/// PERF: at once where the system can, since a task that is queued wakes another thread, and its end wakes this one.
private func inTaskOfItsOwn(_ body: @escaping @Sendable () async -> Void) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate { await body() }
    } else {
        Task { await body() }
    }
}
