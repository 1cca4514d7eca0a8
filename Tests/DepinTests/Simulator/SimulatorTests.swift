import Foundation
import Testing

/// Random programs that cross features, judged by a sequential reference.
///
/// They run in a process of their own, since a failure may stop it or hang. One that fails is made smaller, and
/// printed with its seed.
///
/// - `DEPIN_MODEL_PROGRAMS` sets how many run, `DEPIN_MODEL_SEED` the seed of the first; each further one has
///   the next.
/// - `DEPIN_MODEL_ATTEMPTS` sets how often each runs: a failure in lanes may take a rare interleaving.
/// - `DEPIN_MODEL_FEATURES` turns features on and off: `all`, or words such as `+endedScopes -validation`.
@Suite(.serialized)
struct `Random programs` {
    @Test func `are told apart from a sequential reference by nothing`() async throws {
        let options = SimulatorOptions(ProcessInfo.processInfo.environment)
        print("model: \(options.count) programs from DEPIN_MODEL_SEED=\(options.seed)")
        let simulator = Simulator(options)
        guard let failure = await simulator.firstFailure() else {
            print("model: \(options.count) programs ran")
            return
        }
        Issue.record("\(await simulator.report(of: failure))")
    }
}
