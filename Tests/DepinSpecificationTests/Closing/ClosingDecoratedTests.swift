import Depin
import Testing

private protocol Vault: AnyObject, Sendable {
    var name: String { get }
}

private final class Disk: Vault {
    let name = "disk"
}

private final class Wrapped: Vault {
    let inner: any Vault
    let name = "wrapped"
    init(_ inner: any Vault) { self.inner = inner }
}

private final class Log: Sendable {}

private struct Plan: Sendable {
    let vault: any Vault
}

struct `Closing a decorated instance` {
    private let container = Container()
    private let closed = EventLog<String>()

    enum Kept: CaseIterable {
        case transient, graph, container, weak, stored, request, pinned

        var scope: ObjectScope? {
            switch self {
            case .transient: .transient
            case .graph: .graph
            case .container: .container
            case .weak: .weak
            case .stored: ObjectScope(storageFactory: PermanentStorage.init)
            case .request: .request
            case .pinned: nil
            }
        }
    }

    private func register(_ kept: Kept) -> ServiceEntry<any Vault> {
        let entry =
            kept == .pinned
            ? container.register((any Vault).self, instance: Disk())
            : container.register((any Vault).self) { Disk() }
        if let scope = kept.scope { entry.inObjectScope(scope) }
        return entry
    }

    private func decorate(_ container: Container) {
        container.decorate((any Vault).self) { _, inner in Wrapped(inner) }
    }

    @Test(arguments: Kept.allCases, [true, false])
    func `gives the closer once what the factory made`(_ kept: Kept, _ isEarly: Bool) async throws {
        if isEarly { decorate(container) }
        let entry = register(kept).onClose { [closed] in closed.note($0.name) }
        if !isEarly { decorate(container) }
        let scope = container.openScope(.request)
        let vault = scope ~> (any Vault).self
        #expect(vault.name == "wrapped")
        withExtendedLifetime(entry) {}
        try await container.close()
        #expect(closed.all == ["disk"])
        withExtendedLifetime((vault, scope)) {}
    }

    @Test func `closes before it what wraps it for a child, or for another type`() async throws {
        register(.container).onClose { [closed] in closed.note($0.name) }
            .implements(AnyObject.self)
        container.decorate(AnyObject.self) { _, _ in Log() }
        let child = Container(parent: container)
        child.decorate((any Vault).self) { r, inner in
            use(r ~> Log.self)
            return Wrapped(inner)
        }
        child.register(Log.self) { Log() }.inObjectScope(.container)
            .onClose { [closed] _ in closed.note("log") }
        #expect((child ~> (any Vault).self).name == "wrapped")
        #expect((container ~> AnyObject.self) is Log)
        try await container.close()
        #expect(closed.all == ["log", "disk"])
    }

    @Test(arguments: [Kept.container, .pinned])
    func `closes after it what its decorators use`(_ kept: Kept) async throws {
        register(kept).onClose { [closed] in closed.note($0.name) }
        container.register(Log.self) { Log() }.inObjectScope(.container)
            .onClose { [closed] _ in closed.note("log") }
        container.decorate((any Vault).self) { r, inner in
            use(r ~> Log.self)
            return Wrapped(inner)
        }
        use(container ~> (any Vault).self)
        try await container.close()
        #expect(closed.all == ["disk", "log"])
    }

    @Test(arguments: [ObjectScope.transient, .graph, .container, .weak], [true, false])
    func `closes after it what its decorators use for a name, or for another type`(
        scope: ObjectScope,
        isForAnyName: Bool
    ) async throws {
        if isForAnyName {
            container.register((any Vault).self, anyName: { _, _ in Disk() })
                .inObjectScope(scope)
                .onClose { [closed] in closed.note($0.name) }
        } else {
            container.register(Disk.self, name: "a") { Disk() }
                .inObjectScope(scope)
                .implements((any Vault).self, name: "a")
                .onClose { [closed] in closed.note($0.name) }
        }
        container.register(Log.self) { Log() }.inObjectScope(.container)
            .onClose { [closed] _ in closed.note("log") }
        container.decorate((any Vault).self, name: isForAnyName ? nil : "a") { r, inner in
            use(r ~> Log.self)
            return Wrapped(inner)
        }
        container.register(Plan.self) { r in Plan(vault: r ~> ((any Vault).self, name: "a")) }
            .inObjectScope(.container)
            .onClose { [closed] _ in closed.note("plan") }
        use(container ~> Plan.self)
        try await container.close()
        #expect(closed.all == ["plan", "disk", "log"])
    }

