/// The thin shell of threads and tasks around a ``Ledger``.
///
/// There is one for the process, since a circle of those who wait may go through any number of containers.
/// It is entered only when a shared instance is built, which happens once, a user's storage is used, or a
/// turn is taken, and never with user code.
final class Site: Sendable {
    static let shared = Site()

    enum Subject: Hashable, TableKey {
        /// One generation of one entry, by the entry's number.
        case instance(entry: UInt, generation: UInt32)
        /// A storage, by its gate, which whoever is inside or waits holds.
        case storage(ObjectIdentifier)
        /// The turn of a hierarchy of containers, by the number of its root.
        case turn(UInt)
        /// The turn of those who apply assemblies to a hierarchy, by the number of its root.
        case assembling(UInt)

        /// Numbers that are counted up spread well enough.
        var tableHash: Int {
            switch self {
            case .instance(let number, let generation): Int(bitPattern: number) ^ Int(generation)
            case .storage(let gate): gate.hashValue
            case .turn(let number), .assembling(let number): Int(bitPattern: number)
            }
        }

        var isTurn: Bool {
            switch self {
            case .turn, .assembling: true
            case .instance, .storage: false
            }
        }
    }

    enum Answer {
        case build
        case take(AnyBox)
        /// The product of a build that this worker has waited for.
        case built(AnyBox)
        case circular(otherPath: [ResolutionError.Step])
    }

    struct State {
        var ledger = Ledger<Subject, UInt, AnyBox>()
        /// Who waits.
        var waiting: [UInt: Waiting] = [:]
    }

    struct Waiting {
        let path: [ResolutionError.Step]
        /// Nil for a task that is about to sleep, or has been woken.
        var sleeper: Sleeper?
    }

    enum Sleeper {
        case thread(Condition)
        case task(UnsafeContinuation<Void, Never>)

        func wake() {
            switch self {
            case .thread(let condition): condition.signal()
            case .task(let continuation): continuation.resume()
            }
        }
    }

    let state = Guarded(State())

    // MARK: - Threads

    /// What this thread, which needs a subject, is to do.
    ///
    /// It may wait inside.
    func request(_ subject: Subject, by path: Path) -> Answer {
        let (principals, isFromCallback) = (path.principals, path.isInCallback)
        while true {
            let (answer, condition) = change { state -> (Answer?, Condition?) in
                let answer = state.request(
                    subject,
                    by: path.number,
                    onBehalfOf: principals,
                    fromCallback: isFromCallback
                )
                if let answer { return (answer, nil) }
                let condition = Condition()
                state.waiting[path.number] = Waiting(
                    path: path.forError,
                    sleeper: .thread(condition)
                )
                return (nil, condition)
            }
            if let answer { return answer }
            guard let condition, let answer = wait(path.number, condition) else { continue }
            return answer
        }
    }

    private func wait(_ worker: UInt, _ condition: Condition) -> Answer? {
        var ending: Ending?
        state.withLock(waitingFor: condition) { state in
            ending = state.ending(of: worker)
            return ending != nil
        }
        guard case .answer(let answer) = ending else { return nil }
        return answer
    }

    /// Waits until this thread alone has a storage, or has it once more; ``abandon(_:)`` gives it back.
    ///
    /// - Throws: `ResolutionError`, where waiting would close a circle.
    func enter(_ storage: Subject, by path: Path) throws {
        guard case .circular(let otherPath) = request(storage, by: path) else { return }
        let steps = path.forError
        let request = steps.last?.request ?? ResolutionError.Request(ServiceKey(Any.self))
        throw ResolutionError(.circularDependency(otherPath: otherPath), request, path: steps)
    }

    /// Runs a body when this thread alone has a turn, or has it once more.
    ///
    /// Where the thread that has it waits for this one, that would be forever: the body runs at once, as a
    /// part of what the other one does.
    func inTurn<Result>(
        _ turn: Subject,
        by path: Path,
        _ body: () throws -> Result
    ) rethrows -> Result {
        if case .circular = request(turn, by: path) { return try body() }
        defer { change { $0.ledger.pass(turn) } }
        return try body()
    }

