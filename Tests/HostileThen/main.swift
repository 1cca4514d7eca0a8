import Depin
import Foundation

// Runs random programs until one fails: KIND FIRST COUNT [+FEATURE | -FEATURE]…
//
// What is said of a program stands there even if the next thing that it does stops the process.
func tell(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 2, let first = UInt64(arguments[1]), let count = UInt64(arguments[2]) else {
    fatalError("KIND FIRST COUNT [+FEATURE | -FEATURE]…")
}
let isOfThreads = arguments[0] == "threads"
for seed in first..<first + count {
    let (program, threads) = (HostileProgram(seed: seed), HostileThreads(seed: seed))
    let features = isOfThreads ? threads.features : program.features.map { "\($0)" }.sorted()
    let isWanted = arguments.dropFirst(3).allSatisfy { filter in
        features.contains(String(filter.dropFirst())) == filter.hasPrefix("+")
    }
    guard isWanted else { continue }
    tell("program \(seed) \(features.joined(separator: " "))")
    let violations =
        isOfThreads
        ? HostileThreadsWorld(threads).run(patience: 2)
        : HostileWorld(program, note: { tell("does \($0)") }).run()
    for violation in violations { tell("wrong \(violation)") }
    if !violations.isEmpty { exit(1) }
}

extension HostileThreads {
    var features: [String] { isExpiring ? ["expiring"] : [] }
}
