import Foundation
import Testing

@testable import Depin

/// Random programs on many threads, judged by what a sequential look at each says.
///
/// `DEPIN_MODEL_PROGRAMS` sets how many run, `DEPIN_MODEL_SEED` the seed of the first, each further
/// one has the next: a program that failed is run again by its seed and a count of one, and
/// `DEPIN_MODEL_ATTEMPTS` times, as a failure may take a rare interleaving.
@Suite(.serialized)
struct `Random programs on many threads` {
    @Test func `are told apart from a sequential model by nothing`() {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["DEPIN_MODEL_PROGRAMS"].flatMap { Int($0) } ?? 150
        let seed =
            environment["DEPIN_MODEL_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 40)
        let attempts = environment["DEPIN_MODEL_ATTEMPTS"].flatMap { Int($0) } ?? 1
        print("model: \(count) programs from DEPIN_MODEL_SEED=\(seed)")
        var threads = 0
        for index in 0..<UInt64(count) {
            let program = ModelProgram(seed: seed &+ index)
            threads += program.threads.count
            let violations = (0..<attempts).flatMap { _ in ModelWorld(program).run() }
            #expect(
                violations.isEmpty,
                "DEPIN_MODEL_SEED=\(program.seed) DEPIN_MODEL_PROGRAMS=1"
            )
        }
        print("model: \(count) programs ran, on \(threads) threads")
    }
}
