/// Who waits for what, and what happens when they wait for each other, as a plain value: no threads, no locks.
///
/// What is waited for is named by a number: a build, a turn, the work under way in a container, or the end of one.
/// A wait is on behalf of all that cannot end before it does, which is everything on the path of who waits. Threads
/// and tasks differ in nothing else than that a task may have several waits at once.
struct WaitGraph<Product: AnyObject> {
    struct Wait {
        let needed: UInt
        /// What cannot end before this wait does.
        let blocked: [UInt]
        /// True where a callback made the request: what it completes is there already.
        var isFromCallback = false
        /// True where it can go on without what it waits for, so that it is the first of a circle to be refused.
        var yields = false
        fileprivate(set) var outcome: Outcome?
    }

    enum Outcome {
        /// It is over, and has given nothing: look again.
        case again
        case product(Product)
        /// These wait for each other, and the last of them for this one; none where it would wait for itself.
        case circular([UInt])
    }

    private(set) var waits: [UInt: Wait] = Dictionary()
    /// The waits that block something: a container that closes has one for each of its open scopes.
    private var blocking: [UInt: Set<UInt>] = Dictionary()
    /// The waits for something, in their order.
    private var waiting: [UInt: [UInt]] = Dictionary()
    private var ended: [UInt] = []

    var isEmpty: Bool { waits.isEmpty && blocking.isEmpty && waiting.isEmpty }

    /// Begins a wait under a number, or says at once how it ends: nobody waits in a circle.
    ///
    /// The closure gives what has been constructed of something that is waited for.
    mutating func begin(
        _ wait: Wait,
        as number: UInt,
        constructed: (UInt) -> Product?
    ) -> Outcome? {
        // Each round frees one member of a circle; several may lead through the waits of one task.
        while let circle = circle(closedBy: wait) {
            if let outcome = settle(circle, closedBy: wait, number, constructed) { return outcome }
        }
        waits[number] = wait
        waiting[wait.needed, default: []].append(number)
        for blocked in wait.blocked { blocking[blocked, default: []].insert(number) }
        return nil
    }

    /// Frees a member of a circle, or says how the wait ends that closes it.
    private mutating func settle(
        _ circle: [UInt],
        closedBy wait: Wait,
        _ number: UInt,
        _ constructed: (UInt) -> Product?
    ) -> Outcome? {
        // What can be done without is refused first.
        if wait.yields { return .circular(circle) }
        if let index = circle.firstIndex(where: { waits[$0]?.yields == true }) {
            refuse(circle, at: index, for: number)
            return nil
        }
        // Somebody may need only a complete instance where a constructed one exists: the one who asks first, then
        // those who wait already.
        if let product = constructed(wait.needed) { return .product(product) }
        for member in circle {
            guard let needed = waits[member]?.needed, let product = constructed(needed) else {
                continue
            }
            end(member, .product(product))
            return nil
        }
        // A request from within a callback fails rather than one that a factory stands on.
        if !wait.isFromCallback,
            let index = circle.firstIndex(where: { waits[$0]?.isFromCallback == true })
        {
            refuse(circle, at: index, for: number)
            return nil
        }
        return .circular(circle)
    }

    /// The waits between one and itself, where it would close a circle; nil where it would not.
    func circle(closedBy wait: Wait) -> [UInt]? {
        if wait.blocked.contains(wait.needed) { return [] }
        // Nothing that is waited for leads on.
        guard blocking[wait.needed] != nil else { return nil }
        var seen: Set<UInt> = []
        var ways: [(needed: UInt, circle: [UInt])] = [(wait.needed, [])]
        while let (needed, circle) = ways.popLast() {
            if wait.blocked.contains(needed) { return circle }
            guard seen.insert(needed).inserted else { continue }
            for number in blocking[needed]?.ordered(by: <) ?? [] {
                guard let next = waits[number], next.outcome == nil else { continue }
                ways.append((next.needed, circle + [number]))
            }
        }
        return nil
    }

    /// Something is over: who waits for it has its product, or looks again.
    mutating func end(_ needed: UInt, _ product: Product?) {
        for number in waiting.removeValue(forKey: needed) ?? []
        where waits[number]?.outcome == nil {
            end(number, product.map(Outcome.product) ?? .again)
        }
    }

    /// How a wait has ended, once it has; reading it forgets the wait.
    mutating func takeOutcome(of number: UInt) -> Outcome? {
        guard let outcome = waits[number]?.outcome else { return nil }
        forget(number)
        return outcome
    }

    func isWaiting(_ number: UInt) -> Bool { waits[number].map { $0.outcome == nil } ?? false }

    /// A wait is given up; false where it has ended.
    mutating func cancel(_ number: UInt) -> Bool {
        guard isWaiting(number) else { return false }
        forget(number)
        return true
    }

    /// The waits that have ended since the last time: wake those who wait.
    mutating func takeEnded() -> [UInt] {
        defer { ended = [] }
        return ended
    }

    private mutating func refuse(_ circle: [UInt], at index: Int, for number: UInt) {
        let others = circle[(index + 1)...] + [number] + circle[..<index]
        end(circle[index], .circular(Array(others)))
    }

    private mutating func end(_ number: UInt, _ outcome: Outcome) {
        waits[number]?.outcome = outcome
        ended.append(number)
    }

    private mutating func forget(_ number: UInt) {
        guard let wait = waits.removeValue(forKey: number) else { return }
        waiting[wait.needed]?.removeAll { $0 == number }
        if waiting[wait.needed]?.isEmpty == true { waiting[wait.needed] = nil }
        for blocked in wait.blocked {
            blocking[blocked]?.remove(number)
            if blocking[blocked]?.isEmpty == true { blocking[blocked] = nil }
        }
    }
}
