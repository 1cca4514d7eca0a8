/// A container's end: who has asked for it, and how far it is.
///
/// First no new builds begin, and those under way end; then children and open scopes close, then what the container
/// keeps; then it is gone. ``Container/close(file:line:)`` sees to that.
struct Closing {
    /// The cores whose closers are running, in the task that runs one.
    @TaskLocal static var underWay: [Core] = []

    static func underWay(and core: Core) -> [Core] {
        let others = underWay
        // PERF: adding two arrays takes 600 instructions, and nearly always there are no others.
        return others.isEmpty ? [core] : others + [core]
    }

    /// Where `close()` was called.
    let place: CodePlace
    fileprivate var builds: Signal?
    /// True when builds have ended, and none may begin any more.
    fileprivate var isDrained = false
    fileprivate var failures: [CloseError.Failure]?
    /// Where somebody waits for the end.
    fileprivate var end: Signal?

    fileprivate init(at place: CodePlace) {
        self.place = place
    }
}

extension Core {
    /// Begins the end of the container; false where it has begun before.
    func beginClosing(at place: CodePlace) -> Bool {
        refuseBuilds { state in
            let isFirst = state.closing == nil
            if isFirst { state.closing = Closing(at: place) }
            return isFirst
        }
    }

    private func refuseBuilds<Result>(_ change: (inout State) -> Result) -> Result {
        // A child that joins later sees the flag.
        let (result, children) = state.withLock { state in
            setFlag(.isClosing, true)
            return (change(&state), state.children)
        }
        for cell in children.cells { cell.value.refuseBuilds { _ in } }
        return result
    }

    /// Ends it, with what closers have thrown.
    func endClosing(_ failures: [CloseError.Failure]) {
        let end = state.withLock { state in
            state.closing?.failures = failures
            return state.closing?.end
        }
        end?.happen()
    }

    /// What closers have thrown, when all have run.
    var failuresOfClosing: [CloseError.Failure] {
        get async {
            let end = state.withLock { state -> Signal? in
                guard state.closing?.failures == nil else { return nil }
                let end = state.closing?.end ?? Signal()
                state.closing?.end = end
                return end
            }
            await end?.wait()
            return state.withLock { $0.closing?.failures } ?? []
        }
    }

    // MARK: - Builds

    /// Returns when the builds have ended that were under way.
    func waitForBuilds() async {
        var signal: Signal?
        while !drain(orTell: signal) {
            await signal?.wait()
            signal = Signal()
        }
    }

    /// Has no more builds begin; false where one is under way, whose end the signal will tell.
    ///
    /// Where it is to have no children, it looks for them in the same moment: one of the builds may have opened a
    /// scope.
    func drain(orTell signal: Signal? = nil, ifChildless: Bool = false) -> Bool {
        let mayDrain = state.withLock { state in
            guard !ifChildless || state.children.isEmpty else { return false }
            state.closing?.builds = signal
            state.closing?.isDrained = !isBuilding
            return true
        }
        guard mayDrain else { return false }
        // One that has begun meanwhile has looked at the state before, or looks at it after.
        guard isBuilding else { return true }
        state.withLock { $0.closing?.isDrained = false }
        return false
    }

    /// Counts an instance that is about to be built, and kept or closed here.
    ///
    /// - Throws: `ResolutionError`, where the container closes and nothing waits for what is requested.
    func beginBuild(for request: borrowing ServiceRequest, _ path: Path) throws {
        countBuild()
        guard hasFlag(.isClosing), !isAwaited(path, without: 1) else { return }
        endBuild()
        throw closed(for: request, path)
    }

    func countBuild() {
        buildCount.add(1, ordering: .sequentiallyConsistent)
    }

    func endBuild() {
        let count = buildCount.subtract(1, ordering: .sequentiallyConsistent).newValue
        if count == 0, hasFlag(.isClosing) { state.withLock { $0.closing?.builds }?.happen() }
    }

    var isBuilding: Bool { buildCount.load(ordering: .sequentiallyConsistent) > 0 }

    /// True where what is under way on a path is waited for before this container, or a parent of it, closes.
    func isAwaited(_ path: Path, without count: Int = 0) -> Bool {
        let isDrained = state.withLock { $0.closing?.isDrained } ?? false
        return !isDrained
            && chain.contains { $0.hasFlag(.isClosing) && path.isBuilding(in: $0, without: count) }
    }

    /// Refuses what is requested of a container that closes, where that would have to be built.
    ///
    /// Of what is shared, whoever comes to build it is refused.
    func checkIsOpen(for request: borrowing ServiceRequest, _ path: Path) throws {
        // A child that was made too late is not closed, and closes with nobody.
        if !chain.contains(where: \.isGone) {
            guard let found = find(request.key), found.entry.kind.isUnshared,
                !isAwaited(path)
            else { return }
        }
        throw closed(for: request, path)
    }

    /// The error for a request to a container that closes, or has been closed.
    func closed(for request: borrowing ServiceRequest, _ path: Path) -> ResolutionError {
        let place = chain.lazy.compactMap { core in core.state.withLock { $0.closing?.place } }
            .first
        let failure = place.map { ResolutionError.Failure.containerClosed(at: $0) }
        return ResolutionError(failure ?? .containerGone, request.forError, path: path.forError)
    }
}

extension Core {
    /// Says which closers have not run, where an open scope has gone that nobody closed.
    func tellIfUnclosed() {
        guard let opened, originals.isEmpty, hasFlag(.notesBuilds) else { return }
        let order = state.withLock { $0.closing == nil ? $0.order : nil }
        guard let order else { return }
        let left = order.steps { $0.hasClosers && $0.box != nil ? $0.entry : nil }.map(\.item)
        guard !left.isEmpty else { return }
        let names = left.map { "\(ResolutionError.Request($0.key)), registered at \($0.place)" }
        printToStandardError(
            "Depin: scope \(opened.scope), opened at \(opened.place), has gone without close():"
                + " no closer ran of " + names.joined(separator: "; ")
        )
    }
}

extension Path {
    /// True where something is under way, but for so many innermost steps, that a core, or a child of it, keeps or
    /// closes.
    func isBuilding(in core: Core, without count: Int = 0) -> Bool {
        steps.dropLast(count).contains { step in
            step.isKept && step.asked.chain.contains { $0 === core }
        }
    }
}
