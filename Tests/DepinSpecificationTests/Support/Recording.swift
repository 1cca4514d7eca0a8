import Foundation

/// Counts from any thread.
final class CallCount: @unchecked Sendable {  // guarded by lock
    private let lock = NSLock()
    private var value = 0

    var count: Int { lock.withLock { value } }

    @discardableResult
    func add(_ amount: Int = 1) -> Int {
        lock.withLock {
            value += amount
            return value
        }
    }
}

/// Notes what happens, in order, from any thread.
final class EventLog<Element>: @unchecked Sendable {  // guarded by lock
    private let lock = NSLock()
    private var elements: [Element] = []

    var all: [Element] { lock.withLock { elements } }

    func note(_ element: Element) {
        lock.withLock { elements.append(element) }
    }

    func takeAll() -> [Element] {
        lock.withLock {
            defer { elements = [] }
            return elements
        }
    }
}
