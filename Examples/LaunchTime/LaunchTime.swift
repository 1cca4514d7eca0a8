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

    var registering = Duration.zero
    var firstScreen = Duration.zero
    var nextScreen = Duration.zero

    /// Launches the app in the space that is in force.
    init(_ style: Style) {
        let clock = ContinuousClock()
        let features = AppAssembly.features
        firstScreen = clock.measure {
            registering = clock.measure { assembler.apply(assemblies: features) }
            if style == .eager {
                for feature in features {
                    feature.buildAll(resolver: assembler.resolver)
                }
            }
            HomeScreen().show()
        }
        nextScreen = clock.measure { ChatScreen().show() }
    }
}
