// The only lock of the library. Everything else that must exclude another thread stands on it.
//
// `Synchronization.Mutex` would do on every platform, but on Linux its futex is invisible to
// ThreadSanitizer, which then reports races that are none. A pthread mutex is understood, and cost
// the same where it was measured (14 ns against 12 for an uncontended lock and unlock).

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#elseif os(Windows)
import WinSDK
#endif

#if os(Windows)
@usableFromInline typealias PlatformMutex = SRWLOCK
@usableFromInline typealias PlatformCondition = CONDITION_VARIABLE
#elseif os(WASI)
@usableFromInline typealias PlatformMutex = UInt8
@usableFromInline typealias PlatformCondition = UInt8
#else
@usableFromInline typealias PlatformMutex = pthread_mutex_t
@usableFromInline typealias PlatformCondition = pthread_cond_t
#endif

/// A mutual-exclusion lock, entered through a closure, but where a `PERF:` comment says why not.
///
/// Never call code of the library's user inside: not a factory, not a callback, and not
/// the `deinit` of an instance, so hand out what is dropped and let it go outside.
///
/// The lock is a plain address, so that fields of other types can name one that they share.
@usableFromInline
struct Lock: @unchecked Sendable {  // The mutex is made for use from any thread.
    @usableFromInline let mutex: UnsafeMutablePointer<PlatformMutex>

    /// Makes a lock that lives until ``destroy()``.
    init() {
        mutex = .allocate(capacity: 1)
        initialise(mutex)
    }

    init(at address: UnsafeMutablePointer<PlatformMutex>) {
        mutex = address
        initialise(mutex)
    }

    /// Frees a lock that nobody holds or will ask for again.
    func destroy() {
        #if !os(Windows) && !os(WASI)
        pthread_mutex_destroy(mutex)
        #endif
        mutex.deallocate()
    }

    @inlinable
    @inline(__always)
    func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    @inlinable
    @inline(__always)
    func lock() {
        #if os(Windows)
        AcquireSRWLockExclusive(mutex)
        #elseif !os(WASI)
        pthread_mutex_lock(mutex)
        #endif
    }

    /// Takes the lock, unless it is taken.
    @inlinable
    @inline(__always)
    func tryLock() -> Bool {
        #if os(Windows)
        TryAcquireSRWLockExclusive(mutex) != 0
        #elseif os(WASI)
        true
        #else
        pthread_mutex_trylock(mutex) == 0
        #endif
    }

    @inlinable
    @inline(__always)
    func unlock() {
        #if os(Windows)
        ReleaseSRWLockExclusive(mutex)
        #elseif !os(WASI)
        pthread_mutex_unlock(mutex)
        #endif
    }
}

private func initialise(_ mutex: UnsafeMutablePointer<PlatformMutex>) {
    #if os(Windows)
    InitializeSRWLock(mutex)
    #elseif os(WASI)
    mutex.initialize(to: 0)
    #else
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "the system refused a mutex (error \(status))")
    #endif
}

// MARK: - Locks that places share

/// PERF: a lock in each slot of the registry would cost 40 bytes a service, one for all of them makes
/// two threads wait for each other (2.9 times the time of one). Sixteen groups of eight, each lock on a
/// cache line of its own, do neither. Places may share one, so a holder never takes another.
extension Lock {
    /// The lock that the object at an address calls its own.
    @inlinable
    @inline(__always)
    static func guarding(_ address: UnsafeRawPointer) -> Lock {
        shared(at: bits(of: address) & (groupMask | laneMask), in: sharedLocks)
    }

    /// Reads at an address what ``changing(_:_:)`` changes.
    static func reading<Result>(_ address: UnsafeRawPointer, _ body: () -> Result) -> Result {
        let lock = lockedForReading(address, sharedLocks)
        defer { lock.unlock() }
        return body()
    }

