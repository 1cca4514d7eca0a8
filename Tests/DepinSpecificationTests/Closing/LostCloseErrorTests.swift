import Depin
import Testing

private final class Audit: Sendable {}
private final class Cart: Sendable {}

private struct Failed: Error, Equatable, CustomStringConvertible {
    var description = "no room"
}

private final class Listener: ResolutionObserver {
    let errors = EventLog<CloseError>()

    func observe(_ event: ResolutionEvent) {
        guard event.outcome == .failedToClose else { return }
        if let error = event.error as? CloseError { errors.note(error) }
    }
}

/// An app whose requests have two services that do not close, and a cause to close them.
private func makeApp() -> Container {
    let app = Container()
    app.register(Audit.self) { Audit() }.inObjectScope(.request)
        .onClose { _ in throw Failed(description: "no\nroom") }
    app.register(Cart.self, name: "big") { Cart() }.inObjectScope(.request)
        .onClose { @MainActor _ in throw Failed(description: "full") }
    return app
}

extension Container {
    /// What comes of an operation that fails, in a scope whose closers fail.
    fileprivate func fail() async throws {
        try await withScope(.request) { scope in
            use((scope ~> Audit.self, scope ~> (Cart.self, name: "big")))
            throw Failed()
        }
    }
}

/// The lines that a process of its own writes of itself.
private func lines(_ result: ExitTest.Result?) throws -> String {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("Depin: ") }
        .joined(separator: "\n")
}

struct `No error of a closer is lost where the operation has failed` {
    @Test func `and observers of the app hear of it`() async throws {
        let (app, listener) = (makeApp(), Listener())
        app.addObserver(listener)
        let error = await #expect(throws: Failed.self) { try await app.fail() }
        #expect(error == Failed())
        let heard = try #require(listener.errors.all.first)
        #expect(
            heard.failures.map { "\($0.request)" }.sorted() == [#"Audit"#, #"Cart named "big""#]
        )
        #expect(listener.errors.all.count == 1)
    }

    @Test func `and observers of the scope, once`() async throws {
        let (app, listener) = (makeApp(), Listener())
        let error = await #expect(throws: Failed.self) {
            try await app.withScope(.request) { scope in
                scope.addObserver(listener)
                use(scope ~> Audit.self)
                throw Failed()
            }
        }
        #expect(error == Failed())
        #expect(listener.errors.all.map(\.failures.count) == [1])
    }

    @Test func `and a trace prints it`() async throws {
        let (app, printed) = (makeApp(), EventLog<String>())
        app.addObserver(ResolutionTrace { printed.note($0) })
        await #expect(throws: Failed.self) { try await app.fail() }
        #expect(printed.all.contains { $0.hasPrefix("2 closers failed:") })
    }

    @Test func `and standard error shows a line for each where nobody listens`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            try? await makeApp().fail()
        }
        try Golden("closers that failed after the operation").check(lines(result))
    }

    @Test func `and standard error shows why a container could not close at all`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let assembler = Assembler()
            assembler.container.register(
                Audit.self,
                asyncFactory: { [assembler] in
                    try await assembler.run { _ in throw Failed() }
                    return Audit()
                }
            )
            _ = try? await assembler.container.requireAsync(Audit.self)
            assembler.container.removeAll()
        }
        #expect(try lines(result).contains("close() was called at"))
    }

    @Test func `and who stopped listening hears nothing`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let (app, listener) = (makeApp(), Listener())
            app.addObserver(listener).end()
            try? await app.fail()
            precondition(listener.errors.all.isEmpty)
        }
        #expect(try lines(result).contains("a closer failed: Audit"))
    }

    @Test func `and nothing is told twice where the operation has not`() async throws {
        let (app, listener) = (makeApp(), Listener())
        app.addObserver(listener)
        await #expect(throws: CloseError.self) {
            try await app.withScope(.request) { scope in use(scope ~> Audit.self) }
        }
        #expect(listener.errors.all.isEmpty)
    }

    @Test func `and neither of what was made for a canceled task`() async throws {
        let (app, listener) = (Container(), Listener())
        app.addObserver(listener)
        app.registerCanceling()
        let task = Task { try await app.requireAsync(Audit.self) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(listener.errors.all.map(\.failures.count) == [1])
    }

    @Test func `and of what a parent made for it, those of the child that asked hear`() async throws
    {
        let (app, listener) = (Container(), Listener())
        app.registerCanceling()
        let child = Container(parent: app)
        child.addObserver(listener)
        let task = Task { try await child.requireAsync(Audit.self) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(listener.errors.all.map(\.failures.count) == [1])
    }
}

extension Container {
    /// Registers a service whose factory cancels the task that it runs in, and which does not close.
    fileprivate func registerCanceling() {
        register(
            Audit.self,
            asyncFactory: { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return Audit()
            }
        )
        .inObjectScope(.container).onClose { _ in throw Failed() }
    }
}
