import Depin
import DepinInspection
import Foundation
import Testing

struct `A page` {
    @Test func `has all services, needs, and problems of a report`() throws {
        let report = Shop.report
        let page = try Page(report.html(title: "Shop"))
        let graph = report.graph
        #expect(page.nodes.map { $0["id"] as? String } == graph.nodes.map(\.id))
        #expect(page.nodes.map { $0["service"] as? String } == graph.nodes.map(\.service))
        #expect(page.nodes.map { $0["name"] as? String } == graph.nodes.map(\.name))
        #expect(page.nodes.map { $0["scope"] as? String } == graph.nodes.map(\.scope))
        #expect(
            page.nodes.map { $0["place"] as? String } == graph.nodes.map { $0.place?.description }
        )
        #expect(page.edges.map { $0["from"] as? String } == graph.edges.map(\.from))
        #expect(page.edges.map { $0["to"] as? String } == graph.edges.map(\.to))
        #expect(
            page.problems.map { $0["text"] as? String } == report.problems.map(\.description)
        )
    }

    @Test func `marks the services that a problem is about`() throws {
        let page = try Page(Shop.report.html(title: "Shop"))
        #expect(try page.services(with: "captive") == ["Payments", "Tokens"])
        #expect(try page.services(with: "circular") == ["Chicken", "Egg"])
        let missing = ["Catalog", "Search", "Shop.CartScreen.wallet", "Wallet"]
        #expect(try page.services(with: "missing") == missing)
        #expect(try page.services(with: "failed") == ["Poster"])
    }

    @Test func `marks what only running the factories shows`() throws {
        let page = try Page(Running.report.html(title: "Running"))
        #expect(try page.services(with: "circular") == ["Left", "Right"])
        #expect(try page.services(with: "missing") == ["Absent", "Needy"])
        #expect(try page.services(with: "failed") == ["Clock", "Paper"])
        #expect(page.problems.allSatisfy { ($0["nodes"] as? [String])?.isEmpty == false })
        let notes = try #require(page.data["notes"] as? [String])
        #expect(notes.count == 2 && notes[0].hasPrefix("Running.Form.elsewhere: Clock: registered"))
    }

    @Test func `leads from an empty collection to the property that gets it`() throws {
        let all = InjectedProperty.ofThisProgram(modules: ["DepinInspectionTests"])
        let report = try Container().validate(
            .init(
                injected: all.filter { $0.owner == "PartsScreen" },
                severities: [.emptyCollection: .hint]
            )
        )
        let page = try Page(report.html(title: "Parts"))
        let property = page.nodes.first { $0["service"] as? String == "PartsScreen.all" }
        let id = try #require(property?["id"] as? String)
        #expect(page.problems.map { $0["kind"] as? String } == ["empty collection"])
        #expect(page.problems[0]["nodes"] as? [String] == [id])
    }

    @Test func `says of a service how it was checked, and that nothing needs it`() throws {
        let page = try Page(Shop.report.html(title: "Shop"))
        let unreached = page.nodes.filter { $0["unreached"] != nil }
        let services = unreached.compactMap { $0["service"] as? String }
        #expect(services == ["Poster", "Poster", "Receipt"])
        let receipt = try #require(unreached.last)
        #expect(receipt["arguments"] as? [String] == ["Int", "String"])
        #expect(receipt["checked"] as? String == "not: it takes runtime arguments")
        let cart = try #require(page.nodes.first { $0["service"] as? String == "Cart" })
        #expect(cart["checked"] as? String == "from its types")
    }

    @Test func `knows a parent's services, and those of other modules`() throws {
        let page = try Page(Shop.report.html(title: "Shop"))
        let platform = page.nodes.filter { $0["module"] as? String == "ShopPlatform" }
        #expect(platform.compactMap { $0["service"] as? String } == ["API", "Clock"])
        #expect(platform.compactMap { $0["level"] as? Int } == [1, 1])
    }

    @Test func `has no markup from a title or a name`() throws {
        let text = Shop.report.html(title: Shop.hostileName).text
        #expect(text.components(separatedBy: "</script>").count == 3)
        #expect(text.components(separatedBy: "<script").count == 3)
        #expect(!text.contains("<b>"))
        let page = try Page(text)
        #expect(page.nodes.contains { $0["name"] as? String == Shop.hostileName })
    }

    @Test func `has no markup that an accent hides`() throws {
        let name = "<\u{0338}/script>&\u{0301}"
        let container = Container()
        container.register(Int.self, name: name) { 1 }
        let page = container.dependencyGraph().html(title: name)
        #expect(!page.text.utf8.contains("<\u{0338}".utf8))
        #expect(try Page(page).nodes.map { $0["name"] as? String } == [name])
    }

    @Test func `is the same for the same graph`() {
        #expect(Shop.report.html(title: "Shop").text == Shop.report.html(title: "Shop").text)
    }

    @Test func `asks nothing of a network`() {
        let text = Shop.report.html(title: "Shop").text
        #expect(text.contains("default-src 'none'"))
        for word in ["https://", "fetch(", "XMLHttpRequest", "import(", "url(", "innerHTML"] {
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test func `of a graph has no problems that a validation alone would find`() throws {
        let container = Container()
        container.register(Int.self) { 1 }
        let page = try Page(container.dependencyGraph().html(title: "One"))
        #expect(page.nodes.count == 1)
        #expect(page.problems.isEmpty)
        #expect(page.nodes[0]["checked"] == nil)
    }

    @Test func `of an empty container is a page, too`() throws {
        let page = try Page(Container().dependencyGraph().html(title: ""))
        #expect(page.nodes.isEmpty && page.edges.isEmpty)
    }

    @Test func `of a warm-up has its services and the critical path`() async throws {
        let report = try await Launch.report()
        let page = try Page(report.html(title: "Launch"))
        let services = try #require(page.data["services"] as? [[String: Any]])
        #expect(
            services.map { $0["service"] as? String } == report.services.map { "\($0.request)" }
        )
        let path = try #require(page.data["path"] as? [Int])
        #expect(
            path.map { services[$0]["service"] as? String }
                == report.criticalPath.map { "\($0.request)" }
        )
        #expect(path.allSatisfy { services[$0]["critical"] as? Bool == true })
        let starts = report.services.map { Int(($0.start / .nanoseconds(1)).rounded()) }
        #expect(services.map { $0["start"] as? Int } == starts)
    }

    @Test func `is written to a file, in place of what is there`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "page.html")
        try Data("old".utf8).write(to: file)
        let page = Container().dependencyGraph().html(title: "Ünïcode")
        try page.write(to: file)
        #expect(try String(contentsOf: file, encoding: .utf8) == page.text)
        #expect(throws: (any Error).self) {
            try page.write(to: folder.appending(path: "missing/page.html"))
        }
    }

    /// Writes the pages that `.ci/pictures.py` looks at to the folder that the variable names.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["DEPIN_PICTURES"] != nil)
    )
    func `is written for the tests in a browser`() async throws {
        let path = try #require(ProcessInfo.processInfo.environment["DEPIN_PICTURES"])
        let folder = URL(filePath: path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let shop = Shop.report.html(title: "Shop \(Shop.hostileName)")
        try shop.write(to: folder.appending(path: "shop.html"))
        let large = try Large.graph
        #expect(large.nodes.count == 1000)
        try large.html(title: "Large").write(to: folder.appending(path: "large.html"))
        let launch = try await Launch.report()
        try launch.html(title: "Launch").write(to: folder.appending(path: "launch.html"))
        let empty = Container()
        try empty.dependencyGraph().html(title: "")
            .write(to: folder.appending(path: "empty.html"))
        try await empty.warmUp().html(title: "")
            .write(to: folder.appending(path: "nothing.html"))
        let many = try await Launch.large()
        try many.html(title: "Many").write(to: folder.appending(path: "many.html"))
    }
}

