import Foundation
import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct ObserverTests {
    @Test func `observers are told on several threads at once`() {
        let meeting = Meeting(of: 4)
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.addObserver(meeting)
        let found = onThreads(4) { _ in container.resolve(Leaf.self) != nil }
        #expect(found == [true, true, true, true])
        #expect(!meeting.isMissed)
    }

    @Test func `each thread's requests are told in their order, and none is lost`() {
        let told = Shared<[UInt64: [String]]>([:])
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.register(Root.self) { r in Root(r.resolve(Leaf.self)) }
        container.addObserver(
            Observer { event in
                let words = "\(event.depth) \(event.request) \(event.duration == nil)"
                told.change { $0[CurrentThread.number, default: []].append(words) }
            }
        )
        let once = ["0 Root true", "1 Leaf true", "1 Leaf false", "0 Root false"]
        let threads = onThreads(8) { _ in
            // A thread that has ended may have had the same id.
            told.change { $0[CurrentThread.number] = [] }
            for _ in 0..<50 { use(container.resolve(Root.self)) }
            return told.change { $0[CurrentThread.number] }
        }
        for lines in threads {
            #expect(lines == [[String]](repeating: once, count: 50).flatMap { $0 })
        }
    }

    @Test func `observers come and go while others resolve`() {
        let count = Shared()
        let container = Container()
        container.register(Leaf.self) { Leaf() }
        container.addObserver(Observer { _ in count.count() })
        use(
            onThreads(4) { thread in
                for _ in 0..<100 {
                    if thread.isMultiple(of: 2) {
                        container.addObserver(Observer { _ in }).end()
                    } else {
                        use(container.resolve(Leaf.self))
                    }
                }
            }
        )
        #expect(count.value == 400, "each request is asked and answered")
    }

    /// The request of one thread begins before, and ends after, the whole of another's.
    @Test func `a trace tells threads apart`() {
        let lines = Shared<[String]>([])
        let (began, mayEnd) = (Gate(), Gate())
        let container = Container()
        container.register(Leaf.self) {
            began.open()
            mayEnd.wait()
            return Leaf()
        }
        container.register(Root.self) { Root(nil) }
        container.addObserver(ResolutionTrace { line in lines.change { $0.append(line) } })
        let slow = Running { container.resolve(Leaf.self) != nil }
        began.wait()
        use(container.resolve(Root.self))
        mayEnd.open()
        #expect(slow.value)
        let words = lines.value.map { $0.prefix { $0 != "," }.replacing(#/ \d.*/#, with: "") }
        #expect(words == ["▸ Leaf", "▸ Root", "◂ Root built in", "◂ Leaf built in"])
    }
}

private struct Observer: ResolutionObserver {
    let tell: @Sendable (ResolutionEvent) -> Void

    func observe(_ event: ResolutionEvent) { tell(event) }
}

/// Lets go of the threads that it is told on when as many are there as it waits for.
private final class Meeting: ResolutionObserver, @unchecked Sendable {
    // Guarded by the condition's lock.
    private let condition = NSCondition()
    private var missing: Int
    private var missed = false

    init(of count: Int) {
        missing = count
    }

    var isMissed: Bool { condition.withLock { missed } }

    func observe(_ event: ResolutionEvent) {
        guard event.outcome == .requested else { return }
        // They meet at once, or never: the time is only for a failure to be seen as one.
        let deadline = Date(timeIntervalSinceNow: 30)
        condition.lock()
        defer { condition.unlock() }
        missing -= 1
        condition.broadcast()
        while missing > 0, !missed {
            if !condition.wait(until: deadline) { missed = true }
        }
    }
}

private final class Leaf: Sendable {}
private final class Root: Sendable {
    let leaf: Leaf?
    init(_ leaf: Leaf?) { self.leaf = leaf }
}
