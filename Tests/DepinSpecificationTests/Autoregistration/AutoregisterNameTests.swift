import Depin
import DepinInspection
import Testing

/// Which registration of its type a parameter of an initializer gets.
struct `Named parameters of autoregistration` {
    private let container = Container()

    init() {
        container.register(Database.self) { Database(file: "plain") }
        for name in [Copy.main, .backup] {
            container.register(Database.self, name: name) { Database(file: name.name) }
        }
    }

    @Test func `are resolved by their names, in their order`() throws {
        container.autoregister(
            Report.self,
            names: [Copy.main, "backup", nil],
            initializer: Report.init(first:second:third:)
        )

        #expect(try container.require(Report.self).files == ["main", "backup", "plain"])
    }

    @Test func `need not be all`() throws {
        container.autoregister(
            Report.self,
            names: [nil, "main"],
            initializer: Report.init(first:second:third:)
        )

        #expect(try container.require(Report.self).files == ["plain", "main", "plain"])
    }

    @Test func `may be optional, or come later`() throws {
        container.autoregister(Draft.self, names: ["main", "backup", "none"]) {
            (lazy: Lazy<Database>, provider: Provider<Database>, optional: Database?) in
            Draft(files: [lazy.instance.file, provider.instance.file, optional?.file])
        }

        #expect(try container.require(Draft.self).files == ["main", "backup", nil])
        try container.validate()
    }

    @Test func `take no argument`() throws {
        container.register(String.self, name: "title") { "registered" }
        container.autoregister(
            Page.self,
            argument: String.self,
            names: [nil, "title"],
            initializer: Page.init(text:title:)
        )
        container.autoregister(
            Page.self,
            arguments: String.self,
            Int.self,
            names: ["title"]
        ) { (title: String, text: String, number: Int) in
            Page(text: "\(text) \(number)", title: title)
        }

        let page = try container.require(Page.self, argument: "given")
        #expect(page == Page(text: "given", title: "registered"))
        let numbered = try container.require(Page.self, arguments: "given", 1)
        #expect(numbered == Page(text: "given 1", title: "registered"))
        #expect(try container.validate().problems.isEmpty)
    }

    @Test func `are named by no service of the type without the name`() throws {
        container.autoregister(Draft.self, names: ["none"]) { (database: Database) in
            Draft(files: [database.file])
        }

        let error = #expect(throws: ResolutionError.self) { try container.require(Draft.self) }
        #expect(error?.request.name == "none")
    }

    @Test @MainActor func `may be those of a main-actor initializer`() throws {
        container.autoregister(Screen.self, names: ["main"], mainActorInitializer: Screen.init)

        #expect(try container.require(Screen.self).database.file == "main")
    }

    @Test func `may be those of an asynchronous initializer`() async throws {
        container.register(Database.self, name: "slow", asyncFactory: { Database(file: "slow") })
        container.autoregister(
            Report.self,
            names: ["slow", nil, "main"],
            asyncInitializer: { Report(first: $0, second: $1, third: $2) }
        )

        #expect(try await container.requireAsync(Report.self).files == ["slow", "plain", "main"])
        container.unregister(Database.self, name: "slow")
        #expect(problemKinds(of: container) == [.missing])
    }

    // MARK: - Validation

    @Test func `are checked from the types, each name on its own`() throws {
        container.autoregister(
            Report.self,
            names: ["one", "other"],
            initializer: Report.init(first:second:third:)
        )

        let error = try #require(
            #expect(throws: ValidationError.self) { try container.validate() }
        )
        let missing = error.problems.filter { $0.kind == .missing }
        #expect(missing.compactMap(\.error?.request.name) == ["one", "other"])
        #expect(error.report.checkedByTypes.map { "\($0.request)" } == ["Report"])
        let gaps = error.report.graph.nodes.filter { $0.scope == "missing" }
        #expect(gaps.map(\.name) == ["one", "other"])
    }

    @Test func `are missing where only the type without a name is derived`() throws {
        container.contribute(Database.self, instance: Database(file: "contributed"))
        container.autoregister(Draft.self, names: ["a", "b"]) {
            (_: Container, databases: [Database]) in Draft(files: databases.map(\.file))
        }

        let error = try #require(
            #expect(throws: ValidationError.self) { try container.validate() }
        )
        #expect(error.problems.map(\.kind) == [.missing, .missing])
        #expect(throws: ResolutionError.self) { try container.require(Draft.self) }
    }

    @Test func `are the needs that the graph shows`() throws {
        container.autoregister(Draft.self, names: ["main"]) { (database: Database) in
            Draft(files: [database.file])
        }
        let graph = container.dependencyGraph()
        let needed = graph.edges.compactMap { edge in graph.nodes.first { $0.id == edge.to } }

        #expect(needed.map(\.name) == ["main"])
        #expect(graph.edges.map(\.origin) == [.declared])
    }

    @Test func `that no parameter has stop the program`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            Container().autoregister(
                Page.self,
                names: ["a", nil, "c"],
                initializer: Page.init(text:title:)
            )
        }
        try Golden("more names than parameters").check(try Golden.trap(in: result))
    }
}

private enum Copy: String, ServiceName { case main, backup }

private struct Database {
    let file: String
}

private struct Report {
    let files: [String]

    init(first: Database, second: Database, third: Database) {
        files = [first, second, third].map(\.file)
    }
}

private struct Draft {
    let files: [String?]
}

private struct Page: Equatable {
    let text: String
    let title: String
}

@MainActor private final class Screen {
    let database: Database

    init(database: Database) { self.database = database }
}
