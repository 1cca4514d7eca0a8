import Depin
import GRDB
import Hummingbird
import Lists
import Web

struct AccountsAssembly: Assembly {
    var requires: [any Assembly] { [StorageAssembly()] }

    func assemble(container: Container) {
        container.register((any Accounts).self) { r in
            LiveAccounts(
                primary: r ~> (DatabasePool.self, name: Databases.primary),
                replica: r ~> (DatabasePool.self, name: Databases.replica)
            )
        }
        .inObjectScope(.container)
        container.contribute((any RouteModule).self) { AccountsController() }
    }
}

/// Made at launch, it may keep what serves all requests.
struct AccountsController: RouteModule {
    @Injected private var accounts: any Accounts

    func addRoutes(to routes: Routes) {
        routes.open.post("users", use: register)
    }

    @Sendable func register(
        _ request: Request,
        _ context: AppContext
    ) async throws -> EditedResponse<Account> {
        let new = try await request.decode(as: NewUser.self, context: context)
        let account = try await accounts.register(name: new.name)
        return EditedResponse(status: .created, response: account)
    }
}
