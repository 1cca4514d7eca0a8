/// Who builds which shared instance, who waits for it, and what happens when they wait for each other.
///
/// This is all that threads and tasks must agree on, as a plain value: no threads, no locks, no time. A worker
/// is a thread that resolves or an asynchronous request, a subject one generation of one shared entry, or a
/// storage or a turn, which one worker at a time may have; a product is an entry's instance. ``Site`` consults
/// it under a lock and does the waiting.
///
/// A thread waits for one thing at a time. The factory of a task may ask for several at once, each by a worker
/// of its own, which acts on behalf of the one that builds: that one goes on when all of them have.
struct Ledger<Subject: TableKey & Hashable, Worker: Hashable, Product> {
    /// What a worker that needs a subject is to do.
    enum Answer {
        /// Build it, and say ``construct(_:_:)``, then ``complete(_:)``, or ``abandon(_:)``; or have the turn,
        /// and say ``pass(_:)``.
        case build
        /// Take this instance. It is complete, or it is the only way out of a circle of workers.
        case take(Product)
        /// Wait until ``outcome(for:)`` gives something.
        case wait
        /// Fail: these workers wait for each other, and the last of them for the requesting one, or for one
        /// on whose behalf that acts. If it needs a turn, go on without.
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
        /// The workers that cannot go on before this one does.
        let principals: [Worker]
        var outcome: Outcome?
    }

    private(set) var builds = HashTable<Subject, Build>()
    private(set) var waits: [Worker: Wait] = [:]
    /// Who waits on behalf of a worker.
    private(set) var agents: [Worker: [Worker]] = [:]
    private var ended: [Worker] = []

    /// Decides what a worker that needs a subject, for itself and those on whose behalf it acts, does.
    mutating func request(
        _ subject: Subject,
        by worker: Worker,
        onBehalfOf principals: [Worker] = [],
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
        if build.builder == worker || principals.contains(build.builder) {
            // The path has been checked: this is a cycle that may go on.
            builds.change(subject) { $0.depth += 1 }
            return .build
        }
        let wait = Wait(
            subject: subject,
            isFromCallback: isFromCallback,
            isForTurn: isTurn,
            principals: principals
        )
        // Each round frees one worker of a circle; several circles may lead through those of one task.
        while true {
            let circle = circle(closedBy: worker, principals, needing: subject)
            if circle.isEmpty {
                begin(wait, of: worker)
                return .wait
            }
            // A turn can be done without: who has it waits.
            if isTurn { return .circular(circle) }
            if let index = circle.firstIndex(where: { waits[$0]?.isForTurn == true }) {
                refuse(circle, at: index, for: worker)
                continue
            }
            // Someone in the circle may need only a complete instance where a constructed one exists. The
            // requesting worker first, then those who wait already.
            if let product = build.product {
                return .take(product)
            }
            if let (other, product) = constructed(in: circle) {
                end(other, .product(product))
                continue
            }
            // A request made from within a callback fails rather than one that a factory stands on.
            if !isFromCallback,
                let index = circle.firstIndex(where: { waits[$0]?.isFromCallback == true })
            {
                refuse(circle, at: index, for: worker)
                continue
            }
            return .circular(circle)
        }
    }

    /// The factory has returned.
    ///
    /// Gives back the instance to keep: the first one that was constructed.
    mutating func construct(
        _ subject: Subject,
        _ product: Product
    ) -> (kept: Product, isFirst: Bool) {
        let known = builds.change(subject) { build -> Product? in
            defer { build.product = build.product ?? product }
            return build.product
        }
        guard let known = known ?? nil else { return (product, true) }
        return (known, false)
    }

    /// A step that built the subject is done.
    ///
    /// Those who wait get the instance.
    mutating func complete(_ subject: Subject) {
        leave(subject) { build in
            build.isComplete = build.product != nil
            return build.product.map(Outcome.product)
        }
    }

    /// A step that built the subject has failed, or has left the storage.
    ///
    /// When it was the last, those who wait request it again.
    mutating func abandon(_ subject: Subject) {
        leave(subject) { _ in nil }
    }

    /// A step that had a turn is done.
    ///
    /// When it was the last, the first who waits has it, and nobody else is woken. (A storage is in use for
    /// moments: to wake a thread for each of them would take longer than all of them together.)
    mutating func pass(_ subject: Subject) {
        guard let build = builds[subject], build.depth == 1, let next = build.waiting.first else {
            return abandon(subject)
        }
        end(next, .passed)
        builds.change(subject) { $0.builder = next }
    }

    /// A worker never goes on: those who wait for what it builds request that again.
    mutating func abandonAll(of worker: Worker) {
        for (subject, build) in builds.all where build.builder == worker {
            builds[subject] = nil
            settle(build, .abandoned)
        }
    }

