import Depin
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing

@testable import Server

struct ObservingTests {
    @Test func `what is built and what is missing is logged`() throws {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in
            var log = log
            log.logLevel = .debug
            return log
        }
        let container = Container()
        container.register(Int.self) { 1 }.inObjectScope(.container)
        container.addObserver(LoggingObserver(logger: logger))
        for _ in 1...2 { #expect((container ~> Int.self) == 1) }
        #expect(container.resolve(String.self) == nil)
        #expect(log.entries.map(\.level) == [.debug, .error])
        let built = try #require(log.entries.first)
        #expect(built.message == "built")
        #expect(built.metadata["service"] == "Int")
        #expect(built.metadata["depth"] == "0")
        #expect(built.metadata["registered"]?.description.contains("ObservingTests.swift") == true)
        #expect(built.metadata["duration"] != nil)
    }

    @Test func `what is built and what is missing is counted`() throws {
        let metrics = TestMetrics()
        let container = Container()
        container.register(Int.self) { 1 }.inObjectScope(.transient)
        container.addObserver(MetricsObserver(factory: metrics))
        for _ in 1...2 { #expect((container ~> Int.self) == 1) }
        #expect(container.resolve(String.self) == nil)
        let built = [("service", "Int"), ("outcome", "built")]
        #expect(try metrics.expectCounter("depin_requests_total", built).values == [1, 1])
        #expect(try metrics.expectTimer("depin_request_duration", built).values.count == 2)
        let missing = [("service", "String"), ("outcome", "missing")]
        #expect(try metrics.expectCounter("depin_requests_total", missing).values == [1])
    }
}
