import Depin

/// What the page of a graph is told: the graph, and what a validation says of its services.
struct GraphPicture {
    private let graph: DependencyGraph
    private var problems: [JSON] = []
    private var notes: [JSON] = []
    /// What a validation says, by node.
    private var remarks: [DependencyGraph.Node.ID: Remarks] = [:]

    private struct Remarks {
        var checked: String?
        var isUnreached = false
        /// Kinds of problems that the graph does not show.
        var problems: [ValidationReport.Kind] = []
    }

    init(_ graph: DependencyGraph) {
        self.graph = graph
    }

    init(_ report: ValidationReport) {
        graph = report.graph
        let index = Index(graph)
        for registration in report.checkedByTypes {
            for id in index[registration] {
                remarks[id, default: Remarks()].checked = "from its types"
            }
        }
        for registration in report.checkedByRunning {
            for id in index[registration] {
                remarks[id, default: Remarks()].checked = "by running its factory"
            }
        }
        for (registration, reason) in report.unchecked {
            for id in index[registration] {
                remarks[id, default: Remarks()].checked = "not: \(reason)"
            }
        }
        for registration in report.unreached {
            for id in index[registration] { remarks[id, default: Remarks()].isUnreached = true }
        }
        for problem in report.problems {
            let nodes = index.nodes(of: problem)
            for node in nodes where !node.problems.contains(problem.kind) {
                remarks[node.id, default: Remarks()].problems.append(problem.kind)
            }
            problems.append(
                .fields([
                    "kind": .text(Self.words(problem.kind)),
                    "severity": .text("\(problem.severity)"),
                    "text": .text(problem.description),
                    "nodes": .texts(nodes.map(\.id)),
                ])
            )
        }
        notes = report.unknownProperties.map { .text("\($0.property): \($0.reason)") }
    }

    func page(title: String) -> HTMLPage {
        HTMLPage(
            .graph,
            title: title,
            data: .fields([
                "nodes": .list(graph.nodes.map(node)),
                "edges": .list(graph.edges.map(edge)),
                "problems": .nonempty(problems),
                "notes": .nonempty(notes),
            ])
        )
    }

    private func node(_ node: DependencyGraph.Node) -> JSON {
        let remarks = remarks[node.id]
        let problems = node.problems + (remarks?.problems ?? [])
        return .fields([
            "id": .text(node.id),
            "service": .text(node.service),
            "name": node.name.map { .text($0) },
            "arguments": .nonempty(node.arguments.map { .text($0) }),
            "forwards": .nonempty(node.forwards.map { .text($0) }),
            "scope": .text(node.scope),
            // What has no place is not registered.
            "place": node.place.map { .text("\($0)") },
            "module": node.place.map { .text(Self.module(of: $0)) },
            "level": node.level > 0 ? .number(node.level) : nil,
            "problems": .nonempty(problems.map { .text(Self.words($0)) }),
            "checked": remarks?.checked.map { .text($0) },
            "unreached": .mark(remarks?.isUnreached == true),
        ])
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

    /// `Feed` of `Feed/FeedAssembly.swift:12`.
    static func module(of place: CodePlace) -> String {
        String(place.file.prefix { $0 != "/" })
    }

    /// `silentOverwrite` as `silent overwrite`.
    private static func words(_ kind: ValidationReport.Kind) -> String {
        kind.description.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }
}

/// Finds the nodes of a graph that a report speaks of.
private struct Index {
    private let nodes: [Key: [DependencyGraph.Node]]
    private let missing: [Key: [DependencyGraph.Node]]
    private let places: [CodePlace: [DependencyGraph.Node]]
    /// The properties that need what is missing, by what is missing.
    private let properties: [DependencyGraph.Node.ID: [DependencyGraph.Node]]

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let name: String?
        let place: CodePlace?
        var argumentCount = 0
    }

    init(_ graph: DependencyGraph) {
        var nodes: [Key: [DependencyGraph.Node]] = [:]
        var missing: [Key: [DependencyGraph.Node]] = [:]
        var places: [CodePlace: [DependencyGraph.Node]] = [:]
        for node in graph.nodes {
            guard let type = node.type.map(ObjectIdentifier.init) else { continue }
            if let place = node.place {
                let count = node.arguments.count
                let key = Key(type: type, name: node.name, place: place, argumentCount: count)
                nodes[key, default: []].append(node)
                places[place, default: []].append(node)
            } else {
                missing[Key(type: type, name: node.name, place: nil), default: []].append(node)
            }
        }
        let owners = Dictionary(
            uniqueKeysWithValues: graph.nodes.filter { $0.type == nil }.map { ($0.id, $0) }
        )
        var properties: [DependencyGraph.Node.ID: [DependencyGraph.Node]] = [:]
        for edge in graph.edges where edge.isProblem {
            guard let property = owners[edge.from] else { continue }
            properties[edge.to, default: []].append(property)
        }
        self.properties = properties
        self.nodes = nodes
        self.missing = missing
        self.places = places
    }

    subscript(registration: ValidationReport.Registration) -> [DependencyGraph.Node.ID] {
        self[registration.request, registration.registeredAt].map(\.id)
    }

    private subscript(
        request: ResolutionError.Request,
        place: CodePlace
    ) -> [DependencyGraph.Node] {
        let key = Key(
            type: ObjectIdentifier(request.serviceType),
            name: request.name,
            place: place,
            argumentCount: request.argumentTypes.count
        )
        return nodes[key] ?? []
    }

    /// The services that a problem is about: those that the graph marks with it at its places and on its
    /// path, what is missing, and the one whose factory failed.
    func nodes(of problem: ValidationReport.Problem) -> [DependencyGraph.Node] {
        let path = problem.error?.path ?? []
        let onPlaces = (problem.places + path.map(\.registeredAt)).flatMap { places[$0] ?? [] }
        var found = onPlaces.filter { $0.problems.contains(problem.kind) }
        if found.isEmpty, problem.kind == .circular {
            found = path.flatMap { self[$0.request, $0.registeredAt] }
        }
        if found.isEmpty, let last = path.last {
            // Asked for by a type that forwards to it, it has another key: what stands there is meant.
            let exact = self[last.request, last.registeredAt]
            found = exact.isEmpty ? places[last.registeredAt] ?? [] : exact
        }
        if found.isEmpty { found = problem.places.flatMap { places[$0] ?? [] } }
        if let request = problem.error?.request {
            let type = ObjectIdentifier(request.serviceType)
            let gaps = missing[Key(type: type, name: request.name, place: nil)] ?? []
            if path.isEmpty { found += gaps.flatMap { properties[$0.id] ?? [] } }
            found += gaps
        }
        var known: Set<DependencyGraph.Node.ID> = []
        return found.filter { known.insert($0.id).inserted }
    }
}
