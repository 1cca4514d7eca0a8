import Depin
import DepinInspection
import Foundation
import Testing

/// Skipped, and said to be, where Graphviz is missing: `.ci/run tools` installs it.
@Suite(.enabled(if: Graphviz.isInstalled))
struct GraphvizTests {
    @Test(
        arguments: [
            #"\N \G \n \l"#, #"end\"#, #"\\"#, "<b>html</b>", "<\u{301}", "&amp; #35;", "quote\"s",
            "a|b{c}", "emoji 🎉 e\u{301}",
        ]
    )
    func `a name is drawn as it is`(name: String) throws {
        #expect(try drawn(name) == name)
    }

    /// By code points, which a log can hold.
    @Test(arguments: [0x0, 0x1, 0x9, 0xA, 0xB, 0x1B, 0x7F, 0x85, 0x2028, 0x2029, 0xFFFE, 0x1FFFF])
    func `what cannot be drawn in a name is a space`(codePoint: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(codePoint))
        #expect(try drawn("a\(scalar)b") == "a b")
    }

    /// What stands in the picture between the quotes of a name.
    private func drawn(_ name: String) throws -> String {
        let container = Container()
        container.register(Service.self, name: name) { Service() }
        let picture = try Graphviz.draw(container.dependencyGraph(), as: "svg")
        let texts = picture.matches(of: #/<text .*?>(.*)</text>/#).map { String($0.1) }
        let text = try #require(texts.dropFirst().first, "\(picture)")
        let characters = [
            ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&#45;", "-"), ("&#160;", " "),
            ("&amp;", "&"),
        ]
        // Literally, for an accent may follow.
        let plain = characters.reduce(text) {
            $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal)
        }
        return String(plain.dropFirst().dropLast())
    }

    @Test(arguments: [10, 200])
    func `the boxes of many services lie side by side`(count: Int) throws {
        let container = Container()
        for index in 0..<count {
            container.register(Service.self, name: "\(index)") { r in
                for needed in [3 * index + 1, 3 * index + 2] where needed < count {
                    use(r ~> (Service.self, name: "\(needed)"))
                }
                return Service()
            }
        }
        try container.validate()
        let boxes = try boxes(of: container.dependencyGraph())
        #expect(boxes.count == count)
        for (index, box) in boxes.enumerated() {
            for other in boxes[..<index] where box.overlaps(other) {
                Issue.record("\(box.name) lies on \(other.name)")
            }
        }
    }

    /// Of each node, `node n1 x y width height …` in the plain text that Graphviz writes.
    private func boxes(of graph: DependencyGraph) throws -> [NodeBox] {
        try Graphviz.draw(graph, as: "plain").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.first == "node" else { return nil }
            let numbers = try words[2...5].map { try #require(Double($0)) }
            return NodeBox(
                name: String(words[1]),
                x: numbers[0],
                y: numbers[1],
                width: numbers[2],
                height: numbers[3]
            )
        }
    }
}

/// Graphviz's `dot`, run as its user runs it.
enum Graphviz {
    private static let dot = URL(filePath: "/usr/bin/dot")

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: dot.path) }

    /// Draws a graph, and expects no complaint.
    static func draw(_ graph: DependencyGraph, as format: String) throws -> String {
        // Files, not pipes: a pipe that nobody empties blocks the program once it is full.
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "depin-dot-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = folder.appending(path: "graph.dot")
        let picture = folder.appending(path: "picture")
        let complaints = folder.appending(path: "complaints")
        try graph.dot.write(to: text, atomically: true, encoding: .utf8)
        try Data().write(to: complaints)
        let process = Process()
        process.executableURL = dot
        process.arguments = ["-T\(format)", "-o", picture.path, text.path]
        process.standardError = try FileHandle(forWritingTo: complaints)
        try process.run()
        process.waitUntilExit()
        // Not `String(contentsOf:)`, which leaks 4 kB for each empty file.
        let complained = try FileHandle(forReadingFrom: complaints).readToEnd() ?? Data()
        let complaint = String(decoding: complained, as: UTF8.self)
        #expect(process.terminationStatus == 0 && complaint == "", "\(complaint)")
        return try String(contentsOf: picture, encoding: .utf8)
    }
}

private struct NodeBox {
    let name: String
    /// The center.
    let x, y: Double
    let width, height: Double

    func overlaps(_ other: NodeBox) -> Bool {
        abs(x - other.x) < (width + other.width) / 2
            && abs(y - other.y) < (height + other.height) / 2
    }
}

private final class Service: Sendable {}
