import Foundation
import Synchronization

/// A thread that sleeps for as long as the process lives.
///
/// glibc leaves out the atomics of its locks in a process with one thread, which no app is.
enum SecondThread {
    private static let started: Void = Thread.detachNewThread {
        while true { sleep(1000) }
    }

    static func keep() {
        started
    }
}

/// Two threads that run their loops at the same time.
final class Pair: Sendable {
    static let shared = Pair()

    private typealias Span = Range<ContinuousClock.Instant>

    /// How often the system has taken the core from this thread for another.
    private static var preemptions: Int {
        #if os(Linux)
        var usage = rusage()
        // RUSAGE_THREAD, which the headers hide from Swift.
        getrusage(1, &usage)
        return usage.ru_nivcsw
        #else
        return 0
        #endif
    }

    private let job = Mutex<Operation?>(nil)
    private let offered = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)
    private let arrivals = Atomic<Int>(0)
    private let otherSpan = Mutex<Span?>(nil)  // nil where the thread was interrupted

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                offered.wait()
                guard let operation = job.withLock({ $0 }) else { continue }
                let span = meetAndRun(operation)
                otherSpan.withLock { $0 = span }
                finished.signal()
            }
        }
    }

    /// The time of one operation, on the mean of the two threads.
    ///
    /// On a machine with other work a thread may have to wait for a core until the other has finished,
    /// and then neither meets the other; or loses its core while it runs. Such a measurement is made
    /// again, and in the end given up.
    func nanoseconds(_ mine: Operation, _ other: Operation) -> Double? {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .milliseconds(300) {
            arrivals.store(0, ordering: .sequentiallyConsistent)
            job.withLock { $0 = other }
            offered.signal()
            let span = meetAndRun(mine)
            finished.wait()
            guard let span, let otherSpan = otherSpan.withLock({ $0 }) else { continue }
            let overlap = span.clamped(to: otherSpan).nanoseconds
            let longest = max(span.nanoseconds, otherSpan.nanoseconds)
            guard overlap > 0.8 * longest else { continue }
            let time = span.nanoseconds / Double(mine.batch)
            return (time + otherSpan.nanoseconds / Double(other.batch)) / 2
        }
        return nil
    }

    /// Spins until both are here, so that both loops run at the same time from the first iteration.
    private func meetAndRun(_ operation: Operation) -> Span? {
        arrivals.add(1, ordering: .sequentiallyConsistent)
        while arrivals.load(ordering: .relaxed) < 2 {}
        let before = Self.preemptions
        let start = ContinuousClock.now
        operation.run(operation.batch)
        let end = ContinuousClock.now
        return Self.preemptions == before ? start..<end : nil
    }
}

extension Range<ContinuousClock.Instant> {
    fileprivate var nanoseconds: Double { lowerBound.duration(to: upperBound).nanoseconds }
}

extension Row {
    static let threads = [different, same]

    private static let different: Row = {
        let mine = Operation("8") { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveShared(container)) }
        }
        let other = Operation("8 other") { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveOther(container)) }
        }
        let title = "two threads on different services"
        return Row("8", title, floor: "one thread", goal: 1.3, operation: mine) {
            let alone = (mine.nanoseconds() + other.nanoseconds()) / 2
            guard let together = Pair.shared.nanoseconds(mine, other) else { return nil }
            return Sample(nanoseconds: together, floorNanoseconds: alone)
        }
    }()

    private static let same: Row = {
        let both = Operation("8s") { count in
            let container = Fixture.container
            for _ in 0..<count { sink(resolveShared(container)) }
        }
        let title = "two threads on the same service"
        return Row("8s", title, floor: "L on two", goal: 1.2, operation: both) {
            guard let before = Pair.shared.nanoseconds(.l, .l),
                let time = Pair.shared.nanoseconds(both, both),
                let after = Pair.shared.nanoseconds(.l, .l)
            else { return nil }
            return Sample(nanoseconds: time, floorNanoseconds: (before + after) / 2)
        }
    }()
}
