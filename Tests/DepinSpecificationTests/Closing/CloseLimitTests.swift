import Depin
import Foundation
import Testing

private final class Disk: Sendable {}
private final class Cache: Sendable {
    init(_: Disk) {}
}
private final class Audit: Sendable {
    init(_: Cache) {}
}
private final class Mail: Sendable {}

private struct Failed: Error {}
private final class ThrownObject: Error {}

/// What may take forever.
private final class Obstacle: Sendable {
    private let gate = AsyncGate()
    private let arrivals = CallCount()
    private let areThere: [AsyncGate] = (0...3).map { _ in AsyncGate() }
    let isCanceled = AsyncGate()

    /// Waits, whether it is canceled or not.
    func wait() async {
        let count = arrivals.add()
        if count < areThere.count { areThere[count].open() }
        await withTaskCancellationHandler {
            await gate.wait()
        } onCancel: {
            isCanceled.open()
        }
    }

    /// Returns when so many wait.
    func isReached(by count: Int = 1) async { await areThere[count].wait() }

    func clear() { gate.open() }
}

private final class Listener: ResolutionObserver {
    let errors = EventLog<CloseError>()
    let hasHeard = AsyncGate()

    func observe(_ event: ResolutionEvent) {
        guard let error = event.error as? CloseError else { return }
        errors.note(error)
        hasHeard.open()
    }
}

// Audit → Cache → Disk.
@Suite
struct `Closing within a time` {
    private let app = Container()
    private let log = EventLog<String>()
    private let obstacle = Obstacle()

    /// Has closers note their names, but for one that takes forever.
    private func close<Held>(holding: Held.Type, _ app: Container) {
        func entry<Service: Sendable>(
            _ type: Service.Type,
            _ make: @escaping @Sendable (any Resolver) -> Service
        ) {
            app.register(type, factory: make).inObjectScope(.container)
                .onClose { [log, obstacle] _ in
                    if type == Held.self { await obstacle.wait() } else { await Task.yield() }
                    log.note("\(type)")
                }
        }
        entry(Disk.self) { _ in Disk() }
        entry(Cache.self) { r in Cache(r ~> Disk.self) }
        entry(Audit.self) { r in Audit(r ~> Cache.self) }
        use(app ~> Audit.self)
    }

    private func names(_ error: CloseError?) -> [String] {
        error?.failures.filter(\.isStillRunning).map { "\($0.request)" } ?? []
    }

