import Depin
import Testing

/// A service that says so when it is closed, and may ask for others later.
private class Part: @unchecked Sendable {  // set once, in its factory
    var held: [Any] = []
    class var name: String { "" }
    init(_ held: Any...) { self.held = held }
}
private final class A: Part, @unchecked Sendable {
    override class var name: String { "A" }
}
private final class B: Part, @unchecked Sendable {
    override class var name: String { "B" }
}
private final class C: Part, @unchecked Sendable {
    override class var name: String { "C" }
}
/// Not kept by any scope.
private final class Loose: Part, @unchecked Sendable {}

extension Container {
    /// Registers a singleton whose closing is noted.
    @discardableResult
    fileprivate func singleton<Service: Part>(
        _ type: Service.Type,
        _ log: EventLog<String>,
        _ make: @escaping @Sendable (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(type, factory: make).inObjectScope(.container)
            .onClose { _ in log.note(type.name) }
    }
}

struct `Closing in the order of needs` {
    private let container = Container()
    private let log = EventLog<String>()

    @Test func `closes what was needed after what needed it`() async throws {
        container.singleton(A.self, log) { r in A(r ~> B.self) }
        container.singleton(B.self, log) { _ in B() }
        use(container ~> A.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `closes what was built last first, where nothing is known`() async throws {
        container.singleton(A.self, log) { _ in A() }
        container.singleton(B.self, log) { _ in B() }
        container.singleton(C.self, log) { _ in C() }
        use((container ~> B.self, container ~> C.self, container ~> A.self))
        try await container.close()
        #expect(log.all == ["A", "C", "B"])
    }

    @Test func `knows what a Lazy gave`() async throws {
        container.singleton(A.self, log) { r in A(r ~> Lazy<B>.self) }
        container.singleton(B.self, log) { _ in B() }
        let a = container ~> A.self
        use((a.held.first as? Lazy<B>)?.instance as Any)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    /// The two that have a Lazy are in one graph, and the first of them to read it makes the instance.
    @Test func `knows what a Lazy found that another one had made`() async throws {
        func register<Service: Part>(
            _ type: Service.Type,
            _ make: @escaping @Sendable (any Resolver) -> Service
        ) {
            container.register(type, factory: make).onClose { [log] _ in log.note(type.name) }
        }
        register(A.self) { r in A(r ~> Lazy<C>.self) }
        register(B.self) { r in B(r ~> Lazy<C>.self, r ~> A.self) }
        register(C.self) { _ in C() }
        let b = container ~> B.self
        let a = try #require(b.held[1] as? A)
        let lazies = try [b, a].map { try #require($0.held[0] as? Lazy<C>) }
        #expect(lazies[0].instance === lazies[1].instance)
        try await container.close()
        #expect(log.all == ["B", "A", "C"])
    }

    @Test func `knows what a Lazy gave whose factory has tried something in vain`() async throws {
        struct Failed: Error {}
        container.register(Loose.self) { throw Failed() }.inObjectScope(.transient)
        container.singleton(A.self, log) { r in A(r ~> Lazy<B>.self) }
        container.singleton(B.self, log) { r in B((try? r.require(Loose.self)) as Any) }
        let a = container ~> A.self
        use((a.held.first as? Lazy<B>)?.instance as Any)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `knows what a captured container had ready for a callback`() async throws {
        container.singleton(A.self, log) { _ in A() }
            .initCompleted { [container] _, _ in
                // Made for nobody.
                use(onThread { container ~> B.self } as Any)
                use(container ~> B.self)
            }
        container.singleton(B.self, log) { _ in B() }
        use(container ~> A.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `knows what a Provider gave`() async throws {
        container.singleton(A.self, log) { r in A(r ~> Provider<B>.self) }
        container.singleton(B.self, log) { _ in B() }
        let a = container ~> A.self
        use((a.held.first as? Provider<B>)?.instance as Any)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test(arguments: ["Provider", "ServiceFactory", "requireAsync", "Scoped"])
    func `knows what came through an open scope`(_ way: String) async throws {
        container.singleton(A.self, log) { r in
            A(r ~> Provider<B>.self, r ~> ServiceFactory<B>.self, r ~> Scoped<Loose>.self)
        }
        container.singleton(B.self, log) { _ in B() }
        container.register(Loose.self) { r in Loose(r ~> B.self) }.inObjectScope(.request)
        let held = (container ~> A.self).held
        let provider = try #require(held[0] as? Provider<B>)
        let factory = try #require(held[1] as? ServiceFactory<B>)
        let scoped = try #require(held[2] as? Scoped<Loose>)
        try await container.withScope(.request) { _ in
            switch way {
            case "Provider": use(provider.instance)
            case "ServiceFactory": use(factory())
            case "requireAsync": use(try await factory.requireAsync())
            default: break
            }
        }
        if way == "Scoped" { try await scoped.use { use($0) } }
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `knows what the resolver gave that a factory kept`() async throws {
        container.singleton(A.self, log) { r in A(r) }
        container.singleton(B.self, log) { _ in B() }
        let resolver = try #require((container ~> A.self).held.first as? any Resolver)
        use(resolver ~> B.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `knows what was ready when it was asked for`() async throws {
        container.singleton(A.self, log) { r in A(r) }
        container.singleton(B.self, log) { _ in B() }
        let resolver = try #require((container ~> A.self).held.first as? any Resolver)
        use((container ~> B.self, container ~> B.self))
        use(resolver ~> B.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `knows what was needed by way of what no scope keeps`() async throws {
        container.singleton(A.self, log) { r in A(r ~> Loose.self) }
        container.register(Loose.self) { r in Loose(r ~> Lazy<B>.self) }
            .inObjectScope(.transient)
        container.singleton(B.self, log) { _ in B() }
        let loose = (container ~> A.self).held.first as? Loose
        use((loose?.held.first as? Lazy<B>)?.instance as Any)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `knows what an instance of the graph needed that was there already`() async throws {
        // C asks for Loose, which needs B, and then for A, which finds Loose in the graph.
        container.singleton(A.self, log) { r in A(r ~> Loose.self) }
        container.register(Loose.self) { r in Loose(r) }
        container.singleton(B.self, log) { _ in B() }
        container.register(C.self) { r in C(r ~> Loose.self, r ~> A.self) }
        let c = container ~> C.self
        let loose = try #require(c.held.first as? Loose)
        let resolver = try #require(loose.held.first as? any Resolver)
        use(resolver ~> B.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `knows the same of what takes time`() async throws {
        container.register(A.self, asyncFactory: { r in A(try await r.requireAsync(Loose.self)) })
            .inObjectScope(.container).onClose { [log] _ in log.note("A") }
        container.register(Loose.self, asyncFactory: { r in Loose(r) })
        container.singleton(B.self, log) { _ in B() }
        container.register(
            C.self,
            asyncFactory: { r in
                let loose = try await r.requireAsync(Loose.self)
                return C(loose, try await r.requireAsync(A.self))
            }
        )
        let c = try await container.requireAsync(C.self)
        let loose = try #require(c.held.first as? Loose)
        let resolver = try #require(loose.held.first as? any Resolver)
        use(resolver ~> B.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `knows needs by way of what has no closer`() async throws {
        container.singleton(A.self, log) { r in A(r ~> Lazy<C>.self) }
        container.register(C.self) { r in C(r ~> B.self) }.inObjectScope(.container)
        container.singleton(B.self, log) { _ in B() }
        use(((container ~> A.self).held.first as? Lazy<C>)?.instance as Any)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test(arguments: [false, true])
    func `knows needs by way of what an open scope built before all that it closes`(
        isForked: Bool
    ) async throws {
        let scope = ObjectScope(opened: "part")
        container.register(B.self) { r in B(r) }.inObjectScope(scope)
        container.singleton(A.self, log) { r in A(r ~> B.self) }.inObjectScope(scope)
        container.singleton(C.self, log) { _ in C() }.inObjectScope(scope)
        let home = isForked ? container.fork() : container
        try await closeWhatAsksLater(home.openScope(scope))
    }

    @Test(arguments: [false, true])
    func `closes what a fork has left in that order, though closers suspend`(
        _ isBetween: Bool
    ) async throws {
        container.register(A.self) { r in isBetween ? A(r ~> Loose.self) : A(r ~> B.self) }
            .inObjectScope(.container)
            .onClose { [log] _ in
                await letOthersRun()
                log.note("A")
            }
        container.register(Loose.self) { r in Loose(r ~> B.self) }
        container.register(B.self) { B() }.inObjectScope(.container)
            .onClose { [log] _ in
                await Task.yield()
                log.note("B")
            }
        use(container.fork() ~> A.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test(arguments: [false, true])
    func `closes what an override has made in a scope before what it needs of a kept fork`(
        isForkOfFork: Bool
    ) async throws {
        let scope = ObjectScope(opened: "part")
        let kept = EventLog<Container>()
        container.register(A.self) { r in A(r ~> B.self) }.inObjectScope(scope)
            .onClose { [log] _ in
                await letOthersRun()
                log.note("A")
            }
        container.singleton(B.self, log) { r in
            // A scope keeps the app's fork, but not that of the other scope.
            kept.note((r ~> Container.self).openScope(scope))
            return B()
        }
        let opened = (isForkOfFork ? container.fork() : container).openScope(scope)
        withSpace(\.dependenciesContainer, opened) {
            withSpace(overriding: { _ in }, operation: { use(Injected<A>().wrappedValue) })
        }
        try await container.close()
        #expect(log.all == ["A", "B"])
        withExtendedLifetime((kept, opened)) {}
    }

    @Test func `knows needs by way of what a child built before all that it closes`()
        async throws
    {
        container.register(A.self) { r in A(r ~> B.self) }.onClose { [log] _ in log.note("A") }
        container.register(C.self) { _ in C() }.onClose { [log] _ in log.note("C") }
        let child = Container(parent: container)
        child.register(B.self) { r in B(r) }.inObjectScope(.container)
        try await closeWhatAsksLater(child)
    }

    /// B, which A needs, asks for C when it has long been built.
    private func closeWhatAsksLater(_ container: Container) async throws {
        let resolver = try #require((container ~> B.self).held.first as? any Resolver)
        use((container ~> A.self, resolver ~> C.self))
        try await container.close()
        #expect(log.all == ["A", "C"])
    }

    /// Those that nobody shares are closed where they are built, which is known to close something.
    @Test func `knows needs by way of what was built before what types forward to`() async throws {
        container.singleton(Loose.self, log) { _ in Loose() }
        let other = Container()
        let a = other.singleton(A.self, log) { r in A(r ~> B.self) }.inObjectScope(.graph)
        let c = other.singleton(C.self, log) { _ in C() }.inObjectScope(.graph)
        let child = Container(parent: container)
        container.forward(A.self, to: a)
        container.forward(C.self, to: c)
        child.register(B.self) { r in B(r) }.inObjectScope(.container)
        try await closeWhatAsksLater(child)
    }

    @Test func `builds and closes what is shared in its own container, whoever forwards to it`()
        async throws
    {
        let other = Container()
        let a = other.singleton(A.self, log) { r in A(r ~> B.self) }
        other.singleton(B.self, log) { _ in B() }
        container.forward((any Sendable).self, to: a)
        use(container ~> (any Sendable).self)
        try await container.close()
        #expect(log.all == [])
        try await other.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `waits for a closer that takes time before it closes what was needed`() async throws
    {
        container.register(A.self) { r in A(r ~> B.self) }.inObjectScope(.container)
            .onClose { [log] _ in
                for _ in 0..<20 { await Task.yield() }
                log.note("A")
            }
        container.register(B.self) { B() }.inObjectScope(.container)
            .onClose { [log] _ in
                await Task.yield()
                log.note("B")
            }
        use(container ~> A.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test(arguments: [true, false])
    func `closes what a factory used after it, though a callback led back`(
        beginsWithUser: Bool
    ) async throws {
        container.singleton(A.self, log) { r in A(r ~> B.self) }
        container.singleton(B.self, log) { _ in B() }
            .initCompleted { r, b in b.held.append(r ~> A.self) }
        let parts = (beginsWithUser ? nil : container ~> B.self, container ~> A.self)
        try await container.close()
        // The second A of the circle, which nobody keeps, closes too.
        #expect(log.all == (beginsWithUser ? ["A", "A", "B"] : ["A", "B"]))
        parts.1.held = []
    }

    @Test func `closes what a weak scope keeps, while it lives`() async throws {
        container.singleton(A.self, log) { r in A(r ~> B.self) }.inObjectScope(.weak)
        container.singleton(B.self, log) { _ in B() }.inObjectScope(.weak)
        container.singleton(C.self, log) { _ in C() }.inObjectScope(.weak)
        let a = container ~> A.self
        use(container ~> C.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
        withExtendedLifetime(a) {}
    }

    @Test func `closes what a storage of one's own keeps`() async throws {
        let scope = ObjectScope(storageFactory: PermanentStorage.init)
        container.singleton(A.self, log) { _ in A() }.inObjectScope(scope)
        use(container ~> A.self)
        try await container.close()
        #expect(log.all == ["A"])
    }

    @Test func `closes what no scope keeps, where it has a closer`() async throws {
        container.register(A.self) { r in A(r ~> B.self) }.onClose { [log] _ in log.note("A") }
        container.singleton(B.self, log) { _ in B() }
        use((container ~> A.self, container ~> A.self))
        try await container.close()
        #expect(log.all == ["A", "A", "B"])
    }

    @Test func `closes an instance that was registered, where it has a closer`() async throws {
        container.register(B.self, instance: B()).onClose { [log] _ in log.note("B") }
        container.register(C.self, instance: C())
        container.singleton(A.self, log) { r in A(r ~> B.self, r ~> C.self) }
        use(container ~> A.self)
        try await container.close()
        #expect(log.all == ["A", "B"])
    }

    @Test func `closes once what forwards`() async throws {
        container.singleton(A.self, log) { _ in A() }.implements(Part.self)
        use((container ~> Part.self, container ~> A.self))
        try await container.close()
        #expect(log.all == ["A"])
    }

    @Test func `builds nothing to close it`() async throws {
        container.singleton(A.self, log) { [log] _ in
            log.note("built")
            return A()
        }
        try await container.close()
        #expect(log.all == [])
    }

    @Test func `runs the closers of one registration, the last one first`() async throws {
        container.singleton(A.self, log) { _ in A() }
            .onClose { [log] _ in
                await Task.yield()
                log.note("second")
            }
            .onClose { [log] _ in log.note("third") }
        use(container ~> A.self)
        try await container.close()
        #expect(log.all == ["third", "second", "A"])
    }

    @Test func `closes what was built before anyone said how`() async throws {
        let entry = container.register(A.self) { _ in A() }.inObjectScope(.container)
        use(container ~> A.self)
        entry.onClose { [log] _ in log.note("A") }
        try await container.close()
        #expect(log.all == ["A"])
    }

    @Test func `closes nothing that was dropped before`() async throws {
        container.singleton(A.self, log) { _ in A() }
        container.singleton(B.self, log) { _ in B() }
        container.singleton(C.self, log) { _ in C() }
        use((container ~> A.self, container ~> B.self, container ~> C.self))
        container.resetObjectScope(.container, serviceType: A.self)
        container.unregister(B.self)
        container.register(C.self) { _ in C() }
        try await container.close()
        #expect(log.all == [])
    }

    @Test func `closes the new one after a reset`() async throws {
        container.singleton(A.self, log) { r in A(r ~> Lazy<B>.self) }
        container.singleton(B.self, log) { _ in B() }
        let old = (container ~> A.self).held.first as? Lazy<B>
        container.resetObjectScope(.container, serviceType: A.self)
        use(container ~> A.self)
        use(old?.instance as Any)
        try await container.close()
        // The new A has not asked for B.
        #expect(log.all == ["B", "A"])
    }
}
