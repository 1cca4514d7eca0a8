/// A thread's or task's wait for something.
///
/// It is on behalf of everything that cannot end before it, which is everything on the waiter's path. A task differs
/// from a thread only in that it may have several waits at once.
///
/// The waiter sets everything before the wait begins; from then on the lock of the coordinator guards it.
final class Wait {
    enum Outcome {
        /// It is over without an instance: make the request again.
        case again
        /// The instance that was constructed.
        case product(AnyBox)
        /// These waits form a circle with this one; none if it would wait for itself.
        case circular([Wait])
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

    let number: UInt
    let needed: UInt
    /// The numbers of everything that cannot end before this wait.
    let blocked: [UInt]
    /// True if a callback made the request, so the instance that the callback completes exists.
    var isFromCallback = false
    /// True if the waiter can do without: the first wait of a circle to be refused.
    var yields = false
    /// The waiter's steps, for the message of a circle.
    var path: [ResolutionError.Step] = []
    /// Has what is waited for note that it has a waiter; false if that is over already.
    var begin: () -> Bool = { true }
    /// The instance that what is waited for has constructed, if any.
    var product: () -> AnyBox? = { nil }
    fileprivate(set) var outcome: Outcome?
    var sleeper: Sleeper?

    init(for needed: UInt, blocking blocked: [UInt], number: UInt = Serial.next()) {
        (self.needed, self.blocked, self.number) = (needed, blocked, number)
    }
}

/// The wait-for graph, and what happens to a circle of waits: no threads, no locks.
///
/// A number names what is waited for: a build, a turn, the work under way in a container, or the closing of one.
struct WaitGraph {
    typealias Waits = SmallTable<UInt, Wait>

    /// The waits for each number.
    private(set) var waiting = RareTable<UInt, Waits>()
    /// The waits that block each number: a closing container has one for each of its open scopes.
    private var blocking = RareTable<UInt, Waits>()
    private var ended: [Wait] = []

    var isEmpty: Bool { waiting.isEmpty && blocking.isEmpty }

    /// Begins a wait, or gives its outcome at once: nothing waits in a circle.
    mutating func begin(_ wait: Wait) -> Wait.Outcome? {
        guard wait.begin() else { return .again }
        wait.outcome = nil
        // Each round frees one member of a circle. Several circles may lead through the waits of one task.
        while let circle = circle(closedBy: wait) {
            if let outcome = settle(circle, closedBy: wait) { return outcome }
        }
        waiting[wait.needed, default: Waits()][wait.number] = wait
        for blocked in wait.blocked { blocking[blocked, default: Waits()][wait.number] = wait }
        return nil
    }

    /// Frees a member of a circle, or gives the outcome of the wait that closes it.
    private mutating func settle(_ circle: [Wait], closedBy wait: Wait) -> Wait.Outcome? {
        // First the waiters that can do without.
        if wait.yields { return .circular(circle) }
        if let index = circle.firstIndex(where: \.yields) {
            refuse(circle, at: index, for: wait)
            return nil
        }
        // A waiter may wait only for the end of a build that has constructed its instance: it gets that instance. First
        // the new waiter, then the others.
        if let product = wait.product() { return .product(product) }
        for member in circle {
            guard let product = member.product() else { continue }
            resume(member, with: .product(product))
            return nil
        }
        // A callback's request is refused rather than one that a factory depends on.
        if !wait.isFromCallback, let index = circle.firstIndex(where: \.isFromCallback) {
            refuse(circle, at: index, for: wait)
            return nil
        }
        return .circular(circle)
    }

    /// The waits of the circle that a wait would close; nil for none.
    func circle(closedBy wait: Wait) -> [Wait]? {
        var seen = RareSet<UInt>()
        var ways: [(needed: UInt, circle: [Wait])] = [(wait.needed, [])]
        while let (needed, circle) = ways.popLast() {
            if wait.blocked.contains(needed) { return circle }
            guard let next = blocking[needed], seen.insert(needed) else { continue }
            ways += next.inOrder.map { ($0.needed, circle + [$0]) }
        }
        return nil
    }

    /// Ends something: its waiters get the instance, or make their requests again.
    mutating func end(_ needed: UInt, _ product: AnyBox?) {
        for wait in waiting[needed]?.inOrder ?? [] {
            resume(wait, with: product.map(Wait.Outcome.product) ?? .again)
        }
    }

    func isWaiting(_ wait: Wait) -> Bool { waiting[wait.needed]?[wait.number] != nil }

    /// Gives a wait up; false if it has ended.
    mutating func cancel(_ wait: Wait) -> Bool {
        guard isWaiting(wait) else { return false }
        forget(wait)
        return true
    }

    /// The waits that have ended since the last call, whose waiters are to be woken.
    mutating func takeEnded() -> [Wait] {
        defer { ended = [] }
        return ended
    }

    private mutating func refuse(_ circle: [Wait], at index: Int, for wait: Wait) {
        let all = circle + [wait]
        let others = (1..<all.count).map { all[(index + $0) % all.count] }
        resume(circle[index], with: .circular(others))
    }

    private mutating func resume(_ wait: Wait, with outcome: Wait.Outcome) {
        forget(wait)
        wait.outcome = outcome
        ended.append(wait)
    }

    @inline(never)
    private mutating func forget(_ wait: Wait) {
        func drop(_ key: UInt, _ waits: inout RareTable<UInt, Waits>) {
            waits[key]?[wait.number] = nil
            if waits[key]?.isEmpty == true { waits[key] = nil }
        }
        drop(wait.needed, &waiting)
        for blocked in wait.blocked { drop(blocked, &blocking) }
    }
}
