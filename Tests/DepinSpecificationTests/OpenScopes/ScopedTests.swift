import Depin
import Testing

extension ObjectScope {
    fileprivate static let session = ObjectScope(opened: "session")
    fileprivate static let unit = ObjectScope(opened: "unit")
}

// Unit (unit) → User, a seed, and Database (container); Cart (session)

struct `A Scoped` {
    private let container = Container()
    private let log = EventLog<String>()

    init() {
        let log = log
        container.register(Database.self) { Database() }.inObjectScope(.container)
        container.register(User.self, instance: User("nobody"))
        container.register(Unit.self) { r in Unit(user: try r.require(User.self), r()) }
            .inObjectScope(.unit)
            .onClose { unit, outcome in
                log.note("\(outcome.isCompleted ? "commit" : "rollback") \(unit.user.name)")
            }
    }

    @Test func `opens a scope, gives the service, and closes`() async throws {
        let work = container(Scoped<Unit>.self)
        let name = try await work.use { unit in
            log.note("work")
            return unit.user.name
        }
        #expect(name == "nobody")
        #expect(log.all == ["work", "commit nobody"])
    }

    @Test func `of a service that is kept for each value of its arguments says what to do`()
        async throws
    {
        let entry = container.register(User.self) { (_, name: String) in User(name) }
            .inObjectScope(.unit.perArguments)
        let error = #expect(throws: ResolutionError.self) {
            try container.require(Scoped<User>.self, argument: "Eve")
        }
        let message = "\(try #require(error))"
        #expect(message.contains("the scope itself, without `.perArguments`"))
        entry.inObjectScope(.container.perArguments)
        let other = #expect(throws: ResolutionError.self) {
            try container.require(Scoped<User>.self, argument: "Eve")
        }
        #expect("\(try #require(other))".contains("the scope that should open"))
        entry.inObjectScope(.unit)
        let work = try container.require(Scoped<User>.self, argument: "Eve")
        #expect(try await work.use(operation: \.name) == "Eve")
    }

    @Test func `seeds the scope`() async throws {
        let work = container(Scoped<Unit>.self)
        try await work.use(
            seeding: { $0.register(User.self, instance: User("Ada")) },
            operation: { unit in #expect(unit.user.name == "Ada") }
        )
        #expect(log.all == ["commit Ada"])
    }

    @Test func `opens another scope at each use`() async throws {
        let work = container(Scoped<Unit>.self)
        let one = try await work.use { $0 }
        let other = try await work.use { $0 }
        #expect(one !== other)
        #expect(one.database === other.database)
    }

    @Test func `closes with the outcome`() async throws {
        let work = container(Scoped<Unit>.self)
        await #expect(throws: Broken.self) { try await work.use { _ in throw Broken() } }
        #expect(log.all == ["rollback nobody"])
        let task = Task {
            try await work.use { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.all == ["rollback nobody", "rollback nobody"])
    }

    @Test func `is injected, and puts its scope in force`() async throws {
        try await withSpace(\.dependenciesContainer, container) {
            let janitor = Janitor()
            try await janitor.work.use { unit in
                #expect(Report().unit === unit)
            }
        }
    }

    @Test func `has a name where its registration has one`() async throws {
        container.register(Unit.self, name: "night") { r in Unit(user: User("night"), r()) }
            .inObjectScope(.unit)
        let name = try await container(Scoped<Unit>.self, name: "night").use { $0.user.name }
        #expect(name == "night")
        #expect(container.resolve(Scoped<Unit>.self, name: "day") == nil)
        #expect(container(Scoped<Unit>?.self, name: "day") == nil)
    }

    @Test func `awaits a service that takes time`() async throws {
        container.register(
            Unit.self,
            asyncFactory: { r in
                await Task.yield()
                return Unit(user: User("late"), try r.require(Database.self))
            }
        ).inObjectScope(.unit)
        let name = try await container(Scoped<Unit>.self).use { $0.user.name }
        #expect(name == "late")
    }

    @Test func `runs on the caller's actor`() async throws {
        let work = container(Scoped<Unit>.self)
        try await Task { @MainActor in
            try await work.use { _ in MainActor.assertIsolated() }
        }.value
    }

    @Test func `is Sendable where its service is`() async throws {
        let work = container(Scoped<Unit>.self)
        let name = try await Task.detached { try await work.use { $0.user.name } }.value
        #expect(name == "nobody")
    }

    // MARK: - Containers

    @Test func `of a child opens the scope on the child`() async throws {
        let child = Container(parent: container)
        child.register(User.self, instance: User("child"))
        let name = try await child(Scoped<Unit>.self).use { $0.user.name }
        #expect(name == "child")
    }

    @Test func `opens its scope on the one in force that is open on its container`() async throws {
        let work = container(Scoped<Unit>.self)
        try await container.withScope(
            .session,
            seeding: { $0.register(User.self, instance: User("session")) },
            operation: { _ in
                let name = try await work.use { $0.user.name }
                #expect(name == "session")
            }
        )
        let name = try await work.use { $0.user.name }
        #expect(name == "nobody")
    }

    @Test func `opens a scope within another of its kind`() async throws {
        let work = container(Scoped<Unit>.self)
        try await work.use { outer in
            try await work.use { inner in
                #expect(inner !== outer)
            }
        }
    }

    @Test func `of a fork uses what the fork has`() async throws {
        let fork = container.fork()
        fork.register(User.self, instance: User("fork"))
        let name = try await fork(Scoped<Unit>.self).use { $0.user.name }
        #expect(name == "fork")
    }

    @Test func `sees an override, also where it was made before`() async throws {
        let work = container(Scoped<Unit>.self)
        try await withSpace(\.dependenciesContainer, container) {
            try await withSpace(overriding: { $0.register(User.self, instance: User("fake")) }) {
                let injected = try await Janitor().work.use { $0.user.name }
                #expect(injected == "fake")
                let earlier = try await work.use { $0.user.name }
                #expect(earlier == "fake")
            }
        }
    }

    @Test func `may be kept by what the container keeps, and does not keep it`() async throws {
        weak var gone: Container?
        let job: Job
        do {
            let app = Container()
            app.register(Unit.self) { Unit(user: User("app"), Database()) }.inObjectScope(.unit)
            app.register(Job.self) { r in Job(work: r()) }.inObjectScope(.container)
            gone = app
            job = app(Job.self)
            let name = try await job.work.use { $0.user.name }
            #expect(name == "app")
        }
        #expect(gone == nil)
        let error = await #expect(throws: ResolutionError.self) { try await job.work.use { _ in } }
        #expect(error?.reason == .containerGone)
    }

    // MARK: - Mistakes

    @Test func `of a service in another scope cannot be had`() async throws {
        try await check("a Scoped of a service in another scope") {
            _ = try container.require(Scoped<Database>.self)
        }
        let error = #expect(throws: ResolutionError.self) {
            try container.require(Scoped<Database>?.self)
        }
        #expect(error?.reason == .notOpened)
    }

    @Test func `of a service that is not registered is missing`() async throws {
        try await check("missing in a Scoped") { _ = try container.require(Scoped<Job>.self) }
    }

    @Test func `of a Lazy is not given for the service alone, and the advice says so`() {
        let error = #expect(throws: ResolutionError.self) {
            try container.require(Scoped<Lazy<Unit>>.self)
        }
        let advice = "fix: register Lazy<Unit>: Scoped<Lazy<Unit>> comes with it"
        #expect(error?.description.hasSuffix(advice) == true)
    }

    @Test func `whose seed nobody gives says so, with the place of the use`() async throws {
        container.unregister(User.self)
        let work = container(Scoped<Unit>.self)
        try await check("a Scoped whose seed nobody gives") { try await work.use { _ in } }
        #expect(log.all.isEmpty)
    }

    @Test func `of a container that was closed says so`() async throws {
        let work = container(Scoped<Unit>.self)
        try await container.close()
        let error = await #expect(throws: ResolutionError.self) { try await work.use { _ in } }
        #expect(error?.reason == .containerClosed)
    }

    @Test func `of a service that is not registered any more says so`() async throws {
        let work = container(Scoped<Unit>.self)
        container.unregister(Unit.self)
        let error = await #expect(throws: ResolutionError.self) { try await work.use { _ in } }
        #expect(error?.reason == .notRegistered)
        container.register(Unit.self) { Unit(user: User("x"), Database()) }
        let other = await #expect(throws: ResolutionError.self) { try await work.use { _ in } }
        #expect(other?.reason == .notOpened)
    }

    private func check(_ name: String, _ body: () async throws -> Void) async throws {
        let error = await #expect(throws: ResolutionError.self) { try await body() }
        try Golden(name).check("\(try #require(error))")
    }
}

private final class Database: Sendable {}

private final class User: Sendable {
    let name: String

    init(_ name: String) { self.name = name }
}

private final class Unit: Sendable {
    let user: User
    let database: Database

    init(user: User, _ database: Database) { (self.user, self.database) = (user, database) }
}

private struct Job: Sendable {
    let work: Scoped<Unit>
}

private struct Janitor {
    @Injected var work: Scoped<Unit>
}

private struct Report {
    @Injected var unit: Unit
}

private struct Broken: Error {}
