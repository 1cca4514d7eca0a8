// What a thread has for itself: a number, an object, and memory in which services change hands. Unsafe
// pointers are used because the system keeps a thread's own value as one, and because a service leaves
// the core in memory whose type only the caller knows.
//
// PERF: a task-local value would do for the object, but costs 55 ns to set and read, a thread's own
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
#endif

enum CurrentThread {
    /// Lends the thread's own object, made when it is first needed; it goes with the thread.
    ///
    /// The whole library uses one type here.
    @inline(__always)
    static func withObject<Object: AnyObject, Result>(
        _ make: () -> Object,
        _ body: (Object) throws -> Result
    ) rethrows -> Result {
        if let known = pthread_getspecific(key) {
            return try Unmanaged<Object>.fromOpaque(known)._withUnsafeGuaranteedRef(body)
        }
        let made = Unmanaged.passRetained(make())
        pthread_setspecific(key, made.toOpaque())
        return try made._withUnsafeGuaranteedRef(body)
    }

    /// A number that no other living thread has.
    static var id: UInt {
        #if canImport(Darwin)
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
        #else
        threadID() == getpid() || DispatchQueue.getSpecific(key: mainQueue) != nil
        #endif
    }
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
/// Marks the main queue, so that what runs on it knows.
private let mainQueue: DispatchSpecificKey<Void> = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
}()

// The C headers hide `gettid` from Swift behind `_GNU_SOURCE`, and Linux knows its main thread
// only by it: the one whose number is the process's.
@_silgen_name("gettid")
private func threadID() -> Int32
#endif

// MARK: - Places

/// Where a service lies on its way to the caller, who knows its type and takes it at once.
///
/// The library uses it; an app has no need to.
@frozen
public struct _Place {
    @usableFromInline let address: UnsafeMutableRawPointer

    fileprivate init(_ address: UnsafeMutableRawPointer) {
        self.address = address
    }

    /// Moves the service out.
    @inlinable
    @inline(__always)
    public func take<Service>(_ serviceType: Service.Type) -> Service {
        address.assumingMemoryBound(to: Service.self).move()
    }
}

/// The memory of a thread's places: a stack, of which a request gives up what it used when it returns.
///
/// So a service lies where no other request of the thread reaches, also not one made by a `deinit` on the
/// way out, until the request has returned; and then the caller takes it before anything else.
final class Places {
    private struct Chunk {
        let memory: UnsafeMutableRawPointer
        let capacity: Int
    }

    /// How much was in use at a moment.
    struct Mark {
        fileprivate let chunk: Int
        fileprivate let used: Int
    }

    @exclusivity(unchecked) private var chunk = Chunk(
        memory: .allocate(byteCount: 512, alignment: 16),
        capacity: 512
    )
    @exclusivity(unchecked) private var used = 0
    @exclusivity(unchecked) private var full: [Chunk] = []
    /// A larger chunk that was given up: the service that was in it may not have been taken yet.
    private var spare: Chunk?

    deinit {
        for chunk in full + [chunk] + (spare.map { [$0] } ?? []) { chunk.memory.deallocate() }
    }

    var mark: Mark { Mark(chunk: full.count, used: used) }

    /// Gives up what was reserved since.
    @inline(__always)
    func release(to mark: Mark) {
        if mark.chunk < full.count { dropChunks(to: mark.chunk) }
        used = mark.used
    }

    /// Moves a value to a place of its own.
    @inline(__always)
    func put<Value>(_ value: consuming Value) -> _Place {
        let place = reserve(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
        place.initializeMemory(as: Value.self, to: value)
        return _Place(place)
    }

    /// Copies a value to a place of its own.
    @inline(__always)
    func put<Value>(copyOf value: borrowing Value) -> _Place {
        let place = reserve(MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
        place.initializeMemory(as: Value.self, to: copy value)
        return _Place(place)
    }

    @inline(__always)
    private func reserve(_ size: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
        let start = (used + alignment - 1) & ~(alignment - 1)
        if start + size <= chunk.capacity, alignment <= 16 {
            used = start + size
            return chunk.memory + start
        }
        return reserveChunk(size, alignment)
    }

    @inline(never)
    private func reserveChunk(_ size: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
        full.append(chunk)
        if let spare, spare.capacity >= size + alignment {
            chunk = spare
            self.spare = nil
        } else {
            let capacity = max(2 * chunk.capacity, 2 * (size + alignment))
            chunk = Chunk(memory: .allocate(byteCount: capacity, alignment: 16), capacity: capacity)
        }
        let place = chunk.memory.alignedUp(toMultipleOf: alignment)
        used = place + size - chunk.memory
        return place
    }

    private func dropChunks(to count: Int) {
        while full.count > count {
            spare?.memory.deallocate()
            spare = chunk
            chunk = full.removeLast()
        }
    }
}