    @Test func `closes after it what a decorator for any name awaits`() async throws {
        container.register((any Vault).self, anyName: { _, _ in Disk() })
            .inObjectScope(.container)
            .onClose { [closed] in closed.note($0.name) }
        container.register(Log.self) { () async in Log() }.inObjectScope(.container)
            .onClose { [closed] _ in closed.note("log") }
        container.decorate((any Vault).self) { r, inner async throws in
            use(try await r.requireAsync(Log.self))
            return Wrapped(inner)
        }
        use(try await container.requireAsync((any Vault).self, name: "a"))
        try await container.close()
        #expect(closed.all == ["disk", "log"])
    }

    @Test func `closes before it what has requested it bare`() async throws {
        register(.pinned).onClose { [closed] in closed.note($0.name) }
        container.register(Log.self) { r in
            use(r ~> (any Vault).self)
            return Log()
        }
        .inObjectScope(.container)
        .onClose { [closed] _ in closed.note("log") }
        use(container ~> Log.self)
        for _ in 1...2 {
            decorate(container)
            #expect((container ~> (any Vault).self).name == "wrapped")
        }
        try await container.close()
        #expect(closed.all == ["log", "disk"])
    }

    @Test func `closes first what is around it as a service of its own`() async throws {
        container.register((any Vault).self, name: "bare") { Disk() }.inObjectScope(.container)
            .onClose { [closed] in closed.note($0.name) }
        container.register((any Vault).self) { r in Wrapped(r ~> ((any Vault).self, name: "bare")) }
            .inObjectScope(.container)
            .onClose { [closed] in closed.note($0.name) }
        use(container ~> (any Vault).self)
        try await container.close()
        #expect(closed.all == ["wrapped", "disk"])
    }

    @Test(arguments: [true, false])
    func `closes what was registered as an instance, and never requested`(_ isEarly: Bool)
        async throws
    {
        if isEarly { decorate(container) }
        register(.pinned).onClose { [closed] in closed.note($0.name) }
        if !isEarly { decorate(container) }
        try await container.close()
        #expect(closed.all == ["disk"])
    }

    @Test(arguments: [true, false])
    func `leaves an instance that a fork shares to the original`(_ isDecorated: Bool) async throws {
        if isDecorated { decorate(container) }
        register(.pinned).onClose { [closed] in closed.note($0.name) }
        let fork = container.fork()
        use(fork ~> (any Vault).self)
        try await fork.close()
        #expect(closed.all == [])
        try await container.close()
        #expect(closed.all == ["disk"])
    }
}

struct `A closer that comes after the instance` {
    private let container = Container()
    private let closed = EventLog<Int>()

    @Test func `reaches open scopes`() async throws {
        let entry = container.register([Int].self) { r in [r ~> Int.self] }.inObjectScope(.request)
        let scopes = (1...2).map { number in
            Container(parent: container)
                .openScope(.request) { $0.register(Int.self, instance: number) }
        }
        for scope in scopes { use(scope ~> [Int].self) }
        entry.onClose { [closed] in closed.note($0[0]) }
        for scope in scopes { try await scope.close() }
        #expect(closed.all == [1, 2])
    }

    @Test(arguments: [ObjectScope.container.perArguments, ObjectScope.request.perArguments])
    func `reaches the instances for each argument`(_ scope: ObjectScope) async throws {
        let entry = container.register([Int].self) { (_, number: Int) in [number] }
            .inObjectScope(scope)
        let open = container.openScope(.request)
        for number in 1...3 { use(open ~> ([Int].self, argument: number)) }
        entry.onClose { [closed] in closed.note($0[0]) }
        try await container.close()
        #expect(closed.all == [3, 2, 1])
        withExtendedLifetime(open) {}
    }

    @Test func `reaches what a storage keeps`() async throws {
        let stored = ObjectScope(storageFactory: PermanentStorage.init)
        let one = container.register([Int].self) { [1] }.inObjectScope(stored)
        let some = container.register([Int].self) { (_, number: Int) in [number] }
            .inObjectScope(stored.perArguments)
        use(container ~> [Int].self)
        for number in 2...3 { use(container ~> ([Int].self, argument: number)) }
        for entry in [one, some] { entry.onClose { [closed] in closed.note($0[0]) } }
        try await container.close()
        #expect(closed.all.sorted() == [1, 2, 3])
    }

    /// What finds the registration.
    enum Finding: CaseIterable { case own, asDefault, furtherType }

    @Test(arguments: Finding.allCases, [true, false])
    func `reaches what a fork makes`(by finding: Finding, isBuiltBefore: Bool) async throws {
        let entry = container.register([Int].self) { [1] }.inObjectScope(.container)
            .implements(Any.self)
        switch finding {
        case .own: break
        case .asDefault: entry.asDefault()
        case .furtherType: container.unregister([Int].self)
        }
        let fork = container.fork()
        if isBuiltBefore { use(fork ~> Any.self) }
        entry.onClose { [closed] in closed.note($0[0]) }
        use(fork ~> Any.self)
        try await fork.close()
        #expect(closed.all == [1])
    }
}
