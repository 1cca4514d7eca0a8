extension DependencyGraph {
    init(_ survey: Survey, _ found: [ValidationReport.Problem]) {
        let names = TypeNames(survey.nodes.flatMap(\.types) + survey.gaps.map(\.type))
        var problems: [Int: [ValidationReport.Kind]] = [:]
        for problem in found {
            for node in problem.nodes where problems[node]?.contains(problem.kind) != true {
                problems[node, default: []].append(problem.kind)
            }
        }
        var gaps: [Any.Type] = []
        for gap in survey.gaps where !gaps.contains(where: { $0 == gap.type }) {
            gaps.append(gap.type)
        }
        let drafts =
            survey.nodes.enumerated().map { index, node in
                Draft(node: node, problems: problems[index] ?? [], names)
            } + gaps.map { Draft(gap: $0, names) }
        let order = drafts.indices.sorted { drafts[$0].precedes(drafts[$1]) }
        var ids = [String](repeating: "", count: drafts.count)
        for (position, index) in order.enumerated() {
            ids[index] = "n\(position + 1)"
        }
        nodes = order.map { drafts[$0].node(ids[$0]) }

        let marked = Set(found.flatMap(\.edges))
        var edges = survey.edges.map { edge in
            (
                [edge.from, edge.to],
                Edge(
                    from: ids[edge.from],
                    to: ids[edge.to],
                    origin: edge.isDeclared ? .declared : .observed,
                    isDeferred: !edge.isDirect,
                    isProblem: marked.contains([edge.from, edge.to])
                )
            )
        }
        for gap in survey.gaps {
            guard let index = gaps.firstIndex(where: { $0 == gap.type }) else { continue }
            let to = survey.nodes.count + index
            let edge = Edge(
                from: ids[gap.from],
                to: ids[to],
                origin: .declared,
                isDeferred: gap.isDeferred,
                isProblem: true
            )
            edges.append(([gap.from, to], edge))
        }
        let positions = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        func position(_ ends: [Int]) -> [Int] { ends.map { positions[$0] ?? 0 } }
        self.edges = edges.sorted { position($0.0).lexicographicallyPrecedes(position($1.0)) }
            .map(\.1)
    }
}

/// A node that has no place in the order yet.
private struct Draft {
    let service: String
    let type: Any.Type
    let name: String?
    let arguments: [String]
    let forwards: [String]
    let scope: String
    let shape: DependencyGraph.Shape
    let place: CodePlace?
    let level: Int
    let problems: [ValidationReport.Kind]

    init(node: Survey.Node, problems: [ValidationReport.Kind], _ names: TypeNames) {
        service = names(node.entry.serviceType)
        type = node.entry.serviceType
        name = node.entry.key.name
        arguments = node.entry.key.argumentTypes.map { names($0) }
        forwards = node.forwards.map { key in
            key.name.map { "\(readableName(of: key.serviceType)) \"\($0)\"" }
                ?? readableName(of: key.serviceType)
        }.sorted()
        scope = node.isInstance ? "instance" : node.entry.scopeName
        shape = Self.shape(of: node)
        place = node.entry.place
        level = node.level
        self.problems = problems
    }

    init(gap: Any.Type, _ names: TypeNames) {
        service = names(gap)
        type = gap
        name = nil
        arguments = []
        forwards = []
        scope = "missing"
        shape = .missing
        place = nil
        level = 0
        problems = [.missing]
    }

    private static func shape(of node: Survey.Node) -> DependencyGraph.Shape {
        if node.isInstance { return .instance }
        let scope = node.entry.objectScope
        if scope === ObjectScope.weak { return .weak }
        if scope === ObjectScope.container { return .container }
        switch node.kind {
        case .transient: return .transient
        case .graph: return .graph
        case .permanent, .weak, .stored: return .custom
        }
    }

    func precedes(_ other: Draft) -> Bool {
        let texts = [service, name ?? "", arguments.joined(separator: ","), place?.file ?? ""]
        let others = [
            other.service, other.name ?? "", other.arguments.joined(separator: ","),
            other.place?.file ?? "",
        ]
        if level != other.level { return level < other.level }
        if texts != others { return texts.lexicographicallyPrecedes(others) }
        return (place?.line ?? 0) < (other.place?.line ?? 0)
    }

    func node(_ id: String) -> DependencyGraph.Node {
        DependencyGraph.Node(
            id: id,
            service: service,
            name: name,
            arguments: arguments,
            forwards: forwards,
            scope: scope,
            place: place,
            level: level,
            problems: problems,
            serviceType: type,
            shape: shape
        )
    }
}
