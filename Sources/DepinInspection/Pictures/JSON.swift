/// A value of the data for a page, as text that may stand in a `script` element.
struct JSON {
    let written: String

    static func text(_ text: String) -> JSON {
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
        return JSON(written: "\"\(escaped)\"")
    }

    static func number(_ number: Int) -> JSON { JSON(written: "\(number)") }

    /// True, or nil.
    static func mark(_ flag: Bool) -> JSON? { flag ? JSON(written: "true") : nil }

    static func array(_ list: [JSON]) -> JSON {
        JSON(written: "[" + list.map(\.written).joined(separator: ",") + "]")
    }

    /// The list, or nil if it is empty.
    static func nonempty(_ list: [JSON]) -> JSON? { list.isEmpty ? nil : .array(list) }

    /// An object; fields whose value is nil are left out.
    static func fields(_ fields: KeyValuePairs<String, JSON?>) -> JSON {
        let written = fields.compactMap { name, value in
            value.map { text(name).written + ":" + $0.written }
        }
        return JSON(written: "{" + written.joined(separator: ",") + "}")
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
