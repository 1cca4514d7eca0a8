import Depin
import Testing

private struct Failed: Error {}

/// A scope has copies of registrations: what is added to those must reach the copies too.
struct `What is added to a registration while a scope is open` {
    private let app = Container()
    private let log = EventLog<String>()

    private func decorate(_ container: Container, with mark: String) {
        container.decorate(String.self) { _, inner in "\(mark)(\(inner))" }
    }

    @Test func `is there for the next instance after a reset`() async throws {
        let entry = app.register(String.self) { "a" }.inObjectScope(.request)
        let scope = app.openScope(.request)
        #expect((scope ~> String.self) == "a")
        decorate(app, with: "x")
        decorate(app, with: "y")
        entry.initCompleted { [log] _, text in log.note("completed \(text)") }
            .onClose { [log] text in log.note("closed \(text)") }
        #expect((scope ~> String.self) == "a")
        scope.resetObjectScope(.request)
        #expect((scope ~> String.self) == "y(x(a))")
        try await scope.close()
        #expect(log.all == ["completed a", "closed a"])
    }

    @Test func `is there for the next instance after the factory has failed`() {
        let calls = CallCount()
        let entry = app.register(String.self) { _ in
            calls.add()
            if calls.count == 1 { throw Failed() }
            return "a"
        }
        .inObjectScope(.request)
        let scope = app.openScope(.request)
        #expect(throws: ResolutionError.self) { try scope.require(String.self) }
        decorate(app, with: "x")
        entry.initCompleted { [log] _, text in log.note("completed \(text)") }
        #expect((scope ~> String.self) == "x(a)")
        #expect(log.all == ["completed a"])
    }

    @Test func `is there for a child that decorates it, and for what takes arguments`() {
        app.register(String.self) { "a" }.inObjectScope(.request)
        app.register(String.self) { (_, text: String) in text }.inObjectScope(.request.perArguments)
        let child = Container(parent: app)
        decorate(child, with: "child")
        let scope = child.openScope(.request)
        #expect((scope ~> String.self) == "child(a)")
        #expect((scope ~> (String.self, argument: "b")) == "child(b)")
        decorate(app, with: "app")
        scope.resetObjectScope(.request)
        scope.resetObjectScope(.request.perArguments)
        #expect((scope ~> String.self) == "child(app(a))")
        #expect((scope ~> (String.self, argument: "b")) == "child(app(b))")
    }

    @Test func `closes what is kept for each argument apart from the scope`() async throws {
        app.register(String.self) { "a" }.inObjectScope(.request)
            .onClose { [log] text in log.note(text) }
        app.register(String.self) { (_, text: String) in text }.inObjectScope(.request.perArguments)
            .onClose { [log] text in log.note(text) }
        let scope = app.openScope(.request)
        use((scope ~> String.self, scope ~> (String.self, argument: "b")))
        try await app.close(.request.perArguments)
        #expect(log.all == [])
        try await scope.close(.request.perArguments)
        #expect(log.all == ["b"])
        #expect((scope ~> String.self) == "a")
        try await app.close(.request)
        #expect(log.all == ["b", "a"])
    }

    @Test func `is there where it is a seed`() async throws {
        let scope = app.openScope(.request)
        let seed = scope.register(String.self) { "seed" }
        #expect((scope ~> String.self) == "seed")
        decorate(scope, with: "x")
        seed.onClose { [log] text in log.note("closed \(text)") }
        scope.resetObjectScope(.request)
        #expect((scope ~> String.self) == "x(seed)")
        try await scope.close()
        #expect(log.all == ["closed seed"])
    }

    @Test func `closes a seed that was there before`() async throws {
        let scope = app.openScope(.request)
        let seed = scope.register(String.self) { "seed" }
        #expect((scope ~> String.self) == "seed")
        seed.onClose { [log] text in log.note("closed \(text)") }
        try await scope.close()
        #expect(log.all == ["closed seed"])
    }
}
