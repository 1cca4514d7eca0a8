/// Stands for one graph: all that is resolved by one outermost resolve.
///
/// A factory can ask for the one under way, and go on in it later:
///
/// ```swift
/// container.register(Window.self) { resolver in
///     let graph = resolver ~> GraphIdentifier.self
///     return Window(container: resolver ~> Container.self, graph: graph)
/// }
///
/// // in Window, when its toolbar is first shown
/// toolbar = container.withObjectGraph(graph) { $0 ~> Toolbar.self }
/// ```
///
/// An identifier may be kept for ever: it holds what was made in its graph only weakly once the graph
/// has ended.
public struct GraphIdentifier: Identifiable, Hashable, @unchecked Sendable {
    let graph: ObjectGraph  // Shared, so guarded by its own lock.

    init(_ graph: ObjectGraph) {
        graph.share()
        self.graph = graph
    }

    /// Makes the identifier of a new, empty graph.
    public init() {
        self.init(.make())
        _ = graph.end()
    }

    /// The identity of the graph.
    public var id: ObjectIdentifier { ObjectIdentifier(graph) }

    /// True when both stand for the same graph.
    public static func == (left: GraphIdentifier, right: GraphIdentifier) -> Bool {
        left.id == right.id
    }

    /// Feeds the graph's identity to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
