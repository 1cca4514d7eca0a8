// A thread's number and own object, how a thread is started, and the end and the standard error of the process.
// Unmanaged references are used because the system keeps a thread's own value as a pointer, and hands a new thread its
// work as one.
//
// PERF: a task-local value would do for the object, but costs 55 ns to set and read, a thread's own 6 ns; and "in
// progress" must not reach into a task that a factory starts.

#if !canImport(Darwin) && canImport(Dispatch)
internal import Dispatch
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

package enum CurrentThread {
    /// Lends the thread's own object, made when first needed; it ends with the thread.
    ///
    /// The whole library uses one type here.
    @inline(__always)
    static func withObject<Object: AnyObject, Result>(
        _ make: () -> AnyObject,
        _ body: (Object) throws -> Result
    ) rethrows -> Result {
        let known = pthread_getspecific(key) ?? keep(make)
        // One call, because the body is compiled into each caller.
        return try Unmanaged<Object>.fromOpaque(known)._withUnsafeGuaranteedRef(body)
    }

    @inline(never)
    private static func keep(_ make: () -> AnyObject) -> UnsafeMutableRawPointer {
        let made = Unmanaged.passRetained(make()).toOpaque()
        pthread_setspecific(key, made)
        return made
    }

    /// Replaces this thread's own object with another one while a body runs.
    package static func lending<Result>(_ object: AnyObject, _ body: () throws -> Result) rethrows
        -> Result
    {
        let own = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(object).toOpaque())
        defer {
            pthread_setspecific(key, own)
            withExtendedLifetime(object) {}
        }
        return try body()
    }

    /// The number by which the system and its debuggers know the thread.
    static var number: UInt64 {
        #if canImport(Darwin)
        var number: UInt64 = 0
        pthread_threadid_np(nil, &number)
        return number
        #else
        return UInt64(threadID())
        #endif
    }

    /// How many threads can run at once.
    static var processorCount: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Blocks the calling thread for good.
    package static func park() -> Never {
        Guarded(()).withLock(waitingFor: Condition()) { _ in false }
        preconditionFailure("nobody wakes it")
    }

    /// True on the main thread, and on the thread that currently runs the main actor.
    ///
    /// On Linux, a program with an asynchronous `main` has handed its main thread over, and the main queue moves from
    /// thread to thread.
    static var isMain: Bool {
        #if canImport(Darwin)
        isMainOfProcess
        #else
        isMainOfProcess || DispatchQueue.getSpecific(key: mainQueue) != nil
        #endif
    }

    /// True only on the thread with which the process began.
    package static var isMainOfProcess: Bool {
        #if canImport(Darwin)
        pthread_main_np() != 0
        #else
        threadID() == getpid()
        #endif
    }

    /// The thread and the task as a debugger shows them: `thread 4711, in task 0x7f3a5c000b70 "refresh"`.
    static var words: String {
        let thread = isMain ? "the main thread" : "thread \(number)"
        return thread + (task.map { ", in task \($0)" } ?? "")
    }

    /// The address of the current task, which another task may have later.
    ///
    /// Debuggers identify tasks by it, and the value contains nothing else.
    static var taskAddress: UInt? {
        withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
    }

    private static var task: String? {
        taskAddress.map { address in
            let words = "0x" + String(address, radix: 16)
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
                let name = Task<Never, Never>.name
            else { return words }
            return words + " \"\(name)\""
        }
    }
}

/// Runs a body on a new thread, which ends with it; false if the system gives none.
package func startThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, &attributes, { runWork($0) }, work.toOpaque())
    if status != 0 { work.release() }
    return status == 0
}

/// Runs a body after some seconds on a thread of its own, even if all other threads are blocked.
func startTimer(seconds: UInt32, _ body: @escaping @Sendable () -> Void) {
    _ = startThread(stackSize: 1 << 20) {
        sleep(seconds)
        body()
    }
}

/// The work of a new thread.
private typealias Work = Box<@Sendable () -> Void>

private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().value() }
    return nil
}

private let key: pthread_key_t = {
    var key = pthread_key_t()
    #if canImport(Darwin)
    let status = pthread_key_create(&key) { Unmanaged<AnyObject>.fromOpaque($0).release() }
    #else
    let status = pthread_key_create(&key) { object in
        if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
    #endif
    precondition(status == 0, "the system refused a thread-specific key (error \(status))")
    return key
}()

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
/// Marks the main queue, so that code can tell that it runs there.
private let mainQueue: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
}()

// The C headers hide `gettid` from Swift behind `_GNU_SOURCE`, and Linux identifies the main thread only by it: its
// number is that of the process.
@_silgen_name("gettid")
private func threadID() -> Int32
#endif

/// Has a function called when the process ends in order, because `main` returns or something calls `exit`.
func atProcessEnd(_ body: @convention(c) () -> Void) {
    atexit(body)
}

/// Writes a line to standard error, at once and in one piece.
package func printToStandardError(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
        _ = write(2, bytes.baseAddress, bytes.count)
    }
}
