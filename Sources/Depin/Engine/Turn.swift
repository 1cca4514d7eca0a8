/// Something that one thread or task has at a time, and may enter again inside: a custom storage, the factories of a
/// hierarchy, or its assemblies.
///
/// It is no lock, since user code runs meanwhile: waiters stand in the wait-for graph, which finds circles.
final class Turn: Sendable {
    /// A slot's state in which nothing ever becomes ready.
    private let state = Guarded(SlotState<AnyBox>())

    enum Entry {
        case own(Slot.Building)
        case wait(Wait)
    }

    /// Enters the turn, or says what to wait for.
    ///
    /// A holder that waits for the caller lends the turn (`borrowed`, its number), unless the caller needs the turn for
    /// itself alone.
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

extension Engine {
    /// The turns of a hierarchy: to run factories, and to apply assemblies.
    final class Turns: Sendable {
        let serial = Turn()
        let assembling = Turn()
    }
}

extension Turn {
    /// Runs a body when this thread has the turn, alone or once more.
    ///
    /// If the holder waits for this thread, waiting would be a deadlock. Then the holder lends the turn, and goes on
    /// only when the body is done. A caller that needs the turn for itself alone gets the steps of that circle instead.
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
                    // Before the graph ends, because code that runs at its end may ask for the turn.
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

    /// The same for a task; the body gets the frame to continue in.
    ///
    /// - Throws: an error of the body; `CancellationError`, if the task is canceled while it waits.
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
                    // Before the graph ends, because code that runs at its end may ask for the turn.
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
