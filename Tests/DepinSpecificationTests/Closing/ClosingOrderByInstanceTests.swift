import Depin
import Testing

/// Each is made anew after a reset, and says so when it is closed.
private final class Disk: Sendable {}
private final class Log: Sendable {}

private final class Service: @unchecked Sendable {  // set once, by its factory or callback
    let number: Int
    var held: [Any]

    init(_ number: Int = 1, _ held: Any...) {
        self.number = number
        self.held = held
    }
}

private struct Colliding: Hashable {
    let number: Int

    func hash(into hasher: inout Hasher) {}
}

/// Keeps nothing.
private final class NoStorage: InstanceStorage {
    var instance: Any? {
        get { nil }
        set {}
    }
}

/// Has its services when they are first read.
private final class Repository: Sendable {
    private let injected = Injected<Disk>()
    var disk: Disk { injected.wrappedValue }
}

/// Its properties are of every kind that an injected property may be.
private final class Depot: Sendable {
    let plain = Injected<Disk>()
    let optional = Injected<Disk?>()
    let lazy = Injected<Lazy<Disk>>()
    let provider = Injected<Provider<Disk>>()
    let asyncLazy = Injected<AsyncLazy<Disk>>()
    let all = Injected<[Disk]>()
    let named = Injected<Disk>("named" as TestName)
    let repository = Repository()

    enum Read: CaseIterable {
        case plain, optional, lazy, provider, asyncLazy, all, named, nested
    }

    func read(_ what: Read) async throws {
        switch what {
        case .plain: use(plain.wrappedValue)
        case .optional: use(optional.wrappedValue as Any)
        case .lazy: use(lazy.wrappedValue.instance)
        case .provider: use(provider.wrappedValue.instance)
        case .asyncLazy: use(try await asyncLazy.wrappedValue.value)
        case .all: use(all.wrappedValue)
        case .named: use(named.wrappedValue)
        case .nested: use(repository.disk)
        }
    }
}

// MARK: -

struct `Closing in the order of the instances that were given` {
    private let container = Container()
    private let log = EventLog<String>()
    private let count = CallCount()

