import JournalDomain

/// Does what was asked, and shows the result.
@MainActor
final class JournalPresenter {
    private let service: any UserService
    private let exporters: [String: any Exporter]
    private let terminal: any Terminal
    private let today: any Today

    init(
        service: any UserService,
        exporters: [String: any Exporter],
        terminal: any Terminal,
        today: any Today
    ) {
        self.service = service
        self.exporters = exporters
        self.terminal = terminal
        self.today = today
    }

    func perform(_ action: Command.Action) async throws {
        switch action {
        case .help:
            terminal.show(Command.usage)
        case .add(let text, let day):
            try await service.write(text, on: day ?? today.day)
            terminal.show("written")
        case .draft(let text, let day):
            try await service.keepDraft(text, on: day ?? today.day)
            terminal.show("kept as a draft")
        case .finish(let number):
            let entry = try await service.finishDraft(number)
            terminal.show("written: \(line(entry))")
        case .list:
            show(try await service.entries().map(line), ifEmpty: "no entries yet")
        case .drafts:
            let lines = try await service.drafts().enumerated().map { "\($0 + 1). \(line($1))" }
            show(lines, ifEmpty: "no drafts")
        case .export(let format):
            guard let exporter = exporters[format] else {
                throw JournalError.noFormat(format, known: exporters.keys.sorted())
            }
            for line in try exporter.lines(of: try await service.entries()) {
                terminal.show(line)
            }
        }
    }

    private func show(_ lines: [String], ifEmpty word: String) {
        for line in lines.isEmpty ? [word] : lines {
            terminal.show(line)
        }
    }

    /// Further lines of a text stand below its first.
    private func line(_ entry: Entry) -> String {
        let margin = String(repeating: " ", count: 12)
        let text = entry.text.split(separator: "\n", omittingEmptySubsequences: false)
        return "\(entry.day)  " + text.joined(separator: "\n\(margin)")
    }
}
