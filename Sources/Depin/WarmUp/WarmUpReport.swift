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
    /// What is marked as eager and is not ready: the service, its line and the reason.
    var idle: [String] = []
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
        let spans = spans.ordered { ($0.start, $1.end) < ($1.start, $0.end) }
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
    /// How long it took, the critical path, and what is marked as eager in vain.
    ///
    /// DepinInspection draws the `timeline`.
    public var description: String { ([title] + summary).joined(separator: "\n") }

    /// How long it took: `warmed up 3 services in 42.0 ms, at most 4 at a time`.
    package var title: String {
        let count = services.count == 1 ? "1 service" : "\(services.count) services"
        return "warmed up \(count) in \(milliseconds(duration)), at most \(width) at a time"
    }

    /// The lines that follow the services.
    package var summary: [String] {
        let label = label
        let path = criticalPath.map { label($0) }.joined(separator: " → ")
        return (path.isEmpty ? [] : ["  critical path: \(path)"])
            + Page.list(idle, lines: Page.lineCount / 4).map { "  eager in vain: \($0)" }
    }

    /// Names for the services, with the line of the registration where two share a name.
    package var label: (Service) -> String {
        var places: [String: Set<CodePlace>] = [:]
        for service in services {
            places["\(service.request)", default: []].insert(service.registeredAt)
        }
        return { [places] service in
            let name = "\(service.request)"
            let isAlone = (places[name]?.count ?? 0) < 2
            return isAlone ? name : "\(name) at \(service.registeredAt)"
        }
    }

    package func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .microseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
