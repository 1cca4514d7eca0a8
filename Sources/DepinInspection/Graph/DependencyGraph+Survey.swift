import Depin

extension DependencyGraph {
    init(_ survey: Survey, _ found: [ValidationReport.Problem]) {
        self = Plan(survey, found).graph
    }
}

/// What a graph is to show: registrations and properties, numbered as in the survey, then what is not registered.
private struct Plan {
    typealias Node = DependencyGraph.Node
    typealias Edge = DependencyGraph.Edge

    private let names: TypeNames
    private var nodes: [Node]
    private var edges: [(from: Int, to: Int, edge: Edge)]
    /// The nodes of what is not registered.
    private var outside: [ServiceKey: Int] = [:]

    init(_ survey: Survey, _ found: [ValidationReport.Problem]) {
        let names = TypeNames(
            survey.nodes.flatMap(\.types) + survey.gaps.map(\.type)
                + survey.injections.compactMap(\.elsewhere)
        )
        self.names = names
        nodes = survey.nodes.map { Node($0, names) } + survey.injections.map { Node($0.need) }
        for problem in found {
            for index in problem.nodes where !nodes[index].problems.contains(problem.kind) {
                nodes[index].problems.append(problem.kind)
            }
        }
        let marked = Set(found.flatMap { zip($0.way, $0.way.dropFirst()).map { [$0, $1] } })
        edges = survey.edges.map { edge in
            let drawn = Edge(
                origin: edge.isDeclared ? .declared : .observed,
                isDeferred: edge.isDeferred,
                isProblem: marked.contains([edge.from, edge.to])
            )
            return (edge.from, edge.to, drawn)
        }
        for gap in survey.gaps { add(gap) }
        for (position, injection) in survey.injections.enumerated() {
            add(injection, number: survey.nodes.count + position)
        }
    }

    private mutating func add(_ gap: Survey.Gap) {
        let problem = gap.kind.problem
        let edge = Edge(
            origin: gap.isDeclared ? .declared : .observed,
            isDeferred: gap.isDeferred,
            isProblem: problem != nil
        )
        edges.append((gap.from, outside(gap.service, gap.kind), edge))
        if let problem, nodes[gap.from].shape == .property { nodes[gap.from].problems = [problem] }
    }

    private mutating func add(_ injection: Survey.Injection, number: Int) {
        let elsewhere = injection.elsewhere.map { outside(ServiceKey($0), .provided) }
        let targets = injection.targets + [elsewhere].compactMap(\.self)
        let isDeferred = injection.deferral != .none
        let edge = Edge(origin: .declared, isDeferred: isDeferred, isProblem: false)
        edges += targets.map { (number, $0, edge) }
    }

    /// What is not registered.
    private mutating func outside(_ key: ServiceKey, _ kind: Survey.Gap.Kind) -> Int {
        if let known = outside[key] { return known }
        nodes.append(
            Node(
                service: names(key.serviceType),
                name: key.name,
                scope: "\(kind)",
                problems: kind.problem.map { [$0] } ?? [],
                serviceType: key.serviceType,
                shape: kind == .provided ? .provided : .missing
            )
        )
        outside[key] = nodes.count - 1
        return nodes.count - 1
    }

    /// The graph, in a stable order.
    var graph: DependencyGraph {
        let order = nodes.indices.sorted { nodes[$0].precedes(nodes[$1]) }
        var positions = [Int](repeating: 0, count: nodes.count)
        for (position, index) in order.enumerated() { positions[index] = position }
        var graph = DependencyGraph(nodes: order.map { nodes[$0] }, edges: [])
        for (position, index) in order.enumerated() {
            graph.nodes[position].id = "n\(position + 1)"
            graph.nodes[position].number = index
        }
        let sorted = edges.sorted {
            (positions[$0.from], positions[$0.to]) < (positions[$1.from], positions[$1.to])
        }
        graph.edges = sorted.map { from, to, edge in
            var edge = edge
            edge.from = graph.nodes[positions[from]].id
            edge.to = graph.nodes[positions[to]].id
            return edge
        }
        return graph
    }
}

extension Survey.Gap.Kind {
    /// What is wrong where there is such a gap.
    fileprivate var problem: ValidationReport.Kind? {
        switch self {
        case .missing: .missing
        case .empty: .emptyCollection
        case .provided: nil
        }
    }
}

extension DependencyGraph.Node {
    /// A registration, which has no place in the order yet.
    fileprivate init(_ node: Survey.Node, _ names: TypeNames) {
        let (registration, key) = (node.registration, node.registration.key)
        let contributed = key.isContribution ? "contributed " : ""
        let ofAnyName = key.isForAnyName ? " of any name" : ""
        self.init(
            service: contributed + names(registration.serviceType) + ofAnyName,
            name: key.name,
            arguments: key.argumentTypes.map { names($0) },
            forwards: node.forwards.map { key in
                let type = readableName(of: key.serviceType)
                return key.name.map { "\(type) \"\($0)\"" } ?? type
            }.sorted(),
            scope: node.isInstance ? "instance" : registration.scopeName,
            place: registration.place,
            level: node.level,
            serviceType: registration.serviceType,
            shape: .init(of: node)
        )
    }

    fileprivate init(_ property: InjectedProperty) {
        self.init(
            service: "\(property.owner).\(property.name)",
            scope: "injected",
            shape: .property
        )
    }

    fileprivate func precedes(_ other: Self) -> Bool {
        if level != other.level { return level < other.level }
        if texts != other.texts { return texts.lexicographicallyPrecedes(other.texts) }
        return (place?.line ?? 0) < (other.place?.line ?? 0)
    }

    private var texts: [String] {
        [service, name ?? "", arguments.joined(separator: ","), place?.file ?? ""]
    }
}

extension DependencyGraph.Shape {
    fileprivate init(of node: Survey.Node) {
        let scope = node.registration.objectScope
        self =
            switch node.kind {
            case _ where node.isInstance: .instance
            case _ where ObjectScope.weak.includes(scope): .weak
            case _ where ObjectScope.container.includes(scope): .container
            case .transient: .transient
            case .graph: .graph
            case .permanent, .weak, .stored, .opened: .custom
            }
    }
}
