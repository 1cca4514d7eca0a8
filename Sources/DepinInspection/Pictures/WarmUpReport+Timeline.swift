import Depin

extension WarmUpReport {
    private static let columns = 30

    /// A bar for each service, when it was made and for how long, and the critical path.
    ///
    /// ```text
    /// warmed up 3 services in 42.0 ms, at most 4 at a time
    ///   Config    ██                              0.0 ms +  2.5 ms, critical
    ///   Database    ████████████████              2.5 ms + 20.0 ms, critical
    ///   Fonts       ▒▒▒▒▒▒▒▒                      2.5 ms + 10.0 ms
    ///   critical path: Config → Database
    /// ```
    public var timeline: String {
        let names = padded(services.map(label))
        let starts = padded(services.map { milliseconds($0.start) }, atStart: true)
        let durations = padded(services.map { milliseconds($0.duration) }, atStart: true)
        let whole = max(duration, services.map(\.end).max() ?? .zero, .nanoseconds(1))
        let bars = services.enumerated().map { index, service in
            "  \(names[index]) \(bar(service, of: whole)) \(starts[index]) + \(durations[index])"
                + (service.isCritical ? ", critical" : "")
        }
        return text(with: bars)
    }

    private func bar(_ service: Service, of whole: Duration) -> String {
        func column(_ time: Duration) -> Int {
            Int((time / whole * Double(Self.columns)).rounded())
        }
        let start = min(column(service.start), Self.columns - 1)
        let length = max(1, min(column(service.end), Self.columns) - start)
        return String(repeating: " ", count: start)
            + String(repeating: service.isCritical ? "█" : "▒", count: length)
            + String(repeating: " ", count: Self.columns - start - length)
    }

    private func padded(_ texts: [String], atStart: Bool = false) -> [String] {
        let width = texts.map(\.count).max() ?? 0
        return texts.map { text in
            let padding = String(repeating: " ", count: width - text.count)
            return atStart ? padding + text : text + padding
        }
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
        let events = zip(services, lanes).map { service, lane in
            JSON.fields([
                "name": .text("\(service.request)"),
                "cat": .text(service.isCritical ? "critical" : "service"),
                "ph": .text("X"),
                "ts": JSON(written: microseconds(service.start)),
                "dur": JSON(written: microseconds(service.duration)),
                "pid": .number(1),
                "tid": .number(lane),
                "args": .fields(["registeredAt": .text("\(service.registeredAt)")]),
            ])
        }
        return JSON.fields(["traceEvents": .array(events), "displayTimeUnit": .text("ms")]).written
    }

    /// The rows of the services; overlapping services in one row are nested.
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
        return "\(nanoseconds / 1000).\(String(1000 + nanoseconds % 1000).dropFirst())"
    }
}
