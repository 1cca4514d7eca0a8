import Depin
import DepinInspection
import Testing

struct DependencyGraphTests {
    @Test func `declared needs are there at once, observed ones in the report of a validation`()
        throws
    {
        let container = Container()
        container.register((any API).self) { LiveAPI() }
        container.autoregister(FeedService.self) { (api: any API) in FeedService(api: api) }
        container.register(FeedScreen.self) { r in FeedScreen(feed: r ~> FeedService.self) }
        #expect(edges(of: container) == ["FeedService → API"])
        let graph = try container.validate().graph
        #expect(edges(of: graph) == ["FeedScreen ⇢ FeedService", "FeedService → API"])
        #expect(edges(of: container) == ["FeedService → API"])
        #expect(graph.nodes.map(\.service) == ["API", "FeedScreen", "FeedService"])
        #expect(graph.nodes.map(\.scope) == ["graph", "graph", "graph"])
        #expect(graph.nodes[0].place?.file == "DepinSpecificationTests/DependencyGraphTests.swift")
    }

    @Test func `resolutions add needs only while someone observes`() {
        struct Nobody: ResolutionObserver {
            func observe(_ event: ResolutionEvent) {}
        }
        let container = Container()
        container.register((any API).self) { LiveAPI() }
        container.register(FeedService.self) { r in FeedService(api: r ~> (any API).self) }
        use(container ~> FeedService.self)
        #expect(edges(of: container) == [])
        let observation = container.addObserver(Nobody())
        use(container ~> FeedService.self)
        #expect(edges(of: container) == ["FeedService ⇢ API"])
        observation.end()
        #expect(edges(of: container) == [])
    }

    @Test func `nodes have scope, name, arguments, forwards and problems`() throws {
        let container = sample()
        let graph = container.dependencyGraph()
        func node(_ service: String) throws -> DependencyGraph.Node {
            try #require(graph.nodes.first { $0.service == service })
        }
        #expect(try node("Profile").arguments == ["Int", "String?"])
        #expect(try node("Profile").problems == [.ignoredArguments])
        #expect(graph.nodes.contains { $0.name == "a \"<b>\" & c" && $0.scope == "weak" })
        #expect(try node("LiveAPI").forwards == ["API", "API \"live\""])
        #expect(try node("Left").scope == "instance")
        #expect(try node("Emitter<Int>").problems == [.missing])
        #expect(try node("FeedScreen").problems.isEmpty)
    }

    @Test func `a parent's service that a child forwards to is the parent's`() throws {
        let parent = Container()
        parent.register((any API).self) { LiveAPI() }
        let entry = parent.register(FeedService.self) { r in FeedService(api: r ~> (any API).self) }
            .inObjectScope(.container)
        let child = Container(parent: parent)
        child.register((any API).self) { LiveAPI() }
        child.forward(AnyObject.self, to: entry)
        let graph = try child.validate().graph
        let edge = try #require(graph.edges.first)
        let ends = [edge.from, edge.to].map { id in graph.nodes.first { $0.id == id } }
        #expect(ends.map { $0?.service } == ["FeedService", "API"])
        #expect(ends.map { $0?.level } == [1, 1])
    }

    @Test func `what is missing is one node, with one arrow from each that needs it`() {
        let container = Container()
        container.autoregister(Middle.self) { (_: Lazy<Left>, _: Left, _: Left) in Middle() }
        container.autoregister(Right.self) { (_: Provider<Left>) in Right() }
        let graph = container.dependencyGraph()
        #expect(graph.nodes.map(\.service) == ["Left", "Middle", "Right"])
        #expect(edges(of: container) == ["Middle → Left", "Right → Left"])
        #expect(graph.edges.map(\.isDeferred) == [false, true])
        #expect(problemKinds(of: container) == [.missing, .missing])
    }

    @Test func `what is needed in two ways of later use has one arrow`() {
        let container = Container()
        container.register(Int.self) { 1 }
        container.autoregister([Int].self) { (lazy: Lazy<Int>, provider: Provider<Int>) in
            [lazy.instance, provider.instance]
        }
        let graph = container.dependencyGraph()
        #expect(graph.edges.count == 1)
        #expect(graph.edges.first?.isDeferred == true)
    }

