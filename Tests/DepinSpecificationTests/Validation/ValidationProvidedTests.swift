import Depin
import DepinInspection
import Testing

/// What is registered elsewhere counts as there, and the picture shows it.
struct `A type that a validation is told to be provided` {
    private let container = Container()

    @Test func `counts as there in every form of asking`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let container = Container()
            container.register(Product.self, name: "1") { r in Product(r ~> Leaf.self) }
            container.register(Product.self, name: "2") { r in Product(r.autoResolve() as Leaf) }
            container.register(Product.self, name: "3") { r in Product(try r.require(Leaf.self)) }
            container.register(Product.self, name: "4") { r in
                Product(r.resolve(Leaf.self) as Any)
            }
            container.register(Product.self, name: "5") { r in Product((r ~> Leaf?.self) as Any) }
            container.register(Product.self, name: "6") { r in Product(r ~> Lazy<Leaf>.self) }
            container.register(Product.self, name: "7") { r in Product(r ~> Provider<Leaf>.self) }
            container.register(Product.self, name: "8") { _ in
                Product(Injected<Leaf>().wrappedValue)
            }
            container.autoregister(Product.self, name: "9") { (leaf: Leaf) in Product(leaf) }
            container.register(Twig.self) { r in Twig(r ~> (Product.self, name: "1")) }
            let report = try withSpace(\.dependenciesContainer, container) {
                try container.validate(.init(providing: [Leaf.self]))
            }
            expect(report.problems.isEmpty, "\(report)")
            let graph = report.graph
            let external = graph.nodes.filter { $0.scope == "provided" }
            expect(external.map(\.service) == ["Leaf"], "\(external)")
            expect(external[0].problems.isEmpty, "a problem")
            expect(graph.edges.count { $0.to == external[0].id } == 9, graph.mermaid)
            expect(graph.edges.allSatisfy { !$0.isProblem }, "an arrow is a problem")
        }
        #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
    }

    //  Twig (opened) ──~> Leaf, Product with Int ──~> Leaf
    @Test func `counts as there in open scopes, and for each argument`() throws {
        container.register(Twig.self) { r in Twig(r ~> Leaf.self) }.inObjectScope(.request)
        container.register(Product.self) { (r: any Resolver, _: Int) in Product(r ~> Leaf.self) }
            .inObjectScope(.container.perArguments)
        container.register(Other.self) { r in Other(r ~> (Product.self, argument: 1)) }
        let report = try container.validate(.init(open: [.request], providing: [Leaf.self]))
        #expect(report.problems.isEmpty)
        #expect(arrows(of: report) == ["Other → Product", "Product → Leaf", "Twig → Leaf"])
    }

    @Test func `counts as there in collections and optionals, declared or not`() throws {
        container.autoregister(Product.self) { (all: [Leaf]) in Product(all) }
        container.register(Twig.self) { r in Twig(r ~> [String: Leaf].self) }
        container.autoregister(Other.self) { (leaf: Leaf?) in Other(leaf as Any) }
        let report = try container.validate(.init(providing: [Leaf.self]))
        #expect(report.problems.isEmpty)
        #expect(
            arrows(of: report) == ["Other → Leaf", "Product → [Leaf]", "Twig → [String: Leaf]"]
        )
        #expect(report.graph.nodes.count { $0.scope == "provided" } == 3)
        let whole = try container.validate(.init(providing: [[Leaf].self, [String: Leaf].self]))
        #expect(whole.problems.isEmpty)
        #expect(arrows(of: whole) == ["Product → [Leaf]", "Twig → [String: Leaf]"])
    }

    @Test func `leaves a collection to those who contribute here`() throws {
        container.contribute(Leaf.self) { Leaf() }
        container.autoregister(Product.self) { (all: [Leaf]) in Product(all) }
        container.register(Twig.self) { r in Twig(r ~> [Leaf].self) }
        let report = try container.validate(.init(providing: [Leaf.self]))
        #expect(report.problems.isEmpty)
        #expect(report.graph.nodes.allSatisfy { $0.scope != "provided" })
        #expect(report.checkedByRunning.count == 2)
    }

    @Test func `may be decorated`() throws {
        container.decorate(Leaf.self) { _, inner in inner }
        #expect(try container.validate(.init(providing: [Leaf.self])).problems.isEmpty)
        #expect(problemKinds(of: container) == [.unusedDecorator])
    }

    @Test func `is not there under a name, declared or not`() {
        container.autoregister(Product.self, names: ["golden"]) { (leaf: Leaf) in Product(leaf) }
        container.register(Twig.self) { r in Twig(r ~> (Leaf.self, name: "golden")) }
        #expect(problemKinds(of: container, providing: [Leaf.self]) == [.missing, .missing])
    }

    private func arrows(of report: ValidationReport) -> [String] {
        let graph = report.graph
        let names = Dictionary(uniqueKeysWithValues: graph.nodes.map { ($0.id, $0.service) })
        return graph.edges.map { "\(names[$0.from] ?? "?") → \(names[$0.to] ?? "?")" }.sorted()
    }
}

// MARK: - What is validated

private final class Leaf: Sendable {}
private final class Twig: Sendable {
    init(_: Any...) {}
}
private final class Product: Sendable {
    init(_: Any...) {}
}
private final class Other: Sendable {
    init(_: Any...) {}
}
