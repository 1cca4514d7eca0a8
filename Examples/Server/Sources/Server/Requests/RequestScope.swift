import Depin
import GRDB
import Hummingbird
import Lists
import Logging
import Web

extension ObjectScope {
    /// One instance for each request, and for each run of a job.
    static let request = ObjectScope(opened: "request")
}

/// Gives each request a scope of its own, and ends it after the last byte of the response.
struct RequestScope: RouterMiddleware {
    let container: Container
    let database: DatabasePool
    let observers: [any ResolutionObserver]

    func handle(
        _ request: Request,
        context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let caller = try context.caller(of: request)
        let logger = context.logger(for: caller)
        let work = UnitOfWork(database: database, logger: logger)
        let scope = container.openScope(.request) { $0.seed(work, logger, for: caller) }
        for observer in observers { scope.addObserver(observer) }
        do {
            var response = try await withSpace(\.dependenciesContainer, scope) {
                try await next(request, context)
            }
            if response.status.code < 400 { try await work.commit() } else { work.rollback() }
            response.body = response.body.ending { await end(scope, work, logger) }
            return response
        } catch {
            work.rollback()
            await end(scope, work, logger)
            throw error
        }
    }
}

/// Ends a request whose response has been sent: only the log can hear of a failure now.
private func end(_ scope: Container, _ work: UnitOfWork, _ logger: Logger) async {
    var errors: [any Error] = []
    do { try await scope.close() } catch { errors.append(error) }
    do { try work.close() } catch { errors.append(error) }
    for error in errors {
        logger.critical("the request did not end in order", metadata: ["error": "\(error)"])
    }
}

extension Container {
    /// Seeds the scope of a request, or of a run of a job, which has no caller.
    func seed(_ work: UnitOfWork, _ logger: Logger, for caller: Caller? = nil) {
        if let caller { register(Caller.self, instance: caller) }
        register(Logger.self, instance: logger)
        register(UnitOfWork.self, instance: work)
    }
}
