import Depin
import GRDB
import Lists
import Logging

struct ListsAssembly: Assembly {
    var requires: [any Assembly] { [StorageAssembly(), AccountsAssembly()] }

    func assemble(container: Container) {
        container.register((any ListService).self) { r in
            LiveListService(
                caller: r ~> Caller.self,
                replica: r ~> (DatabasePool.self, name: Databases.replica),
                work: r ~> UnitOfWork.self,
                logger: r ~> Logger.self
            )
        }
        .inObjectScope(.request)
        container.contribute((any RouteModule).self) { ListsController() }
    }
}
