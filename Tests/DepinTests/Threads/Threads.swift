import Foundation

@testable import Depin

/// Closed until someone opens it; whoever comes before waits.
final class Gate: @unchecked Sendable {  // Guarded by the condition's lock.
    private let condition = NSCondition()
    private var opened = false

    var isOpen: Bool { condition.withLock { opened } }

    func open() {
        condition.lock()
        opened = true
        condition.broadcast()
        condition.unlock()
    }

    func wait() {
        condition.lock()
        while !opened { condition.wait() }
        condition.unlock()
    }
}

/// A value that several threads change.
final class Shared<Value: Sendable>: @unchecked Sendable {  // Guarded by `lock`.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value { change { $0 } }

    func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&stored) }
    }
}

extension Shared where Value == Int {
    convenience init() {
        self.init(0)
    }

    /// Counts one more, and gives the count.
    @discardableResult
    func count() -> Int {
        change {
            $0 += 1
            return $0
        }
    }
}

/// Work on a thread of its own, whose result can be waited for.
///
/// Unchecked: each variable is written once, before its gate opens.
final class Running<Result: Sendable>: @unchecked Sendable {
    private let started = Gate()
    private let finished = Gate()
    private var thread: OwnThread?
    private var result: Result?

    init(_ body: @escaping @Sendable () -> Result) {
        let thread = Thread {
            self.thread = OwnThread()
            self.started.open()
            self.result = body()
            self.finished.open()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Returns once the thread waits for an instance that another builds.
    ///
    /// It looks until that is so: no result depends on how soon it is.
    func untilItWaits(or isOver: () -> Bool = { false }) {
        started.wait()
        while thread?.waits != true, !isOver() { Thread.sleep(forTimeInterval: 0.0002) }
    }

    var hasEnded: Bool { finished.isOpen }

    /// Returns once the thread waits for an instance that another builds, or has ended.
    func untilItWaitsOrEnds() { untilItWaits { hasEnded } }

    /// Waits for the end.
    var value: Result {
        finished.wait()
        guard let result else { fatalError("the gate is open before there is a result") }
        return result
    }
}

/// Runs a body on a number of threads at once and gives what each of them made.
func onThreads<Result: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
    let start = Gate()
    let threads = (0..<count).map { index in
        Running {
            start.wait()
            return body(index)
        }
    }
    start.open()
    return threads.map(\.value)
}

extension Shared where Value == Bool? {
    /// The value, once there is one.
    func whenThere() -> Bool {
        while true {
            if let value { return value }
            Thread.sleep(forTimeInterval: 0.0002)
        }
    }
}

/// An instance whose end runs a body.
final class Dying: Sendable {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit {
        onEnd()
    }
}

/// Makes and drops instances until another thread, which looks at them, has been the last to hold some.
func untilOthersEnd(
    _ count: Int,
    _ makeAndDrop: (_ onEnd: @escaping @Sendable () -> Void) -> Void
) {
    let (here, ended) = (Resolution.withCurrent { $0.number }, Shared())
    while ended.value < count {
        makeAndDrop { if Resolution.withCurrent({ $0.number }) != here { ended.count() } }
    }
}

/// Takes what a test asks for without looking at it.
func use<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}

/// A thread as the system sees it, and since when.
private struct OwnThread {
    /// Whatever it waits for later has a higher number.
    private let number = Serial.next()
    #if os(Linux)
    /// Where the system says what the thread does.
    private let status: String

    init() {
        let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        status = "/proc/\(place ?? "self")/stat"
    }

    private var sleeps: Bool {
        let line = try? String(contentsOfFile: status, encoding: .utf8)
        return line?.split(separator: ")").last?.hasPrefix(" S") ?? false
    }
    #else
    private var sleeps: Bool { true }
    #endif

    /// True where it sleeps for a while, and a wait is under way that may be its own.
    var waits: Bool {
        var known = WaitCoordinator.shared.waitsOfThreads.filter { $0 > number }
        for _ in 0..<6 where !known.isEmpty {
            guard sleeps else { return false }
            Thread.sleep(forTimeInterval: 0.0002)
            known.formIntersection(WaitCoordinator.shared.waitsOfThreads)
        }
        return sleeps && !known.isEmpty
    }
}

extension WaitCoordinator {
    /// The waits of threads that have not ended.
    var waitsOfThreads: Set<UInt> {
        look { waits in
            Set(
                waits.filter { if case .thread = $0.sleeper { true } else { false } }.map(\.number)
            )
        }
    }

    /// The types of what is waited for.
    var awaitedTypes: [Any.Type] {
        look { $0.compactMap { $0.path.last?.request.serviceType } }
    }

    /// Looks at the waits, which nobody else needs to see.
    private func look<Result>(_ body: ([Wait]) -> Result) -> Result {
        guard let graph = Mirror(reflecting: self).descendant("graph") as? Guarded<WaitGraph> else {
            preconditionFailure("who waits is kept in another place")
        }
        return graph.withLock { graph in
            body(graph.waiting.all.flatMap { $0.value.cells.map(\.value) })
        }
    }
}

/// Runs tasks on one thread.
final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
