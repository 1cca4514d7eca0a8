/// The thin shell of threads around a ``Ledger``.
///
/// There is one for the process, since a circle of threads may go through any number of containers.
/// It is entered only when a shared instance is built, which happens once, a user's storage is used, or a
/// turn is taken, and never with user code.
final class Site: Sendable {
    static let shared = Site()

    enum Subject: Hashable {
        /// One generation of one entry, by the entry's number.
        case instance(entry: UInt, generation: UInt32)
        /// A storage, by the number of its gate.
        case storage(UInt)
        /// The turn of a hierarchy of containers, by the number of its root.
        case turn(UInt)
        /// The turn of those who apply assemblies to a hierarchy, by the number of its root.
        case assembling(UInt)

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
        /// The product of a build that this thread has waited for.
        case built(AnyBox)
        case circular(otherPath: [ResolutionError.Step])
    }

    struct State {
        var ledger = Ledger<Subject, UInt, AnyBox>()
        /// The threads that wait, with their paths.
        var waiting: [UInt: (path: [ResolutionError.Step], condition: Condition)] = [:]

        mutating func wake() {
            for worker in ledger.takeEnded() { waiting[worker]?.condition.signal() }
        }

        func paths(of workers: [UInt]) -> [ResolutionError.Step] {
            workers.flatMap { waiting[$0]?.path ?? [] }
        }
    }

    let state = Guarded(State())

    /// What this thread, which needs a subject, is to do.
    ///
    /// It may wait inside.
    func request(_ subject: Subject, by path: Path) -> Answer {
        let worker = path.number
        let isFromCallback = path.isInCallback
        while true {
            let (answer, condition) = state.withLock { state -> (Answer?, Condition?) in
                switch state.ledger.request(
                    subject,
                    by: worker,
                    fromCallback: isFromCallback,
                    isTurn: subject.isTurn
                ) {
                case .build:
                    return (.build, nil)
                case .take(let product):
                    return (.take(product), nil)
                case .circular(let circle):
                    return (.circular(otherPath: state.paths(of: circle)), nil)
                case .wait:
                    let condition = Condition()
                    state.waiting[worker] = (path.forError, condition)
                    // The request may have ended another thread's wait.
                    state.wake()
                    return (nil, condition)
                }
            }
            if let answer { return answer }
            guard let condition, let answer = wait(worker, condition) else { continue }
            return answer
        }
    }

    private func wait(_ worker: UInt, _ condition: Condition) -> Answer? {
        var answer: Answer?
        state.withLock(waitingFor: condition) { state in
            guard let outcome = state.ledger.outcome(for: worker) else { return false }
            switch outcome {
            case .product(let product): answer = .built(product)
            case .abandoned: break
            case .passed: answer = .build
            case .circular(let circle): answer = .circular(otherPath: state.paths(of: circle))
            }
            state.waiting[worker] = nil
            return true
        }
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
    /// Where the thread that has it waits for this one, that would be for ever: the body runs at once, as a
    /// part of what the other one does.
    func inTurn<Result>(
        _ turn: Subject,
        by path: Path,
        _ body: () throws -> Result
    ) rethrows -> Result {
        if case .circular = request(turn, by: path) { return try body() }
        defer {
            state.withLock { state in
                state.ledger.pass(turn)
                state.wake()
            }
        }
        return try body()
    }

    func construct(_ subject: Subject, _ product: AnyBox) -> (kept: AnyBox, isFirst: Bool) {
        state.withLock { $0.ledger.construct(subject, product) }
    }

    func complete(_ subject: Subject) {
        state.withLock { state in
            state.ledger.complete(subject)
            state.wake()
        }
    }

    func abandon(_ subject: Subject) {
        state.withLock { state in
            state.ledger.abandon(subject)
            state.wake()
        }
    }

    /// Abandons all that a thread builds, which never goes on.
    func abandonAll(of path: Path) {
        state.withLock { state in
            state.ledger.abandonAll(of: path.number)
            state.wake()
        }
    }
}
