import Depin
import DepinTesting
import Testing

@testable import DepinInspection

/// What a validation cannot know of injected properties, it says and counts.
struct `What a validation does not know of a property` {
    private let container = Container()

    @Test func `is its name, and a service that depends on a generic parameter`() throws {
        container.register((any News).self, name: "live") { Paper() }
        container.register((any News).self, name: "fake") { Paper() }
        let generic = InjectedProperty(
            owner: "Box",
            name: "content",
            serviceType: nil,
            note: "its service depends on a generic parameter of Box"
        )
        let report = try container.validate(
            .init(injected: properties(of: "FeedScreen") + [generic])
        )
        let words = report.unknownProperties.map { "\($0.property): \($0.reason)" }
        #expect(
            words == [
                "FeedScreen.feed: News: registered under \"fake\", \"live\"; the name is not checked",
                "Box.content: ?: its service depends on a generic parameter of Box",
            ]
        )
        #expect(report.propertyCount == 2)
        #expect(
            report.description == """
                validation of 2 registrations found no problem
                  checked by type: 0, only by running: 2, not checked: 0
                  @Injected properties: 2, checked by type against this container; checked only in part: 2
                    \(words[0])
                    \(words[1])
                    not in the metadata: names and `assembler:` of properties; globals, static properties, local variables
                """
        )
    }

    @Test func `is its name, where a registration is for any name`() throws {
        container.register((any News).self, anyName: { _, _ in Paper() })
        let report = try container.validate(.init(injected: properties(of: "FeedScreen")))
        #expect(
            report.unknownProperties.map(\.reason) == [
                "registered under any name; the name is not checked"
            ]
        )
    }

    @Test func `is said to be in no metadata where everything else is known`() throws {
        container.register((any News).self) { Paper() }
        let report = try container.validate(.init(injected: properties(of: "FeedScreen")))
        #expect(
            report.description.hasSuffix(
                """
                  @Injected properties: 1, checked by type against this container; checked only in part: 0
                    not in the metadata: names and `assembler:` of properties; globals, static properties, local variables
                """
            )
        )
        #expect(try !container.validate().description.contains("@Injected"))
    }

    @Test func `is whether it asks another assembler of the space, which has its service`() throws {
        let payments = Container()
        payments.register((any News).self) { Paper() }
        payments.register(Log.self, name: "audit") { Log() }
        payments.contribute(Log.self) { Log() }
        let all = ["FeedScreen", "ListScreen", "LogScreen"].flatMap(properties)
        let report = try withSpace(\.billing, Assembler(container: payments)) {
            try container.validate(.init(injected: all))
        }
        #expect(report.problems.isEmpty)
        #expect(
            report.unknownProperties.map(\.property) == [
                "FeedScreen.feed: News", "ListScreen.feed: News", "ListScreen.later: Lazy<Log>",
                "ListScreen.often: Provider<Log>", "LogScreen.all: [Log]",
                "LogScreen.later: Lazy<Log>",
            ]
        )
        let reason =
            "registered in the space's BillingKey; the `assembler:` of a property is not in its metadata"
        #expect(report.unknownProperties.allSatisfy { $0.reason == reason })
        #expect(report.description.contains("checked only in part: 6\n"))
        let graph = report.graph
        #expect(
            graph.nodes.filter { $0.scope == "provided" }.map(\.service) == [
                "Log", "News", "[Log]",
            ]
        )
        #expect(graph.edges.count == 6 && graph.edges.allSatisfy { !$0.isProblem })
    }

    @Test func `is not that where no assembler has its service`() throws {
        let payments = Container()
        payments.register(Log.self) { Log() }
        payments.register((any News).self) { (_: any Resolver, _: Int) in Paper() }
        let kinds = withSpace(\.billing, Assembler(container: payments)) {
            missing(in: container, properties(of: "FeedScreen"))
        }
        #expect(kinds == [.missing])
    }

    @Test func `is not whether it asks the app's assembler, in whose place the container is`() {
        let app = Container()
        app.register((any News).self) { Paper() }
        let kinds = withSpace(\.dependenciesContainer, app) {
            missing(in: container, properties(of: "FeedScreen"))
        }
        #expect(kinds == [.missing])
    }

    @Test func `is whether it asks the app's assembler, where that is another`() async throws {
        let app = Container()
        app.register((any News).self) { Paper() }
        var values = SpaceValues.current
        values.dependenciesContainer = app
        values.billing = Assembler(container: container)
        let report = try await withSpace(values) {
            try await container.validateAsync(.init(injected: properties(of: "FeedScreen")))
        }
        #expect(
            report.unknownProperties.map(\.reason) == [
                "registered in the space's dependenciesAssembler;"
                    + " the `assembler:` of a property is not in its metadata"
            ]
        )
    }

    @Test func `is everything on a platform that tells of none`() throws {
        container.register(Int.self) { 1 }
        let report = try container.validate(.init(injected: [.unseen(in: nil)]))
        #expect(report.propertyCount == 0)
        #expect(report.unreached.isEmpty)
        #expect(report.graph.nodes.map(\.service) == ["Int"])
        #expect(
            report.description.contains(
                """
                  @Injected properties: 0, checked by type against this container; checked only in part: 1
                    the properties of the program: this platform does not list them
                """
            )
        )
    }

    // MARK: - Help

    private func properties(of owner: String) -> [InjectedProperty] {
        InjectedProperty.ofThisProgram(modules: ["DepinTestingTests"]).filter { $0.owner == owner }
    }

    private func missing(
        in container: Container,
        _ injected: [InjectedProperty]
    ) -> [ValidationReport.Kind]? {
        #expect(throws: ValidationError.self) { try container.validate(.init(injected: injected)) }?
            .problems.map(\.kind)
    }
}

private struct Paper: News {}

private enum BillingKey: SpaceKey {
    static var defaultValue: Assembler { Assembler() }
}

extension SpaceValues {
    fileprivate var billing: Assembler {
        get { self[BillingKey.self] }
        set { self[BillingKey.self] = newValue }
    }
}
