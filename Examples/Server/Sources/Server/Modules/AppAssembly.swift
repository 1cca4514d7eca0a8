import Depin
import Logging

/// The whole server.
struct AppAssembly: Assembly {
    let configuration: Configuration
    let logger: Logger

    var requires: [any Assembly] {
        [AccountsAssembly(), ListsAssembly(), HealthAssembly(), JanitorAssembly()]
    }

    func assemble(container: Container) {
        container.register(Configuration.self, instance: configuration)
        container.register(Logger.self, instance: logger)
    }
}
