import Depin
import Testing

struct `Graph identifiers` {
    private let container = Container()

    @Test func `all factories of one graph see the same identifier`() throws {
        container.register(GraphIdentifier.self, name: "inner") { resolver in
            resolver ~> GraphIdentifier.self
        }
        container.register([GraphIdentifier].self) { resolver in
            [
                resolver ~> GraphIdentifier.self,
                resolver ~> (GraphIdentifier.self, name: "inner"),
                resolver ~> GraphIdentifier.self,
            ]
        }
        let identifiers = try container.require([GraphIdentifier].self)
        #expect(Set(identifiers).count == 1)
        #expect(identifiers[0].id == identifiers[1].id)
    }

    @Test func `each graph has an identifier of its own`() throws {
        container.register([GraphIdentifier].self) { r in [r ~> GraphIdentifier.self] }
        let kept = [
            try container.require([GraphIdentifier].self)[0],
            try container.require([GraphIdentifier].self)[0],
            GraphIdentifier(), GraphIdentifier(),
        ]
        #expect(Set(kept).count == 4)
        #expect(kept[0] != kept[1])
    }

    @Test func `outside every graph there is none`() {
        #expect(container.resolve(GraphIdentifier.self) == nil)
        #expect(container.synchronize().resolve(GraphIdentifier.self) == nil)
        let serialized = container.synchronize(serializingFactories: true)
        #expect(serialized.resolve(GraphIdentifier.self) == nil)
        #expect(throws: ResolutionError.self) { try container.require(GraphIdentifier.self) }
    }

    @Test func `an identifier has no name and no arguments`() {
        #expect(container.resolve(GraphIdentifier.self, name: "x") == nil)
        #expect(container.resolve(GraphIdentifier.self, argument: 1) == nil)
    }

    @Test func `several resolutions become one graph`() {
        container.register(Page.self) { _ in Page() }
        let graph = GraphIdentifier()

        let first = container.withObjectGraph(graph) { $0.resolve(Page.self) }
        let second = container.withObjectGraph(graph) { container in container ~> Page.self }
        #expect(first === second)
        #expect(container.resolve(Page.self) !== first)
        #expect(container.withObjectGraph(GraphIdentifier()) { $0 ~> Page.self } !== first)
    }

    @Test func `what is resolved in one closure is one graph`() {
        container.register(Page.self) { _ in Page() }
        let (one, two) = container.withObjectGraph(GraphIdentifier()) {
            ($0 ~> Page.self, $0 ~> Page.self)
        }
        #expect(one === two)
    }

    @Test func `a graph can be gone on in later`() throws {
        container.register(Page.self) { _ in Page() }
        container.register(Window.self) { resolver in
            Window(page: resolver ~> Page.self, graph: resolver ~> GraphIdentifier.self)
        }
        let window = try container.require(Window.self)
        let later = container.withObjectGraph(window.graph) { container in
            #expect(container.resolve(GraphIdentifier.self) == window.graph)
            return container ~> Page.self
        }
        #expect(later === window.page)
        let again = container.withObjectGraph(window.graph) { $0 ~> Window.self }
        #expect(again === window)
    }

    @Test func `a graph holds what it made only weakly once it has ended`() throws {
        container.register(Page.self) { _ in Page() }
        container.register(Int.self) { _ in 5 }
        let graph = GraphIdentifier()
        container.withObjectGraph(graph) { container in
            weak let page = container ~> Page.self
            #expect(page != nil, "the graph is under way")
            _ = container.resolve(Int.self)
        }
        weak let page = container.withObjectGraph(graph) { $0 ~> Page.self }
        #expect(page == nil)
    }

    @Test func `values are made anew once the graph has ended`() {
        let builds = CallCount()
        container.register(Int.self) { _ in builds.add() }
        let graph = GraphIdentifier()

        #expect(container.withObjectGraph(graph) { ($0 ~> Int.self) + ($0 ~> Int.self) } == 2)
        #expect(container.withObjectGraph(graph) { $0 ~> Int.self } == 2)
    }

    @Test func `a graph entered inside a factory ends with the closure`() throws {
        let graph = GraphIdentifier()
        container.register(Page.self) { _ in Page() }
        let captured = container
        container.register([Page].self) { [unowned captured] resolver in
            [
                resolver ~> Page.self, captured.withObjectGraph(graph) { $0 ~> Page.self },
                resolver ~> Page.self,
            ]
        }
        let pages = try container.require([Page].self)
        #expect(pages[0] === pages[2])
        #expect(pages[0] !== pages[1])
        #expect(container.withObjectGraph(graph) { $0 ~> Page.self } === pages[1])
    }

    @Test func `an error passes through`() {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            try container.withObjectGraph(GraphIdentifier()) { _ in throw Failure() }
        }
        container.register(Page.self) { _ in Page() }
        #expect(
            container.resolve(Page.self) !== container.resolve(Page.self),
            "the graph has ended"
        )
    }

    @Test func `a child may go on in the graph of its parent`() throws {
        container.register(Page.self) { _ in Page() }
        let child = Container(parent: container)
        child.register(Window.self) { resolver in
            Window(page: resolver ~> Page.self, graph: resolver ~> GraphIdentifier.self)
        }
        let window = try child.require(Window.self)

        #expect(child.withObjectGraph(window.graph) { $0 ~> Page.self } === window.page)
    }
}

private final class Page {}

private final class Window {
    let page: Page
    let graph: GraphIdentifier

    init(page: Page, graph: GraphIdentifier) {
        self.page = page
        self.graph = graph
    }
}
