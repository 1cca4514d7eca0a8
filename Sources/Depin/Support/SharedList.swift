/// A list to which any thread may add.
///
/// Unchecked: the elements are guarded by the lock.
package final class SharedList<Element: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var elements: [Element] = []  // guarded by lock

    package init() {}

    deinit {
        lock.destroy()
    }

    package func append(_ element: Element) {
        lock.withLock { elements.append(element) }
    }

    /// What was added, in that order.
    package var all: [Element] { lock.withLock { elements.copied } }
}
