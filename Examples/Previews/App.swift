import Depin
import Foundation

/// The program: assembles the app, unless tests run in this very process, and shows its only screen.
@main @MainActor
enum App {
    @Space(\.dependenciesAssembler) private static var assembler: Assembler

    static func main() {
        // Unit tests bring their own services, so the app starts empty.
        guard !ProcessInfo.processInfo.isRunningUnitTests else { return }

        let launch = LaunchArguments(CommandLine.arguments)
        assembler.apply {
            ForecastAssembly()
            if launch.isOffline {
                OfflineAssembly()
            }
        }
        SpaceValues.updateShared { values in
            if let language = launch.language {
                values.language = language
            }
            if let now = launch.now {
                values.now = { now }
            }
        }
        ForecastScreen().show()
    }
}
