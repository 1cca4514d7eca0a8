import Depin

// How a graph is written down for those who draw it.

extension DependencyGraph {
    // MARK: - Mermaid

    /// The graph as a Mermaid flowchart, which GitHub and others draw in Markdown.
    ///
    /// Shapes and colors show the scopes. Solid arrows are declared needs, and dotted arrows observed ones.
    /// Problems are red.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for (level, members) in levels {
            let title = Self.title(of: level)
            if let title {
                lines.append("  subgraph p\(level)[\"\(title)\"]")
            }
            lines += members.map { (title == nil ? "  " : "    ") + Self.mermaid($0) }
            if title != nil {
                lines.append("  end")
            }
        }
        for edge in edges {
            let arrow = edge.origin == .declared ? "-->" : "-.->"
            lines.append("  \(edge.from) \(edge.isDeferred ? arrow + "|later|" : arrow) \(edge.to)")
        }
        let red = edges.indices.filter { edges[$0].isProblem }.map(String.init)
        if !red.isEmpty {
            lines.append("  linkStyle \(red.joined(separator: ",")) stroke:#c00")
        }
        for shape in Shape.allCases where shape != .missing {
            let members = nodes.filter { $0.shape == shape }.map(\.id)
            guard !members.isEmpty else { continue }
            // The word alone is one of Mermaid's own in the case of `graph`.
            lines.append("  classDef \(shape)Scope fill:\(shape.color),stroke:#678,color:#000")
            lines.append("  class \(members.joined(separator: ",")) \(shape)Scope")
        }
        let troubled = nodes.filter { !$0.problems.isEmpty }.map(\.id)
        if !troubled.isEmpty {
            lines.append("  classDef problem stroke:#c00,stroke-width:3px")
            lines.append("  class \(troubled.joined(separator: ",")) problem")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func mermaid(_ node: Node) -> String {
        let text = node.lines.map(escapedForMermaid).joined(separator: "<br/>")
        let (opening, closing) = node.shape.mermaid
        return "\(node.id)\(opening)\"\(text)\"\(closing)"
    }

    private static func escapedForMermaid(_ text: String) -> String {
        escaped(
            text,
            [
                "#": "#35;", "\"": "#quot;", "&": "#amp;", "<": "#lt;", ">": "#gt;", "`": "#96;",
                "\\": "#92;",
            ]
        )
    }

    // MARK: - Graphviz

    /// The graph in the language of Graphviz: `dot -Tpng graph.dot -o graph.png`.
    ///
    /// Shapes and colors show the scopes. Solid arrows are declared needs, and dashed arrows observed ones.
    /// A hollow head marks a need for later. Problems are red.
    public var dot: String {
        var lines = [
            "digraph dependencies {",
            "  graph [rankdir=LR, nodesep=0.2, ranksep=0.9, fontname=\"Helvetica\", fontsize=11]",
            "  node [fontname=\"Helvetica\", fontsize=11, margin=\"0.12,0.06\", color=\"#556677\"]",
            "  edge [color=\"#556677\", arrowsize=0.7]",
        ]
        for (level, members) in levels {
            let title = Self.title(of: level)
            if let title {
                lines.append("  subgraph cluster_\(level) {")
                lines.append("    label=\"\(title)\"; color=\"#99aabb\"; style=rounded")
            }
            lines += members.map { (title == nil ? "  " : "    ") + Self.dot($0) }
            if title != nil {
                lines.append("  }")
            }
        }
        lines += edges.map { "  " + Self.dot($0) }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func dot(_ node: Node) -> String {
        let lines = node.lines.map(escapedForHTML)
        var label = "<b>\(lines[0])</b>"
        label += lines.dropFirst().map { "<br/>\($0)" }.joined()
        var notes = [node.scope]
        if let place = node.place {
            notes.append("\(place.file.split(separator: "/").last ?? ""):\(place.line)")
        }
        if node.shape != .missing {
            let note = notes.map(escapedForHTML).joined(separator: " · ")
            label += "<br/><font point-size=\"8\" color=\"#445566\">\(note)</font>"
        }
        if !node.problems.isEmpty {
            let problems = node.problems.map(words).joined(separator: ", ")
            label += "<br/><font point-size=\"9\" color=\"#cc0000\">\(problems)</font>"
        }
        var attributes = ["label=<\(label)>", node.shape.dot, "fillcolor=\"\(node.shape.color)\""]
        if !node.problems.isEmpty {
            attributes.append("color=\"#cc0000\", penwidth=2")
        }
        return "\(node.id) [\(attributes.joined(separator: ", "))]"
    }

    /// `silentOverwrite` as `silent overwrite`.
    private static func words(_ kind: ValidationReport.Kind) -> String {
        kind.description.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }

    private static func dot(_ edge: Edge) -> String {
        var attributes: [String] = []
        if edge.origin == .observed {
            attributes.append("style=dashed")
        }
        if edge.isDeferred {
            attributes.append("arrowhead=empty")
        }
        if edge.isProblem {
            attributes.append("color=\"#cc0000\", penwidth=1.5")
        }
        let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
        return "\(edge.from) -> \(edge.to)\(list)"
    }

    private static func escapedForHTML(_ text: String) -> String {
        // In a label `\N` is the node's id, whether it is written in HTML or not.
        escaped(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\\": "\\\\"])
    }

    // MARK: - Both

    /// A text on one line, with what has a meaning in a language replaced.
    ///
    /// Scalars are looked up, not characters: with an accent, `<` is another character, and markup
    /// all the same.
    private static func escaped(
        _ text: String,
        _ replacements: [Unicode.Scalar: String]
    ) -> String {
        var result = ""
        for character in text {
            if character.unicodeScalars.contains(where: \.isUnfitForLabel) {
                result += " "
                continue
            }
            for scalar in character.unicodeScalars {
                result += replacements[scalar] ?? String(scalar)
            }
        }
        return result
    }

    private var levels: [(level: Int, nodes: [Node])] {
        Set(nodes.map(\.level)).sorted().map { level in
            (level, nodes.filter { $0.level == level })
        }
    }

    /// The title of what is around a container's nodes; the container that was asked needs none.
    private static func title(of level: Int) -> String? {
        switch level {
        case 0: nil
        case 1: "parent"
        default: "parent, \(level) steps up"
        }
    }
}

extension Unicode.Scalar {
    /// True for what breaks a line, and for what XML, the language of Graphviz's labels, has no place
    /// for.
    fileprivate var isUnfitForLabel: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isNoncharacterCodePoint
        }
    }
}

