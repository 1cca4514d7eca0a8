// The only lock of the library, and the type that owns state together with a lock. Unsafe pointers are used because a
// pthread mutex must not move, and because guarded state needs no second check for exclusive access.
//
// `Synchronization.Mutex` would do on every platform, but on Linux its futex is invisible to ThreadSanitizer, which
// then reports false races. It understands a pthread mutex, which cost the same when it was measured (14 ns against 12
// for an uncontended lock and unlock).

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A mutual-exclusion lock, entered through a closure.
///
/// Never call user code inside: not a factory, not a callback, and not the `deinit` of an instance. Hand out dropped
/// objects, and release them outside. Never enter a second lock inside, because two objects may share one; only inside
/// of a lock that is ``alone`` another one may be entered.
///
/// PERF: a mutex in each object that needs one costs 40 bytes a service (row 12), and sixteen of them for the table of
/// each container as much time as opening one. So 64 mutexes, each on cache lines of its own, serve all objects, in
/// turn; with a single one two threads wait for each other (row 8).
package struct Lock: Sendable {
    // It never moves, and is never freed.
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

    private static let count: UInt = 64
    /// How many locks follow each one, for who has several.
    static let following = 16
    private static let stride = 128
    // The memory is written once, before anyone can see the address, and never freed.
    private nonisolated(unsafe) static let shared: UnsafeMutableRawPointer = {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: (Int(count) + following) * stride,
            alignment: stride
        )
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        defer { pthread_mutexattr_destroy(&attributes) }
        #if os(Linux) && canImport(Glibc)
        // Who finds it locked tries again for a moment before it sleeps (row 8s: 160 ns instead of 230, for
        // 8 of row 1's instructions).
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        #endif
        for index in 0..<Int(count) + following {
            let mutex = (memory + index * stride).bindMemory(to: pthread_mutex_t.self, capacity: 1)
            let status = pthread_mutex_init(mutex, &attributes)
            precondition(status == 0, "the system refused a mutex (error \(status))")
        }
        return memory
    }()

    private static let next = Atomic<UInt>(0)

    /// One of the shared locks, or the first of several in a row.
    @inline(never)
    init(count: Int = 1) {
        let number = Self.next.wrappingAdd(UInt(count), ordering: .relaxed).oldValue
        let place = Self.shared + Int(bitPattern: number % Self.count) * Self.stride
        mutex = place.assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// A lock that no other object shares, inside of which another lock may be entered.
    ///
    /// It is never freed.
    static func alone() -> Lock {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "the system refused a mutex (error \(status))")
        return Lock(mutex: mutex)
    }

    private init(mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        self.mutex = mutex
    }

    /// The lock at a distance behind this one, less than ``following``.
    func sibling(_ index: Int) -> Lock {
        let place = UnsafeMutableRawPointer(mutex) + index * Self.stride
        return Lock(mutex: place.assumingMemoryBound(to: pthread_mutex_t.self))
    }

    @inline(__always)
    func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if DEBUG
        let isShared = checkIsOutermost()
        defer { if isShared { pthread_setspecific(Self.held, nil) } }
        #endif
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    #if DEBUG
    /// The shared lock that the thread is in.
    private static let held: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Refuses a lock inside of a shared one, which would be a deadlock wherever both are the same: once in 64 times.
    ///
    /// True for a shared one, which the thread is in from now on.
    private func checkIsOutermost() -> Bool {
        precondition(pthread_getspecific(Self.held) == nil, "Depin: a lock inside of another one")
        let distance = UnsafeMutableRawPointer(mutex) - Self.shared
        guard 0..<(Int(Self.count) + Self.following) * Self.stride ~= distance else { return false }
        pthread_setspecific(Self.held, mutex)
        return true
    }
    #endif

    fileprivate func wait(for variable: UnsafeMutablePointer<pthread_cond_t>) {
        pthread_cond_wait(variable, mutex)
    }
}

/// State, and the lock that guards it.
package final class Guarded<State>: Sendable {
    // Stored, because finding the lock again takes 25 instructions each time (row 1: 3 %).
    private let lock: Lock
    // Guarded by the lock.
    @exclusivity(unchecked) private nonisolated(unsafe) var state: State

    package init(_ state: State, lock: Lock = Lock()) {
        self.state = state
        self.lock = lock
    }

    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try lock.withLock { () throws(Failure) -> Result in try body(&state) }
    }

    /// Replaces the state, and gives back the old one, which the caller releases outside of the lock.
    func exchange(_ state: State) -> State {
        withLock { known in
            defer { known = state }
            return known
        }
    }

    /// Gives the lock up until the condition is signaled and a closure says that the wait is over.
    package func withLock(waitingFor condition: Condition, until isOver: (inout State) -> Bool) {
        lock.withLock {
            while !isOver(&state) { lock.wait(for: condition.variable) }
        }
    }
}

// A mirror would read the state without its lock: `dump` makes one, and a test whose expectation fails.
extension Guarded: CustomReflectable {
    package var customMirror: Mirror { Mirror(reflecting: ()) }
}

/// Lets a thread wait for a change of guarded state.
package final class Condition: Sendable {
    fileprivate nonisolated(unsafe) let variable: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        variable = .allocate(capacity: 1)
        let status = pthread_cond_init(variable, nil)
        precondition(status == 0, "the system refused a condition variable (error \(status))")
    }

    deinit {
        pthread_cond_destroy(variable)
        variable.deallocate()
    }

    /// Wakes the thread that waits.
    package func signal() {
        pthread_cond_signal(variable)
    }
}
