import Depin
import Foundation
import JournalDomain

/// The program's own services: what it shows, and where it runs.
struct AppAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Terminal.self, instance: StandardTerminal())
        container.register(Today.self) { SystemToday() }
        // Not shared, so it is built with the resolver of the session that asks for it, and finds
        // the `UserService` of whoever is logged in.
        container.autoregister(
            JournalPresenter.self,
            mainActorInitializer: JournalPresenter.init
        )
    }
}

struct StandardTerminal: Terminal {
    func show(_ line: String) {
        print(line)
    }

    func warn(_ line: String) {
        FileHandle.standardError.write(Data("journal: \(line)\n".utf8))
    }
}

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
