import Depin

nonisolated protocol API: Sendable {
    func stories() -> [Story]
}

nonisolated protocol Database: Sendable {
    func name(ofUser id: Int) -> String
}

nonisolated struct Story {
    var title: String
    var likes: Int
}

/// What talks to the world outside: in an app, its HTTP client and its database.
struct NetworkAssembly: Assembly {
    func assemble(container: Container) {
        container.register(API.self) { CannedAPI() }
            .inObjectScope(.container)
        container.register(Database.self) { MemoryDatabase() }
            .inObjectScope(.container)
    }
}

nonisolated final class CannedAPI: API {
    init() {
        print("   + CannedAPI")
    }

    func stories() -> [Story] {
        [
            Story(title: "Rain until Friday", likes: 3),
            Story(title: "A cat on the moon", likes: 12),
        ]
    }
}

nonisolated final class MemoryDatabase: Database {
    init() {
        print("   + MemoryDatabase")
    }

    func name(ofUser id: Int) -> String {
        id == 7 ? "Ada" : "user \(id)"
    }
}

/// What takes the place of ``CannedAPI`` in step 8, as a fake would in a test.
nonisolated struct OfflineAPI: API {
    func stories() -> [Story] {
        [Story(title: "You are offline", likes: 0)]
    }
}
