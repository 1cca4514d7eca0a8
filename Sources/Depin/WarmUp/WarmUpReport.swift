/// The services that ``Container/warmUp(width:)`` made, and how long each took.
///
/// ```text
/// warmed up 3 services in 42.0 ms, at most 4 at a time
///   Config    ██                              0.0 ms +  2.5 ms, critical
///   Database    ████████████████              2.5 ms + 20.0 ms, critical
///   Fonts       ▒▒▒▒▒▒▒▒                      2.5 ms + 10.0 ms
///   critical path: Config → Database
/// ```
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

        var end: Duration { start + duration }
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
    private static let columns = 30

    /// A bar for each service, and the critical path.
    public var description: String {
        let count = services.count == 1 ? "1 service" : "\(services.count) services"
        let title = "warmed up \(count) in \(milliseconds(duration)), at most \(width) at a time"
        let names = services.map { "\($0.request)" }
        let starts = services.map { milliseconds($0.start) }
        let durations = services.map { milliseconds($0.duration) }
        let bars = services.indices.map { index in
            "  \(padded(names, index)) \(bar(services[index]))"
                + " \(padded(starts, index, atStart: true))"
                + " + \(padded(durations, index, atStart: true))"
                + (services[index].isCritical ? ", critical" : "")
        }
        guard !criticalPath.isEmpty else { return title }
        let path = criticalPath.map { "\($0.request)" }.joined(separator: " → ")
        return ([title] + bars + ["  critical path: \(path)"]).joined(separator: "\n")
    }

    private func bar(_ service: Service) -> String {
        let whole = max(duration, services.map(\.end).max() ?? .zero, .nanoseconds(1))
        func column(_ time: Duration) -> Int {
            Int((time / whole * Double(Self.columns)).rounded())
        }
        let start = min(column(service.start), Self.columns - 1)
        let length = max(1, min(column(service.end), Self.columns) - start)
        return String(repeating: " ", count: start)
            + String(repeating: service.isCritical ? "█" : "▒", count: length)
            + String(repeating: " ", count: Self.columns - start - length)
    }

    private func padded(_ texts: [String], _ index: Int, atStart: Bool = false) -> String {
        let width = texts.map(\.count).max() ?? 0
        let padding = String(repeating: " ", count: width - texts[index].count)
        return atStart ? padding + texts[index] : texts[index] + padding
    }

    private func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .microseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

// MARK: - Chrome's trace

extension WarmUpReport {
    /// The report in the Trace Event Format, for Chrome's `about:tracing` and Perfetto.
    ///
    /// ```swift
    /// try report.chromeTrace.write(to: file, atomically: true, encoding: .utf8)
    /// ```
    public var chromeTrace: String {
        let lanes = lanes
        let events = services.indices.map { index in
            let service = services[index]
            let fields = [
                #""name":"# + quoted("\(service.request)"),
                #""cat":"\#(service.isCritical ? "critical" : "service")""#,
                #""ph":"X""#,
                #""ts":\#(microseconds(service.start))"#,
                #""dur":\#(microseconds(service.duration))"#,
                #""pid":1"#,
                #""tid":\#(lanes[index])"#,
                #""args":{"registeredAt":\#(quoted("\(service.registeredAt)"))}"#,
            ]
            return "{" + fields.joined(separator: ",") + "}"
        }
        return #"{"traceEvents":["# + events.joined(separator: ",") + #"],"displayTimeUnit":"ms"}"#
    }

    /// The rows that the services are shown in: what overlaps in one is nested there.
    private var lanes: [Int] {
        var open: [[Duration]] = []
        return services.map { service in
            for lane in open.indices {
                open[lane].removeAll { $0 <= service.start }
                if open[lane].allSatisfy({ service.end <= $0 }) {
                    open[lane].append(service.end)
                    return lane + 1
                }
            }
            open.append([service.end])
            return open.count
        }
    }

    private func microseconds(_ duration: Duration) -> String {
        let nanoseconds = Int(duration / .nanoseconds(1))
        let rest = String(nanoseconds % 1000)
        return "\(nanoseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\":
                quoted += "\\\(character)"
            case ..<" ":
                let digits = String(character.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}
