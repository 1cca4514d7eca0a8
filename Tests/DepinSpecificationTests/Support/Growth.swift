import Foundation
import Testing

/// What many of something cost, one measurement at a time, and not where a sanitizer's own work is most of it.
@Suite(
    .serialized,
    .timeLimit(.minutes(10)),
    .disabled(if: ProcessInfo.processInfo.environment["DEPIN_SLOW"] != nil)
)
struct Growth {}

/// Stops an exit test's process if four times as many cost much more than four times as much.
///
/// Of several rounds the best counts, in time of the processor that this process has used. Nothing else runs
/// in it. Other processes on the machine disturb even that, so the comparison is made again before it fails:
/// what grows faster than its work does so each time.
func expectGrowth(
    _ what: String,
    from few: Int,
    rounds: Int = 3,
    _ prepare: (_ count: Int) async throws -> () async throws -> Void
) async throws {
    func best(_ count: Int) async throws -> Double {
        var best = Double.infinity
        for _ in 0..<rounds {
            let work = try await prepare(count)
            let before = processorTime()
            try await work()
            best = min(best, processorTime() - before)
        }
        return best
    }
    var failures: [String] = []
    while failures.count < 4 {
        let (one, four) = (try await best(few), try await best(4 * few))
        // Twice what is right, and half of what a square would take; a millisecond is within what a clock tells.
        if four <= 8 * one + 0.001 { return }
        failures.append("\(one) s of \(few), \(four) s of \(4 * few), \(four / one) times as much")
    }
    fatalError("\(what): \(failures.joined(separator: "; "))")
}

private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