    init() {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("disk") }
        container.register(Log.self) { Log() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("log") }
    }

    private func register(
        _ scope: ObjectScope,
        _ make: @escaping @Sendable (any Resolver, Int) throws -> Service
    ) {
        container.register(Service.self) { [count] r in try make(r, count.add()) }
            .inObjectScope(scope)
            .onClose { [log] service in log.note("service \(service.number)") }
    }

    /// The storage has the first one no more, which asks for another when all is built.
    @Test func `knows nothing of what a storage has had before`() async throws {
        container.register(Service.self) { r in Service(1, r ~> Provider<Disk>.self) }
            .inObjectScope(ObjectScope(storageFactory: NoStorage.init))
        container.register(Repository.self) { r in
            use(r ~> Service.self)
            return Repository()
        }
        .inObjectScope(.container)
        .onClose { [log] _ in log.note("repository") }
        let first = container ~> Service.self
        use(container ~> Repository.self)
        let disks = try #require(first.held[0] as? Provider<Disk>)
        use(disks.instance)
        try await container.close()
        #expect(log.all == ["disk", "repository"])
    }

    /// Two instances of one registration, of which the older asks for the disk later.
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared, [false, true])
    func `knows which of two unshared instances has asked`(
        _ kept: EveryScope,
        _ isReady: Bool
    ) async throws {
        register(kept.scope) { r, number in Service(number, r) }
        let (first, second) = (container ~> Service.self, container ~> Service.self)
        if isReady { use(container ~> Disk.self) }
        let resolver = try #require(first.held.first as? any Resolver)
        use(resolver ~> Disk.self)
        try await container.close()
        let all = log.all
        #expect(all.count == 3)
        let (service, disk) = (all.firstIndex(of: "service 1"), all.firstIndex(of: "disk"))
        #expect(try #require(service) < (try #require(disk)), "\(all)")
        withExtendedLifetime(second) {}
    }

    /// Nobody keeps what is built during a reset, and the next one needs the disk.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `knows what the instance after a reset has asked for, whoever ends first`(
        _ oldEndsFirst: Bool
    ) async throws {
        let (isBuilding, goOn) = (AsyncGate(), Latch())
        register(.signedIn) { r, number in
            if number == 1 {
                isBuilding.open()
                goOn.wait(within: 100)
            }
            return Service(number, r)
        }
        let old = Work { [container] in container ~> Service.self }
        await isBuilding.wait()
        container.resetObjectScope(.signedIn)
        if oldEndsFirst {
            goOn.open()
            use(old.value() as Any)
        }
        let new = container ~> Service.self
        let resolver = try #require(new.held.first as? any Resolver)
        use(resolver ~> Disk.self)
        goOn.open()
        use(old.value() as Any)
        try await container.close()
        #expect(log.all == ["service 2", "disk"])
    }

    /// A kept service needs a disk that is dropped later; the newest disk is not the one that it uses.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `takes no need of an old instance for one of the newest`(_ isDuringBuild: Bool)
        async throws
    {
        // The log needs the service that is kept, and the service the disk that was dropped.
        container.register(Disk.self) { Disk() }.inObjectScope(.signedIn)
            .onClose { [log] _ in log.note("disk") }
        register(.container) { [container] r, number in
            let service = Service(number, r ~> Disk.self)
            if isDuringBuild { container.resetObjectScope(.signedIn) }
            return service
        }
        use(container ~> Service.self)
        if !isDuringBuild { container.resetObjectScope(.signedIn) }
        // The new disk needs the service: it must close before it.
        container.register(Disk.self) { r in
            use(r ~> Service.self)
            return Disk()
        }
        .inObjectScope(.signedIn)
        .onClose { [log] _ in log.note("disk") }
        use(container ~> Disk.self)
        try await container.close()
        #expect(log.all == ["disk", "service 1"])
    }

    /// A reset that comes during a build: the disk that the build was given is the one that it needs.
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `knows what a build was given before a reset`(_ kept: EveryScope) async throws {
        let numbers = CallCount()
        container.register(Disk.self, name: "numbered") { Disk() }.inObjectScope(kept.scope)
            .onClose { [log] _ in log.note("disk \(numbers.add())") }
        register(.container) { [container] r, number in
            let disk = r ~> (Disk.self, name: "numbered")
            container.resetObjectScope(.container, serviceType: Log.self)
            container.resetObjectScope(.graph)
            use(container ~> (Disk.self, name: "numbered"))
            return Service(number, disk, r ~> Log.self)
        }
        use(container ~> Service.self)
        try await container.close()
        #expect(log.all.first == "service 1")
        #expect(log.all.contains("disk 1"))
    }

    /// Services that were reset while something that needs them was built.
    @Test(.timeLimit(.minutes(5)), arguments: ["service", "disk", "all"])
    func `closes a service before its disk, whatever is reset while it is built`(_ what: String)
        async throws
    {
        register(.signedIn) { [container] r, number in
            let before = r ~> Disk.self
            if number == 1 {
                switch what {
                case "service": container.resetObjectScope(.signedIn)
                case "disk": container.resetObjectScope(.container, serviceType: Disk.self)
                default:
                    container.resetObjectScope(.signedIn)
                    container.resetObjectScope(.container)
                }
            }
            return Service(number, before, r ~> Disk.self)
        }
        use(container ~> Service.self)
        use(container ~> Disk.self)
        use(container ~> Service.self)
        try await container.close()
        #expect(log.all.count == 2)
        #expect(log.all.last == "disk", "\(log.all)")
    }

    //  Service (kept) ──► Service "part" (reset meanwhile) ──► Disk, asked for later
    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["during its build", "before the next is made", "after"]
    )
    func `knows the needs of a part that has a newer instance`(_ reset: String) async throws {
        let (isBuilding, goOn) = (AsyncGate(), Latch())
        container.register(Service.self, name: "part") { [count] r in
            let number = count.add()
            if number == 1 {
                isBuilding.open()
                goOn.wait(within: 100)
            }
            return Service(number, r)
        }
        .inObjectScope(.signedIn)
        .onClose { [log] service in log.note("part \(service.number)") }
        container.register(Service.self) { r in Service(0, r ~> (Service.self, name: "part")) }
            .inObjectScope(.container)
            .onClose { [log] _ in log.note("service") }
        let work = Work { [container] in container ~> Service.self }
        await isBuilding.wait()
        if reset == "during its build" {
            container.resetObjectScope(.signedIn)
            use(container ~> (Service.self, name: "part"))
        }
        if reset == "before the next is made" { container.resetObjectScope(.signedIn) }
        goOn.open()
        let service = try #require(work.value())
        if reset == "after" { container.resetObjectScope(.signedIn) }
        let newer = container ~> (Service.self, name: "part")
        let part = try #require(service.held.first as? Service)
        #expect(part.number == 1 && newer.number == 2)
        let resolver = try #require(part.held.first as? any Resolver)
        use(resolver ~> Disk.self)
        try await container.close()
        let all = log.all
        let (first, last) = (all.firstIndex(of: "service"), all.firstIndex(of: "disk"))
        #expect(try #require(first) < (try #require(last)), "\(all)")
    }

    //  Service (kept) ──► Service "part" (reset meanwhile) ──► Disk, asked for while it is built
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `knows the needs that a part has after the reset, while it is built`(_ kept: EveryScope)
        async throws
    {
        let (isBuilding, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            Service.self,
            name: "part",
            asyncFactory: { [count] r in
                let number = count.add()
                if number == 1 {
                    isBuilding.open()
                    await goOn.wait()
                    return Service(number, try await r.requireAsync(Disk.self))
                }
                return Service(number)
            }
        )
        .inObjectScope(.signedIn)
        container.register(
            Service.self,
            asyncFactory: { r in
                Service(0, try await r.requireAsync(Service.self, name: "part"))
            }
        )
        .inObjectScope(kept.scope)
        .onClose { [log] _ in log.note("service") }
        let place = kept.place(in: container)
        async let service = place.requireAsync(Service.self)
        await isBuilding.wait()
        container.resetObjectScope(.signedIn)
        use(try await container.requireAsync(Service.self, name: "part"))
        goOn.open()
        let held = try await service
        try await container.close()
        #expect(log.all == ["service", "disk"])
        withExtendedLifetime((held, place)) {}
    }
}

