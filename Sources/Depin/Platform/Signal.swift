/// Lets tasks wait, without a thread, until something has happened.
package final class Signal: Sendable {
    private struct State {
        var hasHappened = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    package init() {}

    var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// Lets those go on who wait, and everyone from now on.
    package func happen() {
        let waiting = state.withLock { state in
            defer { state = State(hasHappened: true) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once it has happened, also in a task that has been canceled.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLock { state in
                if !state.hasHappened { state.waiting.append(continuation) }
                return state.hasHappened
            }
            if hasHappened { continuation.resume() }
        }
    }
}
