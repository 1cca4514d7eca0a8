import Depin
import GRDB
import Hummingbird
import Lists
import Logging
import ServiceLifecycle
import Web

/// Makes the server of what a container has, after warming that up.
func makeServer(
    of container: Container,
    configuration: ApplicationConfiguration = ApplicationConfiguration(),
    listening: @escaping @Sendable (_ port: Int?) -> Void = { _ in }
) async throws -> some ApplicationProtocol {
    let observers = container.resolve([any ResolutionObserver].self) ?? []
    for observer in observers { container.addObserver(observer) }
    try await container.warmUp()
    let router = Router(context: AppContext.self)
    let routes = Routes(
        open: router,
        users: router.group()
            .add(middleware: Authenticator(accounts: container ~> (any Accounts).self))
            .add(
                middleware: RequestScope(
                    container: container,
                    database: container ~> (DatabasePool.self, name: Databases.primary),
                    observers: observers
                )
            )
    )
    for module in container ~> [any RouteModule].self {
        module.addRoutes(to: routes)
    }
    // They end in reverse order: the listener and its requests first, the container last.
    return Application(
        router: router,
        configuration: configuration,
        services: [ContainerService(container: container)] + (container ~> [any Service].self),
        onServerRunning: { listening($0.localAddress?.port) },
        logger: container ~> Logger.self
    )
}
