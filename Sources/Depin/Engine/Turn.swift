/// Something that one thread or task has at a time, and may have again inside: a storage of the user's, the factories
/// of a hierarchy, the assemblies of one.
///
/// It is no lock, since the user's code runs meanwhile: who waits is in the wait-for graph, so that a circle is found.
final class Turn: Sendable {
    /// A slot's state, in which nothing ever is ready.
    private let state = Guarded(SlotState<AnyBox>())

    enum Entry {
        case own(Slot.Building)
        case wait(Wait)
    }

    /// What whoever asks for the turn has to do; who has it may lend it, by its number, where it is not `isNeeded`
    /// alone.
    @inline(never)
    func enter(_ path: Path, borrowed: UInt?, isNeeded: Bool) -> Entry {
        let entry = state.withLock { state in
            let own = state.current.flatMap { path.holds($0) || $0.number == borrowed ? $0 : nil }
            return state.enter(own: own, number: Serial.next()) { $0 }
        }
        switch entry {
        case .make(let building):
            return .own(building)
        case .ready:
            preconditionFailure("a turn that is an instance")
        case .wait(let building):
            let wait = path.wait(for: building.number)
            wait.yields = !isNeeded
            wait.begin = { self.state.withLock { _ in building.addWaiter() } }
            return .wait(wait)
        }
    }

    func leave(_ building: Slot.Building) {
        let end = state.withLock { state in
            state.leave(building) { _ in .notHere } ? building.awaitedEnd : nil
        }
        end?.tell()
    }
}

extension Turn {
    /// Runs a body when this thread alone has the turn, or has it once more.
    ///
    /// Where the thread that has it waits for this one, that would be forever: the other one lends it, and goes on to
    /// have it no sooner than both are done; or where it is needed alone, the body is given the steps by which that
    /// waits.
    // Rare, so compiled once, and not for each result: see `RareTable.swift`.
    @_semantics("optimize.sil.specialize.generic.never")
    func run<Result>(
        in resolution: Resolution,
        of engine: Engine,
        isNeeded: Bool = false,
        _ body: (_ circle: [ResolutionError.Step]?) throws -> Result
    ) rethrows -> Result {
        var borrowed: UInt?
        while true {
            switch enter(resolution.path, borrowed: borrowed, isNeeded: isNeeded) {
            case .own(let building):
                let step = Resolution.Step(in: engine, turn: building, after: resolution.path)
                return try resolution.inside(step) {
                    // Before the graph ends: what goes with that may ask for the turn.
                    defer { leave(building) }
                    return try body(nil)
                }
            case .wait(let wait):
                guard case .circular(let circle) = WaitCoordinator.shared.block(wait) else {
                    continue
                }
                if isNeeded { return try body(circle.flatMap(\.path)) }
                borrowed = wait.needed
            }
        }
    }

    /// The same for a task, which is given the frame to go on in.
    ///
    /// - Throws: what the body throws; `CancellationError`, where the task is canceled while it waits.
    // Rare, so compiled once, and not for each result: see `RareTable.swift`.
    @_semantics("optimize.sil.specialize.generic.never")
    func run<Result>(
        in frame: TaskFrame,
        of engine: Engine,
        isNeeded: Bool = false,
        _ body: (TaskFrame, _ circle: [ResolutionError.Step]?) async throws -> Result
    ) async throws -> Result {
        var borrowed: UInt?
        while true {
            switch enter(frame.step, borrowed: borrowed, isNeeded: isNeeded) {
            case .own(let building):
                let step = Resolution.Step(in: engine, turn: building, after: frame.step)
                let inner = TaskFrame(step, in: frame)
                return try await inner.run {
                    // Before the graph ends: what goes with that may ask for the turn.
                    defer { leave(building) }
                    return try await body(inner, nil)
                }
            case .wait(let wait):
                let outcome = try await WaitCoordinator.shared.suspend(wait)
                guard case .circular(let circle) = outcome else { continue }
                if isNeeded { return try await body(frame, circle.flatMap(\.path)) }
                borrowed = wait.needed
            }
        }
    }
}
