import Depin
import JournalDomain

/// Exports journals as Markdown.
package struct MarkdownAssembly: Assembly {
    package init() {}

    package func assemble(container: Container) {
        container.contribute(Exporter.self, name: "markdown") { MarkdownExporter() }
    }
}

/// Writes a heading for each day.
struct MarkdownExporter: Exporter {
    func lines(of entries: [Entry]) -> [String] {
        var lines: [String] = []
        var day: Day?
        for entry in entries {
            if entry.day != day { lines += ["## \(entry.day)", ""] }
            day = entry.day
            lines += [entry.text, ""]
        }
        return lines.dropLast()
    }
}
