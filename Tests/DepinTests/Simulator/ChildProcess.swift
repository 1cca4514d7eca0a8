import Foundation

/// Runs programs until one fails, which ends the process.
struct ChildProcess {
    private let run: SimulatorRun
    private let log: FileHandle

    init(_ run: SimulatorRun) {
        self.run = run
        guard FileManager.default.createFile(atPath: run.log, contents: nil),
            let log = FileHandle(forWritingAtPath: run.log)
        else { fatalError("\(run.log) cannot be written") }
        self.log = log
    }

    func run() async {
        let (options, progress) = (run.options, Cell(0))
        endWhenItHangs(progress)
        for seed in options.seed..<options.seed + UInt64(options.count) {
            let program = Program(seed: seed, enabling: options.enabled).dropping(run.dropped)
            for _ in 0..<options.attempts {
                progress.change { $0 += 1 }
                await run(program)
            }
        }
    }

    /// What is written stands there even if the next operation stops the process.
    private func run(_ program: Program) async {
        write("\(program.seed)", from: 0)
        let start = UInt64("\(program.seed)".utf8.count + 1)
        let world = World(program) { write($0, from: start) }
        let violations = await world.run()
        guard !violations.isEmpty else { return }
        write(violations.prefix(10).joined(separator: "\n"), from: start)
        exit(1)
    }

    private func write(_ line: String, from start: UInt64) {
        let text = Data((line + "\n").utf8)
        try? log.seek(toOffset: start)
        try? log.write(contentsOf: text)
        try? log.truncate(atOffset: start + UInt64(text.count))
    }

    private func endWhenItHangs(_ progress: Cell<Int>) {
        let log = log
        Thread.detachNewThread {
            var last = -1
            while true {
                let now = progress.value
                if now == last {
                    _ = try? log.seekToEnd()
                    try? log.write(contentsOf: Data("it hangs\n".utf8))
                    exit(2)
                }
                last = now
                Thread.sleep(forTimeInterval: 20)
            }
        }
    }
}
