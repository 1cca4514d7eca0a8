import Hummingbird
import Lists

/// Lets only those pass who bring the token of a user.
package struct Authenticator<Context: UserContext>: RouterMiddleware {
    private let accounts: any Accounts

    package init(accounts: any Accounts) {
        self.accounts = accounts
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let scheme = "Bearer "
        guard let header = request.headers[.authorization], header.hasPrefix(scheme),
            let user = try await accounts.user(withToken: String(header.dropFirst(scheme.count)))
        else { throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"]) }
        var context = context
        context.user = user
        return try await next(request, context)
    }
}
