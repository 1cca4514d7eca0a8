import Depin

extension DependencyGraph {
    init(_ survey: Survey, _ found: [ValidationReport.Problem]) {
        let names = TypeNames(survey.nodes.flatMap(\.types) + survey.gaps.map(\.type))
        // The survey's numbers: registrations and properties first, then missing services.
        var nodes = survey.nodes.map { Node($0, names) } + survey.injections.map { Node($0.need) }
        for problem in found {
            for index in problem.nodes where !nodes[index].problems.contains(problem.kind) {
                nodes[index].problems.append(problem.kind)
            }
        }
        var edges = survey.edges + survey.injectedEdges
        var marked = Set(found.flatMap { zip($0.way, $0.way.dropFirst()).map { [$0, $1] } })
        var outside: [ServiceKey: Int] = [:]
        // A service that is missing somewhere is drawn as missing, even if a property may get it elsewhere.
        let gaps = survey.gaps.filter { $0.kind != .provided }
        for gap in gaps + survey.gaps.filter({ $0.kind == .provided }) {
            let number = outside[gap.service] ?? nodes.count
            if number == nodes.count {
                outside[gap.service] = number
                nodes.append(Node(gap, names))
            }
            let deferral = gap.answer.deferral
            edges.append(
                .init(from: gap.from, to: number, deferral: deferral, isDeclared: gap.isDeclared)
            )
            guard let problem = gap.kind.problem else { continue }
            marked.insert([gap.from, number])
            if nodes[gap.from].shape == .property { nodes[gap.from].problems = [problem] }
        }
        let order = nodes.indices.sorted { nodes[$0].order < nodes[$1].order }
        var positions = order
        for (position, number) in order.enumerated() {
            positions[number] = position
            nodes[number].id = "n\(position + 1)"
            nodes[number].number = number
        }
        edges.sort {
            (positions[$0.from], positions[$0.to], $0.isDeclared ? 0 : 1)
                < (positions[$1.from], positions[$1.to], $1.isDeclared ? 0 : 1)
        }
        self.nodes = order.map { nodes[$0] }
        // A service that is needed both as a `Lazy` and as a `Provider`, or in a child and its parent, is drawn once.
        var drawn: Set<Edge> = []
        var ends: Set<[String]> = []
        self.edges = edges.map { [nodes] need in
            Edge(
                from: nodes[need.from].id,
                to: nodes[need.to].id,
                origin: need.isDeclared ? .declared : .observed,
                isDeferred: need.isDeferred,
                isProblem: marked.contains([need.from, need.to])
            )
        }
        .filter { edge in
            let isFirst = ends.insert([edge.from, edge.to]).inserted
            return edge.origin == .observed ? isFirst : drawn.insert(edge).inserted
        }
    }
}

extension Survey {
    /// The needs of the properties.
    fileprivate var injectedEdges: [Edge] {
        injections.enumerated().flatMap { index, injection -> [Edge] in
            guard let answer = injection.answer else { return [] }
            let from = nodes.count + index
            return answer.targets.map {
                Edge(from: from, to: $0, deferral: answer.deferral, isDeclared: true)
            }
        }
    }
}

extension Survey.Gap.Kind {
    /// The problem that a gap of this kind is.
    fileprivate var problem: ValidationReport.Kind? {
        switch self {
        case .missing: .missing
        case .empty: .emptyCollection
        case .provided: nil
        }
    }
}

extension DependencyGraph.Node {
    /// The node of a registration.
    fileprivate init(_ node: Survey.Node, _ names: TypeNames) {
        let (registration, key) = (node.registration, node.registration.key)
        let contributed = key.isContribution ? "contributed " : ""
        let ofAnyName = key.isForAnyName ? " of any name" : ""
        service = contributed + names(registration.serviceType) + ofAnyName
        name = key.name
        arguments = key.argumentTypes.map { names($0) }
        forwards = node.keys.filter { $0 != key }.map { key in
            let type = readableName(of: key.serviceType)
            return key.name.map { "\(type) \"\($0)\"" } ?? type
        }.sorted()
        scope = node.isInstance ? "instance" : registration.scopeName
        place = registration.place
        level = node.level
        serviceType = registration.serviceType
        shape = .init(of: node)
    }

    /// The node of a missing service.
    fileprivate init(_ gap: Survey.Gap, _ names: TypeNames) {
        service = names(gap.type)
        name = gap.service.name
        scope = "\(gap.kind)"
        problems = [gap.kind.problem].compactMap(\.self)
        serviceType = gap.type
        shape = gap.kind == .provided ? .provided : .missing
    }

    fileprivate init(_ property: InjectedProperty) {
        service = "\(property.owner).\(property.name)"
        scope = "injected"
        shape = .property
    }

    /// The node's place in the order of the graph.
    fileprivate var order: (Int, String, String, String, String, Int) {
        let arguments = arguments.joined(separator: ",")
        return (level, service, name ?? "", arguments, place?.file ?? "", place?.line ?? 0)
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
