import Depin
import Foundation
import GRDB
import Lists
import Logging
import ServiceLifecycle

struct JanitorAssembly: Assembly {
    var requires: [any Assembly] { [StorageAssembly()] }

    func assemble(container: Container) {
        container.register(EmptyLists.self) { r in EmptyLists(work: r ~> UnitOfWork.self) }
            .inObjectScope(.request)
        container.contribute((any Service).self) { r in
            Janitor(
                lists: r ~> Scoped<EmptyLists>.self,
                database: r ~> (DatabasePool.self, name: Databases.primary),
                logger: r ~> Logger.self,
                configuration: r ~> Configuration.self
            )
        }
    }
}

/// Removes empty lists now and then, until the server shuts down.
struct Janitor: Service, CustomStringConvertible {
    let lists: Scoped<EmptyLists>
    let database: DatabasePool
    let logger: Logger
    let configuration: Configuration

    var description: String { "Janitor" }

    func run() async throws {
        let interval = configuration.cleaning
        while await isDue(after: interval) {
            do {
                try await clean()
            } catch {
                logger.error("not cleaned", metadata: ["error": "\(error)"])
            }
        }
    }

    /// One run, with a scope and a transaction of its own.
    func clean() async throws {
        var logger = logger
        logger[metadataKey: "job"] = "janitor"
        let work = UnitOfWork(database: database, logger: logger)
        let age = TimeInterval(configuration.emptyFor.components.seconds)
        try await lists.use(seeding: seeding(work, logger)) { lists in
            lists.remove(createdBefore: Date(timeIntervalSinceNow: -age))
            try await work.commit()
        }
        try work.close()
    }

    private func seeding(_ work: UnitOfWork, _ logger: Logger) -> (Container) -> Void {
        { scope in scope.seed(work, logger) }
    }

    /// Waits; false when the server shuts down meanwhile.
    private func isDue(after interval: Duration) async -> Bool {
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
            return true
        } catch {
            return false
        }
    }
}
