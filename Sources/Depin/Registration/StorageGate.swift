/// Lets one thread at a time call an entry's ``InstanceStorage``.
///
/// It is no lock: the storage is the user's code. A thread that is inside may enter again.
final class StorageGate: @unchecked Sendable {  // The storage is touched by the owner alone.
    private let storage: any InstanceStorage
    private let lock = Lock()
    private let changed = Condition()
    private var owner: UInt?  // guarded by lock
    private var depth = 0  // guarded by lock
    private var waiting = 0  // guarded by lock

    init(_ storage: any InstanceStorage) {
        self.storage = storage
    }

    deinit {
        changed.destroy()
        lock.destroy()
    }

    /// True while a thread waits to be let in.
    var isAwaited: Bool { lock.withLock { waiting > 0 } }

    func enter<Result>(_ body: (any InstanceStorage) throws -> Result) rethrows -> Result {
        let thread = CurrentThread.id
        lock.withLock {
            while let owner, owner != thread {
                waiting += 1
                changed.wait(holding: lock)
                waiting -= 1
            }
            owner = thread
            depth += 1
        }
        defer {
            lock.withLock {
                depth -= 1
                if depth == 0 {
                    owner = nil
                    changed.wakeAll()
                }
            }
        }
        return try body(storage)
    }
}
