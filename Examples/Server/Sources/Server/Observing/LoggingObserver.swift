import Depin
import Logging

/// Logs what a container builds, and what it cannot.
struct LoggingObserver: ResolutionObserver {
    let logger: Logger

    func observe(_ event: ResolutionEvent) {
        let level: Logger.Level
        switch event.outcome {
        case .built: level = .debug
        case .missing, .failed: level = .error
        default: return
        }
        var metadata: Logger.Metadata = ["service": "\(event.request)", "depth": "\(event.depth)"]
        metadata["duration"] = event.duration.map { "\($0)" }
        metadata["registered"] = event.registeredAt.map { "\($0)" }
        metadata["error"] = event.error.map { "\($0)" }
        logger.log(level: level, "\(event.outcome)", metadata: metadata)
    }
}
