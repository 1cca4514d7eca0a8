import Depin
import Hummingbird

/// Something without which the server cannot work, contributed by a module.
protocol HealthCheck: Sendable {
    var name: String { get }
    func check() async throws
}

struct HealthAssembly: Assembly {
    func assemble(container: Container) {
        container.contribute((any RouteModule).self) { HealthController() }
    }
}

struct HealthController: RouteModule {
    @Injected private var checks: [any HealthCheck]

    func addRoutes(to routes: Routes) {
        routes.open.get("health", use: health)
    }

    @Sendable func health(_ request: Request, _ context: AppContext) async -> Health {
        var health = Health()
        for check in checks {
            do {
                try await check.check()
                health.checks[check.name] = "ok"
            } catch {
                context.logger.error(
                    "not healthy",
                    metadata: ["check": "\(check.name)", "error": "\(error)"]
                )
                health.checks[check.name] = "failed"
            }
        }
        return health
    }
}

struct Health: ResponseCodable {
    var checks: [String: String] = [:]

    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try context.responseEncoder.encode(self, from: request, context: context)
        let isWell = checks.values.allSatisfy { $0 == "ok" }
        response.status = isWell ? .ok : .serviceUnavailable
        return response
    }
}
