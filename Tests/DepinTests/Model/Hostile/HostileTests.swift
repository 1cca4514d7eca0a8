import Foundation
import Testing

/// Random programs of all that may be done to containers, judged by a sequential model.
///
/// `DEPIN_HOSTILE_PROGRAMS` sets how many run, `DEPIN_HOSTILE_SEED` the seed of the first, each further
/// one has the next. They run in a process of their own, as a failure may stop it. The seed of a program
/// that failed is printed, and it is run again by that and a count of one; `DEPIN_HOSTILE_TRACE` has every
/// operation printed.
///
/// By mutants of the library it has been shown to find: a container that an object made in it does not keep
/// open, or one that is kept for good; registrations or instances taken for each other; arguments held by a
/// graph that has ended; a product of a validation that stops the process later, or gets nothing more;
/// something given for a type for which nothing is registered; an instance that a storage drops while other
/// threads wait for that storage; a request that fails for another thread's callback.
/// `Tests/HostileThen/find` shows that they find all these in code that had them.
///
/// Not under the address sanitizer: what a thread holds that a validation has left behind looks leaked.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil))
struct `Random programs of all that may be done` {
    @Test func `are told apart from a sequential model by nothing`()
        async throws
    {
        let (count, seed, log) = settings()
        await #expect(processExitsWith: .success) {
            [count = count as Int, seed = seed as UInt64, log = log as String] in
            run(count, from: seed, log) { seed, note in
                HostileWorld(HostileProgram(seed: seed), note: note).run()
            }
        }
        tell(log)
    }

    @Test func `end on threads too, and fail for nobody's callback`()
        async throws
    {
        let (count, seed, log) = settings()
        await #expect(processExitsWith: .success) {
            [count = count as Int, seed = seed as UInt64, log = log as String] in
            run(count, from: seed, log) { seed, note in
                let violations = HostileThreadsWorld(HostileThreads(seed: seed)).run()
                for violation in violations { note(violation) }
                return violations
            }
        }
        tell(log)
    }

    private func settings() -> (count: Int, seed: UInt64, log: String) {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["DEPIN_HOSTILE_PROGRAMS"].flatMap { Int($0) } ?? 200
        let seed =
            environment["DEPIN_HOSTILE_SEED"].flatMap { UInt64($0) } ?? 1
        print("hostile: \(count) programs from DEPIN_HOSTILE_SEED=\(seed)")
        let folder = FileManager.default.temporaryDirectory
        return (count, seed, folder.appending(path: "hostile-\(UUID()).log").path)
    }

    /// A process that stops says no more than what it has written.
    private func tell(_ log: String) {
        print((try? String(contentsOfFile: log, encoding: .utf8)) ?? "", terminator: "")
        try? FileManager.default.removeItem(atPath: log)
    }
}

/// Runs programs until one fails, which ends the process.
private func run(
    _ count: Int,
    from first: UInt64,
    _ log: String,
    _ body: (_ seed: UInt64, _ note: @escaping (String) -> Void) -> [String]
) {
    let isTraced = ProcessInfo.processInfo.environment["DEPIN_HOSTILE_TRACE"] != nil
    // It stays open: to replace a file's text waits for the disk, which took most of the time.
    guard FileManager.default.createFile(atPath: log, contents: nil),
        let file = FileHandle(forWritingAtPath: log)
    else { fatalError("\(log) cannot be written") }
    for seed in first..<first + UInt64(count) {
        var lines = ["hostile: DEPIN_HOSTILE_SEED=\(seed) DEPIN_HOSTILE_PROGRAMS=1"]
        func write() {
            let text = Data((lines.joined(separator: "\n") + "\n").utf8)
            try? file.seek(toOffset: 0)
            try? file.write(contentsOf: text)
            try? file.truncate(atOffset: UInt64(text.count))
        }
        write()
        let violations = body(seed) { line in
            // The last three operations, unless all are wanted, and all that failed.
            if !isTraced, lines.count > 3, !lines[lines.count - 3].hasPrefix("FAILED") {
                lines.remove(at: lines.count - 3)
            }
            lines.append(line)
            write()
        }
        if !violations.isEmpty { fatalError("\(violations.count) violations") }
    }
}
