import Depin
import DepinInspection
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
            report.unchecked.map(\.reason) == ["it is made asynchronously: `validateAsync` runs it"]
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

    @Test(arguments: [nil, "tables"], [false, true])
    func `a contribution is ready where it is eager, whatever is registered for its type`(
        _ name: String?,
        _ hasRegistration: Bool
    ) async throws {
        let entry = container.contribute(Database.self, name: name, asyncFactory: { Database() })
            .inObjectScope(.container)
        if hasRegistration { container.register(Database.self, name: name) { Database() } }
        container.register(Menu.self) { r in
            guard let name else { return Menu(database: (r ~> [Database].self)[0]) }
            return Menu(database: (r ~> [String: Database].self)[name] ?? Database())
        }
        #expect(problemKinds(of: container) == [.needsAwait])
        await #expect(throws: ValidationError.self) { try await container.validateAsync() }
        entry.eager()
        #expect(try container.validate().problems.isEmpty)
        #expect(try await container.validateAsync().problems.isEmpty)
    }

    @Test func `an eager contribution with an asynchronous decorator is ready, too`() throws {
        container.contribute(Database.self) { Database() }.inObjectScope(.container).eager()
        container.decorate(Database.self, asyncDecorator: { _, inner in inner })
        container.register(Menu.self) { r in Menu(database: (r ~> [Database].self)[0]) }
        #expect(try container.validate().problems.isEmpty)
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

    @Test(arguments: EveryScope.allCases.filter { $0 != .opened }, [true, false])
    func `validateAsync finds synchronous code that needs what it cannot await`(
        _ scope: EveryScope,
        isSynchronized: Bool
    ) async throws {
        container.register(
            Database.self,
            asyncFactory: {
                await Task.yield()
                return Database()
            }
        ).inObjectScope(scope.scope)
        @Sendable func make(_ resolver: any Resolver) throws -> Menu {
            Menu(database: try resolver.require(Database.self))
        }
        if isSynchronized {
            container.registerSynchronized(Menu.self) { try make($0) }
        } else {
            container.register(Menu.self) { try make($0) }
        }
        container.register(
            Index.self,
            asyncFactory: { r in
                _ = try await r.requireAsync(Database.self)
                return Index(database: try r.require(Database.self))
            }
        )
        let error = await #expect(throws: ValidationError.self) {
            try await container.validateAsync()
        }
        // What nothing shares is not ready after it has been awaited either.
        let askers = scope == .transient ? ["Index", "Menu"] : ["Menu"]
        #expect(error?.problems.map(\.kind) == askers.map { _ in .needsAwait })
        for (problem, asker) in zip(error?.problems ?? [], askers) {
            #expect(problem.description.contains("    \(asker),"))
        }
        #expect(problemKinds(of: container) == [.needsAwait])
    }

    enum Synchronous: CaseIterable {
        case factory, decorator, initializer, innerDecorator, callback
    }

    /// Synchronous parts of a service that takes time.
    @Test(arguments: Synchronous.allCases, [true, false])
    func `validateAsync finds what synchronous parts cannot await, unless it has been awaited`(
        _ part: Synchronous,
        hasAwaited: Bool
    ) async throws {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        let awaits: @Sendable (any Resolver) async throws -> Menu = { resolver in
            let database =
                hasAwaited ? try await resolver.requireAsync(Database.self) : Database()
            return Menu(database: database)
        }
        @Sendable func asksAtOnce(_ resolver: any Resolver) throws -> Menu {
            Menu(database: try resolver.require(Database.self))
        }
        let decorated = { [container] in
            container.decorate(Menu.self, asyncDecorator: { _, inner in inner })
        }
        switch part {
        case .factory:
            container.register(Menu.self) { try asksAtOnce($0) }
            decorated()
        case .decorator:
            container.register(Menu.self, asyncFactory: awaits)
            container.decorate(Menu.self) { resolver, _ in try asksAtOnce(resolver) }
        case .initializer:
            container.register(Menu.self, asyncFactory: awaits)
            container.decorate(
                Menu.self,
                initializer: { (_: Menu, database: Database) in Menu(database: database) }
            )
        case .innerDecorator:
            container.register(Menu.self, asyncFactory: awaits)
            container.decorate(Menu.self) { resolver, _ in try asksAtOnce(resolver) }
            decorated()
        case .callback:
            container.register(Menu.self, asyncFactory: awaits)
                .initCompleted { resolver, _ in use(resolver ~> Database.self) }
        }
        if hasAwaited, part != .factory {
            #expect(try await container.validateAsync().problems.isEmpty)
        } else {
            let error = await #expect(throws: ValidationError.self) {
                try await container.validateAsync()
            }
            #expect(error?.problems.map(\.kind) == [.needsAwait])
            #expect(error?.problems.first?.description.contains("Menu") == true)
        }
    }

    @Test(arguments: [true, false])
    func `validateAsync finds asynchronous code that does not await, whatever comes first`(
        isNeededFirst: Bool
    ) async throws {
        func register() {
            container.register(Database.self, asyncFactory: { Database() })
                .inObjectScope(.container)
        }
        if isNeededFirst { register() }
        container.register(
            Index.self,
            asyncFactory: { r in Index(database: try r.require(Database.self)) }
        )
        if !isNeededFirst { register() }
        let error = await #expect(throws: ValidationError.self) {
            try await container.validateAsync()
        }
        #expect(error?.problems.map(\.kind) == [.needsAwait])
    }

    //  Menu ──► Index ──► Database ◄~─ what decorates and completes Menu
    @Test func `validateAsync accepts what has been awaited by something that was awaited`()
        async throws
    {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        container.autoregister(
            Index.self,
            asyncInitializer: { (database: Database) in Index(database: database) }
        )
        container.register(
            Menu.self,
            asyncFactory: { r in Menu(database: try await r.requireAsync(Index.self).database) }
        )
        .initCompleted { r, _ in use(r ~> Database.self) }
        container.decorate(Menu.self) { r, _ in Menu(database: try r.require(Database.self)) }
        #expect(try await container.validateAsync().problems.map(\.kind) == [])
    }

    /// As a warm-up does.
    @Test func `validateAsync makes last what may ask at once for what is made early`() async throws
    {
        container.register(Menu.self, asyncFactory: { Menu(database: Database()) })
            .inObjectScope(.container)
        container.decorate(Menu.self) { r, _ in Menu(database: try r.require(Database.self)) }
        container.register(Database.self, asyncFactory: { Database() })
            .inObjectScope(.container)
            .eager()
        #expect(try await container.validateAsync().unchecked.isEmpty)
    }

    @Test(arguments: [true, false])
    func `validateAsync accepts an asynchronous decorator that has awaited it`(
        isOfChild: Bool
    ) async throws {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        container.register(Menu.self) { Menu(database: Database()) }
            .inObjectScope(.container)
            .implements(AnyObject.self)
        let asked = isOfChild ? Container(parent: container) : container
        asked.decorate(
            AnyObject.self,
            asyncDecorator: { resolver, inner in
                _ = try await resolver.requireAsync(Database.self)
                _ = try resolver.require(Database.self)
                return inner
            }
        )
        #expect(try await asked.validateAsync().problems.isEmpty)
    }

    @Test(arguments: [true, false])
    func `validateAsync looks at who asks for a service with arguments`(isAsync: Bool) async throws
    {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        container.register(Menu.self) { (resolver, _: Int) in
            Menu(database: try resolver.require(Database.self))
        }
        container.register(
            Index.self,
            asyncFactory: { resolver in
                let database = try await resolver.requireAsync(Database.self)
                _ = try resolver.require(Menu.self, argument: 1)
                return Index(database: database)
            }
        )
        if !isAsync {
            container.register(String.self) { resolver in
                "\(try resolver.require(Menu.self, argument: 2))"
            }
        }
        if isAsync {
            #expect(try await container.validateAsync().problems.isEmpty)
        } else {
            await #expect(throws: ValidationError.self) { try await container.validateAsync() }
        }
    }

    @Test func `validateAsync tells a declared need once, and accepts what a factory registers`()
        async throws
    {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        container.register(
            Index.self,
            asyncFactory: { [container] resolver in
                let database = try await resolver.requireAsync(Database.self)
                let child = Container(parent: container)
                child.register(Menu.self) { r in Menu(database: try r.require(Database.self)) }
                _ = try child.require(Menu.self)
                return Index(database: database)
            }
        )
        #expect(try await container.validateAsync().problems.isEmpty)
        container.autoregister(Menu.self, initializer: Menu.init)
        let error = await #expect(throws: ValidationError.self) {
            try await container.validateAsync()
        }
        #expect(error?.problems.map(\.kind) == [.needsAwait])
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

    // MARK: - Misses

    @Test func `every way to ask for what is missing goes into one error`() async throws {
        container.register(
            Index.self,
            name: "operator",
            asyncFactory: { r in
                await Task.yield()
                return Index(database: r ~> Database.self)
            }
        )
        container.register(
            Index.self,
            name: "property",
            asyncFactory: { _ in
                Index(database: Injected<Database>().wrappedValue)
            }
        )
        container.register(
            Index.self,
            name: "on an actor",
            asyncFactory: { @Builder r in
                Index(database: r.autoResolve())
            }
        )
        container.register(
            Index.self,
            name: "in a child task",
            asyncFactory: { r in
                async let database = r ~> Database.self
                return await Index(database: database)
            }
        )
        container.autoregister(Menu.self, initializer: Menu.init)
        container.register(Menu.self, name: "fine", asyncFactory: { Menu(database: Database()) })
        let error = await #expect(throws: ValidationError.self) {
            try await container.validateAsync()
        }
        #expect(
            error?.problems.map { $0.error?.path.last?.request.name } == [
                nil, "operator", "property", "on an actor", "in a child task",
            ]
        )
        #expect(error?.problems.allSatisfy { $0.kind == .missing } == true)
        #expect(error?.report.checkedByRunning.count == 5)
    }

    //  Menu ──► Index "needs it" (async) ──► Index (async) ──~> Database
    @Test func `what needs a factory that was left behind is not made, and is no further problem`()
        async throws
    {
        let made = CallCount()
        container.register(
            Index.self,
            asyncFactory: { r in
                made.add()
                await Task.yield()
                return Index(database: r ~> Database.self)
            }
        ).inObjectScope(.container).eager()
        container.register(
            Index.self,
            name: "needs it",
            asyncFactory: { r in
                try await r.requireAsync(Index.self)
            }
        )
        container.register(Menu.self) { r in Menu(database: (r ~> Index.self).database) }
        let error = await #expect(throws: ValidationError.self) {
            try await container.validateAsync()
        }
        #expect(error?.problems.map { "\($0.error?.request as Any)" } == ["Optional(Database)"])
        #expect(made.count == 1)
    }

    @Test
    func `a miss in an ordinary factory that an asynchronous one awaits is told with its path`()
        async throws
    {
        container.register(Menu.self) { r in Menu(database: r ~> Database.self) }
        container.register(
            Index.self,
            asyncFactory: { r in
                Index(database: try await r.requireAsync(Menu.self).database)
            }
        )
        let error = await #expect(throws: ValidationError.self) {
            try await container.validateAsync()
        }
        let path = error?.problems.first?.error?.path.map { "\($0.request)" }
        #expect(path == ["Index", "Menu"])
        #expect(error?.problems.count == 1)
    }

    @Test func `who waits for what was being made in a task that is left behind goes on`() async {
        let gate = AsyncGate()
        let outcome = EventLog<String>()
        container.register(
            Index.self,
            asyncFactory: { r in
                Task.detached {
                    do {
                        _ = try await r.requireAsync(Index.self)
                    } catch {
                        outcome.note("\((error as? ResolutionError)?.reason as Any)")
                    }
                    gate.open()
                }
                await Task.yield()
                return Index(database: r ~> Database.self)
            }
        ).inObjectScope(.container)
        // The validation does not end before.
        container.register(
            Database.self,
            name: "last",
            asyncFactory: {
                await gate.wait()
                return Database()
            }
        )
        await #expect(throws: ValidationError.self) { try await container.validateAsync() }
        #expect(outcome.all == ["Optional(notRegistered)"])
    }

    @Test func `a type that is provided counts as there`() async throws {
        container.register(Index.self, asyncFactory: { r in Index(database: r ~> Database.self) })
        let report = try await container.validateAsync(.init(providing: [Database.self]))
        #expect(report.problems.isEmpty)
        #expect(report.graph.nodes.map(\.scope).sorted() == ["graph", "provided"])
        #expect(report.graph.edges.count == 1)
    }

    @Test func `factories see the caller's task-local values and its cancellation`() async {
        let seen = EventLog<String>()
        let (isBuilding, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            Index.self,
            asyncFactory: { _ in
                isBuilding.open()
                await goOn.wait()
                seen.note(Marker.text + (Task.isCancelled ? " canceled" : ""))
                return Index(database: Database())
            }
        )
        let validation = Marker.$text.withValue("task") {
            Task { [container] in _ = try? await container.validateAsync() }
        }
        await isBuilding.wait()
        validation.cancel()
        goOn.open()
        await validation.value
        #expect(seen.all == ["task canceled"])
    }

    @Test func `one on the main actor stops the program, after all that was found`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let container = Container()
            container.autoregister(Menu.self, initializer: Menu.init)
            container.register(
                Index.self,
                asyncFactory: { @MainActor r in
                    Index(database: r ~> Database.self)
                }
            )
            _ = try? await container.validateAsync()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("  Menu, registered at") && text.contains("  Index, registered at"))
        #expect(text.ranges(of: "nothing is registered for Database").count == 2)
    }

    enum Wrapped: CaseIterable { case byChild, underFurtherType, contributed }

    @Test(arguments: Wrapped.allCases)
    func `a decorator that takes time is a problem for those alone who ask for what it wraps`(
        _ wrapped: Wrapped
    ) async throws {
        let (asked, runs) = (Container(parent: container), CallCount())
        let entry = container.register(Database.self) { Database() }.inObjectScope(.container)
        container.autoregister(Menu.self, initializer: Menu.init).inObjectScope(.container)
        let isContributed = wrapped == .contributed
        if isContributed { container.contribute(Database.self) { Database() } }
        if wrapped == .underFurtherType {
            container.forward((any Keeping).self, to: entry)
            container.decorate(
                (any Keeping).self,
                asyncDecorator: { _, inner in
                    runs.add()
                    return inner
                }
            )
        } else {
            asked.decorate(
                Database.self,
                asyncDecorator: { _, inner in
                    runs.add()
                    return inner
                }
            )
        }
        let unchecked = try asked.validate().unchecked
        #expect(unchecked.count == (isContributed ? 2 : 1))
        #expect(
            unchecked.allSatisfy {
                $0.reason == "it is made asynchronously: `validateAsync` runs it"
            }
        )
        #expect(runs.count == 0)
        #expect(try await asked.validateAsync().unchecked.isEmpty)
        #expect(runs.count == (isContributed ? 2 : 1))
        switch wrapped {
        case .byChild: asked.autoregister(Index.self, initializer: Index.init)
        case .underFurtherType:
            asked.autoregister(Index.self) { (store: any Keeping) in Index(store) }
        case .contributed:
            asked.autoregister(Index.self) { (all: [Database]) in Index(database: all[0]) }
        }
        let error = #expect(throws: ValidationError.self) { try asked.validate() }
        #expect(error?.problems.map(\.kind) == [.needsAwait])
    }

    /// What nothing shares is not awaited before the factory, whoever awaits the decorators.
    @Test(arguments: [ObjectScope.transient, .container])
    func `an asynchronous decorator does not make a factory wait`(_ scope: ObjectScope) async throws
    {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(scope)
        container.autoregister(Menu.self, initializer: Menu.init).inObjectScope(.container)
        container.decorate(Menu.self, asyncDecorator: { _, menu in menu })
        let isTransient = scope === ObjectScope.transient
        #expect(problemKinds(of: container) == (isTransient ? [.needsAwait] : []))
        let error = await asyncOutcome { try await self.container.validateAsync() }
        #expect((error != "got") == isTransient)
        let asked = await asyncOutcome { try await self.container.requireAsync(Menu.self) }
        #expect((asked != "got") == isTransient)
    }

    @Test func `that a service can be awaited later does not make it ready`() async throws {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        container.autoregister(Later.self, initializer: Later.init)
        container.decorate(Later.self) { r, later in
            _ = try r.require(Database.self)
            return later
        }
        await #expect(throws: ValidationError.self) { try await container.validateAsync() }
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

private enum Marker {
    @TaskLocal static var text = ""
}

@globalActor private actor Builder {
    static let shared = Builder()
}

private protocol Keeping: Sendable {}

private final class Database: Keeping {}

private final class Index: Sendable {
    let database: Database

    init(database: Database) {
        self.database = database
    }

    convenience init(_ store: any Keeping) {
        self.init(database: store as? Database ?? Database())
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
