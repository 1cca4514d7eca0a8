import Hummingbird

/// A part of the API, contributed by a module.
protocol RouteModule: Sendable {
    func addRoutes(to routes: Routes)
}

/// Where routes are added.
struct Routes {
    /// For everyone, without a scope.
    let open: Router<AppContext>
    /// For users, each request in a scope of its own.
    let users: RouterGroup<AppContext>
}
