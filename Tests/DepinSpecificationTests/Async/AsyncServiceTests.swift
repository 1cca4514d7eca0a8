import Depin
import Testing

/// Services that take time to make.
struct AsyncServiceTests {
    private let container = Container()

    @Test func `an asynchronous factory makes what requireAsync gives`() async throws {
        container.register(Config.self) { Config(path: "/data") }
        container.register(
            Database.self,
            asyncFactory: { r in
                await Task.yield()
                return Database(path: (r ~> Config.self).path)
            }
        )
        let database = try await container.requireAsync(Database.self)
        #expect(database.path == "/data")
    }

    @Test func `however many tasks ask, a shared one is made once`() async throws {
        let (gate, asked, made) = (AsyncGate(), CallCount(), CallCount())
        container.register(
            Database.self,
            asyncFactory: {
                made.add()
                await gate.wait()
                return Database()
            }
        ).inObjectScope(.container)
        let all = try await withThrowingTaskGroup(of: Database.self) { [container] group in
            for _ in 0..<100 {
                group.addTask {
                    if asked.add() == 100 { gate.open() }
                    return try await container.requireAsync(Database.self)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(made.count == 1)
        #expect(Set(all.map { ObjectIdentifier($0) }).count == 1)
    }

    @Test func `it runs in the task of who asks, with its task-local values and priority`()
        async throws
    {
        container.register(
            String.self,
            asyncFactory: {
                "\(Setting.language), \(Task.basePriority == .low)"
            }
        )
        let text = try await Task(priority: .low) { [container] in
            try await Setting.$language.withValue("fr") {
                try await container.requireAsync(String.self)
            }
        }.value
        #expect(text == "fr, true")
    }

    @Test func `an unshared one is made for each request`() async throws {
        container.register(Database.self, asyncFactory: { Database() })
            .inObjectScope(.transient)
        let one = try await container.requireAsync(Database.self)
        #expect(try await container.requireAsync(Database.self) !== one)
    }

    //  Report ──► Index ──► Database,  Report ──► Database
    @Test func `in graph scope one request's services share theirs`() async throws {
        container.register(Database.self, asyncFactory: { Database() })
        container.register(
            Index.self,
            asyncFactory: { r in
                try await Index(database: r.requireAsync(Database.self))
            }
        )
        container.register(
            Report.self,
            asyncFactory: { r in
                async let index = r.requireAsync(Index.self)
                let database = try await r.requireAsync(Database.self)
                // Ready in this graph, so synchronous code has it too.
                return Report(index: try await index, database: database, again: r ~> Database.self)
            }
        )
        let report = try await container.requireAsync(Report.self)
        #expect(report.again === report.database)
        #expect(report.index.database.path == report.database.path)
        let other = try await container.requireAsync(Report.self)
        #expect(other.database !== report.database)
    }

    @Test func `names and arguments belong to the key`() async throws {
        container.register(Database.self, name: "test", asyncFactory: { Database(path: "test") })
        container.register(Database.self, asyncFactory: { _, path in Database(path: path) })
        container.register(
            Database.self,
            name: "both",
            asyncFactory: { _, path, count in
                Database(path: path + "\(count + 1)")
            }
        )
        #expect(try await container.requireAsync(Database.self, name: "test").path == "test")
        #expect(try await container.requireAsync(Database.self, argument: "a").path == "a")
        let both = try await container.requireAsync(Database.self, name: "both", arguments: "a", 2)
        #expect(both.path == "a3")
    }

    @Test func `dependencies are awaited by their types`() async throws {
        container.register(Config.self) { Config(path: "/auto") }
        container.autoregister(Database.self, asyncInitializer: Database.open)
        container.autoregister(Index.self, asyncInitializer: Index.load)
        #expect(try await container.requireAsync(Index.self).database.path == "/auto")
    }

    //  Screen ──► Menu ──► Database (async)
    @Test(arguments: [ObjectScope.container, .weak, .graph])
    func `an ordinary service has what it declares to need awaited`(scope: ObjectScope)
        async throws
    {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(scope)
        container.autoregister(Menu.self, initializer: Menu.init)
        container.autoregister(Screen.self, initializer: Screen.init)
        let screen = try await container.requireAsync(Screen.self)
        #expect(screen.menu.database === screen.database)
    }

    @Test func `an instance that is ready is there for everyone`() async throws {
        container.register(Database.self, asyncFactory: { Database() })
            .inObjectScope(.container).implements((any Storing).self)
        let database = try await container.requireAsync(Database.self)
        #expect((container ~> Database.self) === database)
        #expect(container.resolve((any Storing).self) as? Database === database)
        #expect(try await container.requireAsync((any Storing).self) as? Database === database)
    }

    @Test func `a weak one is made again when nobody holds it`() async throws {
        let made = CallCount()
        container.register(
            Database.self,
            asyncFactory: {
                made.add()
                return Database()
            }
        ).inObjectScope(.weak)
        let one = try await container.requireAsync(Database.self)
        #expect(try await container.requireAsync(Database.self) === one)
        #expect(made.count == 1)
    }

    @Test func `a reset has it made again`() async throws {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        let one = try await container.requireAsync(Database.self)
        container.resetObjectScope(.container)
        #expect(try await container.requireAsync(Database.self) !== one)
    }

    @Test func `an optional is nil where nothing is registered, and else awaited`() async throws {
        #expect(try await container.requireAsync(Database?.self) == nil)
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.transient)
        #expect(try await container.requireAsync(Database?.self) != nil)
    }

    @Test func `ordinary services are had the same way`() async throws {
        container.register(Config.self) { Config(path: "plain") }
        #expect(try await container.requireAsync(Config.self).path == "plain")
        await #expect { try await container.requireAsync(Menu.self) } throws: { error in
            (error as? ResolutionError)?.reason == .notRegistered
        }
    }

    @Test func `main-actor services are made on the main actor`() async throws {
        container.register(Panel.self, mainActorFactory: { Panel() }).inObjectScope(.container)
        container.autoregister(PanelUser.self, initializer: PanelUser.init)
        let user = try await container.requireAsync(PanelUser.self)
        #expect(try await container.requireAsync(Panel.self) === user.panel)
    }

    @Test func `a factory may belong to an actor`() async throws {
        container.register(
            Database.self,
            asyncFactory: { @MainActor r in
                MainActor.assertIsolated()
                return Database(path: Panel().title)
            }
        )
        #expect(try await container.requireAsync(Database.self).path == "panel")
    }

    @Test @MainActor func `what is not Sendable reaches who asks`() async throws {
        container.register(Draft.self, asyncFactory: { Draft() })
        let draft = try await container.requireAsync(Draft.self)
        draft.text = "mine"
        #expect(draft.text == "mine")
    }

    // MARK: - Hierarchies, forks, the space

    @Test func `a shared one belongs to the container that has it registered`() async throws {
        let child = Container(parent: container)
        container.register(Config.self) { Config(path: "parent") }
        child.register(Config.self) { Config(path: "child") }
        container.register(
            Database.self,
            asyncFactory: { Database(path: ($0 ~> Config.self).path) }
        )
        .inObjectScope(.container)
        container.register(
            Menu.self,
            asyncFactory: { r in
                Menu(database: Database(path: (r ~> Config.self).path))
            }
        )
        #expect(try await child.requireAsync(Database.self).path == "parent")
        #expect(try await child.requireAsync(Menu.self).database.path == "child")
    }

    @Test func `a fork builds its own, also where a factory has captured the original`()
        async throws
    {
        defer { container.removeAll() }
        container.register(Config.self) { Config(path: "original") }
        container.register(
            Database.self,
            asyncFactory: { [container] in
                await Task.yield()
                let awaited = try await container.requireAsync(Config.self)
                return Database(path: (container ~> Config.self).path + ", " + awaited.path)
            }
        ).inObjectScope(.container)
        let fork = container.fork()
        fork.register(Config.self) { Config(path: "fork") }
        #expect(try await fork.requireAsync(Database.self).path == "fork, fork")
        #expect(try await container.requireAsync(Database.self).path == "original, original")
    }

    @Test func `an override reaches what an asynchronous factory injects`() async throws {
        container.register(Config.self) { Config(path: "live") }
        container.register(
            Database.self,
            asyncFactory: {
                await Task.yield()
                return Database(path: Injecting().config.path)
            }
        ).inObjectScope(.container)
        let path = try await withSpace(\.dependenciesContainer, container) {
            try await withSpace(overriding: { $0.register(Config.self) { Config(path: "test") } }) {
                let overridden = SpaceValues.current.dependenciesContainer
                return try await overridden.requireAsync(Database.self).path
            }
        }
        #expect(path == "test")
    }

    // MARK: - AsyncLazy

    @Test func `an AsyncLazy makes its service when it is awaited, once`() async throws {
        let made = CallCount()
        container.register(
            Database.self,
            asyncFactory: {
                made.add()
                await Task.yield()
                return Database()
            }
        ).inObjectScope(.transient)
        let lazy = container ~> AsyncLazy<Database>.self
        #expect(made.count == 0)
        async let one = lazy.value
        async let two = lazy.value
        let (first, second) = try await (one, two)
        #expect(first === second)
        #expect(try await lazy.value === first)
        #expect(made.count == 1)
    }

    @Test func `an AsyncLazy keeps no failure`() async throws {
        let made = CallCount()
        container.register(
            Database.self,
            asyncFactory: {
                if made.add() == 1 { throw CancellationError() }
                return Database()
            }
        )
        let lazy = container ~> AsyncLazy<Database>.self
        let error = await #expect(throws: ResolutionError.self) { try await lazy.value }
        #expect(error?.reason == .factoryFailed)
        _ = try await lazy.value
        #expect(made.count == 2)
    }

    @Test func `an AsyncLazy belongs to the graph in which it was made`() async throws {
        container.register(Database.self, asyncFactory: { Database() })
        container.register(
            Waiting.self,
            asyncFactory: { r in
                let database = try await r.requireAsync(Database.self)
                return Waiting(lazy: r ~> AsyncLazy<Database>.self, database: database)
            }
        )
        let waiting = try await container.requireAsync(Waiting.self)
        #expect(try await waiting.lazy.value === waiting.database)
    }

    @Test @MainActor func `an injected AsyncLazy gives ordinary services too`() async throws {
        container.register(Config.self) { Config(path: "plain") }
        container.register(Draft.self, asyncFactory: { Draft() })
        let screen = withSpace(\.dependenciesContainer, container) { LazyScreen() }
        #expect(try await screen.config.value.path == "plain")
        try await screen.draft.value.text = "mine"
        #expect(try await screen.draft.value.text == "mine")
    }

    @Test func `an AsyncLazy passes its arguments on, and shares what was made for equal ones`()
        async throws
    {
        container.register(
            Database.self,
            name: "file",
            asyncFactory: { (_: any Resolver, path: String) in Database(path: path) }
        )
        container.register(
            [Database].self,
            asyncFactory: { r in
                let paths = ["/a", "/a", "/b"]
                let all = paths.compactMap {
                    r.resolve(AsyncLazy<Database>.self, name: "file", argument: $0)
                }
                return [try await all[0].value, try await all[1].value, try await all[2].value]
            }
        )
        let made = try await container.requireAsync([Database].self)
        #expect(made.map(\.path) == ["/a", "/a", "/b"])
        #expect(made[0] === made[1])
        #expect(container.resolve(AsyncLazy<Database>.self, name: "file", argument: 1) == nil)
        #expect(container.resolve(AsyncLazy<Database>.self, name: "file") == nil)
    }

    @Test func `there is no AsyncLazy of what is not registered`() {
        #expect(container.resolve(AsyncLazy<Database>.self) == nil)
        #expect((container ~> AsyncLazy<Database>?.self) == nil)
    }

    //  Menu (async) ──► AsyncLazy<Index>, awaited ──► Index (async) ──► Menu
    @Test func `a circle through an AsyncLazy that is awaited is found`() async throws {
        container.register(
            Menu.self,
            asyncFactory: { r in
                try await Menu(database: (r ~> AsyncLazy<Index>.self).value.database)
            }
        ).inObjectScope(.container)
        container.register(
            Index.self,
            asyncFactory: { r in
                try await Index(database: r.requireAsync(Menu.self).database)
            }
        ).inObjectScope(.container)
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync(Menu.self)
        }
        #expect(error?.reason == .circularDependency)
        #expect(error?.path.map { "\($0.request)" } == ["Menu", "Index"])
    }

