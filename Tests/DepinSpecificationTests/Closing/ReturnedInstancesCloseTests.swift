import Depin
import DepinInspection
import Testing

private protocol Vault: AnyObject, Sendable {}

private final class Disk: Vault {
    let number: Int
    init(_ number: Int = 0) { self.number = number }
}

private final class Wrapped: Vault {
    let inner: any Vault
    init(_ inner: any Vault) { self.inner = inner }
}

private final class Screen: @unchecked Sendable {  // one thread
    let vault: any Vault
    var other: Screen?
    init(_ vault: any Vault) { self.vault = vault }
}

/// Keeps the resolver that it was made with.
private final class Kit: Sendable {
    let resolver: any Resolver
    init(_ resolver: any Resolver) { self.resolver = resolver }
}

private struct Broken: Error {}

/// Every instance that a factory has returned closes once, also where nobody keeps it.
struct `Closing what a factory has returned and nobody keeps` {
    private let container = Container()
    private let made = CallCount()
    private let closed = EventLog<Int>()

    /// Numbers the instances that a factory makes.
    private func register(_ kept: EveryScope, takesTime: Bool = false) {
        let entry: ServiceEntry<any Vault>
        if takesTime {
            entry = container.register(
                (any Vault).self,
                asyncFactory: { [made] in
                    await Task.yield()
                    return Disk(made.add())
                }
            )
        } else {
            entry = container.register((any Vault).self) { [made] in Disk(made.add()) }
        }
        entry.inObjectScope(kept.scope)
            .onClose { [closed] in closed.note(($0 as? Disk)?.number ?? 0) }
    }

    /// All that were made are closed, each once.
    private func expectAllClosed(_ count: Int, line: Int = #line) {
        let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        #expect(made.count == count, sourceLocation: place)
        #expect(closed.all.sorted() == Array(1...made.count), sourceLocation: place)
    }

