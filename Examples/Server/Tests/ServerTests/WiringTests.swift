import Depin
import DepinTesting
import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting
import Lists
import Logging
import Testing

@testable import Server

struct WiringTests {
    @Test func `everything that is needed is registered`() throws {
        try app.validate(
            .init(
                open: [.request],
                // What the middleware seeds.
                providing: [Caller.self, UnitOfWork.self],
                injected: InjectedProperty.ofThisProgram(modules: ["Server"])
            )
        )
    }

    @Test func `the README draws what depends on what`() async throws {
        let report = try await withFolder { folder in
            let app = AppAssembly(configuration: .inFolder(folder), logger: .silent)
            let database = try DatabasePool(path: folder.appending(path: "work").path)
            let work = UnitOfWork(database: database, logger: .silent)
            return try await withSpace(\.dependenciesAssembler, Assembler([app])) {
                // Everything is built, the databases too.
                try await SpaceValues.current.dependenciesContainer.validateAsync(
                    .init(open: [.request])
                ) {
                    let caller = Caller(user: User(name: "Ada"), requestID: "1")
                    $0.register(Caller.self, instance: caller)
                    $0.register(UnitOfWork.self, instance: work)
                }
            }
        }
        let drawn = "```mermaid\n\(report.graph.mermaid)```\n"
        let readme = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../README.md").standardizedFileURL
        let text = try String(contentsOf: readme, encoding: .utf8)
        #expect(text.contains(drawn), "The README should have this:\n\(drawn)")
    }

    @Test func `a controller that keeps a request's service is told what to do`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try await running([MistakenAssembly()]) { client, _ in
                let ada = try await Visitor("Ada", at: client)
                _ = try await ada.send(.get, "/mistaken")
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("created outside the scope that is open here"), "\(message)")
        #expect(message.contains("WiringTests.swift"), "\(message)")
    }

    /// No database is opened for it.
    private var app: Assembler {
        let configuration = Configuration(database: "/nowhere/lists.sqlite")
        return Assembler([AppAssembly(configuration: configuration, logger: .silent)])
    }
}

/// A route that reads a service of the request through a property of what was made at launch.
private struct MistakenAssembly: Assembly {
    func assemble(container: Container) {
        container.contribute((any RouteModule).self) { MistakenController() }
    }
}

private struct MistakenController: RouteModule {
    @Injected private var lists: any ListService

    func addRoutes(to routes: Routes) {
        routes.users.get("mistaken") { _, _ in
            try await lists.lists().first?.title ?? ""
        }
    }
}
