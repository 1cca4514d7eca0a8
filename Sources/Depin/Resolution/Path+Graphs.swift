// Which graph a step belongs to: each has one of its own, or that of the step around it.

extension Path {
    /// The graph that a new step belongs to, if it has been made.
    var nextGraph: ObjectGraph? {
        steps.isEmpty ? nil : graph(from: steps[steps.count - 1].root)
    }

    @inline(__always)
    private func graph(from root: Int) -> ObjectGraph? {
        var index = graphs.count - 1
        while index >= 0, graphs[index].root != root { index -= 1 }
        return index < 0 ? nil : graphs[index].graph
    }

    /// The graph that a step belongs to, made when first needed.
    func madeGraph(of index: Int) -> ObjectGraph {
        let root = steps[index].root
        if let graph = graph(from: root) { return graph }
        let graph = ObjectGraph()
        setGraph(graph, of: index)
        return graph
    }

    /// Says which is the graph that a step belongs to, which has none yet.
    func setGraph(_ graph: ObjectGraph, of index: Int) {
        let root = steps[index].root
        graphs.append((root, graph))
        // They end from the innermost out.
        var index = graphs.count - 1
        while index > 0, graphs[index - 1].root > root {
            graphs.swapAt(index - 1, index)
            index -= 1
        }
    }

    /// Lends the graph under way, or else one that ends with the body.
    func withGraph<Result>(
        asked: Core,
        beginsGraph: Bool = false,
        _ body: (ObjectGraph) throws -> Result
    ) rethrows -> Result {
        try inGraph(asked: asked, beginsGraph: beginsGraph) { try body(madeGraph(of: innermost)) }
    }

    /// Runs a body whose requests belong to the graph under way, or else to one that ends with the body.
    func inGraph<Result>(
        asked: Core,
        beginsGraph: Bool,
        _ body: () throws -> Result
    ) rethrows -> Result {
        if !steps.isEmpty, !beginsGraph { return try body() }
        _ = enter(Step(graphOf: asked, owner: nil))
        defer {
            leave()
            withExtendedLifetime(asked) {}
        }
        return try body()
    }

    /// Runs a body in which what is resolved belongs to a graph.
    func within<Result>(
        _ graph: ObjectGraph,
        asked: Core,
        owner: CoreOwner?,
        _ body: () throws -> Result
    ) rethrows -> Result {
        graphs.append((enter(Step(graphOf: asked, owner: owner)), graph))
        defer {
            leave()
            withExtendedLifetime(asked) {}
            withExtendedLifetime(owner) {}
        }
        return try body()
    }

    /// Ends a resolution in a graph.
    static func end(_ graph: ObjectGraph) {
        let ended = graph.end()
        for case let gate as KeptGate in ended.company { gate.complete() }
        withExtendedLifetime(ended) {}
    }
}
