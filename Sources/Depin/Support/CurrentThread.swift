// What the library asks of the thread it runs on: a word of its own, a name, and whether it is the
// main one.
//
// PERF: a task-local value would do for the pointer, but costs 55 ns to set and read, a thread's own
// 6 ns; and "in progress" must not reach into a task that a factory starts.

#if !canImport(Darwin) && canImport(Dispatch)
import Dispatch
#endif

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

enum CurrentThread {
    /// A word that each thread has for itself, nil at first, at an address that stays.
    @inline(__always)
    static var word: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
        #if os(Windows)
        let address = FlsGetValue(key)
        #elseif os(WASI)
        let address = onlyWord
        #else
        let address = pthread_getspecific(key)
        #endif
        return (address ?? makeWord()).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    @inline(never)
    private static func makeWord() -> UnsafeMutableRawPointer {
        let word = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
        word.initialize(to: nil)
        #if os(Windows)
        _ = FlsSetValue(key, word)
        #elseif os(WASI)
        onlyWord = UnsafeMutableRawPointer(word)
        #else
        pthread_setspecific(key, word)
        #endif
        return UnsafeMutableRawPointer(word)
    }

    /// A number that no other living thread has.
    static var id: UInt {
        #if os(Windows)
        UInt(GetCurrentThreadId())
        #elseif os(WASI)
        1
        #elseif canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    /// True on the main thread, and where the main actor runs without it: where a program has handed
    /// its main thread over, as one with an asynchronous `main` on Linux does, the main queue goes
    /// from thread to thread.
    static var isMain: Bool {
        #if canImport(Darwin)
        pthread_main_np() != 0
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
        threadID() == getpid() || DispatchQueue.getSpecific(key: mainQueue) != nil
        #elseif os(Windows)
        GetCurrentThreadId() == mainThreadID
        #else
        true
        #endif
    }
}

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
/// Marks the main queue, so that what runs on it knows.
private let mainQueue: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
}()
#endif

#if os(Windows)
private let key = FlsAlloc { address in address?.deallocate() }
/// The thread that first asks is taken for the main one: Windows names none.
private let mainThreadID = GetCurrentThreadId()
#elseif os(WASI)
// There is one thread only.
nonisolated(unsafe) private var onlyWord: UnsafeMutableRawPointer?
#else
private let key: pthread_key_t = {
    var key = pthread_key_t()
    // The word goes with its thread.
    #if canImport(Darwin)
    let status = pthread_key_create(&key) { $0.deallocate() }
    #else
    let status = pthread_key_create(&key) { $0?.deallocate() }
    #endif
    precondition(status == 0, "the system refused a thread-specific key (error \(status))")
    return key
}()
#endif

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
// The C headers hide `gettid` from Swift behind `_GNU_SOURCE`, and Linux knows its main thread
// only by it: the one whose number is the process's.
@_silgen_name("gettid")
private func threadID() -> Int32
#endif
