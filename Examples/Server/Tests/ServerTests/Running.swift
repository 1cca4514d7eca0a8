import Depin
import Foundation
import Hummingbird
import HummingbirdTesting
import Lists
import Logging
import Testing

@testable import Server

/// Runs a test against a server of its own, with a database of its own.
///
/// The test's assemblies come on top of the server's, or in the place of some of them.
func running(
    _ assemblies: [any Assembly] = [],
    logger: Logger = .silent,
    test: @escaping @Sendable (any TestClientProtocol, Container) async throws -> Void
) async throws {
    try await withFolder { folder in
        let app = AppAssembly(configuration: .inFolder(folder), logger: logger)
        let assembler = Assembler([app] + assemblies)
        try await withSpace(\.dependenciesAssembler, assembler) {
            let container = SpaceValues.current.dependenciesContainer
            let server = try await makeServer(of: container)
            try await server.test(.ahc()) { client in try await test(client, container) }
        }
    }
}

/// Makes a folder that is removed at the end.
func withFolder<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

extension Configuration {
    static func inFolder(_ folder: URL) -> Configuration {
        Configuration(database: folder.appending(path: "lists.sqlite").path)
    }
}

extension Logger {
    static let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
}

/// A user who sends requests.
struct Visitor: Sendable {
    let client: any TestClientProtocol
    let account: Account

    /// Registers a new user.
    init(_ name: String, at client: any TestClientProtocol) async throws {
        self.client = client
        account = try await client.execute(
            uri: "/users",
            method: .post,
            body: ByteBuffer(string: #"{"name":"\#(name)"}"#)
        ) { try Visitor.decode(Account.self, from: $0) }
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        id: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.authorization: "Bearer \(account.token)"]
        headers[.requestID] = id
        return try await client.execute(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        )
    }

    func get<Content: Decodable>(_ type: Content.Type, _ path: String) async throws -> Content {
        try Visitor.decode(type, from: try await send(.get, path))
    }

    func post<Content: Decodable>(
        _ type: Content.Type,
        _ path: String,
        title: String
    ) async throws -> Content {
        try Visitor.decode(type, from: try await send(.post, path, #"{"title":"\#(title)"}"#))
    }

    private static func decode<Content: Decodable>(
        _ type: Content.Type,
        from response: TestResponse
    ) throws -> Content {
        #expect(response.status.kind == .successful)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: response.body)
    }
}
