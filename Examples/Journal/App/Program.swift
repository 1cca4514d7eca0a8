import Depin
import Foundation
import JournalDomain
import JournalSession
import JournalSystem

@main @MainActor
enum Main {
    @Space(\.dependenciesAssembler) private static var assembler: Assembler

    static func main() async {
        // Unit tests bring their own services, so the app starts empty.
        guard !ProcessInfo.processInfo.isRunningUnitTests else { return }

        do {
            let command = try Command(Array(CommandLine.arguments.dropFirst()))
            let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
            let folder = URL(fileURLWithPath: command.folder ?? "\(home)/.journal")
            assembler.apply(AppAssembly(folder: folder))
            exit(await Program().run(command))
        } catch {
            StandardTerminal().warn("\(error); see --help")
            exit(2)
        }
    }
}

/// Runs one command from log-in to log-out.
@MainActor
struct Program {
    @Injected private var sessions: SessionCoordinator
    @Injected private var terminal: Terminal

    /// Runs the command; the result is the program's exit status.
    func run(_ command: Command) async -> Int32 {
        if command.action == .help {
            terminal.show(Command.usage)
            return 0
        }
        do {
            let session = sessions.logIn(as: try User.ID(command.user))
            defer { sessions.logOut() }
            let presenter = try session.resolver.require(JournalPresenter.self)
            try await presenter.perform(command.action)
            return 0
        } catch {
            terminal.warn("\(error)")
            return 1
        }
    }
}
