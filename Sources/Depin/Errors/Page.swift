/// What a person reads of a message before giving up: no more than that is shown, and the rest is counted.
package enum Page {
    static let lineCount = 100
    static let characterCount = 12_000
    /// How many lines at the end of a long text stay: there stands what to do.
    private static let endCount = 30

    /// The beginning and the end of a text that is longer than a page, and of each line what fits.
    package static func cut(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > lineCount {
            let startCount = lineCount - endCount - 1
            let left = lines.count - startCount - endCount
            lines =
                lines.prefix(startCount) + ["  … and \(left) more lines …"] + lines.suffix(endCount)
        }
        // A character is a byte at least.
        guard lines.reduce(0, { $0 + $1.utf8.count + 1 }) > characterCount else {
            return lines.joined(separator: "\n")
        }
        let width = characterCount / lines.count - 1
        let fitting = lines.map { $0.count > width ? $0.prefix(width - 1) + "…" : $0 }
        return fitting.joined(separator: "\n")
    }

    /// The first items that fit into some lines and as much of a page's characters, one at least, and how many
    /// more there are.
    // What is listed is rare: the code is not stamped out for each type.
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
