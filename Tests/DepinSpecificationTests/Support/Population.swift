import Depin
import Foundation

/// Holds objects weakly, and says how many are still there.
final class Population: @unchecked Sendable {
    private struct Member {
        weak var object: AnyObject?
    }

    private let lock = NSLock()
    private var members: [Member] = []  // guarded by lock

    func add(_ object: AnyObject) {
        lock.withLock { members.append(Member(object: object)) }
    }

    /// How many were ever added.
    var total: Int { lock.withLock { members.count } }

    var alive: Int { lock.withLock { members.count { $0.object != nil } } }
}

/// What a thread of its own makes of a body; nil when it has not ended in time.
///
/// A deadlock is then a failure, and the thread is left where it hangs.
func onThread<Result: Sendable>(
    within seconds: Double = 10,
    _ body: @escaping @Sendable () -> Result
) -> Result? {
    let work = Work(body)
    return work.value(within: seconds)
}

/// Work on a thread of its own that may never end.
final class Work<Result: Sendable>: @unchecked Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private var result: Result?  // written before `ended` is signaled, read after it was waited for

    init(_ body: @escaping @Sendable () -> Result) {
        let thread = Thread { [self] in
            result = body()
            ended.signal()
        }
        thread.stackSize = 1 << 21
        thread.start()
    }

    func value(within seconds: Double = 10) -> Result? {
        guard ended.wait(timeout: .now() + seconds) == .success else { return nil }
        ended.signal()
        return result
    }
}

/// Closed until someone opens it.
final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
        semaphore.signal()
    }

    /// False when it is still closed after a time in which it would have been opened.
    @discardableResult
    func wait(within seconds: Double = 10) -> Bool {
        guard semaphore.wait(timeout: .now() + seconds) == .success else { return false }
        semaphore.signal()
        return true
    }
}

/// Ends the process of an exit test with a message.
func expect(_ isSo: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
    if !isSo { fatalError("\(message()) (line \(line))") }
}

/// A name that a test writes as a string.
struct TestName: ServiceName, ExpressibleByStringLiteral {
    let name: String
    init(stringLiteral name: String) { self.name = name }
}
