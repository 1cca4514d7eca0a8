import GRDB
import Hummingbird
import Lists
import Web

/// The services of one request, as each handler finds them in its context.
struct RequestServices: Sendable {
    let lists: any ListService
}

struct ByHandContext: UserContext {
    var coreContext: CoreRequestContextStorage
    var user: User?
    var services: RequestServices?

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }

    var lists: any ListService {
        get throws {
            guard let services else { throw HTTPError(.internalServerError) }
            return services.lists
        }
    }
}

/// Makes the services of each request, and ends them.
struct RequestServicesMiddleware: RouterMiddleware {
    let primary: DatabasePool
    let replica: DatabasePool

    func handle(
        _ request: Request,
        context: ByHandContext,
        next: (Request, ByHandContext) async throws -> Response
    ) async throws -> Response {
        let caller = try context.caller(of: request)
        let logger = context.logger(for: caller)
        let work = UnitOfWork(database: primary, logger: logger)
        var context = context
        context.services = RequestServices(
            lists: LiveListService(caller: caller, replica: replica, work: work, logger: logger)
        )
        do {
            var response = try await next(request, context)
            if response.status.code < 400 { try await work.commit() } else { work.rollback() }
            response.body = response.body.ending { try? work.close() }
            return response
        } catch {
            work.rollback()
            throw error
        }
    }
}
