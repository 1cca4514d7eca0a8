import Synchronization

/// What runs some code: a task, on whatever thread, or a thread without a task.
enum ThreadOrTask: Equatable {
    /// By its address, since a task has nothing else. A later task at the same address is taken for it.
    case task(UInt)
    /// By the number of its resolution.
    case thread(UInt)

    private static let lostCount = Atomic(0)

    init(_ resolution: Resolution) {
        self = CurrentThread.taskAddress.map { .task($0) } ?? .thread(resolution.number)
    }

    /// Counts a thread that is about to be abandoned; false for the last thread on which tasks run.
    ///
    /// There are as many such threads as processors, and without one no task would ever go on.
    func giveUpThread() -> Bool {
        guard case .task = self else { return true }
        return Self.lostCount.add(1, ordering: .relaxed).newValue < CurrentThread.processorCount
    }
}
