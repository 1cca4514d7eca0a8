import Depin
import Testing

private final class Disk: Sendable {}
private final class Cache: Sendable {}
private final class Page: Sendable {
    let number: Int
    let inner: Page?
    init(_ number: Int = 0, around inner: Page? = nil) {
        (self.number, self.inner) = (number, inner)
    }
}

/// Decorators meet overrides, open scopes, cycles and resets.
struct `Decorators where other features cross` {
    private let container = Container()

    @Test
    func `an override replaces a service where it is registered, though a child decorates it`() {
        container.register(Page.self) { Page(1) }.inObjectScope(.container)
        container.register([Page].self) { r in [r ~> Page.self] }.inObjectScope(.container)
        let child = Container(parent: container)
        child.decorate(Page.self) { _, inner in Page(2, around: inner) }
        withSpace(\.dependenciesContainer, child) {
            withSpace(overriding: { $0.register(Page.self) { Page(3) } }) {
                @Injected var page: Page
                #expect([page.number, page.inner?.number] == [2, 3])
                // What the parent shares has it, too, and without the child's decorator.
                @Injected var shared: [Page]
                #expect(shared.map(\.number) == [3])
            }
        }
        #expect((child ~> Page.self).inner?.number == 1)
    }

    @Test func `a child inside an open scope decorates with its own services`() {
        container.register(Page.self) { Page(1) }.inObjectScope(.request)
        container.register(Int.self) { 1 }
        let scope = container.openScope(.request)
        let child = Container(parent: scope)
        child.register(Int.self) { 2 }
        child.decorate(Page.self) { r, inner in Page(r ~> Int.self, around: inner) }
        let page = child ~> Page.self
        #expect(page.number == 2)
        #expect((child ~> Page.self) === page)
        #expect((scope ~> Page.self) === page.inner)
    }

    @Test func `a cycle through a callback decorates an instance once`() {
        let (child, count) = (Container(parent: container), CallCount())
        container.register(Page.self) { Page(1) }.inObjectScope(.container)
            .initCompleted { [weak child] _, _ in use(child.map { $0 ~> Page.self } as Any) }
        child.decorate(Page.self) { _, inner in
            count.add()
            return Page(2, around: inner)
        }
        let page = child ~> Page.self
        #expect(count.count == 1)
        #expect((child ~> Page.self) === page)
    }

    @Test(arguments: [true, false])
    func `one of a name that another follows keeps the order in which they were added`(
        _ isNamedFirst: Bool
    ) {
        let names: [String?] = isNamedFirst ? ["a", nil] : [nil, "a"]
        container.contribute(Page.self, name: "a") { Page(0) }
        for (index, name) in names.enumerated() {
            container.decorate(Page.self, name: name) { _, inner in
                Page(index + 1, around: inner)
            }
        }
        let page = (container ~> [Page].self)[0]
        #expect([page.number, page.inner?.number, page.inner?.inner?.number] == [2, 1, 0])
    }

    @Test func `a contributed instance is wrapped by those that come later`() {
        container.contribute(Page.self, name: "a", instance: Page(0))
        #expect((container ~> [Page].self)[0].number == 0)
        container.decorate(Page.self) { _, inner in Page(1, around: inner) }
        #expect((container ~> [Page].self)[0].number == 1)
    }
}

/// Closing meets storages, cycles and registering.
struct `Closing where other features cross` {
    private let container = Container()
    private let log = EventLog<String>()

    @Test func `what a storage of the user keeps closes after all that found it there`()
        async throws
    {
        container.register(Disk.self) { Disk() }.inObjectScope(EveryScope.stored.scope)
            .onClose { [log] _ in log.note("disk") }
        container.register(Cache.self) { r in
            use(r ~> Lazy<Disk>.self)
            return Cache()
        }
        .inObjectScope(.container).onClose { [log] _ in log.note("cache") }
        container.register(Page.self) { r in
            use(r ~> Cache.self)
            return Page()
        }
        .inObjectScope(.container)
        container.register(Page.self, name: "late") { r in
            let lazy = r ~> Lazy<Disk>.self
            use(lazy.instance)
            return Page()
        }
        .inObjectScope(.container).onClose { [log] _ in log.note("late") }
        use(container ~> (Page.self, name: "late"))
        use(container ~> Page.self)
        // Built first, completed last: only the need says that the disk is the last to close.
        container.register(Page.self, name: "later") { r in
            use(r ~> Disk.self)
            return Page()
        }
        .inObjectScope(.container).onClose { [log] _ in log.note("later") }
        use(container ~> (Page.self, name: "later"))
        try await container.close()
        #expect(log.all.last == "disk", "\(log.all)")
    }

