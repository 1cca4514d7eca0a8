import Depin

/// The data for a graph's page: the graph, and what a validation says about its services.
struct GraphPicture {
    private let graph: DependencyGraph
    private var problems: [JSON] = []
    private var notes: [JSON] = []
    /// How a validation has checked the nodes, by their numbers.
    private var checks: [Int: String] = [:]
    private var unreached: Set<Int> = []
    /// Kinds of problems that the graph does not show.
    private var furtherKinds: [Int: [ValidationReport.Kind]] = [:]

    init(_ graph: DependencyGraph) {
        self.graph = graph
    }

    init(_ report: ValidationReport) {
        graph = report.graph
        for checked in report.checkedByTypes { checks[checked.number] = "from its types" }
        for checked in report.checkedByRunning { checks[checked.number] = "by running its factory" }
        for (registration, reason) in report.unchecked {
            checks[registration.number] = "not: \(reason)"
        }
        unreached = Set(report.unreached.map(\.number))
        let numbered = graph.nodes.sorted { $0.number < $1.number }
        var missing: [ServiceKey: Int] = [:]
        for node in numbered where node.place == nil {
            guard let type = node.serviceType else { continue }
            missing[ServiceKey(type, name: node.name)] = node.number
        }
        for problem in report.problems {
            var numbers = report.survey.numbers(of: problem)
            if let gap = problem.error.flatMap({ missing[$0.key] }) { numbers.append(gap) }
            let nodes = numbers.map { numbered[$0] }
            for node in nodes where !node.problems.contains(problem.kind) {
                furtherKinds[node.number, default: []].append(problem.kind)
            }
            problems.append(
                .fields([
                    "kind": .text(problem.kind.words),
                    "severity": .text("\(problem.severity)"),
                    "text": .text(problem.description),
                    "nodes": .array(nodes.map { .text($0.id) }),
                ])
            )
        }
        notes = report.unknownProperties.map { .text("\($0.property): \($0.reason)") }
    }

    func page(title: String) -> HTMLPage {
        let circles = circles
        return HTMLPage(
            title: title,
            data: .fields([
                "nodes": .array(graph.nodes.map { node($0, circle: circles[$0.id]) }),
                "edges": .array(graph.edges.map(edge)),
                "problems": .nonempty(problems),
                "notes": .nonempty(notes),
            ]),
            body: GraphScript.body,
            script: GraphScript.text
        )
    }

    private func node(_ node: DependencyGraph.Node, circle: Int?) -> JSON {
        let problems = node.problems + (furtherKinds[node.number] ?? [])
        return .fields([
            "id": .text(node.id),
            "service": .text(node.service),
            "name": node.name.map { .text($0) },
            "arguments": .nonempty(node.arguments.map { .text($0) }),
            "forwards": .nonempty(node.forwards.map { .text($0) }),
            "scope": .text(node.scope),
            // A node without a place is not registered.
            "place": node.place.map { .text("\($0)") },
            // `Feed` for `Feed/FeedAssembly.swift:12`.
            "module": node.place.map { place in .text(String(place.file.prefix { $0 != "/" })) },
            "level": node.level > 0 ? .number(node.level) : nil,
            "problems": .nonempty(problems.map { .text($0.words) }),
            "checked": checks[node.number].map { .text($0) },
            "unreached": .mark(unreached.contains(node.number)),
            "cycle": circle.map { .number($0) },
        ])
    }

    /// The number of the circle of needs that a node is in, by the node's ID.
    private var circles: [DependencyGraph.Node.ID: Int] {
        let ids = graph.nodes.map(\.id)
        let positions = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
        let edges = Dictionary(grouping: graph.edges, by: \.from)
        let next = ids.map { id in (edges[id] ?? []).compactMap { positions[$0.to] } }
        var circles: [DependencyGraph.Node.ID: Int] = [:]
        for (number, group) in Circles.groups(next).enumerated()
        where group.count > 1 || next[group[0]].contains(group[0]) {
            for position in group { circles[ids[position]] = number }
        }
        return circles
    }

    private func edge(_ edge: DependencyGraph.Edge) -> JSON {
        .fields([
            "from": .text(edge.from),
            "to": .text(edge.to),
            "observed": .mark(edge.origin == .observed),
            "later": .mark(edge.isDeferred),
            "problem": .mark(edge.isProblem),
        ])
    }
}

extension Survey {
    /// The numbers of the services or the property that a problem is about.
    ///
    /// For a failed resolution, it is the last service of the path, or all services of a circle.
    fileprivate func numbers(of problem: ValidationReport.Problem) -> [Int] {
        guard problem.nodes.isEmpty, let path = problem.error?.path else { return problem.nodes }
        let steps = problem.kind == .circular ? path[...] : path.suffix(1)
        var known: Set<Int> = []
        return steps.compactMap { step in
            // A registration for any name has another key, so its place is compared.
            index(of: step) ?? nodes.firstIndex { $0.registration.place == step.registeredAt }
        }.filter { known.insert($0).inserted }
    }
}
