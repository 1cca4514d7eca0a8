import Depin
import GRDB
import Lists

enum Databases: String, ServiceName { case primary, replica }

struct StorageAssembly: Assembly {
    var requires: [any Assembly] { [HealthAssembly()] }

    func assemble(container: Container) {
        container.register(
            DatabasePool.self,
            name: Databases.primary,
            asyncFactory: { r in
                try DatabasePool.openPrimary((r ~> Configuration.self).database)
            }
        )
        .inObjectScope(.container)
        .eager()
        .onClose { try $0.close() }

        container.register(
            DatabasePool.self,
            name: Databases.replica,
            asyncFactory: { r in
                _ = try await r.requireAsync(DatabasePool.self, name: Databases.primary)
                return try DatabasePool.openReplica((r ~> Configuration.self).database)
            }
        )
        .inObjectScope(.container)
        .eager()
        .onClose { try $0.close() }

        for name in [Databases.primary, .replica] {
            container.contribute((any HealthCheck).self) { r in
                DatabaseCheck(name: name.rawValue, database: r ~> (DatabasePool.self, name: name))
            }
        }
    }
}

struct DatabaseCheck: HealthCheck {
    let name: String
    let database: DatabasePool

    func check() async throws {
        try await database.read { db in try db.execute(sql: "SELECT 1") }
    }
}