    /// How a worker's wait ended, once it has; reading it ends the wait.
    mutating func outcome(for worker: Worker) -> Outcome? {
        guard let outcome = waits[worker]?.outcome else { return nil }
        forget(worker)
        return outcome
    }

    /// True while a worker waits, and must not go on.
    func isWaiting(_ worker: Worker) -> Bool {
        waits[worker].map { $0.outcome == nil } ?? false
    }

    /// A worker waits no more, however its wait has ended; nobody cancels the wait for a turn.
    mutating func cancel(_ worker: Worker) {
        if let wait = waits[worker], wait.outcome == nil {
            builds.change(wait.subject) { $0.waiting.removeAll { $0 == worker } }
        }
        forget(worker)
    }

    /// The workers whose waits have ended since the last time: wake them.
    mutating func takeEnded() -> [Worker] {
        defer { ended = [] }
        return ended
    }

    private mutating func begin(_ wait: Wait, of worker: Worker) {
        waits[worker] = wait
        builds.change(wait.subject) { $0.waiting.append(worker) }
        for principal in wait.principals { agents[principal, default: []].append(worker) }
    }

    private mutating func forget(_ worker: Worker) {
        for principal in waits.removeValue(forKey: worker)?.principals ?? [] {
            agents[principal]?.removeAll { $0 == worker }
            if agents[principal]?.isEmpty == true { agents[principal] = nil }
        }
    }

    /// The first of the workers that waits for something of which there is an instance.
    private func constructed(in circle: [Worker]) -> (worker: Worker, product: Product)? {
        for worker in circle {
            if let subject = waits[worker]?.subject, let product = builds[subject]?.product {
                return (worker, product)
            }
        }
        return nil
    }

    private mutating func refuse(_ circle: [Worker], at index: Int, for worker: Worker) {
        let others = circle[(index + 1)...] + [worker] + circle[..<index]
        end(circle[index], .circular(Array(others)))
    }

    private mutating func end(_ worker: Worker, _ outcome: Outcome) {
        if let subject = waits[worker]?.subject {
            builds.change(subject) { $0.waiting.removeAll { $0 == worker } }
        }
        waits[worker]?.outcome = outcome
        ended.append(worker)
    }

    /// Ends a step of a build, with what that is for those who wait: nothing, where another step is to follow.
    private mutating func leave(_ subject: Subject, _ outcome: (inout Build) -> Outcome?) {
        guard var build = builds.remove(subject) else { return }
        build.depth -= 1
        let isLast = build.depth == 0
        if let outcome = outcome(&build) ?? (isLast ? .abandoned : nil) {
            settle(build, outcome)
            build.waiting = []
        }
        if !isLast { builds[subject] = build }
    }

    private mutating func settle(_ build: Build, _ outcome: Outcome) {
        for worker in build.waiting {
            waits[worker]?.outcome = outcome
            ended.append(worker)
        }
    }

    /// The workers through which a worker would wait for itself, or for one on whose behalf it acts, if it
    /// waited for a subject: the first waits for who builds that, the last for one of these.
    private func circle(
        closedBy worker: Worker,
        _ principals: [Worker],
        needing subject: Subject
    ) -> [Worker] {
        var seen: Set<Subject> = []
        var ways: [(needed: Subject, circle: [Worker])] = [(subject, [])]
        while let (needed, circle) = ways.popLast() {
            guard let builder = builds[needed]?.builder, seen.insert(needed).inserted else {
                continue
            }
            if builder == worker || principals.contains(builder) { return circle }
            for waiter in [builder] + (agents[builder] ?? []) {
                guard let wait = waits[waiter], wait.outcome == nil else { continue }
                ways.append((wait.subject, circle + [waiter]))
            }
        }
        return []
    }
}

// A whole state can be compared, so that a test can walk through all that there are.
extension HashTable: Equatable where Value: Equatable {
    static func == (left: HashTable, right: HashTable) -> Bool {
        left.count == right.count && left.cells.allSatisfy { right[$0.key] == $0.value }
    }
}
extension HashTable: Hashable where Key: Hashable, Value: Hashable {
    func hash(into hasher: inout Hasher) {
        // In no order.
        let hashes = cells.map { cell in
            var hasher = Hasher()
            hasher.combine(cell.key)
            hasher.combine(cell.value)
            return hasher.finalize()
        }
        hasher.combine(hashes.reduce(0, ^))
    }
}
extension Ledger.Build: Equatable, Hashable where Product: Hashable {}
extension Ledger.Wait: Equatable, Hashable where Product: Hashable {}
extension Ledger.Outcome: Equatable, Hashable where Product: Hashable {}
extension Ledger: Equatable, Hashable where Product: Hashable {}