extension DependencyGraph.Node {
    /// What names it: the type, then its name and arguments, then the further types.
    fileprivate var lines: [String] {
        var lines = [service]
        if let name {
            lines.append("\"\(name)\"")
        }
        if !arguments.isEmpty {
            lines.append("(\(arguments.joined(separator: ", ")))")
        }
        if !forwards.isEmpty {
            lines.append("as \(forwards.joined(separator: ", "))")
        }
        return lines
    }
}

extension DependencyGraph.Shape {
    fileprivate var color: String {
        switch self {
        case .transient, .missing: "#ffffff"
        case .graph: "#e8effa"
        case .container: "#d5ead3"
        case .weak: "#fff3c9"
        case .custom: "#ffe3c7"
        case .instance: "#e7dcee"
        case .provided: "#eeeeee"
        case .property: "#dff3f3"
        }
    }

    fileprivate var dot: String {
        switch self {
        case .transient: "shape=box, style=\"filled,rounded,dotted\""
        case .graph: "shape=box, style=\"filled,rounded\""
        case .container: "shape=box, style=filled, penwidth=1.5"
        case .weak: "shape=box, style=\"filled,dashed\""
        case .custom: "shape=hexagon, style=filled"
        case .instance: "shape=note, style=filled"
        case .missing: "shape=octagon, style=\"filled,dashed\""
        case .provided: "shape=cylinder, style=\"filled,dashed\""
        case .property: "shape=ellipse, style=filled"
        }
    }

    fileprivate var mermaid: (String, String) {
        switch self {
        case .transient: ("([", "])")
        case .graph: ("(", ")")
        case .container: ("[", "]")
        case .weak: ("[/", "/]")
        case .custom: ("{{", "}}")
        case .instance: ("[[", "]]")
        case .missing: (">", "]")
        case .provided: ("[(", ")]")
        case .property: ("((", "))")
        }
    }
}
