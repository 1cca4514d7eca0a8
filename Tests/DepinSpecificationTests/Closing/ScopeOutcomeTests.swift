import Depin
import DepinInspection
import Testing

private final class Unit: Sendable {}
private final class Disk: Sendable {}

private struct Failed: Error, CustomStringConvertible {
    let description = "no room"
}

@globalActor private actor DatabaseActor {
    static let shared = DatabaseActor()
}

@DatabaseActor private final class Connection: Sendable {
    nonisolated init() {}
    func shutdown() throws { DatabaseActor.assertIsolated() }
    func shutdownSlowly() async throws {
        await Task.yield()
        DatabaseActor.assertIsolated()
    }
}

@DatabaseActor private func shutdown(_ connection: Connection) throws {
    DatabaseActor.assertIsolated()
}

extension ScopeOutcome {
    fileprivate var words: String {
        switch self {
        case .completed: "completed"
        case .failed(let error): "failed: \(error)"
        case .canceled: "canceled"
        }
    }
}

struct `A closer hears how it ended` {
    private let app = Container()
    private let log = EventLog<String>()

    init() {
        app.register(Unit.self) { Unit() }.inObjectScope(.request)
            .onClose { [log] _, outcome in log.note(outcome.words) }
            .onClose { [log] _, outcome in
                await Task.yield()
                log.note("\(outcome.isCompleted)")
            }
    }

    /// What the closers of a unit hear, which a scope makes.
    private func outcome(
        _ operation: @escaping @Sendable () async throws -> Void
    ) async -> [String] {
        try? await app.withScope(.request) { scope in
            use(scope ~> Unit.self)
            try await operation()
        }
        return log.all
    }

    @Test func `where the operation has returned`() async {
        #expect(await outcome {} == ["true", "completed"])
    }

    @Test func `where the operation has thrown`() async {
        #expect(await outcome { throw Failed() } == ["false", "failed: no room"])
    }

    @Test func `where the operation was canceled`() async {
        let task = Task {
            await outcome {
                withUnsafeCurrentTask { $0?.cancel() }
                throw Failed()
            }
        }
        #expect(await task.value == ["false", "canceled"])
    }

    @Test func `where the operation tells that it was canceled`() async {
        #expect(await outcome { throw CancellationError() } == ["false", "canceled"])
    }

    @Test func `where the operation has returned although it was canceled`() async {
        let task = Task { await outcome { withUnsafeCurrentTask { $0?.cancel() } } }
        #expect(await task.value == ["true", "completed"])
    }

    @Test func `from who closes, and else that it was completed`() async throws {
        let scope = app.openScope(.request)
        use(scope ~> Unit.self)
        try await scope.close()
        // The first one ends it.
        try await scope.close(.canceled)
        let failed = app.openScope(.request)
        use(failed ~> Unit.self)
        try await failed.close(.failed(Failed()))
        #expect(log.all == ["true", "completed", "false", "failed: no room"])
    }

    @Test func `also in what the container has opened, in its children, forks and overrides`()
        async throws
    {
        let places = [
            app.openScope(.request), Container(parent: app).openScope(.request),
            app.fork().openScope(.request),
        ]
        for place in places { use(place ~> Unit.self) }
        try await app.close(.canceled)
        #expect(
            log.all.sorted() == ["canceled", "canceled", "canceled", "false", "false", "false"]
        )
    }

    enum Canceled: CaseIterable { case returns, throwsCancellation, fails }

    @Test(arguments: EveryScope.allCases, Canceled.allCases)
    func `that it was canceled where a decorator was canceled`(
        _ scope: EveryScope,
        _ canceled: Canceled
    ) async throws {
        let (log, gate, begun) = (EventLog<String>(), AsyncGate(), AsyncGate())
        app.register(Disk.self) { Disk() }
            .inObjectScope(scope.scope)
            .onClose { _, outcome in log.note(outcome.words) }
        app.decorate(
            Disk.self,
            asyncDecorator: { _, disk in
                begun.open()
                await gate.wait()
                switch canceled {
                case .returns: return disk
                case .throwsCancellation: throw CancellationError()
                case .fails: throw Failed()
                }
            }
        )
        let asked = scope.place(in: app)
        let task = Task { _ = try await asked.requireAsync(Disk.self) }
        await begun.wait()
        task.cancel()
        gate.open()
        let isHandedOut = canceled == .returns && EveryScope.unshared.contains(scope)
        if isHandedOut {
            try await task.value
        } else {
            await #expect(throws: (any Error).self) { try await task.value }
        }
        // What has been handed out closes with the container.
        #expect(log.all == (isHandedOut ? [] : ["canceled"]))
        try await app.close()
        #expect(log.all == [isHandedOut ? "completed" : "canceled"])
    }

    @Test func `that it was canceled where a validation made it`() async throws {
        try await app.validateAsync(.init(open: [.request]))
        #expect(log.all == ["false", "canceled"])
        app.register(Unit.self) { Unit() }.onClose { [log] _, outcome in log.note(outcome.words) }
            .overriding()
        try app.validate(.init(open: [.request]))
        #expect(log.all == ["false", "canceled", "canceled"])
    }

    @Test func `for each name, argument and forwarded type`() async throws {
        let scope = app.openScope(.request)
        app.register(Disk.self, name: "a") { Disk() }.inObjectScope(.request)
            .implements((any Sendable).self)
            .onClose { [log] _, outcome in log.note("a \(outcome.words)") }
        app.register(Disk.self) { (_, _: Int) in Disk() }.inObjectScope(.request.perArguments)
            .onClose { [log] _, outcome in log.note("b \(outcome.words)") }
        use(scope ~> (any Sendable).self)
        use((scope ~> (Disk.self, argument: 1), scope ~> (Disk.self, argument: 2)))
        try await scope.close(.canceled)
        #expect(log.all.sorted() == ["a canceled", "b canceled", "b canceled"])
    }
}

struct `A closer runs on the actor that it names` {
    private let container = Container()

    private var entry: ServiceEntry<Connection> {
        container.register(Connection.self) { Connection() }.inObjectScope(.container)
    }

    @Test func `without its types`() async throws {
        let count = CallCount()
        entry
            .onClose { @DatabaseActor connection in
                try connection.shutdown()
                count.add()
            }
            .onClose { @DatabaseActor connection, outcome in
                if outcome.isCompleted { try connection.shutdown() }
                count.add()
            }
            .onClose { @DatabaseActor connection in
                try await connection.shutdownSlowly()
                count.add()
            }
            .onClose { @DatabaseActor connection, _ in
                try await connection.shutdownSlowly()
                count.add()
            }
            .onClose { @DatabaseActor in try $0.shutdown() }
            .onClose { @MainActor _ in
                MainActor.assertIsolated()
                count.add()
            }
            .onClose(shutdown)
        use(container ~> Connection.self)
        try await container.close()
        #expect(count.count == 5)
    }

    @Test func `and else on none, at once`() async throws {
        let thread = EventLog<Bool>()
        entry.onClose { _ in thread.note(true) }.onClose { _, _ in thread.note(true) }
        use(container ~> Connection.self)
        try await container.close()
        #expect(thread.all == [true, true])
    }

    @Test func `and what it throws is told`() async throws {
        entry.onClose { @DatabaseActor _ in throw Failed() }
        use(container ~> Connection.self)
        let error = await #expect(throws: CloseError.self) { try await container.close() }
        #expect(error?.failures.map { "\($0.error)" } == ["no room"])
    }
}
