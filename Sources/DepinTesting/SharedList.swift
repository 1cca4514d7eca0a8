import Depin

/// A list to which any thread may add.
final class SharedList<Element: Sendable>: Sendable {
    private let elements = Guarded<[Element]>([])

    init() {}

    func append(_ element: Element) {
        elements.withLock { $0.append(element) }
    }

    /// What was added, in that order.
    var all: [Element] { elements.withLock { $0.map { $0 } } }
}
