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
public struct GraphIdentifier: Identifiable, Hashable, Sendable {
    /// The graph, which is more than scopes need to know.
    let graph: any ScopedGraph

    init(_ graph: any ScopedGraph) {
        self.graph = graph
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

/// What a storage keeps in a graph: an instance under a number of its own.
protocol ScopedGraph: AnyObject, Sendable {
    func instance(for storage: UInt) -> Any?
    func setInstance(_ instance: Any?, for storage: UInt)
}
