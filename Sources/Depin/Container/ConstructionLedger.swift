/// Who builds which shared instance, who waits for it, and what happens when they wait for each other.
///
/// This is all that threads must agree on, as a plain value: no threads, no locks, no time. A worker
/// is a thread that resolves, a subject one generation of one shared entry, a product its instance.
/// ``ConstructionSite`` asks it under a lock and does the waiting.
struct ConstructionLedger<Subject: Hashable, Worker: Hashable, Product> {
    /// What a worker that needs a subject is to do.
    enum Answer {
        /// Build it, and say ``construct(_:_:)``, then ``complete(_:)``, or ``abandon(_:)``.
        case build
        /// Take this instance. It is complete, or it is the only way out of a circle of workers.
        case take(Product)
        /// Wait until ``outcome(for:)`` gives something. Others may have got one: wake them.
        case wait
        /// Fail: these workers, the last of which waits for the asking one, all build what the next
        /// one needs.
        case circular([Worker])
    }

    /// How a wait ended.
    enum Outcome {
        /// The subject was built, or its constructed instance ends a circle.
        case product(Product)
        /// The build failed. Ask again.
        case abandoned
    }

    fileprivate struct Build {
        let builder: Worker
        /// How many frames of the builder are at it: more than one in a legal cycle.
        var depth = 1
        var product: Product?
        var isComplete = false
    }

    fileprivate struct Wait {
        let subject: Subject
        var outcome: Outcome?
    }

    private var builds: [Subject: Build] = [:]
    private var waits: [Worker: Wait] = [:]

    /// True when nobody builds or waits.
    var isIdle: Bool { builds.isEmpty && waits.isEmpty }

    /// Decides what a worker that needs a subject does.
    mutating func request(_ subject: Subject, by worker: Worker) -> Answer {
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
        if circle.isEmpty {
            waits[worker] = Wait(subject: subject)
            return .wait
        }
        // Someone in the circle may need only a complete instance where a constructed one exists. The
        // asking worker first, then those who wait already.
        if let product = build.product {
            return .take(product)
        }
        for other in circle {
            if let wait = waits[other], let product = builds[wait.subject]?.product {
                waits[other]?.outcome = .product(product)
                waits[worker] = Wait(subject: subject)
                return .wait
            }
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

    /// A frame that built the subject is through.
    ///
    /// Those who wait get the instance.
    mutating func complete(_ subject: Subject) {
        guard let product = builds[subject]?.product else { return abandon(subject) }
        builds[subject]?.isComplete = true
        settle(subject, .product(product))
        leave(subject)
    }

    /// A frame that built the subject has failed.
    ///
    /// When it was the last, those who wait ask again.
    mutating func abandon(_ subject: Subject) {
        leave(subject)
        if builds[subject] == nil {
            settle(subject, .abandoned)
        }
    }

    /// How a worker's wait ended, once it has; asking ends the wait.
    mutating func outcome(for worker: Worker) -> Outcome? {
        guard let outcome = waits[worker]?.outcome else { return nil }
        waits[worker] = nil
        return outcome
    }

    private mutating func leave(_ subject: Subject) {
        builds[subject]?.depth -= 1
        if builds[subject]?.depth == 0 {
            builds[subject] = nil
        }
    }

    private mutating func settle(_ subject: Subject, _ outcome: Outcome) {
        for (worker, wait) in waits where wait.subject == subject && wait.outcome == nil {
            waits[worker]?.outcome = outcome
        }
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
extension ConstructionLedger.Build: Equatable, Hashable where Product: Hashable {}
extension ConstructionLedger.Wait: Equatable, Hashable where Product: Hashable {}
extension ConstructionLedger.Outcome: Equatable, Hashable where Product: Hashable {}
extension ConstructionLedger: Equatable, Hashable where Product: Hashable {}
