import Depin

/// The first screen: it names what it needs, and nothing else is built for it.
struct HomeScreen {
    @Injected private var screen: Service<Feed, Screen>

    func show() {
        _ = screen
    }
}

/// The screen that is opened next.
struct ChatScreen {
    @Injected private var screen: Service<Chat, Screen>

    func show() {
        _ = screen
    }
}

/// One launch of the app, from the start to the first screen, and the opening of the next screen.
struct Launch {
    enum Style: String, CaseIterable {
        case eager, lazy
    }

    @Space(\.dependenciesAssembler) private var assembler: Assembler
    @Space(\.dependenciesContainer) private var container: Container

    var registering = Duration.zero
    var firstScreen = Duration.zero
    var nextScreen = Duration.zero

    /// What an eager launch has made before the first screen.
    var report: WarmUpReport?

    /// Launches the app in the space that is in force.
    init(_ style: Style) async throws {
        let clock = ContinuousClock()
        let features = AppAssembly.features
        firstScreen = try await clock.measure {
            registering = clock.measure { assembler.apply(assemblies: features) }
            if style == .eager {
                report = try await container.warmUp(width: 2)
            }
            HomeScreen().show()
        }
        nextScreen = clock.measure { ChatScreen().show() }
    }
}
