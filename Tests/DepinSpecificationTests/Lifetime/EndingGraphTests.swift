import Depin
import Testing

private final class Part: Sendable {}

private final class Whole: Sendable {
    let graph: GraphIdentifier
    init(_ graph: GraphIdentifier) { self.graph = graph }
}

/// Asks for a part when it ends.
private final class Draft: Sendable {
    private let ask: @Sendable () -> Void
    init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
    deinit { ask() }
}

/// The deinit of what only the graph has held asks for something, as the graph ends.
struct `What goes when a graph ends` {
    private let container = Container()
    private let parts = Population()

    /// Asks in a graph that the result keeps, and whose draft asks for a part at its end.
    private func makeWhole() -> Whole {
        container.register(Draft.self) { [unowned container, parts] _ in
            Draft { if let part = container.resolve(Part.self) { parts.add(part) } }
        }
        container.register(Whole.self) { r in
            use(r ~> Draft.self)
            return Whole(r ~> GraphIdentifier.self)
        }
        return container ~> Whole.self
    }

    @Test(arguments: [ObjectScope.transient, .graph, .weak])
    func `gets nothing that the ended graph would hold`(_ scope: ObjectScope) {
        container.register(Part.self) { Part() }.inObjectScope(scope)
        let whole = makeWhole()
        #expect(parts.total == 1)
        #expect(parts.alive == 0)
        withExtendedLifetime(whole) {}
    }

    @Test func `gets its own instance, and not one of the graph`() {
        container.register(Part.self) { [parts] in
            let part = Part()
            parts.add(part)
            return part
        }
        .inObjectScope(.graph)
        let whole = makeWhole()
        let part = container.withObjectGraph(whole.graph) { $0.resolve(Part.self) }
        #expect(parts.total == 3)  // made by the draft, noted by it, and made here
        #expect(parts.alive == 1)
        withExtendedLifetime((whole, part)) {}
    }
}
