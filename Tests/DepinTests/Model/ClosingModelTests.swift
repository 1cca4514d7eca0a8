import Foundation
import Testing

@testable import Depin

/// Random programs whose instances close, judged by what each of them was given.
///
/// `DEPIN_MODEL_PROGRAMS` sets how many run, `DEPIN_MODEL_SEED` the seed of the first.
struct `Random programs that close` {
    @Test func `close nothing before what needed it, nothing twice, and forget nothing`() async {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["DEPIN_MODEL_PROGRAMS"].flatMap { Int($0) } ?? 200
        let seed =
            environment["DEPIN_MODEL_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 40)
        for index in 0..<UInt64(count) {
            let program = ClosingProgram(seed: seed &+ index)
            let violations = await ClosingWorld(program).run()
            #expect(violations.isEmpty, "DEPIN_MODEL_SEED=\(program.seed) DEPIN_MODEL_PROGRAMS=1")
        }
    }
}