    // MARK: - A decorator that throws

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where a decorator throws`(_ kept: EveryScope) async throws {
        register(kept)
        container.decorate((any Vault).self) { _, _ in throw Broken() }
        let place = kept.place(in: container)
        #expect(outcome { try place.require((any Vault).self) } == "factoryFailed")
        try await container.close()
        expectAllClosed(1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `where a decorator throws around what was registered as an instance`() async throws {
        container.register((any Vault).self, instance: Disk(made.add()))
            .onClose { [closed] in closed.note(($0 as? Disk)?.number ?? 0) }
        container.decorate((any Vault).self) { _, _ in throw Broken() }
        for _ in 1...2 {
            #expect(outcome { try container.require((any Vault).self) } == "factoryFailed")
        }
        try await container.close()
        expectAllClosed(1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where a decorator throws around what takes time`(_ kept: EveryScope) async throws {
        register(kept, takesTime: true)
        container.decorate((any Vault).self) { _, _ in throw Broken() }
        let place = kept.place(in: container)
        let came = await asyncOutcome { try await place.requireAsync((any Vault).self) }
        #expect(came == "factoryFailed")
        try await container.close()
        expectAllClosed(1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases, [false, true])
    func `where a decorator throws at first, and not later`(
        _ kept: EveryScope,
        _ takesTime: Bool
    ) async throws {
        register(kept, takesTime: takesTime)
        let calls = CallCount()
        container.decorate((any Vault).self) { _, inner in
            if calls.add() < 3 { throw Broken() }
            return Wrapped(inner)
        }
        let place = kept.place(in: container)
        var vault: (any Vault)?
        for _ in 1...3 { vault = try? await place.requireAsync((any Vault).self) }
        #expect(vault is Wrapped)
        try await container.close()
        expectAllClosed(3)
        withExtendedLifetime(vault) {}
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where the second of two decorators throws`(_ kept: EveryScope) async throws {
        register(kept)
        container.decorate((any Vault).self) { _, inner in Wrapped(inner) }
        container.decorate((any Vault).self) { _, _ in throw Broken() }
        let place = kept.place(in: container)
        #expect(outcome { try place.require((any Vault).self) } == "factoryFailed")
        try await container.close()
        expectAllClosed(1)
    }

    /// The parent keeps what the child's decorator refuses, unless it holds it weakly.
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases.filter { $0 != .weak })
    func `where a child's decorator throws`(_ kept: EveryScope) async throws {
        register(kept)
        let child = Container(parent: kept.place(in: container))
        child.decorate((any Vault).self) { _, _ in throw Broken() }
        #expect(outcome { try child.require((any Vault).self) } == "factoryFailed")
        try await container.close()
        expectAllClosed(1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `where a decorator throws for one of the arguments`(_ isWeak: Bool) async throws {
        let scope: ObjectScope = isWeak ? .weak.perArguments : .container.perArguments
        container.register((any Vault).self) { [made] (_: any Resolver, _: Int) in
            Disk(made.add())
        }
        .inObjectScope(scope)
        .onClose { [closed] in closed.note(($0 as? Disk)?.number ?? 0) }
        container.decorate((any Vault).self) { _, inner in
            if (inner as? Disk)?.number == 1 { throw Broken() }
            return inner
        }
        var held: [any Vault] = []
        for number in 1...2 {
            if let vault = try? container.require((any Vault).self, argument: number) {
                held.append(vault)
            }
        }
        #expect(held.count == 1)
        try await container.close()
        expectAllClosed(2)
        withExtendedLifetime(held) {}
    }

    // MARK: - A second instance

    @Test(.timeLimit(.minutes(5)))
    func `where two tasks of one graph have made one each`() async throws {
        let (bothBuild, entered) = (AsyncGate(), CallCount())
        container.register(
            (any Vault).self,
            asyncFactory: { [made] in
                if entered.add() == 2 { bothBuild.open() }
                await bothBuild.wait()
                return Disk(made.add())
            }
        )
        .inObjectScope(.graph)
        .onClose { [closed] in closed.note(($0 as? Disk)?.number ?? 0) }
        container.register(
            [any Vault].self,
            asyncFactory: { r in
                async let first = r.requireAsync((any Vault).self)
                async let second = r.requireAsync((any Vault).self)
                return try await [first, second]
            }
        )
        let vaults = try await inTime { [container] in
            try await container.requireAsync([any Vault].self)
        }
        #expect(vaults[0] === vaults[1])
        try await container.close()
        expectAllClosed(2)
    }

    //  Screen ──► Vault,  Vault's callback ──► Screen
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.shared + [.graph])
    func `where a legal cycle has made a second one`(_ kept: EveryScope) async throws {
        container.register(Screen.self) { [made] r in
            made.add()
            return Screen(r ~> (any Vault).self)
        }
        .inObjectScope(kept.scope)
        .onClose { [closed] _ in closed.note(closed.all.count + 1) }
        container.register((any Vault).self) { Disk() }.inObjectScope(kept.scope)
            .initCompleted { r, _ in use(r ~> Screen.self) }
        let place = kept.place(in: container)
        let screen = try place.require(Screen.self)
        try await container.close()
        expectAllClosed(2)
        withExtendedLifetime(screen) {}
    }

    // MARK: - Forks

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where a fork of the container has made it`(_ kept: EveryScope) async throws {
        register(kept)
        let fork = container.fork()
        let place = kept.place(in: fork)
        let vault = place ~> (any Vault).self
        try await container.close()
        expectAllClosed(1)
        #expect(outcome { try place.require((any Vault).self) } == "containerClosed")
        withExtendedLifetime((vault, fork)) {}
    }

    @Test(.timeLimit(.minutes(5)))
    func `once, where the fork was closed before its container`() async throws {
        register(.container)
        let fork = container.fork()
        use(fork ~> (any Vault).self)
        try await fork.close()
        #expect(closed.all == [1])
        try await container.close()
        expectAllClosed(1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where an override around a request has made it inside the scope`(_ kept: EveryScope)
        async throws
    {
        register(kept)
        let scope = kept == .opened ? kept.scope : ObjectScope.request
        try await withSpace(\.dependenciesContainer, container) {
            try await container.withScope(scope) { _ in
                withSpace(overriding: { $0.register(String.self) { "fake" } }) {
                    use(Injected<any Vault>().wrappedValue)
                }
            }
            // What the app's scopes keep ends with the app.
            if kept == .opened || EveryScope.unshared.contains(kept) {
                #expect(closed.all == [1])
            }
        }
        try await container.close()
        if kept != .weak { expectAllClosed(1) }
    }

    @Test(.timeLimit(.minutes(5)))
    func `where an override inside a scope has made it with a replaced registration`()
        async throws
    {
        try await withSpace(\.dependenciesContainer, container) {
            try await container.withScope(.request) { _ in
                withSpace(
                    overriding: { [made, closed] fork in
                        fork.register((any Vault).self) { Disk(made.add()) }
                            .inObjectScope(.request)
                            .onClose { closed.note(($0 as? Disk)?.number ?? 0) }
                    },
                    operation: { use(Injected<any Vault>().wrappedValue) }
                )
            }
        }
        expectAllClosed(1)
    }

    // MARK: - Validation

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where a validation has made it`(_ kept: EveryScope) throws {
        register(kept)
        try container.validate(.init(open: [EveryScope.opens]))
        expectAllClosed(1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases, [false, true])
    func `where an asynchronous validation has made it`(
        _ kept: EveryScope,
        _ takesTime: Bool
    ) async throws {
        register(kept, takesTime: takesTime)
        try await container.validateAsync(.init(open: [EveryScope.opens]))
        expectAllClosed(1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `where a validation has made it that finds problems`() async throws {
        register(.container)
        container.register(Screen.self) { r in
            use(try r.require((any Vault).self))
            return Screen(try r.require(Disk.self))
        }
        #expect(throws: ValidationError.self) { try container.validate() }
        expectAllClosed(1)
        await #expect(throws: ValidationError.self) { try await container.validateAsync() }
        expectAllClosed(2)
    }

    /// A product has kept its resolver, which goes on giving instances, as a task that it has started would need.
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where a validation has made it, whose fork holds nothing that is made later`(
        _ kept: EveryScope
    ) async throws {
        let (kits, works) = (Population(), EventLog<@Sendable () -> Void>())
        container.register(Kit.self) { [kits] r in
            let kit = Kit(r)
            kits.add(kit)
            return kit
        }
        .inObjectScope(kept.scope)
        .onClose { [closed] _ in closed.note(0) }
        container.register(Screen.self) { r in
            works.note { _ = try? r.require(Kit.self) }
            return Screen(Disk())
        }
        .inObjectScope(kept.scope)
        try container.validate(.init(open: [EveryScope.opens]))
        #expect(closed.all == [0] && kits.alive == 0)
        for work in works.takeAll() { work() }
        #expect(kits.total == 2 && kits.alive == 0)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where a decorator throws around what the product of a validation asks for later`(
        _ kept: EveryScope
    ) async throws {
        let (kits, works) = (Population(), EventLog<@Sendable () -> Void>())
        let (hasClosed, isOver) = (AsyncGate(), CallCount())
        container.register(Kit.self) { [kits] r in
            let kit = Kit(r)
            kits.add(kit)
            return kit
        }
        .inObjectScope(kept.scope)
        .onClose { _ in if isOver.count > 0 { hasClosed.open() } }
        container.decorate(Kit.self) { _, inner in
            if isOver.count > 0 { throw Broken() }
            return inner
        }
        container.register(Screen.self) { r in
            works.note { #expect(throws: ResolutionError.self) { try r.require(Kit.self) } }
            return Screen(Disk())
        }
        .inObjectScope(kept.scope)
        try container.validate(.init(open: [EveryScope.opens]))
        isOver.add()
        for work in works.takeAll() { work() }
        try await inTime { await hasClosed.wait() }
        #expect(kits.total == 2)
    }

    // MARK: - Requests that fail later

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where who asked for it fails later`(_ kept: EveryScope) async throws {
        register(kept)
        container.register(Screen.self) { r in
            use(try r.require((any Vault).self))
            throw Broken()
        }
        let place = kept.place(in: container)
        let vault: (any Vault)? = kept == .weak ? place ~> (any Vault).self : nil
        #expect(outcome { try place.require(Screen.self) } == "factoryFailed")
        try await container.close()
        expectAllClosed(1)
        withExtendedLifetime(vault) {}
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `where it is not what the request was forwarded for`(_ kept: EveryScope) async throws {
        let entry = container.register((any Vault).self) { [made] in Disk(made.add()) }
            .inObjectScope(kept.scope)
            .onClose { [closed] in closed.note(($0 as? Disk)?.number ?? 0) }
        container.forward(Wrapped.self, to: entry)
        #expect(outcome { try container.require(Wrapped.self) } == "forwardMismatch")
        try await container.close()
        expectAllClosed(1)
    }
}
