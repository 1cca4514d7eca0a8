import Foundation

// Runs the random programs that the environment says, in this process: LOG. The first that fails ends it.
guard CommandLine.arguments.count == 2 else { fatalError("LOG") }
let options = SimulatorOptions(ProcessInfo.processInfo.environment)
await ChildProcess(SimulatorRun(options: options, log: CommandLine.arguments[1])).run()
