import Foundation

/// What the environment says about a run.
struct SimulatorOptions: Codable, Sendable {
    var seed: UInt64 = 1
    var count = 500
    var attempts = 1
    var features: UInt64

    init(_ environment: [String: String]) {
        func value<Value: LosslessStringConvertible>(_ name: String) -> Value? {
            environment[name].flatMap { Value($0) }
        }
        seed = value("DEPIN_MODEL_SEED") ?? seed
        count = value("DEPIN_MODEL_PROGRAMS") ?? count
        attempts = value("DEPIN_MODEL_ATTEMPTS") ?? attempts
        var enabled = Features.all
        // What a thread holds that a validation has left behind looks leaked.
        if environment["ASAN_OPTIONS"] != nil { enabled.remove(.validation) }
        features = enabled.changed(by: environment["DEPIN_MODEL_FEATURES"] ?? "").rawValue
    }

    var enabled: Features { Features(rawValue: features) }
}

/// What a child process is told.
struct SimulatorRun: Codable, Sendable {
    var options: SimulatorOptions
    var dropped: Set<Int> = []
    let log: String
}
