/// The services that ``Container/warmUp(width:)`` made, and how long each took.
///
/// ```text
/// warmed up 3 services in 42.0 ms, at most 4 at a time
///   critical path: Config → Database
/// ```
///
/// DepinInspection draws a timeline of it, and exports a trace.
public struct WarmUpReport: Sendable {
    /// A service that was made, because it is eager or because another one needed it.
    public struct Service: Sendable {
        /// What was requested.
        public let request: ResolutionError.Request
        /// Where it was registered.
        public let registeredAt: CodePlace
        /// When it was requested, counted from the beginning of the warm-up.
        public let start: Duration
        /// How long it took, including everything made for it.
        public let duration: Duration
        /// Whether it is on the critical path.
        public let isCritical: Bool

        package var end: Duration { start + duration }
    }

    /// The services, in the order in which they began.
    public let services: [Service]
    /// The chain of services that took longest: each waited for the one before it.
    public let criticalPath: [Service]
    /// How long the whole warm-up took.
    public let duration: Duration
    private let width: Int
}

extension WarmUpReport {
    /// A service as it is noted, by the number of its registration.
    struct Span {
        let number: UInt
        let request: ResolutionError.Request
        let registeredAt: CodePlace
        let start: Duration
        let duration: Duration

        var end: Duration { start + duration }
    }

    init(_ spans: [Span], needs: [UInt: Set<UInt>], width: Int, took duration: Duration) {
        let spans = spans.sorted { ($0.start, $1.end) < ($1.start, $0.end) }
        var path: [Int] = []
        var next = spans.indices.max { spans[$0].end < spans[$1].end }
        while let index = next {
            path.append(index)
            let needed = needs[spans[index].number] ?? []
            next = spans.indices
                .filter { needed.contains(spans[$0].number) && spans[$0].end <= spans[index].end }
                .filter { !path.contains($0) }
                .max { spans[$0].end < spans[$1].end }
        }
        let services = spans.indices.map { index in
            Service(
                request: spans[index].request,
                registeredAt: spans[index].registeredAt,
                start: spans[index].start,
                duration: spans[index].duration,
                isCritical: path.contains(index)
            )
        }
        self.services = services
        criticalPath = path.reversed().map { services[$0] }
        self.duration = duration
        self.width = width
    }
}

extension WarmUpReport: CustomStringConvertible {
    /// How long it took, and the critical path: `warmed up 3 services in 42.0 ms, at most 4 at a time`.
    ///
    /// DepinInspection draws the `timeline`.
    public var description: String {
        let count = services.count == 1 ? "1 service" : "\(services.count) services"
        let title = "warmed up \(count) in \(milliseconds(duration)), at most \(width) at a time"
        guard !criticalPath.isEmpty else { return title }
        let path = criticalPath.map { "\($0.request)" }.joined(separator: " → ")
        return title + "\n  critical path: \(path)"
    }

    package func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .microseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
