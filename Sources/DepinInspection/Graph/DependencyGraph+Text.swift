import Depin

// A graph as text for Mermaid and Graphviz.

extension DependencyGraph {
    // MARK: - Mermaid

    /// The graph as a Mermaid flowchart, which GitHub and others draw in Markdown.
    ///
    /// Shapes and colors show the scopes. Solid arrows are declared needs, and dotted arrows observed ones.
    /// Problems are red.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        lines += grouped(Self.mermaid, "  end") { ["  subgraph p\($0)[\"\($1)\"]"] }
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
            // As a class name, `graph` alone is a keyword of Mermaid's.
            let color = shape.style.color
            lines.append("  classDef \(shape)Scope fill:\(color),stroke:#678,color:#000")
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
        let (opening, closing) = node.shape.style.mermaid
        return "\(node.id)\(opening)\"\(text)\"\(closing)"
    }

    private static func escapedForMermaid(_ text: String) -> String {
        let words: [Unicode.Scalar: String] = [
            "#": "#35;", "\"": "#quot;", "&": "#amp;", "<": "#lt;", ">": "#gt;", "`": "#96;",
            "\\": "#92;",
        ]
        return onOneLine(text).escaped { words[$0] }
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
        lines += grouped(Self.dot, "  }") { level, title in
            [
                "  subgraph cluster_\(level) {",
                "    label=\"\(title)\"; color=\"#99aabb\"; style=rounded",
            ]
        }
        lines += edges.map { "  " + Self.dot($0) }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func dot(_ node: Node) -> String {
        let lines = node.lines.map(escapedForGraphviz)
        var label = "<b>\(lines[0])</b>"
        label += lines.dropFirst().map { "<br/>\($0)" }.joined()
        var notes = [node.scope]
        if let place = node.place {
            notes.append("\(place.file.split(separator: "/").last ?? ""):\(place.line)")
        }
        if node.shape != .missing {
            let note = notes.map(escapedForGraphviz).joined(separator: " · ")
            label += "<br/><font point-size=\"8\" color=\"#445566\">\(note)</font>"
        }
        if !node.problems.isEmpty {
            let problems = node.problems.map(\.words).joined(separator: ", ")
            label += "<br/><font point-size=\"9\" color=\"#cc0000\">\(problems)</font>"
        }
        let style = node.shape.style
        var attributes = ["label=<\(label)>", style.dot, "fillcolor=\"\(style.color)\""]
        if !node.problems.isEmpty {
            attributes.append("color=\"#cc0000\", penwidth=2")
        }
        return "\(node.id) [\(attributes.joined(separator: ", "))]"
    }

    private static func dot(_ edge: Edge) -> String {
        let attributes = [
            edge.origin == .observed ? "style=dashed" : nil,
            edge.isDeferred ? "arrowhead=empty" : nil,
            edge.isProblem ? "color=\"#cc0000\", penwidth=1.5" : nil,
        ].compactMap(\.self)
        let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
        return "\(edge.from) -> \(edge.to)\(list)"
    }

    private static func escapedForGraphviz(_ text: String) -> String {
        // In a label `\N` is the node's id, whether it is written in HTML or not.
        onOneLine(text).escapedForHTML.escaped { $0 == "\\" ? "\\\\" : nil }
    }

    // MARK: - Both

    /// A text on one line, without characters that XML, the language of Graphviz's labels, forbids.
    private static func onOneLine(_ text: String) -> String {
        func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: scalar.properties.isNoncharacterCodePoint
            }
        }
        return text.map { $0.unicodeScalars.contains(where: isUnfit) ? " " : String($0) }.joined()
    }

    /// A line for each node; a parent's nodes are between lines of their own.
    private func grouped(
        _ line: (Node) -> String,
        _ end: String,
        begin: (_ level: Int, _ title: String) -> [String]
    ) -> [String] {
        Set(nodes.map(\.level)).sorted().flatMap { level in
            let lines = nodes.filter { $0.level == level }.map { "  " + line($0) }
            guard level > 0 else { return lines }
            let title = level == 1 ? "parent" : "parent, \(level) steps up"
            return begin(level, title) + lines.map { "  " + $0 } + [end]
        }
    }
}

extension DependencyGraph.Node {
    /// The node's label: the type, then its name and arguments, then the further types.
    fileprivate var lines: [String] {
        [
            service, name.map { "\"\($0)\"" },
            arguments.isEmpty ? nil : "(\(arguments.joined(separator: ", ")))",
            forwards.isEmpty ? nil : "as \(forwards.joined(separator: ", "))",
        ].compactMap(\.self)
    }
}

extension DependencyGraph.Shape {
    /// How the node is drawn: the color, the attributes for Graphviz, and Mermaid's brackets around the text.
    fileprivate var style: (color: String, dot: String, mermaid: (String, String)) {
        switch self {
        case .transient: ("#ffffff", "shape=box, style=\"filled,rounded,dotted\"", ("([", "])"))
        case .graph: ("#e8effa", "shape=box, style=\"filled,rounded\"", ("(", ")"))
        case .container: ("#d5ead3", "shape=box, style=filled, penwidth=1.5", ("[", "]"))
        case .weak: ("#fff3c9", "shape=box, style=\"filled,dashed\"", ("[/", "/]"))
        case .custom: ("#ffe3c7", "shape=hexagon, style=filled", ("{{", "}}"))
        case .instance: ("#e7dcee", "shape=note, style=filled", ("[[", "]]"))
        case .missing: ("#ffffff", "shape=octagon, style=\"filled,dashed\"", (">", "]"))
        case .provided: ("#eeeeee", "shape=cylinder, style=\"filled,dashed\"", ("[(", ")]"))
        case .property: ("#dff3f3", "shape=ellipse, style=filled", ("((", "))"))
        }
    }
}
