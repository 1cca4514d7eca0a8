/// The thin shell of threads around a ``ConstructionLedger``: one lock, one condition.
///
/// There is one for the process, since a circle of threads may go through any number of containers.
/// It is entered only when a shared instance is built, which happens once, and never with user code.
final class ConstructionSite: Sendable {
    static let shared = ConstructionSite()

    /// One generation of one entry.
    ///
    /// The builder holds the entry, so its address names it.
    struct Subject: Hashable {
        let entry: ObjectIdentifier
        let generation: UInt32
    }

    enum Answer {
        case build
        case take(AnyObject)
        /// The product of a build that this thread has waited for.
        case built(AnyObject)
        case circular(otherPath: [ResolutionError.Step])
    }

    private struct State {
        var ledger = ConstructionLedger<Subject, UInt, AnyObject>()
        /// The paths of the threads that wait.
        var paths: [UInt: [ResolutionError.Step]] = [:]
    }

    private let lock = Lock()
    private let changed = Condition()
    private nonisolated(unsafe) var state = State()  // guarded by lock

    /// What this thread, which needs a subject, is to do.
    ///
    /// It may wait inside.
    func request(_ subject: Subject, path: () -> [ResolutionError.Step]) -> Answer {
        let worker = CurrentThread.id
        return lock.withLock {
            while true {
                switch state.ledger.request(subject, by: worker) {
                case .build:
                    return .build
                case .take(let product):
                    return .take(product)
                case .circular(let circle):
                    return .circular(otherPath: circle.flatMap { state.paths[$0] ?? [] })
                case .wait:
                    state.paths[worker] = path()
                    defer { state.paths[worker] = nil }
                    if case .product(let product) = waitForOutcome(worker) {
                        return .built(product)
                    }
                }
            }
        }
    }

    private func waitForOutcome(
        _ worker: UInt
    ) -> ConstructionLedger<Subject, UInt, AnyObject>.Outcome {
        // The request may have ended another thread's wait.
        changed.wakeAll()
        while true {
            if let outcome = state.ledger.outcome(for: worker) { return outcome }
            changed.wait(holding: lock)
        }
    }

    /// True while a thread waits for an instance that another builds.
    func isWaiting(_ worker: UInt) -> Bool {
        lock.withLock { state.paths[worker] != nil }
    }

    func construct(_ subject: Subject, _ product: AnyObject) -> (kept: AnyObject, isFirst: Bool) {
        lock.withLock { state.ledger.construct(subject, product) }
    }

    func complete(_ subject: Subject) {
        lock.withLock {
            state.ledger.complete(subject)
            changed.wakeAll()
        }
    }

    func abandon(_ subject: Subject) {
        lock.withLock {
            state.ledger.abandon(subject)
            changed.wakeAll()
        }
    }
}
