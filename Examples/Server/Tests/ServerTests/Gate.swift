import Foundation

/// Lets tasks wait until it is opened.
final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let lock = NSLock()
    private nonisolated(unsafe) var hasOpened = false  // guarded by the lock

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    var isOpen: Bool { lock.withLock { hasOpened } }

    func open() {
        lock.withLock { hasOpened = true }
        continuation.finish()
    }

    func opened() async {
        for await _ in stream {}
    }
}
