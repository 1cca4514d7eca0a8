import Depin
import Testing

extension ObjectScope {
    fileprivate static let session = ObjectScope(opened: "session")
    static let request = ObjectScope(opened: "request")
}

private final class User: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
}

private protocol Auditing: Sendable { var user: User { get } }

private final class Audit: Auditing {
    let user: User
    init(_ user: User) { self.user = user }
}

private final class Cart: Sendable {}

private final class Handler: Sendable {
    let audit: Audit
    init(_ audit: Audit) { self.audit = audit }
}

// Handler (graph) → Audit (request) → User, a seed; Cart (session)

private func app() -> Container {
    let container = Container()
    container.register(Audit.self) { r in Audit(r ~> User.self) }
        .inObjectScope(.request)
        .implements((any Auditing).self)
    container.register(Handler.self) { r in Handler(try r.require(Audit.self)) }
    container.register(Cart.self) { Cart() }.inObjectScope(.session)
    return container
}

private struct Weak<Object: AnyObject> {
    private(set) weak var object: Object?
    init(_ object: Object) { self.object = object }
}

extension Container {
    fileprivate func request(of name: String) -> Container {
        openScope(.request) { $0.register(User.self, instance: User(name)) }
    }
}

struct `A scope that opens` {
    @Test func `has one instance of a service, and another scope has another`() {
        let app = app()
        let (ada, bob) = (app.request(of: "Ada"), app.request(of: "Bob"))
        #expect((ada ~> Audit.self) === (ada ~> Audit.self))
        #expect((ada ~> Audit.self) !== (bob ~> Audit.self))
        #expect((ada ~> Handler.self).audit === (ada ~> Audit.self))
        #expect((bob ~> Handler.self).audit.user.name == "Bob")
    }

    @Test func `gives the same instance under a type that forwards`() throws {
        let request = app().request(of: "Ada")
        let audit = try #require((request ~> (any Auditing).self) as? Audit)
        #expect(audit === (request ~> Audit.self))
    }

    @Test func `shows its seeds to nobody else`() {
        let app = app()
        let request = app.request(of: "Ada")
        #expect(request.resolve(User.self)?.name == "Ada")
        #expect(app.resolve(User.self) == nil)
        #expect(app.request(of: "Bob").resolve(User.self)?.name == "Bob")
    }

    @Test func `makes a seed that names no scope once`() {
        let request = app().openScope(.request) { $0.register(User.self) { User("Ada") } }
        #expect((request ~> User.self) === (request ~> User.self))
        #expect((request ~> Audit.self).user === (request ~> User.self))
    }

    @Test func `nests, and the nearest one that is open serves`() {
        let session = app().openScope(.session)
        let (first, second) = (session.request(of: "Ada"), session.request(of: "Bob"))
        #expect((first ~> Cart.self) === (second ~> Cart.self))
        #expect((first ~> Cart.self) === (session ~> Cart.self))
        let inner = first.request(of: "Eve")
        #expect((inner ~> Audit.self).user.name == "Eve")
        #expect((first ~> Audit.self).user.name == "Ada")
    }

    @Test func `serves a child container that is opened on it`() {
        let request = app().request(of: "Ada")
        let child = Container(parent: request)
        #expect((child ~> Audit.self) === (request ~> Audit.self))
    }

    @Test func `shares what the app shares`() {
        let app = app()
        app.register(String.self) { "config" }.inObjectScope(.container)
        app.register(Array<Int>.self) { [Int.random(in: 0...(.max))] }.inObjectScope(.container)
        let (one, other) = (app.openScope(.request), app.openScope(.session))
        #expect((one ~> [Int].self) == (other ~> [Int].self))
    }

    @Test func `builds what was registered anew since it was opened`() {
        let app = app()
        let request = app.request(of: "Ada")
        let replacement = Audit(User("replaced"))
        app.register(Audit.self) { replacement }.inObjectScope(.request)
        #expect((request ~> Audit.self) === replacement)
        app.unregister(Audit.self)
        #expect(request.resolve(Audit.self) == nil)
    }

    /// What has a scope's instance found no more.
    enum Removal: CaseIterable {
        case unregistering, registering, emptying, emptyingScope

        func callAsFunction(_ app: Container, _ scope: Container) {
            switch self {
            case .unregistering: app.unregister(Audit.self)
            case .registering: app.register(Audit.self) { Audit(User("new")) }
            case .emptying: app.removeAll()
            case .emptyingScope: scope.removeAll()
            }
        }
    }

    @Test(arguments: Removal.allCases, [true, false])
    func `neither holds nor closes what nothing finds any more`(
        _ remove: Removal,
        isInBuild: Bool
    ) async throws {
        let (app, closed) = (Container(), EventLog<String>())
        let scope = app.openScope(.request)
        weak var kept: Audit?
        app.register(Audit.self) { [unowned app, unowned scope] in
            if isInBuild { remove(app, scope) }
            return Audit(User("old"))
        }
        .inObjectScope(.request)
        .onClose { closed.note($0.user.name) }
        do {
            let audit = scope ~> Audit.self
            kept = audit
            if !isInBuild { remove(app, scope) }
        }
        #expect(kept == nil)
        try await scope.close()
        #expect(closed.all == [])
    }

