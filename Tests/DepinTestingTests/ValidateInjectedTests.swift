import Depin
import DepinTesting
import Testing

/// What a validation says of the properties that it is told of.
struct `A validation with injected properties` {
    // MARK: - Missing

    @Test func `finds what nobody registers, with the fix of an error at run time`() throws {
        let container = Container()
        container.register((any News)?.self) { LiveNews() }
        let problems = try problems(of: container, properties(of: "FeedScreen"))
        #expect(
            problems.map { withoutLine($0.description) } == [
                """
                nothing is registered for News
                  requested by @Injected FeedScreen.feed: News
                  fix: register News itself, or request News?, registered at _: only the optional is registered
                """
            ]
        )
        #expect(problems.map(\.kind) == [.missing])
    }

    @Test func `tells each property that misses the same`() throws {
        let all = properties(of: "FeedScreen") + properties(of: "ListScreen")
        let problems = try problems(of: Container(), all)
        #expect(
            problems.compactMap { $0.description.split(separator: "\n").dropFirst().first } == [
                "  requested by @Injected FeedScreen.feed: News",
                "  requested by @Injected ListScreen.feed: News",
                "  requested by @Injected ListScreen.later: Lazy<Log>",
                "  requested by @Injected ListScreen.often: Provider<Log>",
            ]
        )
    }

    @Test func `never misses an optional, and looks into what comes later`() throws {
        let container = Container()
        container.register((any News).self) { LiveNews() }
        let missing = try problems(of: container, properties(of: "ListScreen"))
        #expect(missing.allSatisfy { $0.description.contains("fix: register Log: ") })
        container.register(Log.self) { Log() }
        let report = try container.validate(.init(injected: properties(of: "ListScreen")))
        #expect(report.problems.isEmpty && report.unknownProperties.isEmpty)
        #expect(report.propertyCount == 4)
    }

    @Test func `a property cannot wait for what takes time, unless that is eager`() async throws {
        let container = Container()
        let entry = container.register((any News).self, asyncFactory: { LiveNews() })
            .inObjectScope(.container)
        let problems = try problems(of: container, properties(of: "FeedScreen"))
        #expect(problems.map(\.kind) == [.needsAwait])
        #expect(
            problems.first?.description.hasPrefix(
                "@Injected FeedScreen.feed: News cannot wait for News, which is made asynchronously"
            ) == true
        )
        entry.eager()
        let report = try await container.validateAsync(
            .init(injected: properties(of: "FeedScreen"))
        )
        #expect(report.problems.isEmpty && report.propertyCount == 1)
    }

    @Test func `counts a type as there that is provided elsewhere`() throws {
        let all = properties(of: "FeedScreen") + properties(of: "ListScreen")
        let report = try Container().validate(
            .init(
                providing: [(any News).self, Log.self],
                injected: all
            )
        )
        #expect(report.problems.isEmpty)
    }

    @Test func `counts what is made of a provided type as there, too`() throws {
        let (container, all) = (Container(), properties(of: "LogScreen"))
        for provided: [Any.Type] in [[Log.self], [[Log].self, Lazy<Log>.self]] {
            let report = try container.validate(.init(providing: provided, injected: all))
            #expect(report.problems.isEmpty)
            #expect(report.graph.nodes.map(\.scope).sorted().prefix(2) == ["injected", "injected"])
            #expect(report.graph.edges.count == 2)
        }
    }

    @Test func `says which property gets an empty collection, in the picture too`() throws {
        let container = Container()
        container.register(Log.self) { Log() }
        let report = try container.validate(.init(injected: properties(of: "LogScreen")))
        #expect(report.problems.map(\.kind) == [.emptyCollection])
        let empty = report.graph.nodes.filter { $0.problems == [.emptyCollection] }
        #expect(empty.map(\.service) == ["LogScreen.all", "[Log]"])
        #expect(report.graph.edges.count { $0.isProblem } == 1)
    }

    @Test func `sees the properties of this program`() throws {
        let all = InjectedProperty.ofThisProgram(modules: ["DepinTestingTests"])
            .filter { ["FeedScreen", "ListScreen"].contains($0.owner) }
        #expect(all.count == 5)
        #expect(throws: ValidationError.self) { try Assembler().validate(.init(injected: all)) }
    }

    // MARK: - The picture

    @Test func `draws each property with what it needs`() throws {
        let container = Container()
        container.register((any News).self) { LiveNews() }
        let all = properties(of: "FeedScreen") + properties(of: "ListScreen")
        let error = try #require(throws: ValidationError.self) {
            try container.validate(.init(injected: all))
        }
        let graph = error.report.graph
        let names = Dictionary(uniqueKeysWithValues: graph.nodes.map { ($0.id, $0.service) })
        let edges = graph.edges.map { edge in
            let marks = (edge.isDeferred ? " later" : "") + (edge.isProblem ? " problem" : "")
            return "\(names[edge.from] ?? "?") → \(names[edge.to] ?? "?")\(marks)"
        }
        #expect(
            edges == [
                "FeedScreen.feed → News", "ListScreen.feed → News",
                "ListScreen.later → Log later problem", "ListScreen.often → Log later problem",
            ]
        )
        #expect(graph.nodes.count { $0.scope == "injected" } == 5)
        #expect(graph.mermaid.contains("((\"FeedScreen.feed\"))"))
        #expect(graph.dot.contains("<b>FeedScreen.feed</b>"))
        let near = graph.neighborhood(of: (any News).self)
        #expect(near.nodes.map(\.service) == ["FeedScreen.feed", "ListScreen.feed", "News"])
    }

    // MARK: - What nobody needs

    @Test func `lists what neither properties nor roots lead to`() throws {
        let container = Container()
        container.autoregister((any News).self) { (_: Log) in LiveNews() }
        container.register(Log.self) { Log() }
        container.register(Log.self, name: "audit") { Log() }
        container.register(Coordinator.self) { r in
            Coordinator(r ~> Store.self)
        }
        container.register(Store.self) { Store() }
        func unreached(_ injected: [InjectedProperty], roots: [Any.Type] = []) throws -> [String] {
            try container.validate(.init(injected: injected, roots: roots))
                .unreached.map { "\($0.request)" }
        }
        #expect(try unreached([]) == [])
        let feed = properties(of: "FeedScreen")
        #expect(try unreached(feed) == ["Log named \"audit\"", "Coordinator", "Store"])
        #expect(try unreached(feed, roots: [Coordinator.self]) == ["Log named \"audit\""])
        let others = ["News", "Log named \"audit\"", "Coordinator"]
        #expect(try unreached([], roots: [Store.self]) == others, "News declares to need Log")
        let log = properties(of: "ListScreen")
        #expect(try unreached(log) == ["Coordinator"], "a property may have the name")
    }

    @Test func `a root must be registered`() throws {
        let container = Container()
        container.register(Store.self) { Store() }
        let error = try #require(throws: ValidationError.self) {
            try container.validate(.init(roots: [Coordinator.self]))
        }
        #expect(error.problems.map(\.kind) == [.missing])
        #expect(error.description.contains("nothing is registered for Coordinator"))
        try container.validate(.init(providing: [Coordinator.self], roots: [Coordinator.self]))
    }

    // MARK: - Help

    private func properties(of owner: String) -> [InjectedProperty] {
        InjectedProperty.ofThisProgram(modules: ["DepinTestingTests"]).filter { $0.owner == owner }
    }

    private func problems(
        of container: Container,
        _ injected: [InjectedProperty]
    ) throws -> [ValidationReport.Problem] {
        try #require(throws: ValidationError.self) {
            try container.validate(.init(injected: injected))
        }
        .problems
    }

    private func withoutLine(_ text: String) -> String {
        text.replacing(#/DepinTestingTests/\w+\.swift:\d+/#, with: "_")
    }
}

// MARK: - What is validated

// Nothing makes the two screens: an optimized build would leave them out if they were private.

protocol News: Sendable {}
private struct LiveNews: News {}
final class Log: Sendable {}
final class Store: Sendable {}
private final class Coordinator: Sendable {
    init(_: Any...) {}
}

struct FeedScreen {
    @Injected var feed: any News
}

struct ListScreen {
    @Injected var feed: any News
    @Injected var maybe: Store?
    @Injected var later: Lazy<Log>
    @Injected var often: Provider<Log>
}

struct LogScreen {
    @Injected var all: [Log]
    @Injected var later: Lazy<Log>
}