    /// Closes, and says that the time is over when some have come to the obstacle.
    private func closeUntilHeld(by count: Int = 1) async -> CloseError? {
        await withPatience {
            let closing = Task { try await app.close() }
            await obstacle.isReached(by: count)
            let error = await #expect(throws: CloseError.self) {
                try await app.close(within: .zero)
            }
            await #expect(throws: CloseError.self) { try await closing.value }
            return error
        }
    }

    /// What closes in there does end, however long a step of it takes.
    private func withPatience<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CloserRun.$grace.withValue(.seconds(200), operation: body)
    }

    @Test(.timeLimit(.minutes(5)))
    func `names what still runs, cancels it, and has closed the rest in order`() async throws {
        close(holding: Audit.self, app)
        let error = await closeUntilHeld()
        #expect(names(error) == ["Audit"])
        #expect(error?.failures.count == 1)
        #expect(log.all == ["Cache", "Disk"])
        await obstacle.isCanceled.wait()
        obstacle.clear()
        // It is over for everyone.
        let refused = #expect(throws: ResolutionError.self) { try app.require(Audit.self) }
        #expect(refused?.reason == .containerClosed)
        let again = await #expect(throws: CloseError.self) { try await app.close() }
        #expect(names(again) == ["Audit"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [0, 3])
    func `also in children, scopes and forks, however deep`(_ depth: Int) async throws {
        var places = [Container(parent: app), app.openScope(.request), app.fork()]
        for _ in 0..<depth { places = places.map { Container(parent: $0) } }
        for place in places { close(holding: Cache.self, place) }
        // The fork closes last, when the time is over.
        Task { [obstacle] in
            await obstacle.isReached(by: 3)
            obstacle.clear()
        }
        let error = await closeUntilHeld(by: 2)
        #expect(names(error).prefix(2) == ["Cache", "Cache"])
        #expect(log.all.count { $0 == "Disk" } == 3)
    }

    @Test(.timeLimit(.minutes(5)))
    func `keeps nothing of the container until a time that is not needed`() async {
        weak var thrown: ThrownObject?
        func closeOne() async {
            let app = Container()
            app.register(Disk.self) { Disk() }.inObjectScope(.container)
                .onClose { _ in throw ThrownObject() }
            use(app ~> Disk.self)
            let error = await #expect(throws: CloseError.self) {
                try await app.close(within: .seconds(3600))
            }
            thrown = error?.failures.first?.error as? ThrownObject
            #expect(thrown != nil)
        }
        await closeOne()
        let end = ContinuousClock.now + .seconds(30)
        while thrown != nil, ContinuousClock.now < end { await Task.yield() }
        #expect(thrown == nil)
    }

    @Test func `with a limit that no clock can count`() async throws {
        close(holding: Mail.self, app)
        try await app.close(within: .seconds(Int64.max))
        #expect(log.all == ["Audit", "Cache", "Disk"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `with a limit from the beginning`() async throws {
        close(holding: Audit.self, app)
        let error = await #expect(throws: CloseError.self) {
            try await app.close(within: .milliseconds(50))
        }
        #expect(names(error).contains("Audit"))
        obstacle.clear()
    }

    @Test(.timeLimit(.minutes(5)))
    func `where each takes too long`() async throws {
        for number in 0..<200 {
            app.register(Int.self, name: "\(number)") { r in
                number == 0 ? 0 : (r ~> (Int.self, name: "\(number - 1)")) + 1
            }
            .inObjectScope(.container)
            .onClose { [log, obstacle] value in
                log.note("\(value)")
                await obstacle.wait()
            }
        }
        use(app ~> (Int.self, name: "199"))
        // Nobody waits as long for each, which would take half an hour.
        let error = await CloserRun.$grace.withValue(.seconds(10)) {
            await #expect(throws: CloseError.self) {
                try await app.close(within: .milliseconds(50))
            }
        }
        #expect(names(error).count == 200)
        obstacle.clear()
    }

    @Test(.timeLimit(.minutes(5)))
    func `does not wait for a closer that blocks its thread`() async throws {
        let semaphore = UncheckedSemaphore()
        app.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in
                semaphore.value.wait()
                log.note("disk")
            }
        app.register(Mail.self) { Mail() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("mail") }
        use((app ~> Mail.self, app ~> Disk.self))
        let error = await #expect(throws: CloseError.self) {
            try await withPatience { try await app.close(within: .milliseconds(50)) }
        }
        #expect(names(error) == ["Disk"])
        #expect(log.all == ["mail"])
        semaphore.value.signal()
    }

    @Test(.timeLimit(.minutes(5)))
    func `does not wait for a build, which is closed when it has ended`() async throws {
        let (began, closed) = (AsyncGate(), AsyncGate())
        app.register(
            Mail.self,
            asyncFactory: { [obstacle] _ in
                began.open()
                await obstacle.wait()
                return Mail()
            }
        )
        .inObjectScope(.container)
        .onClose { _, outcome in if !outcome.isCompleted { closed.open() } }
        close(holding: Mail.self, app.openScope(.request))
        let mail = Task { [app] in try await app.requireAsync(Mail.self) }
        await began.wait()
        let error = await #expect(throws: CloseError.self) {
            try await app.close(.canceled, within: .milliseconds(50))
        }
        #expect(names(error).contains("Mail"))
        obstacle.clear()
        _ = try? await mail.value
        await closed.wait()
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases.filter { $0 != .opened })
    func `closes what was still being built when the closers began`(
        _ scope: EveryScope
    ) async throws {
        let (began, isNeeded, closes) = (AsyncGate(), AsyncGate(), AsyncGate())
        app.register(Disk.self) { Disk() }
            .inObjectScope(.container)
            .onClose { [obstacle] _ in
                closes.open()
                await obstacle.wait()
            }
        // Time is over for this one, and what it needs closes afterwards.
        app.register(Cache.self) { r in Cache(r ~> Disk.self) }
            .inObjectScope(.container)
            .onClose { _ in await Task.yield() }
        let closed = AsyncGate()
        app.register(
            Mail.self,
            asyncFactory: {
                began.open()
                await isNeeded.wait()
                return Mail()
            }
        )
        .inObjectScope(scope.scope)
        .onClose { _ in closed.open() }
        use(app ~> Cache.self)
        let mail = Task { [app] in try await app.requireAsync(Mail.self) }
        await began.wait()
        let closing = Task { [app] in
            try await CloserRun.$grace.withValue(.seconds(60)) {
                try await app.close(within: .milliseconds(1))
            }
        }
        await closes.wait()
        isNeeded.open()
        let kept = try await mail.value
        await closed.wait()
        withExtendedLifetime(kept) {}
        obstacle.clear()
        await #expect(throws: CloseError.self) { try await closing.value }
    }

    @Test(.timeLimit(.minutes(5)))
    func `does not wait for a build that nobody shares`() async throws {
        let began = AsyncGate()
        app.register(
            Mail.self,
            asyncFactory: { [obstacle] _ in
                began.open()
                await obstacle.wait()
                return Mail()
            }
        )
        let mail = Task { [app] in try await app.requireAsync(Mail.self) }
        await began.wait()
        let error = await #expect(throws: CloseError.self) {
            try await app.close(within: .zero)
        }
        #expect(names(error) == ["Container"])
        obstacle.clear()
        _ = try? await mail.value
    }

    @Test(.timeLimit(.minutes(5)))
    func `is as without a limit where there is time enough`() async throws {
        close(holding: Never.self, app)
        app.register(Mail.self) { r in
            use(r ~> Audit.self)
            return Mail()
        }
        .inObjectScope(.container).onClose { [log] _ in log.note("mail \(Task.isCancelled)") }
        use(app ~> Mail.self)
        try await app.close(within: .seconds(100))
        #expect(log.all == ["mail false", "Audit", "Cache", "Disk"])
        try await app.close(within: .zero)
    }

    @Test(.timeLimit(.minutes(5)))
    func `tells what fails late, but not that it was canceled`() async throws {
        let listener = Listener()
        app.addObserver(listener)
        for name in ["fails", "is canceled"] {
            app.register(String.self, name: name) { name }.inObjectScope(.container)
                .onClose { [obstacle, log] _ in
                    defer { log.note(name) }
                    await obstacle.wait()
                    if name == "fails" { throw Failed() }
                    throw CancellationError()
                }
            use(app ~> (String.self, name: name))
        }
        _ = await closeUntilHeld(by: 2)
        #expect(listener.errors.all.isEmpty)
        obstacle.clear()
        await listener.hasHeard.wait()
        #expect(listener.errors.all.map { $0.failures.map(\.request.name) } == [["fails"]])
    }

    @Test(.timeLimit(.minutes(5)))
    func `says in golden words what still runs`() async throws {
        close(holding: Audit.self, app)
        app.register(Mail.self, name: "late") { r in
            use(r ~> Cache.self)
            return Mail()
        }
        .inObjectScope(.container).onClose { _ in throw Failed() }
        use(app ~> (Mail.self, name: "late"))
        let error = await closeUntilHeld()
        try Golden("closers that still run").check("\(try #require(error))")
        obstacle.clear()
    }
}

private struct UncheckedSemaphore: @unchecked Sendable {  // a semaphore is for any thread
    let value = DispatchSemaphore(value: 0)
}
