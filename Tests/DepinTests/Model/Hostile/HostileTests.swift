import Foundation
import Testing

/// Random programs of all that may be done to containers, judged by a sequential model.
///
/// `DEPIN_HOSTILE_PROGRAMS` sets how many run, `DEPIN_HOSTILE_SEED` the seed of the first, each further
/// one has the next. They run in a process of their own, as a failure may stop it. The seed of a program
/// that failed is printed, and it is run again by that and a count of one; `DEPIN_HOSTILE_TRACE` has every
/// operation printed.
@Suite(.serialized)
struct `Random programs of all that may be done` {
    @Test func `are told apart from a sequential model by nothing`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["DEPIN_HOSTILE_PROGRAMS"].flatMap { Int($0) } ?? 500
        let seed =
            environment["DEPIN_HOSTILE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 40)
        let log = FileManager.default.temporaryDirectory.appending(path: "hostile-\(seed).log").path
        print("hostile: \(count) programs from DEPIN_HOSTILE_SEED=\(seed)")
        await #expect(processExitsWith: .success) {
            [count = count as Int, seed = seed as UInt64, log = log as String] in
            runHostilePrograms(count, from: seed, log)
        }
        // A process that stops says no more than what it has written.
        print((try? String(contentsOfFile: log, encoding: .utf8)) ?? "", terminator: "")
        try? FileManager.default.removeItem(atPath: log)
    }
}

private func runHostilePrograms(_ count: Int, from seed: UInt64, _ log: String) {
    let isTraced = ProcessInfo.processInfo.environment["DEPIN_HOSTILE_TRACE"] != nil
    var failures = 0
    for index in 0..<UInt64(count) {
        let program = HostileProgram(seed: seed &+ index)
        var lines = ["hostile: DEPIN_HOSTILE_SEED=\(program.seed) DEPIN_HOSTILE_PROGRAMS=1"]
        func say(_ line: String) {
            // The last three operations, unless all are wanted, and all that failed.
            if !isTraced, lines.count > 3, !lines[lines.count - 3].hasPrefix("FAILED") {
                lines.remove(at: lines.count - 3)
            }
            lines.append(line)
            try? (lines.joined(separator: "\n") + "\n")
                .write(toFile: log, atomically: false, encoding: .utf8)
        }
        let violations = HostileWorld(program, note: say).run()
        failures += violations.count
        if failures > 0 { break }
    }
    if failures > 0 { fatalError("\(failures) violations") }
}
