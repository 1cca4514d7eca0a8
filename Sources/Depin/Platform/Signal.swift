/// Lets tasks wait for something to happen, without blocking a thread.
package final class Signal: Sendable {
    /// The continuations of waiting tasks; nil once it has happened.
    private let waiting = Guarded<[CheckedContinuation<Void, Never>]?>([])

    package init() {}

    var hasHappened: Bool { waiting.withLock { $0 == nil } }

    /// Resumes the waiting tasks, and lets later ones pass.
    package func happen() {
        for continuation in waiting.exchange(nil) ?? [] { continuation.resume() }
    }

    /// Returns once it has happened, even in a canceled task.
    @inline(never)
    package func wait() async {
        await withCheckedContinuation { continuation in
            let waits = waiting.withLock { $0?.append(continuation) != nil }
            if !waits { continuation.resume() }
        }
    }
}