struct PartsScreen {
    struct Part {}

    @Injected var all: [Part]
}

/// What a page is told, read as the page's script reads it.
private struct Page {
    let data: [String: Any]

    init(_ page: HTMLPage) throws {
        try self.init(page.text)
    }

    init(_ text: String) throws {
        let start = try #require(text.range(of: "id=\"data\">"))
        let end = try #require(text.range(of: "</script>", range: start.upperBound..<text.endIndex))
        let json = Data(text[start.upperBound..<end.lowerBound].utf8)
        data = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    var nodes: [[String: Any]] { list("nodes") }
    var edges: [[String: Any]] { list("edges") }
    var problems: [[String: Any]] { list("problems") }

    private func list(_ name: String) -> [[String: Any]] {
        data[name] as? [[String: Any]] ?? []
    }

    /// The services that are marked with a kind of problem: as the page knows, its messages name them.
    func services(with kind: String) throws -> [String] {
        let marked = nodes.filter { ($0["problems"] as? [String])?.contains(kind) == true }
        let named = Set(
            problems.filter { $0["kind"] as? String == kind }
                .flatMap { $0["nodes"] as? [String] ?? [] }
        )
        #expect(Set(marked.compactMap { $0["id"] as? String }) == named)
        return Set(marked.compactMap { $0["service"] as? String }).sorted()
    }
}
