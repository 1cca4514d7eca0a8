/// A day of the calendar, in the way it is written: `2026-11-21`.
package struct Day: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let description: String

    /// Reads a day, or gives nil if there is none by that name.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], text.allSatisfy({ $0.isASCII }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            year > 0, (1...12).contains(month),
            (1...Self.dayCount(month: month, year: year)).contains(day)
        else { return nil }
        description = text
    }

    private static func dayCount(month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    package static func < (left: Day, right: Day) -> Bool {
        left.description < right.description
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = Day(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "'\(text)' is not a date"
            )
        }
        self = day
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
