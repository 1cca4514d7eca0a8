import Depin
import DepinInspection
import Testing

/// An argument that an initializer has no parameter for is refused, and never dropped.
///
/// The validation tells of it, in a message that names the service, the argument's type and the line.
struct `An argument that no parameter takes` {
    @Test func `is refused when there is no parameter of its type`() async throws {
        let message = try await messageOfFailure(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = Container()
                container.register(Clock.self) { Clock() }
                container.autoregister(
                    Badge.self,
                    argument: Int.self,
                    initializer: { (_: Clock) in Badge() }
                )
                stop(container)
            }
        )
        expectRefusal(of: "Int", in: message)
    }

    @Test func `is refused when there is no parameter at all`() async throws {
        let message = try await messageOfFailure(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = Container()
                container.autoregister(
                    Badge.self,
                    argument: Int.self,
                    initializer: { Badge() }
                )
                stop(container)
            }
        )
        expectRefusal(of: "Int", in: message)
    }

    @Test func `is refused when there are more of its type than parameters`() async throws {
        let message = try await messageOfFailure(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = Container()
                container.autoregister(
                    Badge.self,
                    arguments: String.self,
                    String.self,
                    initializer: { (_: String) in Badge() }
                )
                stop(container)
            }
        )
        expectRefusal(of: "String", in: message)
    }

    @Test func `is refused when the parameter is of a protocol that it does not conform to`()
        async throws
    {
        let message = try await messageOfFailure(
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = Container()
                container.register((any BadgeWearer).self) { Cat() }
                container.autoregister(
                    Badge.self,
                    argument: Int.self,
                    initializer: { (_: any BadgeWearer) in Badge() }
                )
                stop(container)
            }
        )
        expectRefusal(of: "Int", in: message)
    }

    @Test func `is none that a parameter takes`() throws {
        let container = Container()
        container.register(Clock.self) { Clock() }
        container.autoregister(
            Badge.self,
            arguments: String.self,
            Int.self,
            initializer: { (_: Clock, _: Int, _: String) in Badge() }
        )
        let report = try container.validate()
        #expect(report.problems.isEmpty)
    }

    private func messageOfFailure(_ result: ExitTest.Result?) throws -> String {
        String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    }

    private func expectRefusal(
        of argument: String,
        in message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(message.contains("Badge"), sourceLocation: sourceLocation)
        #expect(message.contains(argument), sourceLocation: sourceLocation)
        #expect(message.contains("UnusedArgumentTests.swift"), sourceLocation: sourceLocation)
    }
}

/// Stops the process if a validation finds something, with what it finds.
private func stop(_ container: Container) {
    do {
        try container.validate()
    } catch {
        fatalError("\(error)")
    }
}

private final class Clock: Sendable {}
private final class Badge: Sendable {}
protocol BadgeWearer: Sendable {}
private struct Cat: BadgeWearer {}