// MARK: - Properties

struct `Closing in the order of what properties have read` {
    private let container = Container()
    private let log = EventLog<String>()
    private let places = EventLog<Container>()

    init() {
        for name in [nil, "named"] {
            container.register(Disk.self, name: name) { Disk() }.inObjectScope(.container)
                .onClose { [log] _ in log.note("disk") }
        }
        container.contribute(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("disk") }
    }

    private func makeStore(_ kept: EveryScope, takesTime: Bool = false) async throws -> Depot {
        let entry =
            takesTime
            ? container.register(
                Depot.self,
                asyncFactory: {
                    await Task.yield()
                    return Depot()
                }
            )
            : container.register(Depot.self) { Depot() }
        entry.inObjectScope(kept.scope).onClose { [log] _ in log.note("store") }
        let place = kept.place(in: container)
        // A scope that nobody holds has ended.
        places.note(place)
        return try await withSpace(\.dependenciesContainer, place) {
            try await place.requireAsync(Depot.self)
        }
    }

    private func expectOrder() async throws {
        try await container.close()
        #expect(log.all.first == "store", "\(log.all)")
        #expect(log.all.count >= 2)
    }

    /// The main way of using this library: the disk was made after the store, when the store first needed it.
    @Test(.timeLimit(.minutes(5)), arguments: Depot.Read.allCases)
    fileprivate func `closes first what has read it later`(_ what: Depot.Read) async throws {
        let store = try await makeStore(.container)
        try await store.read(what)
        try await expectOrder()
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases, [false, true])
    func `in every scope, of factories on threads and in tasks`(
        _ kept: EveryScope,
        _ takesTime: Bool
    ) async throws {
        let store = try await makeStore(kept, takesTime: takesTime)
        try await store.read(.plain)
        try await expectOrder()
        withExtendedLifetime(store) {}
    }

    @Test(.timeLimit(.minutes(5)))
    func `where it was read on another thread, and was ready`() async throws {
        use(container ~> Disk.self)
        let store = try await makeStore(.container)
        use(container ~> Disk.self)
        use(Work { use(store.plain.wrappedValue) }.value() as Any)
        try await expectOrder()
    }

