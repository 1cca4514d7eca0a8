import Depin

/// What a page is told, as text that can stand in a `script` element.
enum JSON {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([JSON])
    /// Fields whose value is nil are left out.
    case fields(KeyValuePairs<String, JSON?>)

    /// The list, or nil if it is empty.
    static func nonempty(_ list: [JSON]) -> JSON? { list.isEmpty ? nil : .list(list) }

    /// True, or nil.
    static func mark(_ flag: Bool) -> JSON? { flag ? .flag(true) : nil }

    func write(to output: inout String) {
        switch self {
        case .text(let text):
            Self.quote(text, to: &output)
        case .number(let number):
            output += String(number)
        case .flag(let flag):
            output += flag ? "true" : "false"
        case .list(let list):
            output += "["
            for (index, element) in list.enumerated() {
                if index > 0 { output += "," }
                element.write(to: &output)
            }
            output += "]"
        case .fields(let fields):
            output += "{"
            var isFirst = true
            for case (let name, let value?) in fields {
                if !isFirst { output += "," }
                isFirst = false
                Self.quote(name, to: &output)
                output += ":"
                value.write(to: &output)
            }
            output += "}"
        }
    }

    /// Scalars are looked at, not characters: with an accent, `<` is another character, and would still
    /// begin an element.
    private static func quote(_ text: String, to output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            // The first could end the `script` element; the others end lines in scripts of old.
            case "<", "\u{2028}", "\u{2029}", "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }
}

extension JSON {
    static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }
}
