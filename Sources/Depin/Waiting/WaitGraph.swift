/// Something that a thread or a task waits for.
///
/// It is on behalf of all that cannot end before it does, which is everything on the path of who waits. Threads and
/// tasks differ in nothing else than that a task may have several waits at once.
///
/// What changes is set by who waits before that begins, and then guarded by the lock of the coordinator.
final class Wait {
    enum Outcome {
        /// It is over, and has given nothing: look again.
        case again
        /// What has been constructed of it.
        case product(AnyBox)
        /// These wait for each other, and the last of them for this one; none where it would wait for itself.
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
    /// What cannot end before this wait does.
    let blocked: [UInt]
    /// True where a callback made the request: what it completes is there already.
    var isFromCallback = false
    /// True where it can go on without what it waits for, so that it is the first of a circle to be refused.
    var yields = false
    /// The steps of who waits, for the message of a circle.
    var path: [ResolutionError.Step] = []
    /// Notes at what is waited for that it is to tell of its end; false where that is over by now.
    var begin: () -> Bool = { true }
    /// What has been constructed of it.
    var product: () -> AnyBox? = { nil }
    fileprivate(set) var outcome: Outcome?
    var sleeper: Sleeper?

    init(for needed: UInt, blocking blocked: [UInt], number: UInt = Serial.next()) {
        (self.needed, self.blocked, self.number) = (needed, blocked, number)
    }
}

/// Who waits for what, and what happens when they wait for each other: no threads, no locks.
///
/// What is waited for is named by a number: a build, a turn, the work under way in a container, or the end of one.
struct WaitGraph {
    typealias Waits = SmallTable<UInt, Wait>

    /// The waits for something.
    private(set) var waiting = RareTable<UInt, Waits>()
    /// The waits that block something: a container that closes has one for each of its open scopes.
    private var blocking = RareTable<UInt, Waits>()
    private var ended: [Wait] = []

    var isEmpty: Bool { waiting.isEmpty && blocking.isEmpty }

    /// Begins a wait, or says at once how it ends: nobody waits in a circle.
    mutating func begin(_ wait: Wait) -> Wait.Outcome? {
        guard wait.begin() else { return .again }
        wait.outcome = nil
        // Each round frees one member of a circle; several may lead through the waits of one task.
        while let circle = circle(closedBy: wait) {
            if let outcome = settle(circle, closedBy: wait) { return outcome }
        }
        waiting[wait.needed, default: Waits()][wait.number] = wait
        for blocked in wait.blocked { blocking[blocked, default: Waits()][wait.number] = wait }
        return nil
    }

    /// Frees a member of a circle, or says how the wait ends that closes it.
    private mutating func settle(_ circle: [Wait], closedBy wait: Wait) -> Wait.Outcome? {
        // What can be done without is refused first.
        if wait.yields { return .circular(circle) }
        if let index = circle.firstIndex(where: \.yields) {
            refuse(circle, at: index, for: wait)
            return nil
        }
        // Somebody may need only a complete instance where a constructed one exists: the one who asks first, then
        // those who wait already.
        if let product = wait.product() { return .product(product) }
        for member in circle {
            guard let product = member.product() else { continue }
            resume(member, with: .product(product))
            return nil
        }
        // A request from within a callback fails rather than one that a factory stands on.
        if !wait.isFromCallback, let index = circle.firstIndex(where: \.isFromCallback) {
            refuse(circle, at: index, for: wait)
            return nil
        }
        return .circular(circle)
    }

    /// The waits between one and itself, where it would close a circle; nil where it would not.
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

    /// Something is over: who waits for it has its product, or looks again.
    mutating func end(_ needed: UInt, _ product: AnyBox?) {
        for wait in waiting[needed]?.inOrder ?? [] {
            resume(wait, with: product.map(Wait.Outcome.product) ?? .again)
        }
    }

    func isWaiting(_ wait: Wait) -> Bool { waiting[wait.needed]?[wait.number] != nil }

    /// A wait is given up; false where it has ended.
    mutating func cancel(_ wait: Wait) -> Bool {
        guard isWaiting(wait) else { return false }
        forget(wait)
        return true
    }

    /// The waits that have ended since the last time: wake those who wait.
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
