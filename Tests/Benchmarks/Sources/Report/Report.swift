import Foundation
import Operations

// `Report [rounds [row …]]` measures rows, or every row, in turns and prints the ratios: quick, for work
// on the library.
// `Report rows` prints what each row is, for scripts. `Report loop ROW COUNT` runs one operation so many times, for tools that count.
// `Report memory ROW COUNT` does so in ten parts, and prints what the program has in memory after each.

@main
enum Report {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "loop", let count = arguments.last.flatMap({ Int($0) }) {
            return loop(arguments.dropFirst().first ?? "", count)
        }
        if arguments.first == "memory", let count = arguments.last.flatMap({ Int($0) }) {
            return printMemory(arguments.dropFirst().first ?? "", count)
        }
        if arguments.first == "rows" { return printRows() }
        let wanted = arguments.dropFirst()
        let rows = Row.all.filter { wanted.isEmpty || wanted.contains($0.id) }
        printTable(rows, rounds: arguments.first.flatMap { Int($0) } ?? 100)
    }

    private static func loop(_ id: String, _ count: Int) {
        let operations = Row.all.map(\.operation) + Operation.floors
        guard let operation = operations.first(where: { $0.id == id }) else {
            fatalError("no row or floor '\(id)'; there are \(operations.map(\.id))")
        }
        operation.run(count)
    }

    private static func printMemory(_ id: String, _ count: Int) {
        for part in 1...10 {
            loop(id, count / 10)
            let file = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            let pages = file?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            print("\(count / 10 * part) operations: \(pages * Int(getpagesize()) / 1024) KB")
        }
    }

    private static func printRows() {
        for row in Row.all {
            let goal = row.goal.map { text($0, 1) } ?? ""
            let reach = row.reach.map { text($0, 1) } ?? ""
            print([row.id, row.title, row.floor, goal, reach].joined(separator: "\t"))
        }
    }

    private static func printTable(_ rows: [Row], rounds: Int) {
        var samples = rows.map { _ in [Row.Sample]() }
        for _ in 0...rounds {
            for (index, row) in rows.enumerated() {
                if let sample = row.sample() { samples[index].append(sample) }
            }
        }
        print("| row | operation | ns | floor | ns | ratio | half of them | goal | |")
        print("|---|---|--:|---|--:|--:|---|--:|---|")
        for (row, samples) in zip(rows, samples) {
            let samples = samples.dropFirst()
            guard !samples.isEmpty else {
                print("| \(row.id) | \(row.title): the machine is too busy |")
                continue
            }
            let ratios = samples.map(\.ratio)
            let ratio = ratios.quantile(0.5)
            let cells = [
                row.id,
                row.title,
                text(samples.map(\.nanoseconds).quantile(0.5), 1),
                row.floor,
                text(samples.map(\.floorNanoseconds).quantile(0.5), 1),
                text(ratio, 2),
                text(ratios.quantile(0.25), 2) + "–" + text(ratios.quantile(0.75), 2),
                row.goal.map { text($0, 1) } ?? "",
                row.goal.map { ratio <= $0 ? "pass" : "MISS" } ?? "",
            ]
            print("| " + cells.joined(separator: " | ") + " |")
        }
    }

    private static func text(_ value: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }
}
