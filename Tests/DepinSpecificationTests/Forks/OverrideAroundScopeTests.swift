import Depin
import Testing

private final class Visitor: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private final class Server: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}

private final class Audit: Sendable {
    let visitor: Visitor
    let server: Server
    init(_ visitor: Visitor, _ server: Server) { (self.visitor, self.server) = (visitor, server) }
}

/// Made at launch.
private final class Controller: Sendable {
    private let injected = Injected<Provider<Audit>>()
    private let injectedVisitor = Injected<Provider<Visitor?>>()
    var audits: Provider<Audit> { injected.wrappedValue }
    var visitors: Provider<Visitor?> { injectedVisitor.wrappedValue }
}

//  Audit (request) ──► Visitor, a seed;  Server (app)
private func makeApp() -> Container {
    let app = Container()
    app.register(Server.self) { Server("live") }.inObjectScope(.container)
    app.register(Audit.self) { r in Audit(r ~> Visitor.self, r ~> Server.self) }
        .inObjectScope(.request)
    return app
}

private func overridingServer<Result>(_ operation: () async throws -> Result) async rethrows
    -> Result
{
    try await withSpace(
        overriding: { $0.register(Server.self) { Server("fake") }.inObjectScope(.container) },
        operation: operation
    )
}

extension Container {
    fileprivate func visit<Result>(
        _ number: Int,
        _ operation: (Container) async throws -> Result
    ) async throws -> Result {
        try await withScope(
            .request,
            seeding: { $0.register(Visitor.self, instance: Visitor(number)) },
            operation: operation
        )
    }
}

/// Each runs in a process of its own, which a `Provider` that sees no scope stops.
struct `An override and an open scope` {
    /// Who opens the scope inside an override.
    enum Opener: String, CaseIterable, Codable, Sendable {
        case captured, current

