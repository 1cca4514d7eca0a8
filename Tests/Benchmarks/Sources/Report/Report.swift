import Foundation
import Operations

/// Prints the table of ratios.
@main
enum Report {
    static func main() {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 300
        keepSecondThread()
        let rows = makeRows()
        for row in rows {
            row.floor.run(row.floor.batch)
            row.operation.run(row.operation.batch)
        }
        var floors = rows.map { _ in [Double]() }
        var operations = floors
        // All rows in every round, each between two measurements of its floor, so that whatever else
        // the machine does meets all alike.
        for _ in 0..<rounds {
            for (index, row) in rows.enumerated() {
                let before = nanoseconds(row.floor)
                operations[index].append(nanoseconds(row.operation))
                floors[index].append((before + nanoseconds(row.floor)) / 2)
            }
        }
        print("row    ns     floor   ns     ratio  p25–p75      goal  operation")
        for (index, row) in rows.enumerated() {
            let ratios = zip(operations[index], floors[index]).map { $0 / $1 }.sorted()
            let ratio = ratios[ratios.count / 2]
            let verdict = ratio <= row.goal ? "pass" : "MISS"
            print(
                row.operation.id.padding(toLength: 4, withPad: " ", startingAt: 0),
                format(median(operations[index]), 7),
                "  " + row.floor.id,
                format(median(floors[index]), 7),
                format(ratio, 8, 2),
                format(ratios[ratios.count / 4], 6, 2) + "–"
                    + format(ratios[ratios.count * 3 / 4], 1, 2),
                format(row.goal, 6, 1),
                verdict,
                row.operation.title
            )
        }
    }

    static func nanoseconds(_ operation: Operations.Operation) -> Double {
        let clock = ContinuousClock()
        let time = clock.measure { operation.run(operation.batch) }
        let (seconds, attoseconds) = time.components
        return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9)
            / Double(operation.batch * operation.unit)
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    static func format(_ value: Double, _ width: Int, _ digits: Int = 1) -> String {
        String(format: "%\(width).\(digits)f", value)
    }

    /// glibc leaves out the atomics of its locks in a process with one thread.
    static func keepSecondThread() {
        Thread.detachNewThread {
            while true { sleep(1000) }
        }
    }
}
