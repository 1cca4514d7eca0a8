import Depin

extension DependencyGraph {
    init(_ survey: Survey, _ found: [ValidationReport.Problem]) {
        var plan = Plan(survey, found)
        plan.addGaps()
        plan.addProperties()
        self = plan.graph
    }
}

/// What a graph is to show: registrations first, numbered as in the survey, then all else.
private struct Plan {
    private let survey: Survey
    private let names: TypeNames
    private var drafts: [Draft]
    private var edges: [(from: Int, to: Int, edge: (String, String) -> DependencyGraph.Edge)] = []
    /// The drafts of what is not registered.
    private var outside: [ServiceKey: Int] = [:]

    init(_ survey: Survey, _ found: [ValidationReport.Problem]) {
        self.survey = survey
        let targets = survey.injections.compactMap(\.outside)
        let names = TypeNames(
            survey.nodes.flatMap(\.types) + survey.gaps.map(\.type) + survey.empties.map(\.type)
                + targets
        )
        self.names = names
        var problems: [Int: [ValidationReport.Kind]] = [:]
        for problem in found {
            for node in problem.nodes where problems[node]?.contains(problem.kind) != true {
                problems[node, default: []].append(problem.kind)
            }
        }
        drafts = survey.nodes.enumerated().map { index, node in
            Draft(node: node, problems: problems[index] ?? [], names)
        }
        let marked = Set(found.flatMap(\.edges))
        for edge in survey.edges {
            add(
                edge.from,
                edge.to,
                edge.isDeclared ? .declared : .observed,
                isDeferred: edge.isDeferred,
                isProblem: marked.contains([edge.from, edge.to])
            )
        }
    }

    /// Adds what is missing or empty, or provided elsewhere.
    mutating func addGaps() {
        for gap in survey.gaps {
            add(
                gap.from,
                outside(
                    ServiceKey(gap.type, name: gap.key.name),
                    problem: gap.isProvided ? nil : .missing
                ),
                gap.isDeclared ? .declared : .observed,
                isDeferred: gap.isDeferred,
                isProblem: !gap.isProvided
            )
        }
        for empty in survey.empties {
            add(
                empty.from,
                outside(ServiceKey(empty.type), problem: .emptyCollection),
                empty.isDeclared ? .declared : .observed,
                isDeferred: false,
                isProblem: true
            )
        }
    }

    mutating func addProperties() {
        for injection in survey.injections {
            let targets: [Int]
            var problem: ValidationReport.Kind?
            switch injection.target {
            case .registration(let index): targets = [index]
            case .named(let indices), .collection(let indices): targets = indices
            case .missing(let type):
                problem = .missing
                targets = [outside(ServiceKey(type), problem: .missing)]
            case .empty(let empty):
                problem = .emptyCollection
                targets = [outside(ServiceKey(empty.type), problem: .emptyCollection)]
            case .provided(let type), .elsewhere(let type, _):
                targets = [outside(ServiceKey(type), problem: nil)]
            case .nothing, .unknown: targets = []
            }
            drafts.append(Draft(property: injection.need, problem: problem))
            for target in targets {
                add(
                    drafts.count - 1,
                    target,
                    .declared,
                    isDeferred: injection.isDeferred,
                    isProblem: problem != nil
                )
            }
        }
    }

    /// What is not registered: nil as its problem says that it is elsewhere.
    private mutating func outside(_ key: ServiceKey, problem: ValidationReport.Kind?) -> Int {
        if let known = outside[key] { return known }
        drafts.append(Draft(outside: key, problem: problem, names))
        outside[key] = drafts.count - 1
        return drafts.count - 1
    }

    private mutating func add(
        _ from: Int,
        _ to: Int,
        _ origin: DependencyGraph.Origin,
        isDeferred: Bool,
        isProblem: Bool
    ) {
        edges.append(
            (
                from, to,
                { from, to in
                    DependencyGraph.Edge(
                        from: from,
                        to: to,
                        origin: origin,
                        isDeferred: isDeferred,
                        isProblem: isProblem
                    )
                }
            )
        )
    }

    /// The graph, in a stable order.
    var graph: DependencyGraph {
        let order = drafts.indices.sorted { drafts[$0].precedes(drafts[$1]) }
        var positions = [Int](repeating: 0, count: drafts.count)
        for (position, index) in order.enumerated() { positions[index] = position }
        let ids = positions.map { "n\($0 + 1)" }
        let sorted = edges.sorted {
            (positions[$0.from], positions[$0.to]) < (positions[$1.from], positions[$1.to])
        }
        return DependencyGraph(
            nodes: order.map { drafts[$0].node(ids[$0]) },
            edges: sorted.map { $0.edge(ids[$0.from], ids[$0.to]) }
        )
    }
}

extension Survey.Injection {
    /// The type that it gets from elsewhere, or not at all.
    fileprivate var outside: Any.Type? {
        switch target {
        case .missing(let type), .elsewhere(let type, _), .provided(let type): type
        case .empty(let empty): empty.type
        case .registration, .named, .collection, .nothing, .unknown: nil
        }
    }
}

/// A node that has no place in the order yet.
private struct Draft {
    let service: String
    let type: Any.Type?
    let name: String?
    let arguments: [String]
    let forwards: [String]
    let scope: String
    let shape: DependencyGraph.Shape
    let place: CodePlace?
    let level: Int
    let problems: [ValidationReport.Kind]

    init(node: Survey.Node, problems: [ValidationReport.Kind], _ names: TypeNames) {
        let contributed = node.registration.key.isContribution ? "contributed " : ""
        let ofAnyName = node.registration.key.isForAnyName ? " of any name" : ""
        service = contributed + names(node.registration.serviceType) + ofAnyName
        type = node.registration.serviceType
        name = node.registration.key.name
        arguments = node.registration.key.argumentTypes.map { names($0) }
        forwards = node.forwards.map { key in
            key.name.map { "\(readableName(of: key.serviceType)) \"\($0)\"" }
                ?? readableName(of: key.serviceType)
        }.sorted()
        scope = node.isInstance ? "instance" : node.registration.scopeName
        shape = Self.shape(of: node)
        place = node.registration.place
        level = node.level
        self.problems = problems
    }

    init(outside key: ServiceKey, problem: ValidationReport.Kind?, _ names: TypeNames) {
        service = names(key.serviceType)
        type = key.serviceType
        name = key.name
        arguments = []
        forwards = []
        scope = problem == nil ? "provided" : problem == .missing ? "missing" : "empty"
        shape = problem == nil ? .provided : .missing
        place = nil
        level = 0
        problems = problem.map { [$0] } ?? []
    }

    init(property need: InjectedProperty, problem: ValidationReport.Kind?) {
        service = "\(need.owner).\(need.name)"
        type = nil
        name = nil
        arguments = []
        forwards = []
        scope = "injected"
        shape = .property
        place = nil
        level = 0
        problems = problem.map { [$0] } ?? []
    }

    private static func shape(of node: Survey.Node) -> DependencyGraph.Shape {
        if node.isInstance { return .instance }
        let scope = node.registration.objectScope
        if ObjectScope.weak.includes(scope) { return .weak }
        if ObjectScope.container.includes(scope) { return .container }
        switch node.kind {
        case .transient: return .transient
        case .graph: return .graph
        case .permanent, .weak, .stored, .opened: return .custom
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
