/// Rewrites what the runtime prints for a type.
enum TypeText {
    static func readable(_ text: String) -> String {
        sugared(withoutNoise(text))
    }

    /// Takes `any `, `Self.Store.Item == `, `Swift.` and the `Pack{}` around a parameter pack away, also an empty one,
    /// and `(unknown context at $7f3a).`, which stands for a file or a function.
    private static func withoutNoise(_ text: String) -> String {
        rewritten(text) { rest, result in
            let isStart = isBoundary(result.last)
            let noise = ["any ", "Pack{", "Swift."].first { rest.hasPrefix($0) }
            if rest.hasPrefix("(unknown context at "), let end = rest.firstIndex(of: ")") {
                rest = rest[rest.index(after: end)...].drop { $0 == "." }
            } else if rest.hasPrefix(", Pack{}") {
                rest = rest.dropFirst(", Pack{}".count)
            } else if isStart, let noise {
                rest = rest.dropFirst(noise.count)
            } else if isStart, rest.hasPrefix("Self."), let sign = rest.firstIndex(of: "=") {
                rest = rest[sign...].drop { $0 == "=" || $0 == " " }
            } else if rest.hasPrefix("}") {
                rest = rest.dropFirst()
            } else {
                return false
            }
            return true
        }
    }

    private static func sugared(_ text: String) -> String {
        rewritten(text) { rest, result in
            if isBoundary(result.last), let (name, inner, end) = sugar(of: rest) {
                let parts = inner.map(sugared)
                if name != "Optional" {
                    result += "[\(parts.joined(separator: ": "))]"
                } else {
                    result += isCompound(parts[0]) ? "(\(parts[0]))?" : "\(parts[0])?"
                }
                rest = end
            } else if rest.hasPrefix("()"), !isFunction(rest.dropFirst(2)) {
                result += "Void"
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix(".Protocol") {
                // The type of `(any API).self`, by a name that the language no longer has.
                let type = lastType(of: result)
                result.removeLast(type.count)
                result += "(any \(type.first == "(" ? type.dropFirst().dropLast() : type)).Type"
                rest = rest.dropFirst(".Protocol".count)
            } else {
                return false
            }
            return true
        }
    }

    /// Rewrites a text from its beginning: a rule takes from what is left of it and adds to the result; where none
    /// applies, a character stays as it is.
    @_optimize(size)
    private static func rewritten(
        _ text: String,
        by rule: (_ rest: inout Substring, _ result: inout String) -> Bool
    ) -> String {
        var rest = Substring(text)
        var result = ""
        while !rest.isEmpty {
            if !rule(&rest, &result) { result.append(rest.removeFirst()) }
        }
        return result
    }

    /// A type with a short form that a text begins with, its generic arguments, and what follows it.
    private static func sugar(
        of text: Substring
    ) -> (name: String, arguments: [String], rest: Substring)? {
        for (name, count) in [("Optional", 1), ("Array", 1), ("Dictionary", 2)] {
            if let (inner, end) = arguments(of: name, in: text), inner.count == count {
                return (name, inner, end)
            }
        }
        return nil
    }

    /// The generic arguments of a type that a text begins with, and what follows it.
    private static func arguments(
        of name: String,
        in text: Substring
    ) -> (arguments: [String], rest: Substring)? {
        guard text.hasPrefix(name + "<") else { return nil }
        var depth = 0
        var arguments = [""]
        var previous: Character = " "
        var index = text.index(text.startIndex, offsetBy: name.count)
        while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            let isArrow = character == ">" && previous == "-"
            previous = character
            if "<([".contains(character) {
                depth += 1
                if depth == 1 { continue }
            } else if ">)]".contains(character), !isArrow {
                depth -= 1
                if depth == 0 { return (arguments, text[index...]) }
            } else if character == ",", depth == 1 {
                arguments.append("")
                continue
            }
            if character != " " || arguments[arguments.count - 1] != "" {
                arguments[arguments.count - 1].append(character)
            }
        }
        return nil
    }

    /// The name, or the composition in parentheses, with which a text ends.
    private static func lastType(of text: String) -> Substring {
        guard text.last == ")" else {
            return text[
                (text.lastIndex(where: isBoundary).map(text.index(after:)) ?? text.startIndex)...
            ]
        }
        var depth = 0
        let start = text.lastIndex { character in
            depth += character == ")" ? 1 : character == "(" ? -1 : 0
            return depth == 0
        }
        return text[(start ?? text.startIndex)...]
    }

    /// True for a function or a composition, which a question mark would be read into.
    private static func isCompound(_ text: String) -> Bool {
        var depth = 0
        var previous: Character = " "
        for character in text {
            if "<([".contains(character) {
                depth += 1
            } else if ">)]".contains(character), previous != "-" {
                depth -= 1
            } else if depth == 0, character == ">" || character == "&" {
                return true
            }
            previous = character
        }
        return false
    }

    private static func isFunction(_ rest: Substring) -> Bool {
        [" -> ", " async ", " throws ", " throws("].contains { rest.hasPrefix($0) }
    }

    private static func isBoundary(_ character: Character?) -> Bool {
        guard let character else { return true }
        return !(character.isLetter || character.isNumber || character == "_" || character == ".")
    }
}
