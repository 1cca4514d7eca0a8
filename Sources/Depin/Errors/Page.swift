/// How much of a message people read: no more is shown, and the rest is counted.
package enum Page {
    static let lineCount = 100
    static let characterCount = 12_000
    /// How many lines at the end of a long text are kept, because they say what to do.
    private static let endCount = 30

    /// The beginning and the end of a text that is longer than a page, with long lines cut.
    package static func cut(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > lineCount {
            let startCount = lineCount - endCount - 1
            let left = lines.count - startCount - endCount
            lines =
                lines.prefix(startCount) + ["  … and \(left) more lines …"] + lines.suffix(endCount)
        }
        // A character takes at least a byte.
        guard lines.reduce(0, { $0 + $1.utf8.count + 1 }) > characterCount else {
            return lines.joined(separator: "\n")
        }
        let width = characterCount / lines.count - 1
        let fitting = lines.map { $0.count > width ? $0.prefix(width - 1) + "…" : $0 }
        return fitting.joined(separator: "\n")
    }

    /// The first items that fit into some lines and their share of a page's characters, at least one, and the number of
    /// the others.
    // Lists are rare, so the code is compiled once for all types.
    @_semantics("optimize.sil.specialize.generic.never")
    package static func list(_ items: some Collection<String>, lines limit: Int) -> [String] {
        var shown: [String] = []
        var lineCount = 0
        var characterCount = 0
        for item in items {
            lineCount += item.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            characterCount += item.utf8.count + 1
            let fits =
                lineCount <= limit
                && characterCount <= Self.characterCount * limit / Self.lineCount
            guard fits || shown.isEmpty else { break }
            shown.append(item)
        }
        return shown.count < items.count
            ? shown + ["… and \(items.count - shown.count) more"] : shown
    }
}
