public import Depin

extension WarmUpReport {
    /// The report as an interactive page: a timeline of the services, with the critical path.
    ///
    /// ```swift
    /// let report = try await container.warmUp()
    /// try report.html(title: "Launch").write(to: URL(filePath: "launch.html"))
    /// ```
    ///
    /// The page searches and sorts the services, filters the critical ones, and shows for each what was being
    /// made at the same time. You can use all of it with the keyboard.
    ///
    /// - Parameter title: The title of the page.
    /// - Returns: The page.
    public func html(title: String) -> HTMLPage {
        HTMLPage(
            title: title,
            data: .fields([
                "duration": .number(Self.nanoseconds(duration)),
                "services": .array(services.map(Self.service)),
                "path": .array(pathInServices.map { .number($0) }),
            ]),
            body: WarmUpScript.body,
            script: WarmUpScript.text
        )
    }

    /// The critical path as positions in the services: each has ended before the next one.
    private var pathInServices: [Int] {
        services.indices.filter { services[$0].isCritical }.sorted { one, other in
            (services[one].end, services[other].start) < (services[other].end, services[one].start)
        }
    }

    private static func service(_ service: Service) -> JSON {
        .fields([
            "service": .text("\(service.request)"),
            "place": .text("\(service.registeredAt)"),
            "start": .number(nanoseconds(service.start)),
            "took": .number(nanoseconds(service.duration)),
            "critical": .mark(service.isCritical),
        ])
    }

    private static func nanoseconds(_ duration: Duration) -> Int {
        Int((duration / .nanoseconds(1)).rounded())
    }
}
