import Foundation
import Testing

/// Runs programs in processes of their own.
struct Simulator {
    /// A program that failed, and what was said of it.
    struct Failure {
        let seed: UInt64
        let text: String
    }

    let options: SimulatorOptions

    init(_ options: SimulatorOptions) { self.options = options }

    func firstFailure() async -> Failure? { await run(options, dropping: []) }

    /// A failure in a program that is as small as possible.
    func report(of failure: Failure) async -> String {
        var one = options
        (one.seed, one.count) = (failure.seed, 1)
        let whole = Program(seed: failure.seed, enabling: options.enabled)
        if !whole.lanes.isEmpty { one.attempts = max(one.attempts, 20) }
        let dropped = await whole.shrunk { dropped in await run(one, dropping: dropped) != nil }
        let text = await run(one, dropping: dropped)?.text ?? failure.text
        return """
            DEPIN_MODEL_SEED=\(failure.seed) DEPIN_MODEL_PROGRAMS=1
            \(whole.dropping(dropped))
            \(text)
            """
    }

    private func run(_ options: SimulatorOptions, dropping dropped: Set<Int>) async -> Failure? {
        let log = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).log").path
        defer { try? FileManager.default.removeItem(atPath: log) }
        let run = SimulatorRun(options: options, dropped: dropped, log: log)
        // The failure is reported when its program is small.
        var hasFailed = true
        await withKnownIssue(isIntermittent: true) {
            _ = try await #require(processExitsWith: .success) { [run = run as SimulatorRun] in
                await ChildProcess(run).run()
            }
            hasFailed = false
        }
        guard hasFailed else { return nil }
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? "nothing was written"
        let seed = text.prefix { $0 != "\n" }
        return Failure(
            seed: UInt64(seed) ?? options.seed,
            text: "\(text.dropFirst(seed.count + 1))"
        )
    }
}
