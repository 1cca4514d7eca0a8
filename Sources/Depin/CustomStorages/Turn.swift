/// Something that one thread or task has at a time, and may have again inside: a storage of the user's, the factories
/// of a hierarchy, the assemblies of one.
///
/// It is no lock, since the user's code runs meanwhile: who waits is in the wait-for graph, so that a circle is found.
final class Turn: Sendable {
    /// A slot's state, in which nothing ever is ready.
    private let state = Guarded(SlotState<AnyBox>())

    enum Entry {
        case own(Slot.Building)
        case wait(WaitCoordinator.Wait)
    }

    /// What whoever asks for the turn has to do; where it `isNeeded` by nobody, it goes on without it if it must.
    func enter(_ path: Path, isNeeded: Bool) -> Entry {
        let own = state.withLock { $0.current }.flatMap { path.holds($0) ? $0 : nil }
        let entry = state.withLock { $0.enter(own: own, number: Serial.next()) { $0 } }
        switch entry {
        case .make(let building):
            return .own(building)
        case .ready:
            preconditionFailure("a turn that is an instance")
        case .wait(let building):
            return .wait(
                WaitCoordinator.Wait(
                    edge: path.edge(for: building.number, yields: !isNeeded),
                    path: path.forError,
                    begin: { self.state.withLock { _ in building.addWaiter() } }
                )
            )
        }
    }

    func leave(_ building: Slot.Building) {
        let end = state.withLock { state in
            state.leave(building) { _ in .notHere } ? building.awaitedEnd : nil
        }
        if let end { WaitCoordinator.shared.end(end) }
    }
}

extension Turn {
    /// What happened to a request for a turn.
    enum Outcome<Result> {
        case result(Result)
        /// The one that has it waits for the one that asks, by these steps.
        case circular([ResolutionError.Step])
    }

    /// Runs a body when this task alone has the turn, or has it once more, or where waiting for it would be forever.
    ///
    /// - Throws: what the body throws; `CancellationError`, where the task is canceled while it waits.
    func run<Result>(
        in frame: TaskFrame,
        of engine: Engine,
        _ body: (TaskFrame) async throws -> Result
    ) async throws -> Result {
        switch try await runIfFree(in: frame, of: engine, isNeeded: false, body) {
        case .result(let result): result
        case .circular: try await body(frame)
        }
    }

    /// The same, but for where waiting would be forever.
    // Rare, so compiled once, and not for each result: see `RareTable.swift`.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func runIfFree<Result>(
        in frame: TaskFrame,
        of engine: Engine,
        isNeeded: Bool,
        _ body: (TaskFrame) async throws -> Result
    ) async throws -> Outcome<Result> {
        while true {
            switch enter(frame.step, isNeeded: isNeeded) {
            case .own(let building):
                let step = Step(in: engine, turn: building, after: frame.step)
                // Never refused.
                let inner = try TaskFrame(step, in: frame)
                return .result(
                    try await inner.run {
                        // Before the graph ends: what goes with that may ask for the turn.
                        defer { leave(building) }
                        return try await body(inner)
                    }
                )
            case .wait(let wait):
                if case .circular(let path) = try await WaitCoordinator.shared.suspend(wait) {
                    return .circular(path)
                }
            }
        }
    }

    /// Runs a body when this thread alone has the turn, or has it once more.
    ///
    /// Where the thread that has it waits for this one, that would be forever: the body runs at once, as a
    /// part of what the other one does.
    func run<Result>(
        in resolution: Resolution,
        of engine: Engine,
        _ body: () throws -> Result
    ) rethrows -> Result {
        switch try runIfFree(in: resolution, of: engine, isNeeded: false, body) {
        case .result(let result): result
        case .circular: try body()
        }
    }

    /// The same, but for where waiting would be forever.
    // Rare, so compiled once, and not for each result: see `RareTable.swift`.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func runIfFree<Result>(
        in resolution: Resolution,
        of engine: Engine,
        isNeeded: Bool,
        _ body: () throws -> Result
    ) rethrows -> Outcome<Result> {
        while true {
            switch enter(resolution.path, isNeeded: isNeeded) {
            case .own(let building):
                let step = Step(in: engine, turn: building, after: resolution.path)
                return try resolution.inside(step) {
                    // Before the graph ends: what goes with that may ask for the turn.
                    defer { leave(building) }
                    return .result(try body())
                }
            case .wait(let wait):
                if case .circular(let path) = WaitCoordinator.shared.block(wait) {
                    return .circular(path)
                }
            }
        }
    }
}
