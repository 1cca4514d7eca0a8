/// The instances of one graph.
///
/// While a resolution is under way in it, a graph holds its instances. When the last one has ended it
/// dies, or, where a ``GraphIdentifier`` or a `Lazy` still names it, goes on holding the objects
/// weakly and drops the values. What still lives is taken up again by the next resolution in it.
///
/// It belongs to the thread that resolves until it is shared by a ``GraphIdentifier`` or a `Lazy`,
/// and is guarded by its lock from then on.
///
/// PERF: values lie side by side in the memory behind the object, and records are trivial, so the
/// bookkeeping of a graph of ten is one allocation and plain stores. A dictionary of boxes took eleven
/// allocations and 2.6 times as long; checked accesses to the state alone a third more.
@usableFromInline
final class ObjectGraph: ManagedBuffer<ObjectGraph.State, UInt64> {
    /// What an instance is found by in its graph.
    ///
    /// Nothing in it is held, so entry and container are named by their serial numbers.
    struct Key {
        let entry: UInt
        let asked: UInt
        let arguments: Unmanaged<Arguments>?

        @inline(__always)
        func matches(_ other: Key) -> Bool {
            guard entry == other.entry, asked == other.asked else { return false }
            if arguments == nil && other.arguments == nil { return true }
            return Arguments.isEqual(
                arguments?.takeUnretainedValue(),
                other.arguments?.takeUnretainedValue()
            )
        }
    }

    /// Words behind the object: room for a dozen existentials, and still in malloc's fast bins.
    private static let capacity = 108
    static let indexedFrom = 32

    /// Makes the graph of a resolution that is about to begin.
    static func make() -> ObjectGraph {
        let buffer = ObjectGraph.create(minimumCapacity: capacity) { buffer in
            buffer.withUnsafeMutablePointerToElements { words in
                State(
                    free: UnsafeMutableRawPointer(words),
                    end: UnsafeMutableRawPointer(words + capacity)
                )
            }
        }
        return unsafeDowncast(buffer, to: ObjectGraph.self)
    }

    deinit {
        state.pointee.dropRecords()
        state.pointee.lock?.destroy()
    }

    @inline(__always)
    private var state: UnsafeMutablePointer<State> {
        // The header lies in the object, so it stays where it is for the object's life.
        withUnsafeMutablePointerToHeader { $0 }
    }

    // MARK: - Sharing

    /// True once others than the resolution may know the graph.
    var isShared: Bool { state.pointee.lock != nil }

    /// Lets other threads see the graph.
    ///
    /// Called by the thread it belongs to.
    func share() {
        if state.pointee.lock == nil {
            state.pointee.lock = Lock()
        }
    }

    @inline(__always)
    private func guarded<Result>(_ body: (UnsafeMutablePointer<State>) -> Result) -> Result {
        guard let lock = state.pointee.lock else { return body(state) }
        return lock.withLock { body(state) }
    }

    // MARK: - Resolutions

    /// Counts a further resolution that begins here, and takes up what is still alive.
    func begin() {
        let gone = guarded { state in
            state.pointee.resolutions += 1
            return state.pointee.revive()
        }
        withExtendedLifetime(gone) {}
    }

    /// Ends the resolution of ``make()`` or ``begin()``.
    ///
    /// The caller releases the result, the companions and whatever else was held: user code may run
    /// when an instance goes.
    func end() -> (company: [any Sendable], held: [Any]) {
        guarded { state -> (company: [any Sendable], held: [Any]) in
            state.pointee.resolutions -= 1
            guard state.pointee.resolutions == 0 else { return ([], []) }
            let company = state.pointee.more?.company ?? []
            state.pointee.more?.company = []
            let isNamed = state.pointee.lock != nil
            return (company, isNamed ? state.pointee.weaken() : [])
        }
    }

    // MARK: - Instances

    /// Where the instance for a key lies, until the last resolution here ends.
    @inline(__always)
    func find(_ key: Key) -> UnsafeRawPointer? {
        guard let lock = state.pointee.lock else {
            return UnsafeRawPointer(state.pointee.find(key))
        }
        return UnsafeRawPointer(find(key, guardedBy: lock))
    }

    /// Where the instance for a key lies in a graph that several threads see.
    ///
    /// Arguments are compared by the user's code, which must not run under the lock. Records stay as
    /// they are for as long as a resolution is under way.
    private func find(_ key: Key, guardedBy lock: Lock) -> UnsafeMutableRawPointer? {
        guard key.arguments != nil else {
            return lock.withLock { state.pointee.find(key) }
        }
        let candidates = lock.withLock { state.pointee.records(for: key) }
        return candidates.first { $0.pointee.key.matches(key) }?.pointee.value
    }

    /// Begins to keep an instance: room for it, or the one that is there.
    ///
    /// A graph that no other thread can see need not be searched where the caller knows it is new.
    /// Whoever gets room puts the instance there and calls ``endAdding()`` at once.
    func beginAdding(
        _ key: Key,
        _ type: Any.Type,
        size: Int,
        alignment: Int,
        isNew: Bool
    ) -> (place: UnsafeMutableRawPointer, isNew: Bool) {
        guard let lock = state.pointee.lock else {
            if !isNew, let known = state.pointee.find(key) { return (known, false) }
            return (state.pointee.add(key, type, size: size, alignment: alignment), true)
        }
        while true {
            let count = lock.withLock { state.pointee.count }
            if let known = find(key, guardedBy: lock) { return (known, false) }
            lock.lock()
            if state.pointee.count == count { break }
            // Another thread has added an instance meanwhile.
            lock.unlock()
        }
        return (state.pointee.add(key, type, size: size, alignment: alignment), true)
    }

    func endAdding() {
        state.pointee.lock?.unlock()
    }

    /// Keeps something alive until the last resolution here ends.
    func keep(_ companion: any Sendable) {
        guarded { state in state.pointee.madeMore().company.append(companion) }
    }

    func extra(for storage: ObjectIdentifier) -> Any? {
        guarded { state in
            state.pointee.more?.extras[storage] ?? state.pointee.more?.weakExtras[storage]?.object
        }
    }

    func setExtra(_ value: Any?, for storage: ObjectIdentifier) {
        let dropped = guarded { state -> Any? in
            let isUnderWay = state.pointee.resolutions > 0
            let more = state.pointee.madeMore()
            let dropped = more.extras[storage]
            more.extras[storage] = isUnderWay ? value : nil
            more.weakExtras[storage] =
                isUnderWay ? nil : heapObject(in: value).map { WeakReference(object: $0) }
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}
