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
        /// The number of its registration.
        let number: UInt
        /// What was requested.
        public let request: ResolutionError.Request
        /// Where it was registered.
        public let registeredAt: CodePlace
        /// When it was requested, counted from the beginning of the warm-up.
        public let start: Duration
        /// How long it took, including everything made for it.
        public let duration: Duration
        /// Whether it is on the critical path.
        public fileprivate(set) var isCritical = false

        package var end: Duration { start + duration }
    }

    /// The services, in the order in which they began.
    public let services: [Service]
    /// The chain of services that took longest: each waited for the one before it.
    public let criticalPath: [Service]
    /// How long the whole warm-up took.
    public let duration: Duration
    private let width: Int
    /// The services that are eager in vain: the service, its line and the reason.
    var idle: [String] = []

    /// Makes the report of services and their needs: pairs of registrations' numbers.
    init(_ services: [Service], needs: RareSet<[UInt]>, width: Int, took duration: Duration) {
        var services = services.ordered { ($0.start, $1.end) < ($1.start, $0.end) }
        func last(_ isMeant: (Int) -> Bool) -> Int? {
            services.indices.filter(isMeant).max { services[$0].end < services[$1].end }
        }
        var path: [Int] = []
        var next = last { _ in true }
        while let index = next {
            path.append(index)
            let service = services[index]
            next = last {
                needs.contains([service.number, services[$0].number])
                    && services[$0].end <= service.end && !path.contains($0)
            }
        }
        for index in path { services[index].isCritical = true }
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
    public var description: String { text(with: []) }

    /// The description, with lines about the services in it.
    package func text(with bars: [String]) -> String {
        let count = services.count == 1 ? "1 service" : "\(services.count) services"
        var lines = [
            "warmed up \(count) in \(milliseconds(duration)), at most \(width) at a time"
        ]
        lines += bars
        let path = criticalPath.map(label).joined(separator: " → ")
        if !path.isEmpty { lines.append("  critical path: \(path)") }
        lines += Page.list(idle, lines: Page.lineCount / 4).map { "  eager in vain: \($0)" }
        return lines.joined(separator: "\n")
    }

    /// Names for the services, with the line of the registration if two share a name.
    package var label: (Service) -> String {
        var (known, places, shared) = (RareSet<String>(), RareSet<String>(), RareSet<String>())
        for service in services {
            let name = "\(service.request)"
            let isElsewhere = places.insert("\(name) at \(service.registeredAt)")
            if isElsewhere, !known.insert(name) { shared[name] = () }
        }
        return { [shared] service in
            let name = "\(service.request)"
            return shared.contains(name) ? "\(name) at \(service.registeredAt)" : name
        }
    }

    package func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .microseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
