/// Lets tasks wait, without a thread, until something has happened.
package final class Signal: Sendable {
    /// Those who wait; nil once it has happened.
    private let waiting = Guarded<[CheckedContinuation<Void, Never>]?>([])

    package init() {}

    var hasHappened: Bool { waiting.withLock { $0 == nil } }

    /// Lets those go on who wait, and everyone from now on.
    package func happen() {
        for continuation in waiting.exchange(nil) ?? [] { continuation.resume() }
    }

    /// Returns once it has happened, also in a task that has been canceled.
    @inline(never)
    package func wait() async {
        await withCheckedContinuation { continuation in
            let waits = waiting.withLock { $0?.append(continuation) != nil }
            if !waits { continuation.resume() }
        }
    }
}