    // MARK: - Closing, decorators

    //  Waiting ──► AsyncLazy<Database>, awaited when Waiting is there
    @Test func `what took time closes after what needed it`() async throws {
        let closed = EventLog<String>()
        container.register(Database.self, asyncFactory: { Database() })
            .inObjectScope(.container).onClose { _ in closed.note("database") }
        container.register(
            Waiting.self,
            asyncFactory: { r in
                Waiting(lazy: r ~> AsyncLazy<Database>.self, database: Database())
            }
        ).inObjectScope(.container).onClose { _ in closed.note("waiting") }
        _ = try await container.requireAsync(Waiting.self).lazy.value
        try await container.close()
        #expect(closed.all == ["waiting", "database"])
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync(Database.self)
        }
        #expect(error?.reason == .containerClosed)
    }

    @Test func `a factory may not close what waits for it`() async throws {
        defer { container.removeAll() }
        container.register(
            Database.self,
            asyncFactory: { [container] in
                try await container.close()
                return Database()
            }
        ).inObjectScope(.container)
        let error = await #expect(throws: ResolutionError.self) {
            try await container.requireAsync(Database.self)
        }
        #expect(error?.reason == .closedFromWithin)
    }

    @Test func `what was made for a task that was cancelled is closed`() async throws {
        let (begun, gate, closed) = (AsyncGate(), AsyncGate(), CallCount())
        container.register(
            Database.self,
            asyncFactory: {
                begun.open()
                await gate.wait()
                return Database()
            }
        ).inObjectScope(.container).onClose { _ in
            // Who shuts down is not to be stopped.
            try Task.checkCancellation()
            await Task.yield()
            closed.add()
        }
        let task = Task { [container] in try await container.requireAsync(Database.self) }
        await begun.wait()
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(closed.count == 1)
        _ = try await container.requireAsync(Database.self)
        try await container.close()
        #expect(closed.count == 2)
    }

    @Test func `a task that was cancelled hears so through a child's decorator, too`() async throws
    {
        let (begun, gate) = (AsyncGate(), AsyncGate())
        container.register(
            Config.self,
            asyncFactory: {
                begun.open()
                await gate.wait()
                return Config(path: "")
            }
        ).inObjectScope(.container)
        let child = Container(parent: container)
        child.decorate(Config.self) { _, config in config }
        let task = Task { try await child.requireAsync(Config.self) }
        await begun.wait()
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `decorators wrap what took time, a child's too`() async throws {
        container.register(Config.self, asyncFactory: { Config(path: "a") })
            .inObjectScope(.container)
        container.decorate(Config.self) { _, config in Config(path: config.path + "b") }
        let child = Container(parent: container)
        child.decorate(Config.self) { _, config in Config(path: config.path + "c") }
        #expect(try await child.requireAsync(Config.self).path == "abc")
        #expect(try await container.requireAsync(Config.self).path == "ab")
    }

    /// The child has another one, which the parent's service does not get.
    @Test func `what a child decorates has what the parent's service declares to need awaited`()
        async throws
    {
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        container.autoregister(Menu.self, initializer: Menu.init).inObjectScope(.container)
        let child = Container(parent: container)
        child.register(Database.self) { Database() }
        child.decorate(Menu.self) { _, menu in menu }
        let menu = try await child.requireAsync(Menu.self)
        #expect(try await container.requireAsync(Database.self) === menu.database)
    }

    @Test func `what a child decorates for some arguments is kept while another is made`()
        async throws
    {
        let (began, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            Config.self,
            asyncFactory: { (_, path: String) in
                if path == "a" {
                    began.open()
                    await goOn.wait()
                }
                return Config(path: path)
            }
        )
        .inObjectScope(.container.perArguments)
        let child = Container(parent: container)
        let count = CallCount()
        child.decorate(Config.self) { _, config in
            count.add()
            return Config(path: config.path + "b")
        }
        async let first = child.requireAsync(Config.self, argument: "a")
        await began.wait()
        _ = try await child.requireAsync(Config.self, argument: "x")
        goOn.open()
        #expect(try await first.path == "ab")
        #expect(try await child.requireAsync(Config.self, argument: "a").path == "ab")
        #expect(count.count == 2)
    }

    /// Nothing holds what took time but the decorated instance is there.
    @Test func `what a child has decorated for some arguments is not awaited again`() async throws {
        let count = CallCount()
        container.register(
            Database.self,
            asyncFactory: { (_, path: String) in
                count.add()
                return Database(path: path)
            }
        )
        .inObjectScope(.weak.perArguments)
        let child = Container(parent: container)
        child.decorate(Database.self) { _, database in Database(path: database.path + "b") }
        let first = try await child.requireAsync(Database.self, argument: "a")
        #expect(try await child.requireAsync(Database.self, argument: "a") === first)
        #expect(count.count == 1)
    }

    @Test func `a container that a factory captured shares in its graph, if it closes something`()
        async throws
    {
        defer { container.removeAll() }
        container.register(Config.self) { Config(path: "") }.inObjectScope(.container)
            .onClose { _ in }
        container.register(Database.self) { Database() }
        container.register(
            Bool.self,
            asyncFactory: { [container] r in
                let database = try await container.requireAsync(Database.self)
                return try await r.requireAsync(Database.self) === database
            }
        )
        #expect(try await container.requireAsync(Bool.self))
    }

    @Test func `an opened scope has its own`() async throws {
        let request = ObjectScope(opened: "request")
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(request)
        let (one, other) = (container.openScope(request), container.openScope(request))
        let database = try await one.requireAsync(Database.self)
        #expect(try await one.requireAsync(Database.self) === database)
        #expect(try await other.requireAsync(Database.self) !== database)
        #expect((one ~> Database.self) === database)
        await #expect(throws: ResolutionError.self) {
            try await container.requireAsync(Database.self)
        }
    }

    // MARK: - Observers

    @Test func `a trace is indented as the factories of a task are nested`() async throws {
        let lines = EventLog<String>()
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        container.register(
            Index.self,
            asyncFactory: { r in
                for _ in 0..<20 { await Task.yield() }
                return try await Index(database: r.requireAsync(Database.self))
            }
        )
        let trace = ResolutionTrace { lines.note($0) }
        let observation = container.addObserver(trace)
        for _ in 0..<20 { _ = try await container.requireAsync(Index.self) }
        observation.end()
        let words = lines.all.map { line in
            line.replacing(#/(,| in).*/#, with: "").replacing("reused", with: "built")
        }
        let one = ["▸ Index", "  Database built", "◂ Index built"]
        #expect(words == (0..<20).flatMap { _ in one })
    }

    @Test func `observers see it begin and end, with its path`() async throws {
        let recorder = Recorder()
        container.register(Database.self, asyncFactory: { Database() }).inObjectScope(.container)
        container.register(
            Index.self,
            asyncFactory: { r in
                await Task.yield()
                return try await Index(database: r.requireAsync(Database.self))
            }
        )
        let observation = container.addObserver(recorder)
        _ = try await container.requireAsync(Index.self)
        _ = try await container.requireAsync(Database.self)
        observation.end()
        #expect(
            recorder.lines.all == [
                "0 Index requested", "1 Database requested", "1 Database built", "0 Index built",
                "0 Database requested", "0 Database reused",
            ]
        )
    }
}

