import Depin
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
    let observers: [any ResolutionObserver]

    func handle(
        _ request: Request,
        context: AppContext,
        next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let caller = try context.caller(of: request)
        let scope = container.openScope(.request) { scope in
            scope.register(Caller.self, instance: caller)
            scope.register(Logger.self, instance: context.logger(for: caller))
        }
        for observer in observers { scope.addObserver(observer) }
        let work = scope ~> UnitOfWork.self
        do {
            var response = try await withSpace(\.dependenciesContainer, scope) {
                try await next(request, context)
            }
            if response.status.code < 400 { try await work.commit() } else { work.rollback() }
            response.body = response.body.ending { await scope.end() }
            return response
        } catch {
            work.rollback()
            await scope.end()
            throw error
        }
    }
}

extension Container {
    /// Closes a scope whose response has been sent: only the log can hear of a failure now.
    fileprivate func end() async {
        let logger = self ~> Logger.self
        do {
            try await close()
        } catch {
            logger.critical(
                "the request's scope was not closed in order",
                metadata: ["error": "\(error)"]
            )
        }
    }
}
