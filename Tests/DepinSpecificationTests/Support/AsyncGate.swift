import Foundation

/// Closed until someone opens it; a task that comes before is suspended.
final class AsyncGate: @unchecked Sendable {  // guarded by lock
    private typealias Waiter = CheckedContinuation<Void, Never>

    private let lock = NSLock()
    private var isOpen = false
    private var waiting: [Waiter] = []

    func wait() async {
        await withCheckedContinuation { (waiter: Waiter) in
            if lock.withLock({ !enqueue(waiter) }) { waiter.resume() }
        }
    }

    func open() {
        for waiter in lock.withLock(empty) { waiter.resume() }
    }

    private func enqueue(_ waiter: Waiter) -> Bool {
        if !isOpen { waiting.append(waiter) }
        return !isOpen
    }

    private func empty() -> [Waiter] {
        defer { (isOpen, waiting) = (true, []) }
        return waiting
    }
}