    @Test func `an empty collection in a Lazy is needed later`() {
        let container = Container()
        container.autoregister(Middle.self) { (_: Lazy<[Left]>) in Middle() }
        let graph = container.dependencyGraph()
        #expect(graph.nodes.map(\.scope) == ["graph", "empty"])
        #expect(graph.edges.map(\.isDeferred) == [true])
    }

    @Test func `what a factory was seen to miss, or to have from elsewhere, is a node`() throws {
        let container = Container()
        container.register(Middle.self) { r in
            use(r.resolve(Profile.self) as Any)
            return try use(r.require(Lazy<Left>.self), giving: Middle())
        }
        container.register(Right.self) { r in use(r ~> FeedService.self, giving: Right()) }
        let error = try #require(throws: ValidationError.self) {
            try container.validate(.init(providing: [FeedService.self]))
        }
        let graph = error.report.graph
        #expect(graph.nodes.map(\.service) == ["FeedService", "Left", "Middle", "Right"])
        #expect(graph.nodes.map(\.scope) == ["provided", "missing", "graph", "graph"])
        #expect(graph.nodes.map(\.problems) == [[], [.missing], [], []])
        #expect(edges(of: graph) == ["Middle ⇢ Left", "Right ⇢ FeedService"])
        #expect(graph.edges.map(\.isDeferred) == [true, false])
        #expect(graph.edges.map(\.isProblem) == [true, false])
        try Golden("graph with needs from outside.mermaid").check(graph.mermaid)
        try Golden("graph with needs from outside.dot").check(graph.dot)
    }

    @Test func `a collection that nobody contributes to is a node`() throws {
        let container = Container()
        container.autoregister(Middle.self) { (_: [Left]) in Middle() }
        container.register(Right.self) { r in use(r ~> [String: Left].self, giving: Right()) }
        let graph = try container.validate().graph
        #expect(edges(of: graph) == ["Middle → [Left]", "Right ⇢ [String: Left]"])
        #expect(graph.nodes.count { $0.scope == "empty" } == 2)
        #expect(graph.edges.allSatisfy { $0.isProblem })
        #expect(graph.dot.contains("empty collection"))
    }

    @Test @MainActor func `overwrites and needs of the main actor are marked`() {
        let container = Container()
        container.register(Left.self) { Left() }
        container.register(Left.self) { Left() }
        container.register(Middle.self, mainActorFactory: { Middle() })
        container.autoregister(Right.self) { (_: Middle, _: Left) in Right() }
        let graph = container.dependencyGraph()
        #expect(graph.nodes.map(\.problems) == [[.silentOverwrite], [], [.mainActor]])
        #expect(edges(of: container) == ["Right → Left", "Right → Middle"])
        #expect(graph.edges.map(\.isProblem) == [false, true])
    }

    @Test func `the texts are stable, escaped and tell scopes and problems apart`() throws {
        let graph = sample().dependencyGraph()
        try Golden("graph.mermaid").check(graph.mermaid)
        try Golden("graph.dot").check(graph.dot)
        #expect(sample().dependencyGraph().mermaid == graph.mermaid)
    }

    @Test func `what a drawing language has a meaning for is escaped`() throws {
        func labels(_ name: String) -> (mermaid: String, dot: String) {
            let container = Container()
            container.register(Profile.self, name: name) { Profile() }
            let graph = container.dependencyGraph()
            return (
                graph.mermaid.replacing(#/(?s).*?#quot;(.*)#quot;.*/#) { $0.1 },
                graph.dot.replacing(#/(?s).*?&quot;(.*)&quot;.*/#) { $0.1 }
            )
        }
        #expect(labels("#1 `x` \\n").mermaid == "#35;1 #96;x#96; #92;n")
        #expect(labels("\"&<>").mermaid == "#quot;#amp;#lt;#gt;")
        #expect(labels("\"&<> \\n").dot == "&quot;&amp;&lt;&gt; \\\\n")
        for text in ["\n", "\r", "\r\n", "\t", "\u{0}", "\u{2028}", "\u{FFFE}"] {
            #expect(labels("a\(text)b") == ("a b", "a b"))
        }
    }

    @Test(.enabled(if: Graphviz.isInstalled))
    func `Graphviz takes the text`() throws {
        use(try Graphviz.draw(sample().dependencyGraph(), as: "svg"))
    }

    @Test func `a neighborhood is one service, what it needs and what needs it`() throws {
        let container = Container()
        container.autoregister(Left.self) { (_: Middle) in Left() }
        container.autoregister(Middle.self) { (_: Right) in Middle() }
        container.autoregister(Right.self) { (_: Profile) in Right() }
        container.register(Profile.self) { Profile() }
        let graph = container.dependencyGraph()
        let near = graph.neighborhood(of: Middle.self)
        #expect(near.nodes.map(\.service) == ["Left", "Middle", "Right"])
        #expect(near.edges.count == 2)
        #expect(graph.neighborhood(of: Middle.self, radius: 2).nodes.count == 4)
        #expect(graph.neighborhood(of: FeedScreen.self).nodes.isEmpty)
    }

    @Test func `a neighborhood is that of the name it was asked for`() throws {
        let container = Container()
        container.register(Left.self) { Left() }
        container.register(Left.self, name: "other") { Left() }
        container.register(Middle.self) { r in
            use(r ~> Left.self)
            return Middle()
        }
        container.register(Right.self) { r in
            use(r ~> (Left.self, name: "other"))
            return Right()
        }
        let graph = try container.validate().graph
        let near = graph.neighborhood(of: Left.self)
        #expect(near.nodes.map(\.service) == ["Left", "Middle"])
        let other = graph.neighborhood(of: Left.self, name: "other")
        #expect(other.nodes.map(\.service) == ["Left", "Right"])
        #expect(other.nodes.map(\.name) == ["other", nil])
    }

    @Test func `a parent's registrations stand apart`() {
        let parent = Container()
        parent.register((any API).self) { LiveAPI() }
        let child = Container(parent: parent)
        child.autoregister(FeedService.self) { (api: any API) in FeedService(api: api) }
        let graph = Assembler(container: child).dependencyGraph()
        #expect(graph.nodes.map(\.level) == [0, 1])
        #expect(graph.edges.count == 1)
        #expect(graph.mermaid.contains("subgraph p1[\"parent\"]"))
        #expect(graph.dot.contains("subgraph cluster_1"))
    }

    private func edges(of container: Container) -> [String] {
        edges(of: container.dependencyGraph())
    }

    private func edges(of graph: DependencyGraph) -> [String] {
        let names = Dictionary(uniqueKeysWithValues: graph.nodes.map { ($0.id, $0.service) })
        return graph.edges.map { edge in
            let arrow = edge.origin == .declared ? "→" : "⇢"
            return "\(names[edge.from, default: "?"]) \(arrow) \(names[edge.to, default: "?"])"
        }
    }

    private func sample() -> Container {
        let container = Container()
        container.autoregister(FeedScreen.self) { (feed: FeedService) in FeedScreen(feed: feed) }
            .inObjectScope(.transient)
        container.autoregister(FeedService.self) { (api: any API, _: Provider<Emitter<Void>>) in
            FeedService(api: api)
        }
        container.register(LiveAPI.self) { LiveAPI() }
            .inObjectScope(.container)
            .implements((any API).self)
            .implements((any API).self, name: "live")
        container.register(Emitter<Void>.self, name: "a \"<b>\" & c") { Emitter() }
            .inObjectScope(.weak)
        container.register(Emitter<Void>.self) { Emitter() }.inObjectScope(.session)
        container.register(Profile.self) { (_, _: Int, _: String?) in Profile() }
            .inObjectScope(.container)
        container.register(Left.self, instance: Left())
        container.autoregister(Middle.self) { (_: Emitter<Int>, _: Left) in Middle() }
        container.autoregister(Right.self) { (_: Emitter<Void>, _: Emitter<Int>) in Right() }
            .inObjectScope(.container)
        return container
    }
}

private func use<Result>(_: Any, giving result: Result) -> Result { result }

extension ObjectScope {
    fileprivate static let session = ObjectScope(named: "session")
}
