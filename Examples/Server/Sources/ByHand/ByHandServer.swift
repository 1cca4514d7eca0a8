import GRDB
import Hummingbird
import Lists
import Logging
import ServiceLifecycle
import Web

/// The same routes with services that are made and passed by hand: what the load compares with.
package func makeByHandServer(
    database path: String,
    configuration: ApplicationConfiguration,
    logger: Logger,
    listening: @escaping @Sendable (_ port: Int?) -> Void
) throws -> some ApplicationProtocol {
    let primary = try DatabasePool.openPrimary(path)
    let replica = try DatabasePool.openReplica(path)
    let accounts = LiveAccounts(primary: primary, replica: replica)

    let router = Router(context: ByHandContext.self)
    router.post("users") { request, context in
        let new = try await request.decode(as: NewUser.self, context: context)
        return EditedResponse(
            status: .created,
            response: try await accounts.register(name: new.name)
        )
    }
    ListHandlers { try $0.lists }.addRoutes(
        to: router.group()
            .add(middleware: Authenticator(accounts: accounts))
            .add(middleware: RequestServicesMiddleware(primary: primary, replica: replica))
    )
    return Application(
        router: router,
        configuration: configuration,
        services: [DatabaseService(primary: primary, replica: replica)],
        onServerRunning: { listening($0.localAddress?.port) },
        logger: logger
    )
}

/// Closes the databases after the server has ended.
private struct DatabaseService: Service {
    let primary: DatabasePool
    let replica: DatabasePool

    func run() async throws {
        try? await gracefulShutdown()
        try replica.close()
        try primary.close()
    }
}
