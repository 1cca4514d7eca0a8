/// Lets one thread at a time call an entry's ``InstanceStorage``.
///
/// It is no lock: the storage is the user's code. A thread that is inside may enter again, and who waits is
/// in the graph of those who wait, so that a deadlock is found.
final class StorageGate: @unchecked Sendable {  // The storage is touched by who has entered alone.
    private let storage: any InstanceStorage
    private weak var last: AnyObject?

    init(_ storage: any InstanceStorage) {
        self.storage = storage
    }

    /// Runs a body with the storage.
    ///
    /// What the storage drops meanwhile goes only after the gate is free: its `deinit` may use the
    /// container.
    ///
    /// - Throws: `ResolutionError`, where waiting for the gate would close a circle.
    func enter<Result>(
        _ keeper: some GateKeeper,
        _ body: (any InstanceStorage) throws -> Result
    ) throws -> Result {
        try keeper.enter(self)
        var held: AnyObject?
        defer {
            keeper.leave(self)
            withExtendedLifetime(held) {}
        }
        held = last
        return try body(storage)
    }

    /// Notes what the storage keeps from now on; called by who has entered.
    func note(_ instance: Any?) {
        last = heapObject(in: instance)
    }
}

/// Knows who is inside a gate, and who waits for what.
protocol GateKeeper: AnyObject {
    func enter(_ gate: StorageGate) throws
    func leave(_ gate: StorageGate)
}
