import Depin
import Foundation

/// The program: launches the app in both styles, several times, each time in a space of its own, and
/// prints the medians.
///
/// It launches nothing where unit tests run in this very process.
@main
enum Program {
    static let launches = 5

    static func main() async throws {
        // Unit tests bring their own services, so the app starts empty.
        guard !ProcessInfo.processInfo.isRunningUnitTests else { return }

        let services = AppAssembly.features.count * 15
        print("\(services) services; milliseconds, median of \(launches) launches")
        print("")
        print("          registering   to the first screen   to open the next screen")
        var criticalPath: [WarmUpReport.Service] = []
        for style in Launch.Style.allCases {
            var runs: [Launch] = []
            for _ in 0..<launches {
                try await withSpace(\.dependenciesAssembler, Assembler([AppAssembly()])) {
                    runs.append(try await Launch(style))
                }
            }
            let columns = [
                (median(runs.map(\.registering)), 16),
                (median(runs.map(\.firstScreen)), 22),
                (median(runs.map(\.nextScreen)), 26),
            ]
            let figures = columns.map { padded(milliseconds($0), to: $1) }
            print("  \(style.rawValue)\(style == .lazy ? " " : "")" + figures.joined())
            criticalPath = runs.last?.report?.criticalPath ?? criticalPath
        }
        print("")
        print("the critical path of an eager launch:")
        print("  " + criticalPath.map { "\($0.request)" }.joined(separator: " → "))
    }

    private static func median(_ durations: [Duration]) -> Duration {
        durations.sorted()[durations.count / 2]
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let microseconds = Int(duration / .microseconds(1))
        let hundredths = (microseconds + 5) / 10
        let fraction = String(hundredths % 100)
        return "\(hundredths / 100).\(fraction.count == 1 ? "0" : "")\(fraction)"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
