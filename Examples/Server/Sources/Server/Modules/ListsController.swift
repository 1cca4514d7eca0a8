import Depin
import Lists
import Web

/// Made once, at launch.
///
/// Its provider asks the scope of the request in which it is used.
struct ListsController: RouteModule {
    @Injected private var services: Provider<any ListService>

    func addRoutes(to routes: Routes) {
        ListHandlers { _ in services.instance }.addRoutes(to: routes.users)
    }
}