    @Test func `ignores the values of arguments, as the container scope does`() {
        let app = Container()
        app.register(User.self) { (_, name: String) in User(name) }.inObjectScope(.request)
        let request = app.openScope(.request)
        #expect((request ~> (User.self, argument: "Ada")).name == "Ada")
        #expect((request ~> (User.self, argument: "Bob")).name == "Ada")
        #expect((app.openScope(.request) ~> (User.self, argument: "Bob")).name == "Bob")
    }

    @Test func `lists its seeds alone`() {
        let request = app().request(of: "Ada")
        #expect((request ~> Audit.self).user.name == "Ada")
        #expect(request.description.contains("User"))
        #expect(!request.description.contains("Audit"))
    }

    @Test func `drops its instances when it is reset, and another scope keeps its own`() {
        let app = app()
        let (ada, bob) = (app.request(of: "Ada"), app.request(of: "Bob"))
        let (first, other) = (ada ~> Audit.self, bob ~> Audit.self)
        ada.resetObjectScope(.container)
        #expect((ada ~> Audit.self) === first)
        ada.resetObjectScope(.request, serviceType: (any Auditing).self)
        #expect((ada ~> Audit.self) !== first)
        #expect((bob ~> Audit.self) === other)
    }

    @Test func `has instances of its own in a fork`() {
        let request = app().request(of: "Ada")
        let audit = request ~> Audit.self
        let fork = request.fork()
        #expect((fork ~> Audit.self) !== audit)
        #expect((fork ~> Audit.self) === (fork ~> Audit.self))
        #expect((fork ~> Audit.self).user === audit.user)
    }

    @Test func `releases what it made when nobody holds it any more`() {
        let app = app()
        func makeRequest() -> (Weak<Container>, Weak<Audit>) {
            let request = app.request(of: "Ada")
            return (Weak(request), Weak(request ~> Audit.self))
        }
        let (request, audit) = makeRequest()
        #expect(request.object == nil)
        #expect(audit.object == nil)
    }

    @Test func `builds an instance once, whoever asks`() async {
        let app = app()
        let built = CallCount()
        app.register(Cart.self) {
            built.add()
            return Cart()
        }
        .inObjectScope(.session).overriding()
        let session = app.openScope(.session)
        await withTaskGroup(of: Cart.self) { group in
            for _ in 0..<100 { group.addTask { session.openScope(.request) ~> Cart.self } }
            let first = session ~> Cart.self
            for await cart in group { #expect(cart === first) }
        }
        #expect(built.count == 1)
    }

    @Test func `is missed by its own name, also for one instance of each argument`() throws {
        let app = Container()
        app.register(String.self) { (_, text: String) in text }.inObjectScope(.request.perArguments)
        let error = #expect(throws: ResolutionError.self) {
            try app.require(String.self, argument: "a")
        }
        let message = "\(try #require(error))"
        #expect(message.contains("belongs to scope request, and no such scope is open here"))
        #expect(message.contains("open scope request around what needs"))
    }

    @Test func `is not open for the app`() throws {
        let app = app()
        let error = #expect(throws: ResolutionError.self) { try app.require(Handler.self) }
        #expect(error?.reason == .noOpenScope)
        #expect(error?.path.map { "\($0.request)" } == ["Handler"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `is missed by what the scope around it shares, as soon as it closes`() async throws {
        let (app, isClosing, goOn) = (app(), AsyncGate(), AsyncGate())
        app.register(Audit.self) { Audit(User("Ada")) }.inObjectScope(.request)
            .onClose { _ in
                isClosing.open()
                await goOn.wait()
            }
        app.register(Cart.self) { r in
            use(try r.require(Audit.self))
            return Cart()
        }
        .inObjectScope(.session)
        let session = app.openScope(.session)
        let request = session.openScope(.request)
        use(request ~> Audit.self)
        #expect(outcome { try session.require(Cart.self) } == "captive")
        let closing = Task { try await request.close() }
        await isClosing.wait()
        #expect(outcome { try session.require(Cart.self) } == "noOpenScope")
        goOn.open()
        try await closing.value
    }

    @Test func `may not be asked by what the app shares`() throws {
        let app = app()
        app.register(String.self) { r in (r ~> Audit.self).user.name }
        app.register(Int.self) { r in try r.require(Handler.self).audit.user.name.count }
            .inObjectScope(.container)
        let request = app.request(of: "Ada")
        #expect((request ~> String.self) == "Ada")
        let error = #expect(throws: ResolutionError.self) { try request.require(Int.self) }
        #expect(error?.reason == .captive)
    }

    @Test func `may not be asked by what the app shares through a captured scope either`() throws {
        let app = app()
        let request = app.request(of: "Ada")
        defer { app.removeAll() }
        app.register(Int.self) { try request.require(Audit.self).user.name.count }
            .inObjectScope(.container)
        let error = #expect(throws: ResolutionError.self) { try request.require(Int.self) }
        #expect(error?.reason == .captive)
    }

    @Test func `may be opened and asked in a factory of what the app shares`() throws {
        let app = app()
        app.register(Int.self) { r in
            let request = (r ~> Container.self).request(of: "Ada")
            return try request.require(Audit.self).user.name.count
        }
        .inObjectScope(.container)
        #expect(try app.require(Int.self) == 3)
    }

    @Test func `stops the program where the scope is none that opens`() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = Container().openScope(.container)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Depin: scope container cannot be opened"))
    }
}
