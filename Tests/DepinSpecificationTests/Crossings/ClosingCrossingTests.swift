import Depin
import Synchronization
import Testing

private final class Disk: Sendable {
    let number: Int
    init(_ number: Int = 1) { self.number = number }
}
private final class Cache: Sendable {
    let disk = Mutex<Lazy<Disk>?>(nil)
}
private final class Page: Sendable {
    let inner: Disk
    init(_ inner: Disk) { self.inner = inner }
}
/// Keeps the resolver that it was made with.
private final class Kit: Sendable {
    let resolver: any Resolver
    init(_ resolver: any Resolver) { self.resolver = resolver }
}

struct `Closing where forks, resets and cancellations cross it` {
    private let container = Container()
    private let log = EventLog<String>()

    /// A fork that goes leaves to its original what is to be closed; what its scope holds weakly must stay weak.
    @Test func `a weak instance of a fork that has gone is held by nobody`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.weak)
            .onClose { [log] _ in log.note("disk") }
        func forked() -> Disk { container.fork() ~> Disk.self }
        weak var seen: Disk?
        do {
            let disk = forked()
            seen = disk
            #expect(seen === disk)
        }
        #expect(seen == nil)
        try await container.close()
        #expect(log.all == [])
    }

    enum Removal: CaseIterable { case unregister, register }

    /// A further type goes on to find what its own type finds no more.
    @Test(arguments: Removal.allCases, [true, false])
    func `an instance closes as long as a further type finds it`(
        _ removal: Removal,
        isBuiltBefore: Bool
    ) async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .implements(AnyObject.self)
            .onClose { [log] _ in log.note("disk") }
        if isBuiltBefore { use(container ~> Disk.self) }
        switch removal {
        case .unregister: container.unregister(Disk.self)
        case .register: container.register(Disk.self) { Disk() }
        }
        use(container ~> AnyObject.self)
        try await container.close()
        #expect(log.all == ["disk"])
    }

    @Test func `an instance does not close that its last type finds no more`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .implements(AnyObject.self)
            .onClose { [log] _ in log.note("disk") }
        use(container ~> Disk.self)
        container.unregister(Disk.self)
        container.register(AnyObject.self) { Cache() }
        try await container.close()
        #expect(log.all == [])
    }

    /// What it needed leads back to who asks for the next one, which must not seem a circle.
    @Test func `a weak instance that has gone is needed by nobody`() async throws {
        let made = CallCount()
        container.register(Cache.self) { Cache() }.inObjectScope(.container)
            .initCompleted { r, cache in
                let disk = r ~> Lazy<Disk>.self
                cache.disk.withLock { $0 = disk }
            }
        container.register(Kit.self) { r in
            use(r ~> Cache.self)
            return Kit(r)
        }
        .inObjectScope(.transient)
        .onClose { [log] _ in log.note("kit") }
        container.register(Disk.self) { Disk(made.add()) }.inObjectScope(.weak)
            .initCompleted { r, disk in
                if disk.number == 1 { use(r ~> Kit.self) }
                use(r ~> Cache.self)
            }
            .onClose { [log] disk in log.note("disk \(disk.number)") }
        use(container ~> Disk.self)
        let cache = container ~> Cache.self
        use(cache.disk.withLock { $0?.instance } as Any)
        try await container.close()
        #expect(log.all == ["kit", "disk 2"])
        cache.disk.withLock { $0 = nil }
    }

    /// A stale build of before a reset must not make stale what somebody else asked for after it.
    @Test(.timeLimit(.minutes(5)))
    func `what is asked for after a reset is shared, though a build of before it ends meanwhile`()
        async throws
    {
        let (made, decorated) = (CallCount(), CallCount())
        let begun = [AsyncGate(), AsyncGate()]
        let goOn = [AsyncGate(), AsyncGate()]
        container.register(
            Disk.self,
            asyncFactory: { _ in
                let number = made.add()
                if number <= 2 {
                    begun[number - 1].open()
                    await goOn[number - 1].wait()
                }
                return Disk(number)
            }
        )
        .inObjectScope(.signedIn)
        let child = Container(parent: container)
        child.decorate(Disk.self) { _, inner in
            decorated.add()
            return Disk(10 * inner.number)
        }
        let before = Task { try await child.requireAsync(Disk.self) }
        await begun[0].wait()
        container.resetObjectScope(.signedIn)
        let after = Task { try await child.requireAsync(Disk.self) }
        await begun[1].wait()
        goOn[0].open()
        #expect(try await before.value.number == 10)
        goOn[1].open()
        let kept = try await after.value
        #expect(kept.number == 20)
        #expect(try await child.requireAsync(Disk.self) === kept)
        #expect(made.count == 2)
        #expect(decorated.count == 2)
    }

    /// A closer that was there runs, though another one that suspends is added while the container closes.
    @Test func `a plain closer runs, though one that suspends comes while the container closes`()
        async throws
    {
        let disk = container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("disk") }
        container.register(Cache.self) { r in
            use(r ~> Disk.self)
            return Cache()
        }
        .inObjectScope(.container)
        .onClose { [log] _ in
            log.note("cache")
            disk.onClose { _ in await Task.yield() }
        }
        use(container ~> Cache.self)
        try await container.close()
        #expect(log.all == ["cache", "disk"])
    }

    /// Known needs first, else the one built last.
    @Test func `without known needs, the instance built last closes first`() async throws {
        func register<Service: Sendable>(
            _ type: Service.Type,
            _ name: String,
            _ make: @escaping @Sendable (any Resolver) -> Service
        ) {
            container.register(type) { r in make(r) }.inObjectScope(.container)
                .onClose { [log] _ in log.note(name) }
        }
        register(Kit.self, "kit") { Kit($0) }
        register(Disk.self, "disk") { _ in Disk() }
        register(Cache.self, "cache") { _ in Cache() }
        register(Page.self, "page") { Page($0 ~> Disk.self) }
        let kit = container ~> Kit.self
        use(container ~> Disk.self)
        use(kit.resolver ~> Cache.self)
        use(kit.resolver ~> Page.self)
        try await container.close()
        // Neither of cache and disk needs the other, and the cache was built after the disk.
        #expect(log.all == ["kit", "page", "cache", "disk"])
    }

    /// A child's decorator that was canceled does not close what the parent keeps.
    @Test(.timeLimit(.minutes(5)))
    func `a canceled decorator of a child does not close what its parent keeps`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("disk") }
        let child = Container(parent: container)
        await cancelRequest(whileDecoratedIn: child)
        #expect(log.all == [])
        use(container ~> Disk.self)
        try await container.close()
        #expect(log.all == ["disk"])
    }

    /// Nor what was registered as an instance.
    @Test(.timeLimit(.minutes(5)))
    func `a canceled decorator does not close what was registered as an instance`() async throws {
        container.register(Disk.self, instance: Disk())
            .onClose { [log] _ in log.note("disk") }
        await cancelRequest(whileDecoratedIn: container)
        #expect(log.all == [])
        try await container.close()
        #expect(log.all == ["disk"])
    }

    /// Requests the disk in a task that is canceled while a decorator runs.
    private func cancelRequest(whileDecoratedIn container: Container) async {
        let (begun, goOn) = (AsyncGate(), AsyncGate())
        container.decorate(
            Disk.self,
            asyncDecorator: { _, inner in
                begun.open()
                await goOn.wait()
                return inner
            }
        )
        let task = Task { try await container.requireAsync(Disk.self) }
        await begun.wait()
        task.cancel()
        goOn.open()
        _ = await task.result
    }
}