    // MARK: - Tasks

    /// What a task, which needs a subject for a frame, is to do.
    ///
    /// It may be suspended inside.
    ///
    /// - Throws: `CancellationError`, when the task is canceled while it waits.
    func request(_ subject: Subject, by frame: AsyncFrame) async throws -> Answer {
        let (principals, path) = (frame.principals, frame.path)
        while true {
            let answer = change { state -> Answer? in
                let answer = state.request(
                    subject,
                    by: frame.number,
                    onBehalfOf: principals,
                    fromCallback: false
                )
                if answer == nil {
                    state.waiting[frame.number] = Waiting(path: path)
                }
                return answer
            }
            if let answer { return answer }
            await sleep(frame.number)
            switch state.withLock({ $0.ending(of: frame.number) }) {
            case .answer(let answer): return answer
            case .again: continue
            case nil: throw CancellationError()
            }
        }
    }

    /// Suspends a task until its wait has ended, or the task is canceled, which ends it.
    private func sleep(_ worker: UInt) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.ledger.isWaiting(worker) else { return true }
                    state.waiting[worker]?.sleeper = .task(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state -> Waiting? in
                guard state.ledger.isWaiting(worker) else { return nil }
                state.ledger.cancel(worker)
                return state.waiting.removeValue(forKey: worker)
            }
            waiting?.sleeper?.wake()
        }
    }

    // MARK: - Builds

    func construct(_ subject: Subject, _ product: AnyBox) -> (kept: AnyBox, isFirst: Bool) {
        state.withLock { $0.ledger.construct(subject, product) }
    }

    func complete(_ subject: Subject) {
        change { $0.ledger.complete(subject) }
    }

    func abandon(_ subject: Subject) {
        change { $0.ledger.abandon(subject) }
    }

    /// Abandons all that a thread or task builds, which never goes on.
    func abandonAll(of number: UInt) {
        change { $0.ledger.abandonAll(of: number) }
    }

    /// Changes the state, and wakes those whose waits that has ended.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, woken) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeWoken())
        }
        for sleeper in woken { sleeper.wake() }
        return result
    }
}

/// How a wait ended.
private enum Ending {
    case answer(Site.Answer)
    /// Request it again.
    case again
}

extension Site.State {
    /// What a worker is to do; nil for one that is to wait.
    fileprivate mutating func request(
        _ subject: Site.Subject,
        by worker: UInt,
        onBehalfOf principals: [UInt],
        fromCallback isFromCallback: Bool
    ) -> Site.Answer? {
        let answer = ledger.request(
            subject,
            by: worker,
            onBehalfOf: principals,
            fromCallback: isFromCallback,
            isTurn: subject.isTurn
        )
        switch answer {
        case .build: return .build
        case .take(let product): return .take(product)
        case .circular(let circle): return .circular(otherPath: paths(of: circle))
        case .wait: return nil
        }
    }

    /// How a worker's wait has ended; nil where it has not, or where it was canceled.
    fileprivate mutating func ending(of worker: UInt) -> Ending? {
        guard let outcome = ledger.outcome(for: worker) else { return nil }
        defer { waiting[worker] = nil }
        switch outcome {
        case .product(let product): return .answer(.built(product))
        case .abandoned: return .again
        case .passed: return .answer(.build)
        case .circular(let circle): return .answer(.circular(otherPath: paths(of: circle)))
        }
    }

    /// Those to be woken, each once.
    fileprivate mutating func takeWoken() -> [Site.Sleeper] {
        ledger.takeEnded().compactMap { worker in
            defer { if case .task = waiting[worker]?.sleeper { waiting[worker]?.sleeper = nil } }
            return waiting[worker]?.sleeper
        }
    }

    private func paths(of workers: [UInt]) -> [ResolutionError.Step] {
        workers.flatMap { waiting[$0]?.path ?? [] }
    }
}
