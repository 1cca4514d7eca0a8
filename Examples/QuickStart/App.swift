import Depin
import Foundation

/// The program: registers what the app needs once, unless tests run in this very process, then runs
/// screens that only name what they use.
@main @MainActor
enum App {
    @Space(\.dependenciesAssembler) private static var assembler: Assembler

    static func main() throws {
        // Unit tests bring their own services, so the app starts empty.
        guard !ProcessInfo.processInfo.isRunningUnitTests else { return }
        if let file = Picture.file { return try Picture.write(to: file) }

        print("1. Launch")
        assembler.apply {
            NetworkAssembly()
            FeedAssembly()
        }
        print("   two assemblies applied, nothing built yet")

        print("2. A screen asks for its services")
        let screen = FeedScreen()
        screen.show()
        print("   shown again, from the same services:")
        screen.show()

        print("3. A named singleton")
        screen.subscribe()
        RefreshButton().tap()

        print("4. A runtime argument, given by a coordinator that resolves later")
        let profiles = ProfileScreen()
        profiles.open(7)
        profiles.open(9)

        print("5. A view model on the main actor")
        print("   \(FeedHeader().text)")

        print("6. A new instance at each request, and a service that may be missing")
        AccountScreen().show()

        print("7. A value of the space, swapped")
        withSpace(\.tone, .formal) {
            screen.greet()
        }
        screen.greet()

        print("8. A service, swapped")
        let preview = withSpace(
            overriding: { $0.register(API.self) { OfflineAPI() } },
            operation: { FeedScreen() }
        )
        print("   a screen made inside keeps the swapped service:")
        preview.show()
        print("   every other screen has its own:")
        FeedScreen().show()
    }
}
