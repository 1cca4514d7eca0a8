import Depin
import Foundation

/// Something has not ended in time.
struct Hangs: Error {}

/// What a task of its own comes to.
///
/// A deadlock is then a failure, and the task is left where it hangs. The time is long, for a busy machine on
/// which hundreds of tests wait for a thread.
func inTime<Result: Sendable>(
    within seconds: Double = 250,
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let race = Race<Result>()
    Task {
        do {
            race.end(with: .success(try await body()))
        } catch {
            race.end(with: .failure(error))
        }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
        race.end(with: .failure(Hangs()))
    }
    return try await race.result
}

/// The first end counts.
private final class Race<Value: Sendable>: @unchecked Sendable {  // guarded by lock
    private let lock = NSLock()
    private var ended: Result<Value, any Error>?
    private var waiting: CheckedContinuation<Value, any Error>?

    func end(with result: Result<Value, any Error>) {
        let waiter = lock.withLock { () -> CheckedContinuation<Value, any Error>? in
            guard ended == nil else { return nil }
            ended = result
            return waiting
        }
        waiter?.resume(with: result)
    }

    var result: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let ended = lock.withLock { () -> Result<Value, any Error>? in
                    if self.ended == nil { waiting = continuation }
                    return self.ended
                }
                if let ended { continuation.resume(with: ended) }
            }
        }
    }
}

/// Time for what others would do, if nothing kept them from it.
///
/// Where hundreds of tests run at once, all of them have their turn before a yield returns: under a sanitizer on a
/// busy machine, that is half a second. More yields would make the test slower, and find no more.
func letOthersRun() async {
    for _ in 0..<30 { await Task.yield() }
}

/// What is asked for to learn whether a container still makes something.
private struct Probe {}

extension Container {
    /// Begins the end of the container in a task of its own, and returns once it refuses what it would have to make.
    ///
    /// If the end does not wait for what it should wait for, it has time to run through.
    func beginToClose(
        noting log: EventLog<String>? = nil
    ) async -> Task<Void, any Error> {
        register(Probe.self) { Probe() }.inObjectScope(.transient)
        let closing = Task {
            try await self.close()
            log?.note("closed")
        }
        while (try? require(Probe.self)) != nil { await Task.yield() }
        await letOthersRun()
        return closing
    }
}

/// What an attempt came to, in a word.
func outcome<Result>(_ attempt: () throws -> Result) -> String {
    do {
        use(try attempt())
        return "got"
    } catch let error as ResolutionError {
        return "\(error.reason)"
    } catch {
        return "\(error)"
    }
}

/// What an attempt that takes time came to, in a word.
func asyncOutcome<Result>(_ attempt: () async throws -> Result) async -> String {
    do {
        use(try await attempt())
        return "got"
    } catch let error as ResolutionError {
        return "\(error.reason)"
    } catch {
        return "\(error)"
    }
}
