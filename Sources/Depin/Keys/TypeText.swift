/// Rewrites the runtime's text for a type.
struct TypeText {
    /// The text that has not been read yet.
    private var rest: Substring

    static func readable(_ text: String) -> String {
        var text = TypeText(rest: Substring(text))
        return text.types().joined(separator: ", ")
    }

    /// Reads the types up to the bracket that ends their list.
    private mutating func types() -> [String] {
        var types: [String] = []
        var type = ""
        while let next = rest.first, !">)]".contains(next) {
            if skipNoise(isStart: Self.isBoundary(type.last)) { continue }
            if "<([".contains(next) {
                type = typeInBrackets(after: type)
            } else if next == "," {
                types.append(type)
                type = ""
                rest = rest.dropFirst().drop { $0 == " " }
            } else {
                // A name in backticks may have any characters (SE-0451).
                let nameCount = next == "`" ? rest.dropFirst().prefix { $0 != "`" }.count + 2 : 1
                let count = rest.hasPrefix("->") ? 2 : nameCount
                type += rest.prefix(count)
                rest = rest.dropFirst(count)
            }
        }
        return types + [type]
    }

    /// Skips `any `, `Self.Store.Item == `, `Swift.`, the `Pack{}` around a parameter pack, and `(unknown context at
    /// $7f3a).`, which stands for a file or a function.
    private mutating func skipNoise(isStart: Bool) -> Bool {
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

    /// Reads the types in brackets; optionals, arrays, dictionaries, and `Void` are written in their short form.
    private mutating func typeInBrackets(after name: String) -> String {
        let bracket = String(rest.removeFirst())
        let types = types()
        let end = rest.popFirst().map(String.init) ?? ""
        let text = types.joined(separator: ", ")
        if bracket == "(", text.isEmpty { return name + (isFunction ? "()" : "Void") }
        for (short, count) in [("Optional", 1), ("Array", 1), ("Dictionary", 2)] {
            let before = name.dropLast(short.count)
            guard bracket == "<", types.count == count, name.hasSuffix(short),
                Self.isBoundary(before.last)
            else { continue }
            if short != "Optional" { return "\(before)[\(types.joined(separator: ": "))]" }
            let isCompound = text.contains(" -> ") || text.contains(" & ")
            return before + (isCompound ? "(\(text))?" : "\(text)?")
        }
        return name + bracket + text + end
    }

    private var isFunction: Bool {
        [" -> ", " async ", " throws ", " throws("].contains { rest.hasPrefix($0) }
    }

    private static func isBoundary(_ character: Character?) -> Bool {
        guard let character else { return true }
        return !(character.isLetter || character.isNumber || character == "_" || character == ".")
    }
}
