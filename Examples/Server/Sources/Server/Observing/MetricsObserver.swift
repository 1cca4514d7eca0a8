import Depin
import Metrics

/// Counts what a container builds and what it cannot, and measures how long that takes.
struct MetricsObserver: ResolutionObserver {
    var factory: (any MetricsFactory)?

    func observe(_ event: ResolutionEvent) {
        guard [.built, .missing, .failed].contains(event.outcome) else { return }
        let factory = factory ?? MetricsSystem.factory
        let dimensions = [("service", "\(event.request)"), ("outcome", "\(event.outcome)")]
        Counter(label: "depin_requests_total", dimensions: dimensions, factory: factory).increment()
        guard let duration = event.duration else { return }
        Timer(label: "depin_request_duration", dimensions: dimensions, factory: factory)
            .record(duration: duration)
    }
}
