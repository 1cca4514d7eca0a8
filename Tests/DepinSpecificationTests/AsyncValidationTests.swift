import Depin
import Testing

/// What a validation says of services that take time.
struct AsyncValidationTests {
    private let container = Container()

    @Test func `declared needs are checked from their types, and nothing runs`() throws {
        container.autoregister(
            Index.self,
            asyncInitializer: { (_: Database) -> Index in
                fatalError("it ran")
            }
        )
        let error = #expect(throws: ValidationError.self) { try container.validate() }
        #expect(error?.problems.map(\.kind) == [.missing])
        container.register(Database.self, asyncFactory: { fatalError("it ran") })
        let report = try container.validate()
        #expect(report.checkedByTypes.count == 1)
        #expect(
            report.unchecked.map(\.reason) == ["it takes time to make: `validateAsync` runs it"]
        )
    }

    @Test func `synchronous code may need only what is eager and kept`() throws {
        let entry = container.register(Database.self, asyncFactory: { Database() })
            .inObjectScope(.container)
        container.autoregister(Menu.self, initializer: Menu.init)
        container.autoregister(Later.self, initializer: Later.init)
        let error = #expect(throws: ValidationError.self) { try container.validate() }
        #expect(error?.problems.map(\.kind) == [.needsAwait])
        try Golden("validation of a need that takes time").check(
            "\(error.map(\.description) ?? "")"
        )
        entry.eager()
        #expect(try container.validate().problems.isEmpty)
    }

    @Test func `a factory that asks for it at once is not checked beyond that where it is eager`()
        throws
    {
        let entry = container.register(Database.self, asyncFactory: { Database() })
            .inObjectScope(.container)
        container.register(Menu.self) { r in Menu(database: r ~> Database.self) }
        container.register(Index.self) { r in Index(database: try r.require(Database.self)) }
        let error = #expect(throws: ValidationError.self) { try container.validate() }
        #expect(error?.problems.map(\.kind) == [.needsAwait, .needsAwait])
        entry.eager()
        #expect(try container.validate().unchecked.count == 3)
    }

    @Test func `validateAsync runs them, and what asks for them`() async throws {
        let made = CallCount()
        container.register(
            Database.self,
            asyncFactory: {
                made.add()
                await Task.yield()
                return Database()
            }
        ).inObjectScope(.container).eager()
        container.register(
            Index.self,
            asyncFactory: { r in
                Index(database: try await r.requireAsync(Database.self))
            }
        )
        container.register(Menu.self) { r in Menu(database: r ~> Database.self) }
        let report = try await container.validateAsync()
        #expect(report.problems.isEmpty)
        #expect(report.checkedByRunning.count == 3 && report.unchecked.isEmpty)
        #expect(made.count == 1)
        #expect(throws: ResolutionError.self) { try container.require(Database.self) }
    }

    @Test func `validateAsync reports what fails`() async throws {
        container.register(
            Index.self,
            asyncFactory: { r in
                Index(database: try await r.requireAsync(Database.self))
            }
        )
        container.register(Menu.self, asyncFactory: { throw CancellationError() })
        let error = await #expect(throws: ValidationError.self) {
            try await container.validateAsync()
        }
        #expect(Set(error?.problems.map(\.kind) ?? []) == [.missing, .failed])
        #expect(error?.problems.count == 2)
        try await container.validateAsync { fork in
            fork.register(Database.self) { Database() }
            fork.register(Menu.self) { Menu(database: Database()) }
        }
    }

    //  Index (async) ──► Menu (async) ──► Index
    @Test func `a circle of declared needs is found from the types`() throws {
        container.autoregister(
            Index.self,
            asyncInitializer: { (menu: Menu) in
                Index(database: menu.database)
            }
        )
        container.autoregister(
            Menu.self,
            asyncInitializer: { (index: Index) in
                Menu(database: index.database)
            }
        )
        let error = #expect(throws: ValidationError.self) { try container.validate() }
        #expect(error?.problems.map(\.kind) == [.circular])
    }
}

private final class Database: Sendable {}

private final class Index: Sendable {
    let database: Database

    init(database: Database) {
        self.database = database
    }
}

private final class Menu: Sendable {
    let database: Database

    init(database: Database) {
        self.database = database
    }
}

private final class Later: Sendable {
    init(database: AsyncLazy<Database>) {}
}
