import Depin
import ServiceLifecycle

/// Closes a container when everything that was started after it has ended.
struct ContainerService: Service, CustomStringConvertible {
    let container: Container

    var description: String { "ContainerService" }

    func run() async throws {
        // Whether the group shuts down or is canceled, what was opened is to be closed.
        try? await gracefulShutdown()
        try await container.close()
    }
}
