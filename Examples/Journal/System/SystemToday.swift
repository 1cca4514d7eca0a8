import Foundation
import JournalDomain

struct SystemToday: Today {
    var day: Day {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let parts = calendar.dateComponents([.year, .month, .day], from: Date())
        let text = [(parts.year ?? 0, 4), (parts.month ?? 0, 2), (parts.day ?? 0, 2)]
            .map { number, width in
                let digits = String(number)
                return String(repeating: "0", count: max(0, width - digits.count)) + digits
            }
            .joined(separator: "-")
        guard let day = Day(text) else { preconditionFailure("the calendar says \(text)") }
        return day
    }
}