        fileprivate func container(_ app: Container) -> Container {
            self == .captured ? app : SpaceValues.current.dependenciesContainer
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Opener.allCases)
    func `a Provider made before both sees the scope in an override`(_ opener: Opener) async {
        await #expect(processExitsWith: .success) { [opener] in
            let app = makeApp()
            try await withSpace(\.dependenciesContainer, app) {
                let controller = Controller()
                use(controller.audits)
                try await overridingServer {
                    try await opener.container(app).visit(1) { scope in
                        let audit = controller.audits.instance
                        expect(audit.visitor.number == 1, "another visitor")
                        expect(audit.server.name == "fake", "not the override")
                        expect(audit === (scope ~> Audit.self), "another audit")
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Opener.allCases)
    func `a Provider read first inside sees the scope in an override`(_ opener: Opener) async {
        await #expect(processExitsWith: .success) { [opener] in
            let app = makeApp()
            try await withSpace(\.dependenciesContainer, app) {
                let controller = Controller()
                try await overridingServer {
                    try await opener.container(app).visit(1) { scope in
                        let audit = controller.audits.instance
                        expect(audit.visitor.number == 1, "another visitor")
                        expect(audit === (scope ~> Audit.self), "another audit")
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a Provider asked of the container before both sees the scope`() async {
        await #expect(processExitsWith: .success) {
            let app = makeApp()
            let audits = app ~> Provider<Audit>.self
            try await withSpace(\.dependenciesContainer, app) {
                try await overridingServer {
                    try await app.visit(1) { scope in
                        expect(audits.instance.visitor.number == 1, "another visitor")
                        expect(audits.instance === (scope ~> Audit.self), "another audit")
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a Provider made before both sees the scope through an override in it`() async {
        await #expect(processExitsWith: .success) {
            let app = makeApp()
            try await withSpace(\.dependenciesContainer, app) {
                let controller = Controller()
                use(controller.audits)
                try await app.visit(1) { _ in
                    await overridingServer {
                        let audit = controller.audits.instance
                        expect(audit.visitor.number == 1, "another visitor")
                        let own = Injected<Audit>().wrappedValue
                        expect(audit === own, "another audit than a property's")
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a Provider made in the scope sees it through an override in it`() async {
        await #expect(processExitsWith: .success) {
            let app = makeApp()
            try await withSpace(\.dependenciesContainer, app) {
                try await app.visit(1) { scope in
                    let (controller, audits) = (Controller(), scope ~> Provider<Audit>.self)
                    use(controller.audits)
                    await overridingServer {
                        for provider in [controller.audits, audits] {
                            expect(provider.instance.visitor.number == 1, "another visitor")
                        }
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a Provider made in an outer override sees a scope in an inner one`() async {
        await #expect(processExitsWith: .success) {
            let app = makeApp()
            try await withSpace(\.dependenciesContainer, app) {
                try await overridingServer {
                    let controller = Controller()
                    use(controller.audits)
                    try await withSpace(overriding: { $0.register(String.self) { "inner" } }) {
                        try await app.visit(1) { scope in
                            let audit = controller.audits.instance
                            expect(audit === (scope ~> Audit.self), "another audit")
                            expect(audit.server.name == "fake", "not the override")
                        }
                    }
                }
            }
        }
    }

    /// Several requests at the same time, each with an override of its own.
    @Test(.timeLimit(.minutes(5)))
    func `a Provider made before sees each task's own scope`() async {
        await #expect(processExitsWith: .success) {
            let app = makeApp()
            try await withSpace(\.dependenciesContainer, app) {
                let controller = Controller()
                use(controller.audits)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...20 {
                        group.addTask {
                            try await overridingServer {
                                try await app.visit(number) { _ in
                                    await Task.yield()
                                    let visitor = controller.audits.instance.visitor
                                    expect(visitor.number == number, "another visitor")
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `without a scope a Provider made before sees none in an override`() async throws {
        let app = makeApp()
        try await withSpace(\.dependenciesContainer, app) {
            let controller = Controller()
            try await overridingServer {
                #expect(controller.visitors.instance == nil)
                // One that was opened on another container is nobody's business.
                try await makeApp().visit(0) { _ in
                    #expect(controller.visitors.instance == nil)
                }
            }
        }
    }

    // MARK: - What a captured container opens

    @Test(.timeLimit(.minutes(5)), arguments: Opener.allCases)
    func `a scope opened inside an override is opened on what is in force`(_ opener: Opener)
        async throws
    {
        let app = makeApp()
        try await withSpace(\.dependenciesContainer, app) {
            try await overridingServer {
                try await opener.container(app).visit(1) { scope in
                    #expect((scope ~> Audit.self).server.name == "fake")
                    #expect((scope ~> Server.self).name == "fake")
                    #expect(Injected<Audit>().wrappedValue.server.name == "fake")
                    #expect(Injected<Audit>().wrappedValue === (scope ~> Audit.self))
                }
            }
            try await app.visit(2) { scope in
                #expect((scope ~> Audit.self).server.name == "live")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `openScope and close(scope) on a captured container mean what is in force, too`()
        async throws
    {
        let app = makeApp()
        try await withSpace(\.dependenciesContainer, app) {
            try await overridingServer {
                let scope = app.openScope(.request) {
                    $0.register(Visitor.self, instance: Visitor(1))
                }
                #expect((scope ~> Audit.self).server.name == "fake")
                try await app.close(.request)
                #expect(throws: ResolutionError.self) { try scope.require(Audit.self) }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `close(scope) tells once what a closer throws where an override is inside of the scope`()
        async
    {
        struct Failed: Error {}
        let session = ObjectScope(opened: "session")
        let app = makeApp()
        app.register(Visitor.self) { Visitor(7) }.inObjectScope(session)
            .onClose { _ in throw Failed() }
        await withSpace(\.dependenciesContainer, app.openScope(session)) {
            await overridingServer {
                #expect((SpaceValues.current.dependenciesContainer ~> Visitor.self).number == 7)
                let error = await #expect(throws: CloseError.self) { try await app.close(session) }
                #expect(error?.failures.count == 1)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a nested scope opened inside an override is opened on the outer one's fork`()
        async throws
    {
        let session = ObjectScope(opened: "session")
        let app = makeApp()
        app.register(Visitor.self) { Visitor(7) }.inObjectScope(session)
        try await withSpace(\.dependenciesContainer, app) {
            try await app.withScope(session) { outer in
                try await overridingServer {
                    try await outer.withScope(.request) { inner in
                        let audit = inner ~> Audit.self
                        #expect(audit.server.name == "fake")
                        #expect(audit.visitor.number == 7)
                        #expect(audit === Injected<Audit>().wrappedValue)
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `withScope on another container leaves that alone`() async throws {
        let (app, other) = (makeApp(), makeApp())
        try await withSpace(\.dependenciesContainer, app) {
            try await overridingServer {
                try await other.visit(1) { scope in
                    #expect((scope ~> Audit.self).server.name == "live")
                }
            }
        }
    }
}
