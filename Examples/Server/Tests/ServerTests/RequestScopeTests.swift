import Depin
import Foundation
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Lists
import Logging
import Testing
import Web

@testable import Server

struct RequestScopeTests {
    @Test func `each answer has the user and the id that its services saw`() async throws {
        try await running { client, _ in
            let visitors = [
                try await Visitor("Ada", at: client), try await Visitor("Bob", at: client),
                try await Visitor("Cleo", at: client),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...300 {
                    let visitor = visitors[number % visitors.count]
                    group.addTask {
                        let answer = try await visitor.send(.get, "/me", id: "request-\(number)")
                        #expect(answer.headers[.requestID] == "request-\(number)")
                        #expect(answer.headers[.user] == visitor.account.user.id.uuidString)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `a request without a good id gets one of its own`() async throws {
        try await running { client, _ in
            let ada = try await Visitor("Ada", at: client)
            let ids = [
                try await ada.send(.get, "/me"), try await ada.send(.get, "/me"),
                try await ada.send(.get, "/me", id: String(repeating: "long", count: 20)),
            ]
            .map { $0.headers[.requestID] ?? "" }
            #expect(Set(ids).count == 3)
            #expect(ids.allSatisfy { (1...64).contains($0.count) })
        }
    }

    @Test(arguments: ["throws", "answers"])
    func `a request that fails writes nothing`(how: String) async throws {
        try await running([FailingAssembly()]) { client, _ in
            let ada = try await Visitor("Ada", at: client)
            #expect(try await ada.send(.post, "/\(how)").status == .conflict)
            #expect(try await ada.get([TodoList].self, "/lists").isEmpty)
        }
    }

    @Test func `a streamed response holds its scope until the last byte`() async throws {
        let log = InMemoryLogHandler()
        let stream = Streamed()
        let logger = Logger(label: "test") { _ in log }
        try await running([StreamingAssembly(stream: stream)], logger: logger) { client, _ in
            let ada = try await Visitor("Ada", at: client)
            async let answer = ada.send(.get, "/stream")
            await stream.firstLineIsSent()
            #expect(!stream.isClosed)
            stream.finish()
            #expect(String(buffer: try await answer.body) == "first\nlast\n")
            await stream.closed()
        }
        #expect(!log.entries.contains { $0.level == .critical })
    }

    @Test func `a scope with changes that nobody commits is an error that is logged`() async throws
    {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        try await running([FailingAssembly()], logger: logger) { client, _ in
            let ada = try await Visitor("Ada", at: client)
            #expect(try await ada.send(.post, "/late").status == .ok)
        }
        let messages = log.entries.filter { $0.level == .critical }.map(\.message.description)
        #expect(messages.contains("changes were neither committed nor rolled back"))
        #expect(messages.contains("the request did not end in order"))
    }

    @Test func `the logger of a request says whose it is`() async throws {
        let log = InMemoryLogHandler()
        try await running(logger: Logger(label: "test") { _ in log }) { client, _ in
            let ada = try await Visitor("Ada", at: client)
            let answer = try await ada.send(.post, "/lists", #"{"title":"x"}"#, id: "mine")
            #expect(answer.status == .created)
            let entry = try #require(log.entries.first { $0.message == "list created" })
            #expect(entry.metadata["request"] == "mine")
            #expect(entry.metadata["user"] == "\(ada.account.user.id)")
        }
    }
}

/// Routes that change something and then go wrong.
private struct FailingAssembly: Assembly {
    func assemble(container: Container) {
        container.contribute((any RouteModule).self) { FailingController() }
    }
}

private struct FailingController: RouteModule {
    @Injected private var services: Provider<any ListService>

    func addRoutes(to routes: Routes) {
        routes.users.post("throws") { _, _ -> Response in
            _ = try await services.instance.create(title: "lost")
            throw HTTPError(.conflict)
        }
        routes.users.post("answers") { _, _ in
            _ = try await services.instance.create(title: "lost")
            return Response(status: .conflict)
        }
        // The body is sent after the commit.
        routes.users.post("late") { _, _ in
            let lists = services.instance
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    _ = try await lists.create(title: "late")
                    try await writer.finish(nil)
                }
            )
        }
    }
}

/// A route whose response waits for the test in the middle, and a service that notes its end.
private struct StreamingAssembly: Assembly {
    let stream: Streamed

    func assemble(container: Container) {
        let stream = stream
        container.register(Ended.self) { Ended() }
            .inObjectScope(.request)
            .onClose { _ in stream.close() }
        container.contribute((any RouteModule).self) { StreamingController(stream: stream) }
    }
}

private final class Ended: Sendable {}

private struct StreamingController: RouteModule {
    @Injected private var ended: Provider<Ended>
    let stream: Streamed

    func addRoutes(to routes: Routes) {
        routes.users.get("stream") { [self] _, _ in
            _ = ended.instance
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "first\n"))
                    await stream.waitForTheTest()
                    try await writer.write(ByteBuffer(string: "last\n"))
                    try await writer.finish(nil)
                }
            )
        }
    }
}

/// What happens to a streamed response, and when.
private final class Streamed: Sendable {
    private let first = Gate()
    private let rest = Gate()
    private let end = Gate()

    var isClosed: Bool { end.isOpen }
    func firstLineIsSent() async { await first.opened() }
    func finish() { rest.open() }
    func close() { end.open() }
    func closed() async { await end.opened() }

    func waitForTheTest() async {
        first.open()
        await rest.opened()
    }
}
