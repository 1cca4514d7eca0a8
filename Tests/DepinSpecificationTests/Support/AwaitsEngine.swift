import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Stands at a test of what is promised and not yet kept.
    ///
    /// It runs where the environment has `DEPIN_CROSSINGS`.
    static var awaitsEngine: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["DEPIN_CROSSINGS"] != nil,
            "the engine does not keep this yet: DEPIN_CROSSINGS=1 runs it"
        )
    }
}