    /// The disk is needed by what was asked for before it was built, through a resolver that is kept.
    @Test func `a need that a kept resolver finds in a storage orders closing`() async throws {
        let kept = EventLog<any Resolver>()
        container.register(Cache.self) { r in
            kept.note(r)
            return Cache()
        }
        .inObjectScope(.container).onClose { [log] _ in log.note("cache") }
        container.register(Disk.self) { Disk() }.inObjectScope(EveryScope.stored.scope)
            .onClose { [log] _ in log.note("disk") }
        use(container ~> Cache.self)
        use(container ~> Disk.self)
        // Without the need the one that was completed last, the disk, would close first.
        use(try #require(kept.all.first) ~> Disk.self)
        try await container.close()
        #expect(log.all == ["cache", "disk"])
    }

    @Test func `an instance is not closed whose registration was replaced during its build`()
        async throws
    {
        container.register(Disk.self) { [weak container, log] in
            container?.register(Disk.self) { Disk() }.inObjectScope(.container)
                .onClose { _ in log.note("new") }
            return Disk()
        }
        .inObjectScope(.container).onClose { [log] _ in log.note("old") }
        let old = container ~> Disk.self
        let new = container ~> Disk.self
        #expect(old !== new)
        try await container.close()
        #expect(log.all == ["new"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `closing the scopes of a name from inside one of them is told, and none closes`()
        async throws
    {
        container.register(Disk.self) { Disk() }.inObjectScope(.request)
            .onClose { [log] _ in log.note("disk") }
        container.register(
            Cache.self,
            asyncFactory: { [weak container, log] in
                do {
                    try await container?.close(.request)
                } catch let error as ResolutionError {
                    log.note("\(error.reason)")
                }
                return Cache()
            }
        )
        .inObjectScope(.request)
        let (own, other) = (container.openScope(.request), container.openScope(.request))
        use(other ~> Disk.self)
        use(try await inTime { try await own.requireAsync(Cache.self) })
        #expect(log.all == ["closedFromWithin"])
        try await container.close()
        #expect(log.all == ["closedFromWithin", "disk"])
        use((own, other))
    }

    @Test(.timeLimit(.minutes(5)))
    func `a container closes while a factory in its scope makes what it needs`() async throws {
        let (isBuilding, goOn) = (AsyncGate(), AsyncGate())
        container.register(Disk.self) { Disk() }.onClose { [log] _ in log.note("disk") }
        container.register(
            Cache.self,
            asyncFactory: { r in
                isBuilding.open()
                await goOn.wait()
                use(r ~> Disk.self)
                return Cache()
            }
        )
        .inObjectScope(.request).onClose { [log] _ in log.note("cache") }
        let scope = container.openScope(.request)
        let building = Task { try await scope.requireAsync(Cache.self) }
        await isBuilding.wait()
        let closing = Task { [container] in try await container.close() }
        goOn.open()
        use(try await inTime { try await building.value })
        try await inTime { try await closing.value }
        #expect(log.all == ["cache", "disk"])
    }

    @Test func `what an override has made inside a scope closes with the app`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.request)
            .onClose { [log] _ in log.note("disk") }
        let scope = container.openScope(.request)
        withSpace(\.dependenciesContainer, scope) {
            withSpace(overriding: { $0.register(Int.self) { 1 } }) {
                @Injected var disk: Disk
                use(disk)
            }
        }
        try await container.close()
        #expect(log.all == ["disk"])
    }

    @Test func `a reset in a decorator serves who asked, and closes what is built anew`()
        async throws
    {
        container.register(Disk.self) { Disk() }.inObjectScope(.signedIn)
            .onClose { [log] _ in log.note("disk") }
        let count = CallCount()
        container.decorate(Disk.self) { [weak container] _, inner in
            if count.add() == 1 { container?.resetObjectScope(.signedIn) }
            return inner
        }
        let (first, second) = (container ~> Disk.self, container ~> Disk.self)
        #expect(first !== second)
        try await container.close()
        #expect(log.all == ["disk"])
    }

    @Test func `a task decorates once what its own factory has reset, and nobody keeps that`()
        async throws
    {
        let (made, decorated) = (CallCount(), CallCount())
        container.register(
            Disk.self,
            asyncFactory: { [weak container] _ in
                if made.add() == 1 { container?.resetObjectScope(.signedIn) }
                return Disk()
            }
        )
        .inObjectScope(.signedIn)
        let child = Container(parent: container)
        child.decorate(Disk.self) { _, inner in
            decorated.add()
            return inner
        }
        let first = try await child.requireAsync(Disk.self)
        #expect(made.count == 1 && decorated.count == 1)
        let second = try await child.requireAsync(Disk.self)
        #expect(first !== second)
        #expect(try await child.requireAsync(Disk.self) === second)
        #expect(made.count == 2 && decorated.count == 2)
    }
}

struct `The turn of a serialized view where other features cross` {
    @Test(.timeLimit(.minutes(5)))
    func `is taken by a Provider that was resolved in a collection`() throws {
        let (container, inside, most) = (Container(), CallCount(), EventLog<Int>())
        container.contribute(Page.self) {
            most.note(inside.add())
            inside.add(-1)
            return Page()
        }
        .inObjectScope(.transient)
        let providers = container.synchronize(serializingFactories: true) ~> [Provider<Page>].self
        let threads = (0..<4).map { _ in
            Work { for _ in 0..<50 { use(providers[0].instance) } }
        }
        for thread in threads { #expect(thread.value(within: 100) != nil) }
        #expect(most.all.max() == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `is had by the open scope that a factory asks, and given back when that closes`()
        async throws
    {
        let container = Container()
        container.register(Disk.self, asyncFactory: { Disk() }).inObjectScope(.request)
        container.register(
            Cache.self,
            asyncFactory: { r in
                let scope = (r ~> Container.self).openScope(.request)
                let view = scope.synchronize(serializingFactories: true)
                use(try await view.requireAsync(Disk.self))
                try await scope.close()
                return Cache()
            }
        )
        .inObjectScope(.transient)
        let view = container.synchronize(serializingFactories: true)
        for _ in 0..<3 { use(try await inTime { try await view.requireAsync(Cache.self) }) }
    }
}
