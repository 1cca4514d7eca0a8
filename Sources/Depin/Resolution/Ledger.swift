/// Who builds which shared instance, who waits for it, and what happens when they wait for each other.
///
/// This is all that threads must agree on, as a plain value: no threads, no locks, no time. A worker
/// is a thread that resolves, a subject one generation of one shared entry, or a storage or a turn, which one
/// worker at a time may have; a product is an entry's instance. ``Site`` consults it under a lock and does
/// the waiting.
struct Ledger<Subject: Hashable, Worker: Hashable, Product> {
    /// What a worker that needs a subject is to do.
    enum Answer {
        /// Build it, and say ``construct(_:_:)``, then ``complete(_:)``, or ``abandon(_:)``; or have the turn,
        /// and say ``pass(_:)``.
        case build
        /// Take this instance. It is complete, or it is the only way out of a circle of workers.
        case take(Product)
        /// Wait until ``outcome(for:)`` gives something.
        case wait
        /// Fail: these workers, the last of which waits for the requesting one, all build what the next
        /// one needs. If it needs a turn, go on without.
        case circular([Worker])
    }

    /// How a wait ended.
    enum Outcome {
        /// The subject was built, or its constructed instance ends a circle.
        case product(Product)
        /// The build failed, or the storage is free. Request it again.
        case abandoned
        /// The turn is this worker's now.
        case passed
        /// Fail: another worker closed a circle, and this one can do without what it waits for.
        case circular([Worker])
    }

    struct Build {
        var builder: Worker
        /// How many steps of the builder are at it: more than one in a legal cycle.
        var depth = 1
        var product: Product?
        var isComplete = false
        var waiting: [Worker] = []
    }

    struct Wait {
        let subject: Subject
        /// True where a callback made the request: what it completes is there already.
        let isFromCallback: Bool
        let isForTurn: Bool
        var outcome: Outcome?
    }

    private(set) var builds: [Subject: Build] = [:]
    private(set) var waits: [Worker: Wait] = [:]
    private var ended: [Worker] = []

    /// Decides what a worker that needs a subject does.
    mutating func request(
        _ subject: Subject,
        by worker: Worker,
        fromCallback isFromCallback: Bool = false,
        isTurn: Bool = false
    ) -> Answer {
        guard let build = builds[subject] else {
            builds[subject] = Build(builder: worker)
            return .build
        }
        if build.isComplete, let product = build.product {
            return .take(product)
        }
        if build.builder == worker {
            // The path has been checked: this is a cycle that may go on.
            builds[subject]?.depth += 1
            return .build
        }
        let circle = circle(closedBy: worker, needing: subject)
        let wait = Wait(subject: subject, isFromCallback: isFromCallback, isForTurn: isTurn)
        if circle.isEmpty {
            begin(wait, of: worker)
            return .wait
        }
        // A turn can be done without: who has it waits.
        if isTurn { return .circular(circle) }
        if let index = circle.firstIndex(where: { waits[$0]?.isForTurn == true }) {
            refuse(circle, at: index, for: worker)
            begin(wait, of: worker)
            return .wait
        }
        // Someone in the circle may need only a complete instance where a constructed one exists. The
        // requesting worker first, then those who wait already.
        if let product = build.product {
            return .take(product)
        }
        for other in circle {
            if let needed = waits[other]?.subject, let product = builds[needed]?.product {
                end(other, .product(product))
                begin(wait, of: worker)
                return .wait
            }
        }
        // A request made from within a callback fails rather than one that a factory stands on.
        if !isFromCallback,
            let index = circle.firstIndex(where: { waits[$0]?.isFromCallback == true })
        {
            refuse(circle, at: index, for: worker)
            begin(wait, of: worker)
            return .wait
        }
        return .circular(circle)
    }

    /// The factory has returned.
    ///
    /// Gives back the instance to keep: the first one that was constructed.
    mutating func construct(
        _ subject: Subject,
        _ product: Product
    ) -> (kept: Product, isFirst: Bool) {
        if let kept = builds[subject]?.product { return (kept, false) }
        builds[subject]?.product = product
        return (product, true)
    }

    /// A step that built the subject is done.
    ///
    /// Those who wait get the instance.
    mutating func complete(_ subject: Subject) {
        guard let product = builds[subject]?.product else { return abandon(subject) }
        builds[subject]?.isComplete = true
        settle(subject, .product(product))
        leave(subject)
    }

    /// A step that built the subject has failed, or has left the storage.
    ///
    /// When it was the last, those who wait request it again.
    mutating func abandon(_ subject: Subject) {
        if builds[subject]?.depth == 1 {
            settle(subject, .abandoned)
        }
        leave(subject)
    }

    /// A step that had a turn is done.
    ///
    /// When it was the last, the first who waits has it, and nobody else is woken. (A storage is in use for
    /// moments: to wake a thread for each of them would take longer than all of them together.)
    mutating func pass(_ subject: Subject) {
        guard let build = builds[subject], build.depth == 1, let next = build.waiting.first else {
            return leave(subject)
        }
        end(next, .passed)
        builds[subject]?.builder = next
    }

    /// A worker never goes on: those who wait for what it builds request that again.
    mutating func abandonAll(of worker: Worker) {
        for (subject, build) in builds where build.builder == worker {
            settle(subject, .abandoned)
            builds[subject] = nil
        }
    }

    /// How a worker's wait ended, once it has; reading it ends the wait.
    mutating func outcome(for worker: Worker) -> Outcome? {
        guard let outcome = waits[worker]?.outcome else { return nil }
        waits[worker] = nil
        return outcome
    }

    /// The workers whose waits have ended since the last time: wake them.
    mutating func takeEnded() -> [Worker] {
        defer { ended = [] }
        return ended
    }

    private mutating func begin(_ wait: Wait, of worker: Worker) {
        waits[worker] = wait
        builds[wait.subject]?.waiting.append(worker)
    }

    private mutating func refuse(_ circle: [Worker], at index: Int, for worker: Worker) {
        let others = circle[(index + 1)...] + [worker] + circle[..<index]
        end(circle[index], .circular(Array(others)))
    }

    private mutating func end(_ worker: Worker, _ outcome: Outcome) {
        if let subject = waits[worker]?.subject {
            builds[subject]?.waiting.removeAll { $0 == worker }
        }
        waits[worker]?.outcome = outcome
        ended.append(worker)
    }

    private mutating func leave(_ subject: Subject) {
        builds[subject]?.depth -= 1
        if builds[subject]?.depth == 0 {
            builds[subject] = nil
        }
    }

    private mutating func settle(_ subject: Subject, _ outcome: Outcome) {
        for worker in builds[subject]?.waiting ?? [] {
            waits[worker]?.outcome = outcome
            ended.append(worker)
        }
        builds[subject]?.waiting = []
    }

    /// The workers through which a worker would wait for itself, if it waited for a subject.
    private func circle(closedBy worker: Worker, needing subject: Subject) -> [Worker] {
        var circle: [Worker] = []
        var needed = subject
        while let builder = builds[needed]?.builder {
            if builder == worker { return circle }
            circle.append(builder)
            guard let wait = waits[builder], wait.outcome == nil else { return [] }
            needed = wait.subject
        }
        return []
    }
}

// A whole state can be compared, so that a test can walk through all that there are.
extension Ledger.Build: Equatable, Hashable where Product: Hashable {}
extension Ledger.Wait: Equatable, Hashable where Product: Hashable {}
extension Ledger.Outcome: Equatable, Hashable where Product: Hashable {}
extension Ledger: Equatable, Hashable where Product: Hashable {}
