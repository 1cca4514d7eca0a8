import Depin

/// The data for a page, as text that may stand in a `script` element.
enum JSON {
    case text(String)
    /// A number, or `true`.
    case literal(String)
    case list([JSON])
    /// An object; fields whose value is nil are left out.
    case fields(KeyValuePairs<String, JSON?>)

    /// The list, or nil if it is empty.
    static func nonempty(_ list: [JSON]) -> JSON? { list.isEmpty ? nil : .list(list) }

    /// True, or nil.
    static func mark(_ flag: Bool) -> JSON? { flag ? .literal("true") : nil }

    static func number(_ number: Int) -> JSON { .literal("\(number)") }

    /// The text for the page.
    var written: String {
        switch self {
        case .text(let text): return Self.quoted(text)
        case .literal(let text): return text
        case .list(let list):
            return "[" + list.map(\.written).joined(separator: ",") + "]"
        case .fields(let fields):
            let written = fields.compactMap { name, value in
                value.map { Self.quoted(name) + ":" + $0.written }
            }
            return "{" + written.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.escaped { scalar in
            switch scalar {
            case "\"", "\\": return "\\\(scalar)"
            // The first could end the `script` element; the others end lines in old scripts.
            case "<", "\u{2028}", "\u{2029}", "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: return nil
            }
        }
        return "\"\(escaped)\""
    }
}

extension String {
    /// The text with replacements for some of its scalars.
    ///
    /// Scalars, not characters: with an accent, `<` is another character, and still markup.
    func escaped(by word: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { $0 += word($1) ?? String($1) }
    }

    /// The text without HTML markup.
    var escapedForHTML: String {
        let words: [Unicode.Scalar: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
        ]
        return escaped { words[$0] }
    }
}
