import Depin
import Testing

private final class Visitor: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private final class Log: Sendable {
    let visitor: Visitor
    init(_ visitor: Visitor) { self.visitor = visitor }
}

private final class Page {
    @Injected var log: Log
    @Injected var visitor: Visitor?
}

/// Made at launch.
private final class Controller: Sendable {
    private let injected = Injected<Provider<Log>>()
    private let container = Injected<Provider<Container>>()

    var logs: Provider<Log> { injected.wrappedValue }
    var own: Provider<Container> { container.wrappedValue }
}

private struct OtherContainerKey: SpaceKey {
    static var defaultValue: Container { Container() }
}

extension SpaceValues {
    fileprivate var otherContainer: Container {
        get { self[OtherContainerKey.self] }
        set { self[OtherContainerKey.self] = newValue }
    }
}

private struct Failed: Error, Equatable {}
private struct NotClosed: Error {}

// Log (request) → Visitor, a seed
private func makeApp(closing closed: EventLog<Int> = EventLog()) -> Container {
    let app = Container()
    app.register(Log.self) { r in Log(r ~> Visitor.self) }.inObjectScope(.request)
        .onClose { log in closed.note(log.visitor.number) }
    return app
}

extension Container {
    fileprivate func visit<Result>(
        _ number: Int,
        isolation: isolated (any Actor)? = #isolation,
        operation: (Container) async throws -> Result
    ) async throws -> Result {
        try await withScope(
            .request,
            seeding: { $0.register(Visitor.self, instance: Visitor(number)) },
            operation: operation
        )
    }
}

struct `The time of a scope` {
    private let closed = EventLog<Int>()

    @Test func `is over for a Provider when it is closed, and the message says where`() async throws
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let app = makeApp()
            let logs = app ~> Provider<Log>.self
            let scope = app.openScope(.request)
            try await scope.close()
            // Under another key than the one that properties are injected from.
            withSpace(\.dependenciesContainer, app) {
                withSpace(\.otherContainer, scope) { use(logs.instance) }
            }
        }
        let message = try #require(result).standardErrorContent
        #expect(String(decoding: message, as: UTF8.self).contains("closed"))
        #expect(String(decoding: message, as: UTF8.self).contains("WithScopeTests.swift"))
    }

    @Test func `is seen by a Provider that was injected outside`() async throws {
        let app = makeApp()
        let controller = withSpace(\.dependenciesContainer, app) { Controller() }
        use(controller.logs)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    try await app.visit(number) { scope in
                        #expect(controller.logs.instance === (scope ~> Log.self))
                        // One that was opened on another container is nobody's business.
                        try await makeApp().visit(0) { _ in
                            #expect(controller.own.instance === app)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `has the scope in the space, for child tasks too`() async throws {
        let app = makeApp()
        try await app.visit(1) { scope in
            let log = scope ~> Log.self
            #expect(Page().log === log)
            #expect(Page().visitor?.number == 1)
            async let child = Page().log.visitor.number
            #expect(await child == 1)
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<10 { group.addTask { Page().log.visitor.number } }
                for await number in group { #expect(number == 1) }
            }
        }
    }

    @Test func `ends by closing`() async throws {
        let app = makeApp(closing: closed)
        let scope = try await app.visit(1) { scope in
            use(scope ~> Log.self)
            #expect(closed.all == [])
            return scope
        }
        #expect(closed.all == [1])
        let error = #expect(throws: ResolutionError.self) { try scope.require(Log.self) }
        #expect(error?.reason == .containerClosed)
    }

    @Test func `ends by closing where the operation throws, and its error wins`() async {
        let app = makeApp(closing: closed)
        app.register(Int.self) { 1 }.inObjectScope(.request).onClose { _ in throw NotClosed() }
        await #expect(throws: Failed.self) {
            try await app.visit(1) { scope in
                use((scope ~> Log.self, scope ~> Int.self))
                throw Failed()
            }
        }
        #expect(closed.all == [1])
        let error = await #expect(throws: CloseError.self) {
            try await app.visit(2) { scope in use(scope ~> Int.self) }
        }
        #expect(error?.failures.count == 1)
    }

    @Test func `ends by closing where the task is canceled`() async throws {
        let app = makeApp(closing: closed)
        let began = AsyncGate()
        let task = Task {
            try await app.visit(1) { scope in
                use(scope ~> Log.self)
                began.open()
                while true {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }
        await began.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(closed.all == [1])
    }

    @Test func `is over for a detached task that goes on`() async throws {
        let goOn = AsyncGate()
        let late = try await makeApp(closing: closed).visit(1) { scope in
            use(scope ~> Log.self)
            return Task.detached {
                await goOn.wait()
                return #expect(throws: ResolutionError.self) { try scope.require(Log.self) }
            }
        }
        #expect(closed.all == [1])
        goOn.open()
        #expect(await late.value?.reason == .containerClosed)
        #expect(closed.all == [1])
    }

    @Test func `lets go of a scope whose work threw an error that holds it`() async {
        struct Failure: Error { let scope: Container }
        weak var left: Container?
        do {
            try await makeApp().withScope(EveryScope.opens) { scope in
                left = scope
                throw Failure(scope: scope)
            }
        } catch {}
        #expect(left == nil)
    }

    @Test func `restores the space`() async throws {
        let app = makeApp()
        try await withSpace(\.dependenciesContainer, app) {
            try await app.visit(1) { scope in
                #expect(SpaceValues.current.dependenciesContainer === scope)
            }
            #expect(SpaceValues.current.dependenciesContainer === app)
        }
    }

    @Test @MainActor func `runs on the caller's actor`() async throws {
        let page = Page()
        try await makeApp().visit(1) { _ in
            MainActor.assertIsolated()
            withExtendedLifetime(page) {}
        }
    }

    @Test
    func `gives an object that was made inside what it asks for as long as the scope is open`()
        async throws
    {
        let app = makeApp()
        try await app.visit(1) { _ in
            let page = UncheckedSendable(value: Page())
            await Task.detached { #expect(page.value.log.visitor.number == 1) }.value
        }
    }

    @Test func `shows no one another's services, however many there are`() async throws {
        let app = makeApp(closing: closed)
        app.register(Array<Int>.self) { [Int.random(in: 0...(.max))] }.inObjectScope(.container)
        let shared = app ~> [Int].self
        let count = 10_000
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await app.visit(number) { scope in
                        let log = scope ~> Log.self
                        await Task.yield()
                        #expect(Page().log === log)
                        #expect(Page().visitor?.number == number)
                        async let inTask = Page().log
                        #expect(await inTask === log)
                        #expect((scope ~> [Int].self) == shared)
                    }
                }
                if number % 100 == 99 { try await group.waitForAll() }
            }
            try await group.waitForAll()
        }
        #expect(closed.all.sorted() == Array(0..<count))
    }
}

private struct UncheckedSendable<Value>: @unchecked Sendable {  // used by one task at a time
    let value: Value
}