// MARK: -

private enum Setting {
    @TaskLocal static var language = "en"
}

private protocol Storing: Sendable {}

private struct Config {
    let path: String
}

private final class Database: Storing {
    let path: String

    init(path: String = "") {
        self.path = path
    }

    static func open(_ config: Config) async throws -> Database {
        await Task.yield()
        return Database(path: config.path)
    }
}

extension Database: Equatable {
    static func == (left: Database, right: Database) -> Bool { left === right }
}

private final class Index: Sendable {
    let database: Database

    init(database: Database) {
        self.database = database
    }

    static func load(_ database: Database) async throws -> Index {
        await Task.yield()
        return Index(database: database)
    }
}

private struct Report {
    let index: Index
    let database: Database
    let again: Database
}

private final class Menu: Sendable {
    let database: Database

    init(database: Database) {
        self.database = database
    }
}

private final class Screen: Sendable {
    let menu: Menu
    let database: Database

    init(menu: Menu, database: Database) {
        self.menu = menu
        self.database = database
    }
}

@MainActor
private final class Panel {
    let title = "panel"
}

private final class PanelUser: Sendable {
    let panel: Panel

    init(panel: Panel) {
        self.panel = panel
    }
}

private final class Draft {
    var text = ""
}

private struct Waiting {
    let lazy: AsyncLazy<Database>
    let database: Database
}

@MainActor
private final class LazyScreen {
    @Injected var config: AsyncLazy<Config>
    @Injected var draft: AsyncLazy<Draft>
}

private struct Injecting {
    @Injected var config: Config
}

private final class Recorder: ResolutionObserver {
    let lines = EventLog<String>()

    func observe(_ event: ResolutionEvent) {
        lines.note("\(event.depth) \(event.request) \(event.outcome)")
    }
}
