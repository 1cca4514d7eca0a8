/// A list to which any thread may add.
package final class SharedList<Element: Sendable>: Sendable {
    private let elements = Guarded<[Element]>([])

    package init() {}

    package func append(_ element: Element) {
        elements.withLock { $0.append(element) }
    }

    /// What was added, in that order.
    package var all: [Element] { elements.withLock { $0.copied } }
}
