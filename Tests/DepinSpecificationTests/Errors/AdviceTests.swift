import Depin
import Testing

// Not private, because messages find conformances by names.
protocol AdvisedTalker: Sendable {}
private final class Obj: AdvisedTalker {}
private final class Wrapped: AdvisedTalker {
    init(_ inner: any AdvisedTalker) {}
}
private struct Room: Sendable {}

/// What a message advises can be done, and was not done already.
struct `The advice of an error` {
    private let container = Container()

    private func text(_ attempt: () throws -> some Any) -> String {
        do {
            use(try attempt())
            return "nothing is wrong"
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Time

    /// Warming up the app's container would do nothing for it.
    @Test func `what takes time is made ready when its scope opens`() async throws {
        container.register(Room.self, asyncFactory: { Room() }).inObjectScope(EveryScope.opens)
            .eager()
        let scope = container.openScope(EveryScope.opens)
        let advice = text { try scope.require(Room.self) }
        #expect(advice.contains("`try await scope.warmUp()` when its scope opens"), "\(advice)")
        try await scope.warmUp()
        #expect(text { try scope.require(Room.self) } == "nothing is wrong")
    }

    /// In the scope of a graph, marking it would change nothing.
    @Test func `what takes time is made ready in a scope that keeps it`() async throws {
        let entry = container.register(Room.self, asyncFactory: { Room() }).eager()
        try await container.warmUp()
        let advice = text { try container.require(Room.self) }
        #expect(advice.contains("keep it in a scope, mark"), "\(advice)")
        entry.inObjectScope(.container)
        try await container.warmUp()
        #expect(text { try container.require(Room.self) } == "nothing is wrong")
    }

    @Test func `what takes time is awaited through the factory that was called`() async throws {
        container.register(Room.self, asyncFactory: { (_: any Resolver, _: Int) in Room() })
        let rooms = try container.require(ServiceFactory<Room, Int>.self)
        let advice = text { try rooms.require(7) }
        #expect(
            advice.contains("call the factory with `try await factory.requireAsync(…)`"),
            "\(advice)"
        )
        use(try await rooms.requireAsync(7))
        let other = text { try container.require(Room.self, argument: 7) }
        #expect(other.contains("inject a ServiceFactory<Room, Int>"), "\(other)")
    }

    @Test func `what takes time is awaited through a factory instead of a Provider`() async throws {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Room.self, asyncFactory: { Room() })
            use((container ~> Provider<Room>.self).instance)
        }
        let advice = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            advice.contains("or inject a ServiceFactory<Room>"),
            "\(advice)"
        )
        container.register(Room.self, asyncFactory: { Room() })
        use(try await (container ~> ServiceFactory<Room>.self).requireAsync())
    }

    @Test func `what an initializer takes is awaited by a task`() async throws {
        container.register(Obj.self, asyncFactory: { Obj() }).inObjectScope(.container)
        container.autoregister(Wrapped.self) { (inner: Obj) in Wrapped(inner) }
        let advice = text { try container.require(Wrapped.self) }
        #expect(
            advice.contains("request Wrapped with `try await resolver.requireAsync(…)`"),
            "\(advice)"
        )
        use(try await container.requireAsync(Wrapped.self))
    }

    // MARK: - Cycles

    /// It wraps nothing, so neither a decorator nor another name would help.
    @Test func `a contribution takes its own collection later`() {
        container.contribute(Obj.self, name: "first") { r in
            use(try r.require([Obj].self))
            return Obj()
        }
        let advice = text { try container.require([Obj].self) }
        #expect(advice.contains("take one of them in `initCompleted`, as a `Lazy`"), "\(advice)")
        container.unregister(Obj.self, name: "first")
        container.contribute(Obj.self) { r in
            use(try r.require(Lazy<[Obj]>.self))
            return Obj()
        }
        #expect(text { try container.require([Obj].self) } == "nothing is wrong")
    }

    // MARK: - Scopes

    @Test func `a shared instance keeps what gives a service for arguments, not the resolver`()
        async throws
    {
        final class Keeper: Sendable {
            let resolver: any Resolver
            let rooms: ServiceFactory<Room, Int>
            init(_ r: any Resolver) throws {
                (resolver, rooms) = (r, try r.require(ServiceFactory<Room, Int>.self))
            }
        }
        container.register(Room.self) { (_: any Resolver, _: Int) in Room() }
            .inObjectScope(EveryScope.opens)
        container.register(Keeper.self) { r in try Keeper(r) }.inObjectScope(.container)
        try await container.withScope(EveryScope.opens) { scope in
            let keeper = try scope.require(Keeper.self)
            let advice = text { try keeper.resolver.require(Room.self, argument: 7) }
            #expect(advice.contains("fix: keep a ServiceFactory<Room, Int> instead"), "\(advice)")
            use(try keeper.rooms.require(7))
        }
    }

    @Test func `a singleton's methods take the collection of what is contributed in a scope`() {
        container.contribute(Room.self) { Room() }.inObjectScope(EveryScope.opens)
        container.register(Obj.self) { r in
            use(try r.require([Room].self))
            return Obj()
        }
        .inObjectScope(.container)
        let scope = container.openScope(EveryScope.opens)
        let advice = text { try scope.require(Obj.self) }
        #expect(advice.hasSuffix("have the methods of Obj take [Room] as an argument"), "\(advice)")
    }

    /// What the app says of a session's instance, and of a request's inside of that.
    @Test(arguments: [false, true])
    func `a session's instance cannot have a request's, whether that is in force or not`(
        _ isInForce: Bool
    ) async throws {
        let (session, request) = (ObjectScope(opened: "session"), ObjectScope(opened: "request"))
        container.register(Obj.self) { Obj() }.inObjectScope(request)
        container.register(Wrapped.self) { r in Wrapped(try r.require(Obj.self)) }
            .inObjectScope(session)
        let outer = container.openScope(session)
        let advice =
            isInForce
            ? try await outer.withScope(request) { inner in text { try inner.require(Wrapped.self) }
            }
            : text { try outer.openScope(request).require(Wrapped.self) }
        #expect(advice.contains("would keep Obj, of scope request"), "\(advice)")
    }

    @Test func `a scope that is not open inside another one may belong there`() {
        let (session, request) = (ObjectScope(opened: "session"), ObjectScope(opened: "request"))
        container.register(Obj.self) { Obj() }.inObjectScope(request)
        let advice = text { try container.openScope(session).require(Obj.self) }
        #expect(advice.contains("fix: open scope request inside scope session"), "\(advice)")
        let inner = container.openScope(session).openScope(request)
        #expect(text { try inner.require(Obj.self) } == "nothing is wrong")
    }

    @Test func `a seed that has a name is registered under it`() {
        container.register(Wrapped.self) { r in Wrapped(try r.require(Obj.self, name: "u")) }
        let scope = container.openScope(EveryScope.opens)
        let advice = text { try scope.require(Wrapped.self) }
        #expect(advice.contains("$0.register(Obj.self, name: \"u\", …)"), "\(advice)")
        #expect(advice.contains("register it, or apply the assembly that does"), "\(advice)")
    }

    // MARK: - What is meant

    @Test func `what makes the request is not what it means`() {
        container.register(Wrapped.self) { r in Wrapped(try r.require((any AdvisedTalker).self)) }
        let advice = text { try container.require(Wrapped.self) }
        #expect(!advice.contains("implements"), "\(advice)")
        #expect(advice.contains("fix: register it"), "\(advice)")
    }

    @Test func `a registration for any name does not answer without one under a further type`() {
        container.register(Obj.self, anyName: { _, _ in Obj() })
        let advice = text { try container.require((any AdvisedTalker).self) }
        #expect(!advice.contains("implements"), "\(advice)")
    }

    @Test func `what is contributed is no fix for another type, or for arguments`() {
        container.contribute(Room.self) { Room() }
        #expect(text { try container.require(Room.self) }.contains("contributes"))
        #expect(!text { try container.require(Obj.self) }.contains("contributes"))
        #expect(!text { try container.require(Room.self, argument: 7) }.contains("contributes"))
    }

    @Test func `nothing is offered of a container that was closed`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let (app, closed) = (Container(), Container())
            closed.register(Obj.self) { Obj() }
            let property = withSpace(\.dependenciesContainer, app) { Injected<Obj>() }
            try await closed.close()
            withSpace(\.dependenciesContainer, closed) { use(property.wrappedValue) }
        }
        let advice = try Golden.trap(in: result)
        #expect(advice.contains("nothing at all is registered here"), "\(advice)")
        #expect(!advice.contains("created outside"), "\(advice)")
    }

    @Test func `a decorator that cannot wait becomes asynchronous`() async throws {
        container.register(Room.self, asyncFactory: { Room() })
        container.register(Obj.self) { Obj() }
        container.decorate(Obj.self) { r, inner in
            use(try r.require(Room.self))
            return inner
        }
        let advice = text { try container.require(Obj.self) }
        #expect(advice.contains("decorate Obj with an `asyncDecorator:`"), "\(advice)")
    }

    @Test func `a circle of one wraps what is registered elsewhere`() {
        container.register((any AdvisedTalker).self) { Obj() }
        let child = Container(parent: container)
        child.register((any AdvisedTalker).self) { r in
            Wrapped(try r.require((any AdvisedTalker).self))
        }
        let advice = text { try child.require((any AdvisedTalker).self) }
        #expect(advice.contains("use `decorate`"), "\(advice)")
        let other = Container(parent: container)
        other.decorate((any AdvisedTalker).self) { _, inner in Wrapped(inner) }
        #expect(text { try other.require((any AdvisedTalker).self) } == "nothing is wrong")
    }

    // MARK: - Arguments

    @Test(arguments: [false, true])
    func `for any Hashable is AnyHashable`(_ isComposed: Bool) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [isComposed] in
            let container = Container()
            if isComposed {
                container.register(Room.self) { (_: any Resolver, _: any Hashable & Sendable) in
                    Room()
                }
                .inObjectScope(.weak.perArguments)
            } else {
                container.register(Room.self) { (_: any Resolver, _: any Hashable) in Room() }
                    .inObjectScope(.container.perArguments)
            }
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("cannot be shared for each value"), "\(message)")
        #expect(message.contains("AnyHashable"), "\(message)")
        #expect(!message.contains("Hashable Hashable"), "\(message)")
        #expect(!message.contains("Hashable is not Hashable"), "\(message)")
    }

    @Test func `of AnyHashable is not needed`() throws {
        container.register(Room.self) { (_: any Resolver, _: AnyHashable) in Room() }
            .inObjectScope(.container.perArguments)
        use(try container.require(Room.self, argument: AnyHashable(1)))
    }

    // MARK: - Decorators

    @Test(arguments: [ObjectScope.transient, .graph, .container])
    func `for a decorator that asks for its own service is its inner`(_ scope: ObjectScope) {
        container.register((any AdvisedTalker).self) { Obj() }.inObjectScope(scope)
        container.decorate((any AdvisedTalker).self) { r, _ in
            Wrapped(try r.require((any AdvisedTalker).self))
        }
        let text = text { try container.require((any AdvisedTalker).self) }
        #expect(text.contains("inner"), "\(text)")
        #expect(!text.contains("initCompleted"), "\(text)")
    }

    @Test func `for a decorator of what takes time is its inner, too`() async {
        container.register((any AdvisedTalker).self, asyncFactory: { Obj() })
            .inObjectScope(.container)
        container.decorate((any AdvisedTalker).self) { r, _ in
            Wrapped(try r.require((any AdvisedTalker).self))
        }
        do {
            use(try await container.requireAsync((any AdvisedTalker).self))
            Issue.record("nothing is wrong")
        } catch {
            #expect("\(error)".contains("inner"), "\(error)")
        }
    }

    @Test(arguments: [false, true])
    func `is not needed for a child's decorator of what takes time`(isForwarded: Bool) async throws
    {
        let entry = container.register(Obj.self, asyncFactory: { Obj() }).inObjectScope(.transient)
        container.forward((any AdvisedTalker).self, to: entry)
        let child = Container(parent: container)
        if isForwarded {
            child.decorate((any AdvisedTalker).self) { _, inner in Wrapped(inner) }
            #expect(try await child.requireAsync((any AdvisedTalker).self) is Wrapped)
            let lazy = try child.require(AsyncLazy<any AdvisedTalker>.self)
            #expect(try await lazy.value is Wrapped)
        } else {
            child.decorate(Obj.self) { _, _ in Obj() }
            use(try await child.requireAsync(Obj.self))
        }
    }

    // MARK: - English

    @Test func `says an Obj`() {
        let place = outcomeTexts()
        for text in place {
            #expect(!text.contains(" a Obj"), "\(text)")
            #expect(!text.contains("is no Obj"), "\(text)")
        }
    }

    /// Messages that name a type with an article.
    private func outcomeTexts() -> [String] {
        var all: [String] = []
        let entry = container.register((any AdvisedTalker).self) { Wrapped(Obj()) }
        container.forward(Obj.self, to: entry)
        all.append(text { try container.require(Obj.self) })
        let other = Container()
        other.register(Obj.self) { Obj() }
        all.append(text { try other.require((any AdvisedTalker).self) })
        all.append(text { try other.require(Obj.self, argument: 1) })
        let child = Container(parent: other)
        all.append(text { try child.require(Obj.self, name: "a") })
        let instance = Container()
        instance.register(Obj.self, instance: Obj())
        all.append(text { try instance.require((any AdvisedTalker).self) })
        return all
    }
}
