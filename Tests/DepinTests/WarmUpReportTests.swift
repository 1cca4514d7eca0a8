import DepinInspection
import Testing

@testable import Depin

/// What a report of warming up shows.
struct WarmUpReportTests {
    private func service(_ number: UInt, _ type: Any.Type, _ start: Int, _ duration: Int)
        -> WarmUpReport.Service
    {
        WarmUpReport.Service(
            number: number,
            request: ResolutionError.Request(ServiceKey(type)),
            registeredAt: CodePlace(file: "App/Assembly.swift", line: number),
            start: .microseconds(start),
            duration: .microseconds(duration)
        )
    }

    /// `Int` needs `String`, which needs nothing; `Double` is on its own.
    private var report: WarmUpReport {
        var needs = RareSet<[UInt]>()
        needs[[1, 2]] = ()
        return WarmUpReport(
            [
                service(1, Int.self, 10_000, 20_000), service(2, String.self, 0, 10_000),
                service(3, Double.self, 0, 4_000),
            ],
            needs: needs,
            width: 2,
            took: .milliseconds(30)
        )
    }

    @Test func `it prints how long it took, and the critical path`() {
        #expect(
            report.description == """
                warmed up 3 services in 30.0 ms, at most 2 at a time
                  critical path: String → Int
                """
        )
    }

    @Test func `its timeline has bars, the critical ones full`() {
        #expect(
            report.timeline == """
                warmed up 3 services in 30.0 ms, at most 2 at a time
                  String ██████████                      0.0 ms + 10.0 ms, critical
                  Double ▒▒▒▒                            0.0 ms +  4.0 ms
                  Int              ████████████████████ 10.0 ms + 20.0 ms, critical
                  critical path: String → Int
                """
        )
    }

    private enum Feed {
        struct Item {}
    }

    private enum Mail {
        struct Item {}
    }

    @Test func `services that share a name show where they are registered`() {
        let report = WarmUpReport(
            [
                service(1, Feed.Item.self, 0, 10_000), service(2, Mail.Item.self, 0, 10_000),
                service(3, Int.self, 0, 5_000),
            ],
            needs: RareSet(),
            width: 3,
            took: .milliseconds(10)
        )
        #expect(
            report.timeline == """
                warmed up 3 services in 10.0 ms, at most 3 at a time
                  Item at App/Assembly.swift:1 ██████████████████████████████ 0.0 ms + 10.0 ms, critical
                  Item at App/Assembly.swift:2 ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ 0.0 ms + 10.0 ms
                  Int                          ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒                0.0 ms +  5.0 ms
                  critical path: Item at App/Assembly.swift:1
                """
        )
    }

    @Test func `the trace has a row for what overlaps`() {
        #expect(
            report.chromeTrace == """
                {"traceEvents":[\
                {"name":"String","cat":"critical","ph":"X","ts":0.000,"dur":10000.000,"pid":1,"tid":1,\
                "args":{"registeredAt":"App/Assembly.swift:2"}},\
                {"name":"Double","cat":"service","ph":"X","ts":0.000,"dur":4000.000,"pid":1,"tid":1,\
                "args":{"registeredAt":"App/Assembly.swift:3"}},\
                {"name":"Int","cat":"critical","ph":"X","ts":10000.000,"dur":20000.000,"pid":1,"tid":1,\
                "args":{"registeredAt":"App/Assembly.swift:1"}}\
                ],"displayTimeUnit":"ms"}
                """
        )
    }

    @Test func `nothing to make is nothing to show`() {
        let report = WarmUpReport([], needs: RareSet(), width: 1, took: .zero)
        #expect(report.description == "warmed up 0 services in 0.0 ms, at most 1 at a time")
        #expect(report.timeline == report.description)
        #expect(report.chromeTrace == #"{"traceEvents":[],"displayTimeUnit":"ms"}"#)
    }
}