    /// The disk is built between the store and its reading, so its order of completion says nothing.
    @Test(.timeLimit(.minutes(5)))
    func `where it was made for somebody else`() async throws {
        let store = try await makeStore(.container)
        use(container ~> Disk.self)
        try await store.read(.plain)
        try await expectOrder()
    }

    @Test(.timeLimit(.minutes(5)))
    func `where the factory itself has read it`() async throws {
        container.register(Depot.self) {
            let store = Depot()
            use(store.plain.wrappedValue)
            return store
        }
        .inObjectScope(.container).onClose { [log] _ in log.note("store") }
        withSpace(\.dependenciesContainer, container) { use(container ~> Depot.self) }
        try await expectOrder()
    }

    @Test(.timeLimit(.minutes(5)))
    func `where a property belongs to what an unshared dependency is`() async throws {
        container.register(Repository.self) { Repository() }.inObjectScope(.transient)
        container.register(Service.self) { r in Service(1, r ~> Repository.self) }
            .inObjectScope(.container).onClose { [log] _ in log.note("store") }
        let service = withSpace(\.dependenciesContainer, container) { container ~> Service.self }
        use((service.held.first as? Repository)?.disk as Any)
        try await expectOrder()
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["callback", "decorator"])
    func `where a callback or a decorator has made what reads it`(_ way: String) async throws {
        let made = EventLog<Repository>()
        let entry = container.register(Service.self) { Service() }
            .inObjectScope(.container).onClose { [log] _ in log.note("store") }
        if way == "callback" {
            entry.initCompleted { _, service in
                let repository = Repository()
                made.note(repository)
                service.held.append(repository)
            }
        } else {
            container.decorate(Service.self) { _, inner in
                let repository = Repository()
                made.note(repository)
                return Service(2, inner, repository)
            }
        }
        let service = withSpace(\.dependenciesContainer, container) { container ~> Service.self }
        use(made.all[0].disk)
        // Those of a decorator, too, close after what it wraps.
        try await expectOrder()
        withExtendedLifetime(service) {}
    }

    @Test(.timeLimit(.minutes(5)))
    func `where a child task of the factory has made what reads it`() async throws {
        container.register(
            Service.self,
            asyncFactory: {
                async let repository = Repository()
                return Service(1, await repository)
            }
        )
        .inObjectScope(.container).onClose { [log] _ in log.note("store") }
        let service = try await withSpace(\.dependenciesContainer, container) {
            try await container.requireAsync(Service.self)
        }
        use((service.held.first as? Repository)?.disk as Any)
        try await expectOrder()
    }

    @Test(.timeLimit(.minutes(5)))
    func `and no other way where nobody that closes has made it`() async throws {
        container.register(Service.self) { Service() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("service") }
        let repository = withSpace(\.dependenciesContainer, container) { Repository() }
        use(container ~> Service.self)
        use(repository.disk)
        try await container.close()
        #expect(log.all == ["disk", "service"])
    }
}

// MARK: - Resolvers

struct `Closing in the order of what resolvers were asked later` {
    private let container = Container()
    private let log = EventLog<String>()

