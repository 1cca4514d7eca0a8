import Depin

/// The registrations of a container, and which needs which.
///
/// ```swift
/// let graph = container.dependencyGraph()
/// print(graph.mermaid)                                // for a pull request
/// try graph.dot.write(to: file, …)                    // dot -Tpng graph.dot -o graph.png
/// print(graph.neighborhood(of: Feed.self).mermaid)   // one service, what it needs, who needs it
/// ```
///
/// The parameter types of `autoregister` declare needs. `validate()` observes them, and its report has a
/// graph; so do resolutions while an observer is attached. Otherwise, a factory written by hand shows no
/// needs.
public struct DependencyGraph: Sendable {
    /// The registrations, the missing services, and the `@Injected` properties passed to a validation, in a
    /// stable order.
    public let nodes: [Node]
    /// The needs, in the order of the nodes.
    public let edges: [Edge]

    /// A registration, a gap where one should be, or an `@Injected` property.
    public struct Node: Identifiable, Sendable {
        /// Names the node in this graph: `n1`.
        public internal(set) var id = ""
        /// The type, as it is written in source code; `FeedScreen.feed` for a property.
        public let service: String
        /// The name, if there is one.
        public internal(set) var name: String?
        /// The types of the arguments.
        public internal(set) var arguments: [String] = []
        /// The other types and names under which it is found.
        public internal(set) var forwards: [String] = []
        /// The scope; `instance` for a registered instance, `missing` for a gap, `empty` for a collection
        /// without contributions, `provided` for a service registered elsewhere, and `injected` for a property.
        public let scope: String
        /// Where it was registered; nil if it was not.
        public internal(set) var place: CodePlace?
        /// How many parents up its container is.
        public internal(set) var level = 0
        /// What is wrong with it, as far as the graph shows it.
        public internal(set) var problems: [ValidationReport.Kind] = []

        /// Nil for a property.
        var serviceType: Any.Type?
        let shape: Shape
        /// The node's number in the survey; missing services come last.
        var number = 0
    }

    /// The shape that distinguishes scopes in a picture.
    enum Shape: CaseIterable {
        case transient, graph, container, weak, custom, instance, missing, provided, property
    }

    /// A need of one node for another.
    public struct Edge: Hashable, Sendable {
        /// The node that needs.
        public let from: Node.ID
        /// The node that is needed.
        public let to: Node.ID
        /// How the need is known.
        public let origin: Origin
        /// True if it is needed later: in a `Lazy` or `Provider`, or in `initCompleted`.
        public let isDeferred: Bool
        /// True if it is part of a problem.
        public let isProblem: Bool
    }

    /// How a need is known.
    public enum Origin: Sendable {
        /// From the types of an initializer.
        case declared
        /// From a resolution.
        case observed
    }

    /// The part of the graph around one service: what it needs, and what needs it.
    ///
    /// - Parameters:
    ///   - serviceType: The type of the service, under which it was registered.
    ///   - name: Its name, if it has one.
    ///   - radius: How many steps to go in both directions.
    /// - Returns: A smaller graph, whose nodes keep their ids.
    public func neighborhood(
        of serviceType: Any.Type,
        name: String? = nil,
        radius: Int = 1
    ) -> DependencyGraph {
        let center = nodes.filter { $0.serviceType == serviceType && $0.name == name }.map(\.id)
        // Down along needs and up along dependents, but not down again to the dependents' other needs.
        let kept = reach(center, radius) { ($0.from, $0.to) }
            .union(reach(center, radius) { ($0.to, $0.from) })
        return DependencyGraph(
            nodes: nodes.filter { kept.contains($0.id) },
            edges: edges.filter { kept.contains($0.from) && kept.contains($0.to) }
        )
    }

    private func reach(
        _ center: [Node.ID],
        _ radius: Int,
        _ step: (Edge) -> (Node.ID, Node.ID)
    ) -> Set<Node.ID> {
        var reached = Set(center)
        for _ in 0..<max(radius, 0) {
            reached.formUnion(edges.map(step).filter { reached.contains($0.0) }.map(\.1))
        }
        return reached
    }
}

extension Container {
    /// The registrations of this container and its parents, and which needs which.
    ///
    /// ```swift
    /// print(container.dependencyGraph().mermaid)
    /// ```
    ///
    /// This builds nothing. The needs of factories written by hand are in ``ValidationReport/graph``, and
    /// also here while an observer is attached.
    ///
    /// - Returns: The graph as it is now.
    public func dependencyGraph() -> DependencyGraph {
        var survey = Survey(of: engine)
        for case let observer as ResolutionObservation in engine.chain.flatMap(\.observers) {
            survey.addNeeds(observer.needs.all)
        }
        let problems =
            survey.circular { _ in true } + survey.captives + survey.ignoredArguments
            + survey.overwrites + survey.mainActorNeeds
        return DependencyGraph(survey, problems)
    }
}

extension ValidationReport {
    /// The registrations and which needs which, as the types declare and as the validation observed.
    public var graph: DependencyGraph { DependencyGraph(survey, problems) }
}

extension Assembler {
    /// The registrations of this assembler's container and its parents, and which needs which.
    ///
    /// See ``Container/dependencyGraph()``.
    ///
    /// - Returns: The graph as it is now.
    public func dependencyGraph() -> DependencyGraph {
        container.dependencyGraph()
    }
}
