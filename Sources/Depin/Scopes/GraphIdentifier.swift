/// Identifies one graph: everything that one outermost request builds.
///
/// A factory can resolve the current one, and continue the graph later:
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
/// You can keep an identifier as long as you like: once the graph has ended, it holds the graph's objects
/// weakly.
public struct GraphIdentifier: Identifiable, Hashable, Sendable {
    /// The graph, of which scopes need to know nothing else.
    let graph: any AnyObject & Sendable

    /// The identity of the graph.
    public var id: ObjectIdentifier { ObjectIdentifier(graph) }

    /// Whether both identify the same graph.
    public static func == (left: GraphIdentifier, right: GraphIdentifier) -> Bool {
        left.id == right.id
    }

    /// Feeds the graph's identity to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
