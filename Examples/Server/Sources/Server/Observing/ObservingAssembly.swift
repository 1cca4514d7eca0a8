import Depin
import Logging

/// Has an eye on what the server's container and the scopes of its requests build.
struct ObservingAssembly: Assembly {
    func assemble(container: Container) {
        container.contribute((any ResolutionObserver).self) { r in
            LoggingObserver(logger: r ~> Logger.self)
        }
        container.contribute((any ResolutionObserver).self) { MetricsObserver() }
    }
}
