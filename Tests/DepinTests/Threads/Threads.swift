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
    private var worker: UInt = 0
    private var result: Result?

    init(_ body: @escaping @Sendable () -> Result) {
        let thread = Thread {
            self.worker = Path.withCurrent { $0.number }
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
    func untilItWaits() {
        started.wait()
        while !Site.shared.waitingThreads.contains(worker) { Thread.sleep(forTimeInterval: 0.0002) }
    }

    var hasEnded: Bool { finished.isOpen }

    /// Returns once the thread waits for an instance that another builds, or has ended.
    func untilItWaitsOrEnds() {
        started.wait()
        while !Site.shared.waitingThreads.contains(worker), !hasEnded {
            Thread.sleep(forTimeInterval: 0.0002)
        }
    }

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
    let (here, ended) = (Path.withCurrent { $0.number }, Shared())
    while ended.value < count {
        makeAndDrop { if Path.withCurrent({ $0.number }) != here { ended.count() } }
    }
}

/// Takes what a test asks for without looking at it.
func use<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}

extension Site {
    /// The threads that wait for what others build or use.
    var waitingThreads: Set<UInt> { Set(state.withLock { Array($0.waiting.keys) }) }
}