    init() {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("disk") }
        container.register(
            Log.self,
            asyncFactory: {
                await Task.yield()
                return Log()
            }
        )
        .inObjectScope(.container)
        .onClose { [log] _ in log.note("log") }
    }

    private func resolver(of service: Service) throws -> any Resolver {
        try #require(service.held.first as? any Resolver)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `through that of registerSynchronized`(_ isLater: Bool) async throws {
        container.registerSynchronized(Service.self) { r in
            if !isLater { use(r ~> Disk.self) }
            return Service(1, r)
        }
        .inObjectScope(.container)
        .onClose { [log] _ in log.note("service") }
        if !isLater { use(container ~> Disk.self) }
        let service = container ~> Service.self
        if isLater { use(try resolver(of: service) ~> Disk.self) }
        try await container.close()
        #expect(log.all == ["service", "disk"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `through one that is asked asynchronously`(_ kept: EveryScope) async throws {
        container.register(Service.self) { r in Service(1, r) }.inObjectScope(kept.scope)
            .onClose { [log] _ in log.note("service") }
        let place = kept.place(in: container)
        let service = place ~> Service.self
        use(try await resolver(of: service).requireAsync(Log.self))
        try await container.close()
        #expect(log.all == ["service", "log"])
        withExtendedLifetime((service, place)) {}
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `through one of an asynchronous factory, asked asynchronously`(_ kept: EveryScope)
        async throws
    {
        container.register(
            Service.self,
            asyncFactory: { r in
                await Task.yield()
                return Service(1, r)
            }
        )
        .inObjectScope(kept.scope)
        .onClose { [log] _ in log.note("service") }
        let place = kept.place(in: container)
        let service = try await place.requireAsync(Service.self)
        use(try await resolver(of: service).requireAsync(Log.self))
        use(try resolver(of: service).require(Disk.self))
        try await container.close()
        #expect(log.all.first == "service", "\(log.all)")
        withExtendedLifetime((service, place)) {}
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared, [false, true])
    func `through one of an unshared dependency, asked asynchronously`(
        _ kept: EveryScope,
        _ isLazy: Bool
    ) async throws {
        container.register(Service.self, name: "loose") { r in
            Service(2, isLazy ? r ~> AsyncLazy<Log>.self : r)
        }
        .inObjectScope(kept.scope)
        container.register(Service.self) { r in Service(1, r ~> (Service.self, name: "loose")) }
            .inObjectScope(.container)
            .onClose { [log] _ in log.note("service") }
        let service = container ~> Service.self
        let loose = try #require(service.held.first as? Service)
        if let lazy = loose.held.first as? AsyncLazy<Log> {
            use(try await lazy.value)
        } else {
            use(try await resolver(of: loose).requireAsync(Log.self))
        }
        try await container.close()
        #expect(log.all == ["service", "log"])
    }

    //  Service ──► Service "part", which no closer is for ──► Log
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases, [false, true])
    func `through one of a dependency without closers, asked asynchronously`(
        _ kept: EveryScope,
        _ takesTime: Bool
    ) async throws {
        if takesTime {
            container.register(Service.self, name: "part", asyncFactory: { r in Service(2, r) })
                .inObjectScope(kept.scope)
        } else {
            container.register(Service.self, name: "part") { r in Service(2, r) }
                .inObjectScope(kept.scope)
        }
        container.register(
            Service.self,
            asyncFactory: { r in
                Service(1, try await r.requireAsync(Service.self, name: "part"))
            }
        )
        .inObjectScope(kept == .opened ? kept.scope : .container)
        .onClose { [log] _ in log.note("service") }
        let place = kept.place(in: container)
        let service = try await place.requireAsync(Service.self)
        let part = try #require(service.held.first as? Service)
        let resolver = try resolver(of: part)
        // In a task of its own, that knows of no factory.
        use(try await Task.detached { try await resolver.requireAsync(Log.self) }.value)
        use(try await resolver.requireAsync(Disk.self))
        try await container.close()
        #expect(log.all.first == "service", "\(log.all)")
        #expect(log.all.count == 3)
        withExtendedLifetime(place) {}
    }

    /// One instance's method asks while another's factory runs, in the same task.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `through another instance's, from a factory that takes time`(_ isKept: Bool) async throws {
        container.register(Service.self, name: "other") { r in Service(2, r) }
            .inObjectScope(.container)
            .onClose { [log] _ in log.note("other") }
        container.register(
            Service.self,
            asyncFactory: { r in
                let other = r ~> (Service.self, name: "other")
                let resolver = other.held.first as? any Resolver
                // The other's own need, whoever has made it ask.
                return Service(1, try await resolver?.requireAsync(Log.self) as Any)
            }
        )
        .inObjectScope(isKept ? .container : .transient)
        let other = container ~> (Service.self, name: "other")
        use(try await container.requireAsync(Service.self))
        try await container.close()
        #expect(log.all == ["other", "log"])
        withExtendedLifetime(other) {}
    }

    /// The closers suspend, so that nothing but the needs orders them.
    @Test(.timeLimit(.minutes(5)))
    func `in a graph, among arguments whose hashes are the same`() async throws {
        container.register(Service.self) { (_, part: Colliding) in Service(part.number) }
            .onClose { [log] part async in log.note("part \(part.number)") }
        container.register(Service.self, name: "user") { r in
            Service(3, r(Service.self, argument: Colliding(number: 1)))
        }
        .onClose { [log] _ async in
            await letOthersRun()
            log.note("user")
        }
        container.register(Service.self, name: "root") { r in
            let parts = [1, 2].map { r(Service.self, argument: Colliding(number: $0)) }
            return Service(4, parts, r(Service.self, name: "user"))
        }
        let root = container(Service.self, name: "root")
        try await container.close()
        #expect(log.all.filter { $0 != "part 2" } == ["user", "part 1"])
        withExtendedLifetime(root) {}
    }

    /// The service waits for the log that another request makes.
    @Test(.timeLimit(.minutes(5)))
    func `where the instance was being made for somebody else`() async throws {
        let (isMaking, goOn) = (AsyncGate(), AsyncGate())
        container.register(
            Log.self,
            name: "slow",
            asyncFactory: {
                isMaking.open()
                await goOn.wait()
                return Log()
            }
        )
        .inObjectScope(.container)
        .onClose { [log] _ in log.note("log") }
        container.register(Service.self) { r in Service(1, r) }.inObjectScope(.container)
            .onClose { [log] _ in log.note("service") }
        let resolver = try resolver(of: container ~> Service.self)
        async let other = container.requireAsync(Log.self, name: "slow")
        await isMaking.wait()
        async let own = resolver.requireAsync(Log.self, name: "slow")
        await letOthersRun()
        goOn.open()
        #expect(try await other === own)
        try await container.close()
        #expect(log.all == ["service", "log"])
    }

    /// What an asynchronous factory asks for in a child task that it awaits is its own need.
    @Test(.timeLimit(.minutes(5)))
    func `from a child task of its factory`() async throws {
        container.register(
            Service.self,
            asyncFactory: { r in
                async let log = r.requireAsync(Log.self)
                let disk = try await withThrowingTaskGroup(of: Disk.self) { group in
                    group.addTask { try await r.requireAsync(Disk.self) }
                    return try await group.next()
                }
                return Service(1, try await log, disk as Any)
            }
        )
        .inObjectScope(.container)
        .onClose { [log] _ in log.note("service") }
        use(try await container.requireAsync(Log.self))
        use(try await container.requireAsync(Service.self))
        try await container.close()
        #expect(log.all.first == "service", "\(log.all)")
        #expect(log.all.count == 3)
    }

    /// Two tasks of one graph make the same at once, and the graph keeps the first.
    @Test(.timeLimit(.minutes(5)), arguments: [0, 1], [false, true])
    func `that another task of the graph was first to make`(
        first: Int,
        takesArgument: Bool
    ) async throws {
        let (container, log, begun) = (Container(), EventLog<String>(), CallCount())
        let (areThere, mayGo) = ([AsyncGate(), AsyncGate()], [AsyncGate(), AsyncGate()])
        @Sendable func made() async -> Disk {
            let index = begun.add() - 1
            areThere[index].open()
            await mayGo[index].wait()
            return Disk()
        }
        @Sendable func ask(_ resolver: any Resolver) async throws -> Disk {
            takesArgument
                ? try await resolver.requireAsync(Disk.self, argument: 1)
                : try await resolver.requireAsync(Disk.self)
        }
        container.register(Disk.self, asyncFactory: { await made() })
            .onClose { _ in log.note("disk") }
        container.register(Disk.self, asyncFactory: { (_: any Resolver, _: Int) in await made() })
            .onClose { _ in log.note("disk") }
        for (index, name) in ["one", "other"].enumerated() {
            container.register(
                Service.self,
                name: name,
                asyncFactory: { resolver in
                    if index == 1 { await areThere[0].wait() }
                    return Service(index, try await ask(resolver))
                }
            )
            .onClose { _ in
                if index != first { await letOthersRun() }
                log.note(name)
            }
        }
        container.register(
            [Service].self,
            asyncFactory: { resolver in
                async let one = resolver.requireAsync(Service.self, name: "one")
                async let other = resolver.requireAsync(Service.self, name: "other")
                return try await [one, other]
            }
        )
        let building = Task { try await container.requireAsync([Service].self) }
        for gate in areThere { await gate.wait() }
        mayGo[first].open()
        await letOthersRun()
        mayGo[1 - first].open()
        let services = try await building.value
        #expect(services[0].held.first as? Disk === services[1].held.first as? Disk)
        try await container.close()
        #expect(log.all.last == "disk", "\(log.all)")
        #expect(log.all.count == 4)
    }
}