    /// Takes a lock for reading, which the caller unlocks.
    ///
    /// PERF: each place has eight locks, and a thread tries the one that its stack happens to lie at
    /// first. With one, two threads that read the same place needed twice the time.
    @inlinable
    @inline(__always)
    static func lockedForReading(
        _ address: UnsafeRawPointer,
        _ locks: UnsafeMutableRawPointer
    ) -> Lock {
        var local: UInt8 = 0
        let stack = _withUnprotectedUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        // Stacks lie half a megabyte apart, or eight.
        let lane = (stack >> 12 ^ stack >> 16) & laneMask
        let lock = shared(at: group(of: address) | lane, in: locks)
        return lock.tryLock() ? lock : lockedForReading(address, whereTaken: lock)
    }

    @usableFromInline
    @inline(never)
    static func lockedForReading(_ address: UnsafeRawPointer, whereTaken taken: Lock) -> Lock {
        for lane in lanes {
            let lock = shared(at: group(of: address) | lane, in: sharedLocks)
            if lock.tryLock() { return lock }
        }
        taken.lock()
        return taken
    }

    /// Changes what lies at an address while nobody reads it.
    static func changing<Result>(_ address: UnsafeRawPointer, _ body: () -> Result) -> Result {
        let group = group(of: address)
        for lane in lanes { shared(at: group | lane, in: sharedLocks).lock() }
        defer {
            for lane in lanes { shared(at: group | lane, in: sharedLocks).unlock() }
        }
        return body()
    }

    private static var lanes: StrideThrough<UInt> {
        stride(from: 0, through: laneMask, by: Int(lockStride))
    }

    @inlinable
    @inline(__always)
    static func group(of address: UnsafeRawPointer) -> UInt {
        bits(of: address) & groupMask
    }

    @inlinable
    @inline(__always)
    static func bits(of address: UnsafeRawPointer) -> UInt {
        UInt(bitPattern: address) << 4 ^ UInt(bitPattern: address) >> 2
    }

    @inlinable
    @inline(__always)
    static func shared(at offset: UInt, in locks: UnsafeMutableRawPointer) -> Lock {
        let mutex = locks + Int(bitPattern: offset)
        return Lock(sharing: mutex.assumingMemoryBound(to: PlatformMutex.self))
    }

    @inlinable
    @inline(__always)
    init(sharing mutex: UnsafeMutablePointer<PlatformMutex>) {
        self.mutex = mutex
    }
}

// The offset of a lock is its group's and its lane's bits.
@usableFromInline let lockStride: UInt = 1 << 7
@usableFromInline let laneMask: UInt = 0b111 << 7
@usableFromInline let groupMask: UInt = 0b1111 << 10

// The memory is written once, before anyone can see the address, and never freed.
@usableFromInline nonisolated(unsafe) let sharedLocks: UnsafeMutableRawPointer = {
    let size = Int(groupMask | laneMask) + Int(lockStride)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Int(lockStride))
    for offset in stride(from: 0, to: size, by: Int(lockStride)) {
        _ = Lock(at: (memory + offset).bindMemory(to: PlatformMutex.self, capacity: 1))
    }
    return memory
}()

/// Lets threads wait until what a ``Lock`` guards has changed.
struct Condition: @unchecked Sendable {  // The condition variable is made for use from any thread.
    private let variable: UnsafeMutablePointer<PlatformCondition>

    init() {
        variable = .allocate(capacity: 1)
        #if os(Windows)
        InitializeConditionVariable(variable)
        #elseif os(WASI)
        variable.initialize(to: 0)
        #else
        let status = pthread_cond_init(variable, nil)
        precondition(status == 0, "the system refused a condition variable (error \(status))")
        #endif
    }

    /// Frees a condition that nobody waits for.
    func destroy() {
        #if !os(Windows) && !os(WASI)
        pthread_cond_destroy(variable)
        #endif
        variable.deallocate()
    }

    /// Gives the lock up, which the caller must hold, and takes it again after a ``wakeAll()``.
    ///
    /// It may return without one, so call it in a loop that looks at what is waited for.
    func wait(holding lock: Lock) {
        #if os(Windows)
        SleepConditionVariableSRW(variable, lock.mutex, INFINITE, 0)
        #elseif !os(WASI)
        pthread_cond_wait(variable, lock.mutex)
        #endif
    }

    func wakeAll() {
        #if os(Windows)
        WakeAllConditionVariable(variable)
        #elseif !os(WASI)
        pthread_cond_broadcast(variable)
        #endif
    }
}
