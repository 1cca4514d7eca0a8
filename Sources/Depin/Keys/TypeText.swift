/// Rewrites the runtime's text for a type.
// A class, as its groups are, because each copy of a structure is code.
final class TypeText {
    /// The text that has not been read yet.
    private var rest: Substring
    /// The brackets around the current text, the outermost first.
    private var outer: [Group] = []
    private var group = Group()

    /// The text inside of a pair of brackets, as far as it has been read.
    private final class Group {
        let bracket: String
        /// The parts before each comma.
        var parts: [String] = []
        /// The part after the last comma.
        var last = ""
        /// The length of that part where the current type began.
        var typeStart = 0
        /// True for a function or a composition, which needs parentheses before a question mark.
        var isCompound = false

        init(_ bracket: String = "") { self.bracket = bracket }

        var text: String { bracket + (parts + [last]).joined(separator: ", ") }
    }

    private init(_ text: String) { rest = Substring(text) }

    static func readable(_ text: String) -> String {
        let text = TypeText(text)
        while !text.rest.isEmpty { text.read() }
        return (text.outer + [text.group]).map(\.text).joined()
    }

    private func read() {
        if readNoise() || readProtocol() { return }
        let next = rest.removeFirst()
        let isArrow = next == ">" && group.last.last == "-"
        if "<([".contains(next) {
            outer.append(group)
            group = Group(String(next))
        } else if ">)]".contains(next), !isArrow, let around = outer.popLast() {
            let inner = group
            group = around
            group.last += written(inner) ?? inner.text + String(next)
        } else if next == "," {
            group.parts.append(group.last)
            (group.last, group.typeStart) = ("", 0)
            rest = rest.drop { $0 == " " }
        } else {
            group.last.append(next)
            if next == " " { group.typeStart = group.last.count }
            if isArrow || next == "&" { group.isCompound = true }
        }
    }

    /// Skips `any `, `Self.Store.Item == `, `Swift.`, the `Pack{}` around a parameter pack, and `(unknown context at
    /// $7f3a).`, which stands for a file or a function.
    private func readNoise() -> Bool {
        let isStart = Self.isBoundary(group.last.last)
        let noise = [", Pack{}", "}"] + (isStart ? ["any ", "Pack{", "Swift."] : [])
        if rest.hasPrefix("(unknown context at "), let end = rest.firstIndex(of: ")") {
            rest = rest[end...].dropFirst().drop { $0 == "." }
        } else if isStart, rest.hasPrefix("Self."), let sign = rest.firstIndex(of: "=") {
            rest = rest[sign...].drop { $0 == "=" || $0 == " " }
        } else if let noise = noise.first(where: rest.hasPrefix) {
            rest = rest.dropFirst(noise.count)
        } else {
            return false
        }
        return true
    }

    /// Rewrites the type of `(any API).self`, which the runtime writes in an outdated way.
    private func readProtocol() -> Bool {
        let following = rest.dropFirst(".Protocol".count)
        guard rest.hasPrefix(".Protocol"),
            following.first == "." || Self.isBoundary(following.first)
        else { return false }
        rest = following
        let type = group.last.dropFirst(group.typeStart)
        let inner = type.first == "(" ? type.dropFirst().dropLast() : type
        group.last = group.last.prefix(group.typeStart) + "(any \(inner)).Type"
        return true
    }

    /// The short form of a type with brackets, which replaces the name before them; nil if there is none.
    private func written(_ inner: Group) -> String? {
        if inner.bracket == "(", inner.text == "(" { return isFunction ? nil : "Void" }
        let count = inner.parts.count + 1
        for (name, arguments) in [("Optional", 1), ("Array", 1), ("Dictionary", 2)] {
            guard inner.bracket == "<", arguments == count, group.last.hasSuffix(name),
                Self.isBoundary(group.last.dropLast(name.count).last)
            else { continue }
            group.last.removeLast(name.count)
            let texts = inner.parts + [inner.last]
            if name != "Optional" { return "[\(texts.joined(separator: ": "))]" }
            return inner.isCompound ? "(\(inner.last))?" : "\(inner.last)?"
        }
        return nil
    }

    private var isFunction: Bool {
        [" -> ", " async ", " throws ", " throws("].contains { rest.hasPrefix($0) }
    }

    private static func isBoundary(_ character: Character?) -> Bool {
        guard let character else { return true }
        return !(character.isLetter || character.isNumber || character == "_" || character == ".")
    }
}
