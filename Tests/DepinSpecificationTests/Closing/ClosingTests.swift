import Depin
import Foundation
import Testing

extension ObjectScope {
    static let signedIn = ObjectScope(named: "signedIn")
}

private struct Failed: Error, Equatable { let name: String }

private final class Disk: Sendable {}
private final class Cache: Sendable {}
private final class Screen {
    @Injected var store: Disk
}

struct `Closing a container` {
    private let container = Container()
    private let log = EventLog<String>()

    private func register(
        _ name: String,
        on container: Container,
        _ scope: ObjectScope = .container
    ) {
        container.register(String.self, name: name) { name }.inObjectScope(scope)
            .onClose { [log] _ in log.note(name) }
    }

    @Test func `runs every closer and throws what all of them threw`() async {
        for name in ["a", "b"] {
            container.register(String.self, name: name) { name }.inObjectScope(.container)
                .onClose { _ in throw Failed(name: name) }
        }
        register("c", on: container)
        use((container ~> (String.self, name: "a"), container ~> (String.self, name: "b")))
        use(container ~> (String.self, name: "c"))
        let error = await #expect(throws: CloseError.self) { try await container.close() }
        #expect(
            error?.failures.map { $0.error as? Failed } == [Failed(name: "b"), Failed(name: "a")]
        )
        #expect(error?.failures.map(\.request.name) == ["b", "a"])
        #expect(log.all == ["c"])
    }

    @Test func `throws once what a closer threw in a fork of a fork`() async {
        container.register(String.self) { "" }.inObjectScope(.container)
            .onClose { _ in throw Failed(name: "a") }
        let fork = container.fork()
        let inner = fork.fork()
        use(inner ~> String.self)
        let error = await #expect(throws: CloseError.self) { try await container.close() }
        #expect(error?.failures.map { $0.error as? Failed } == [Failed(name: "a")])
        withExtendedLifetime((fork, inner)) {}
    }

    @Test func `lets a child's closer have what is ready in a fork`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
        let (fork, child) = (container.fork(), Container(parent: container))
        use(fork ~> Disk.self)
        child.register(Cache.self) { Cache() }.inObjectScope(.container)
            .onClose { [log] _ in log.note(outcome { try fork.require(Disk.self) }) }
        use(child ~> Cache.self)
        try await container.close()
        #expect(log.all == ["got"])
    }

    @Test func `twice is once, and throws the same`() async {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in
                log.note("closed")
                throw Failed(name: "store")
            }
        use(container ~> Disk.self)
        for _ in 1...2 {
            let error = await #expect(throws: CloseError.self) { try await container.close() }
            #expect(error?.failures.count == 1)
        }
        #expect(log.all == ["closed"])
    }

    @Test func `closes at the same time what takes time and needs nothing of each other`()
        async throws
    {
        let (store, cache) = (AsyncGate(), AsyncGate())
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { _ in
                store.open()
                await cache.wait()
            }
        container.register(Cache.self) { Cache() }.inObjectScope(.container)
            .onClose { _ in
                cache.open()
                await store.wait()
            }
        use((container ~> Disk.self, container ~> Cache.self))
        try await container.close()
    }

    @Test func `waits for the first call, and ready instances are given until it has ended`()
        async throws
    {
        let (began, goOn) = (AsyncGate(), AsyncGate())
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in
                began.open()
                await goOn.wait()
                log.note("closed")
            }
        container.register(Cache.self) { Cache() }.inObjectScope(.container)
        use(container ~> Disk.self)
        async let first: Void = container.close()
        await began.wait()
        #expect(throws: Never.self) { try container.require(Disk.self) }
        let refused = #expect(throws: ResolutionError.self) { try container.require(Cache.self) }
        #expect(refused?.reason == .containerClosed)
        async let second: Void = {
            try await container.close()
            #expect(log.all == ["closed"])
        }()
        goOn.open()
        use(try await (first, second))
    }

    @Test func `is not stopped by the cancellation of who waits`() async throws {
        let (began, goOn) = (AsyncGate(), AsyncGate())
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in
                began.open()
                await goOn.wait()
                log.note("canceled: \(Task.isCancelled)")
            }
        use(container ~> Disk.self)
        let task = Task { try await container.close() }
        await began.wait()
        task.cancel()
        goOn.open()
        try await task.value
        #expect(log.all == ["canceled: false"])
    }

    @Test func `is not canceled for closers that do not suspend either`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [log] _ in log.note("canceled: \(Task.isCancelled)") }
        use(container ~> Disk.self)
        try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await container.close()
        }
        .value
        #expect(log.all == ["canceled: false"])
    }

    @Test func `gives nothing afterwards, and says who has closed it`() async throws {
        register("a", on: container)
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
        container.register(Cache.self) { Cache() }
        let screen = withSpace(\.dependenciesContainer, container) { Screen() }
        let store = screen.store
        let provider = container ~> Provider<Cache>.self
        try await container.close()
        #expect(screen.store === store)
        for attempt in [
            { use(try container.require(Disk.self)) },
            { use(try container.require(Cache.self)) },
            { use(try container.require(String.self, name: "a")) },
            { use(try container.require(Bool?.self) as Any) },
            { use(try Container(parent: container).require(Disk.self)) },
        ] {
            let error = #expect(throws: ResolutionError.self) { try attempt() }
            #expect(error?.reason == .containerClosed)
            #expect(
                error?.description.contains("closed at DepinSpecificationTests/ClosingTests")
                    == true
            )
        }
        withExtendedLifetime(provider) {}
    }

    @Test func `drops what it kept`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.container).onClose { _ in }
        weak let store = container ~> Disk.self
        #expect(store != nil)
        try await container.close()
        #expect(store == nil)
    }

    @Test func `closes children and open scopes first`() async throws {
        register("app", on: container)
        let child = Container(parent: container)
        register("child", on: child)
        container.register(Int.self) { 1 }.inObjectScope(.request)
            .onClose { [log] _ in log.note("request") }
        let request = child.openScope(.request)
        use((child ~> (String.self, name: "child"), request ~> Int.self))
        use(container ~> (String.self, name: "app"))
        try await container.close()
        #expect(log.all == ["request", "child", "app"])
        let error = #expect(throws: ResolutionError.self) { try request.require(Int.self) }
        #expect(error?.reason == .containerClosed)
    }

    @Test func `closes a child that only a resolver keeps open`() async throws {
        container.register(Array<any Resolver>.self) { r in [r] }
        func makeResolver() -> any Resolver {
            let child = Container(parent: container)
            register("child", on: child)
            return (child ~> [any Resolver].self)[0]
        }
        let resolver = makeResolver()
        use(resolver ~> (String.self, name: "child"))
        try await container.close()
        #expect(log.all == ["child"])
    }

    @Test func `is not needed for a container to go that holds what would be closed`() {
        func makeContainer() -> () -> Bool {
            let container = Container()
            container.register(Cache.self) { Cache() }.inObjectScope(.container)
            container.register(Array<any Resolver>.self) { r in [r] }.onClose { _ in }
            container.register(Lazy<Disk>?.self) { r in .some(r ~> Lazy<Disk>.self) }
                .inObjectScope(.transient).onClose { _ in }
            container.register(Disk.self) { Disk() }
            use((container ~> [any Resolver].self, (container ~> Lazy<Disk>?.self) as Any))
            return { [weak cache = container ~> Cache.self] in cache == nil }
        }
        let isGone = makeContainer()
        #expect(isGone())
    }

    @Test func `closes an open scope, and the app goes on`() async throws {
        register("app", on: container)
        register("request", on: container, .request)
        let (one, other) = (container.openScope(.request), container.openScope(.request))
        for resolver in [one, other] { use(resolver ~> (String.self, name: "request")) }
        use(one ~> (String.self, name: "app"))
        try await one.close()
        #expect(log.all == ["request"])
        #expect((other ~> (String.self, name: "request")) == "request")
        #expect((container ~> (String.self, name: "app")) == "app")
        try await other.close()
        #expect(log.all == ["request", "request"])
    }

    @Test(arguments: [false, true])
    func `closes with a scope what is registered inside of it`(isBuiltFirst: Bool) async throws {
        let request = container.openScope(.request)
        let child = Container(parent: request)
        let disk = child.register(Disk.self) { Disk() }.inObjectScope(.request)
        if isBuiltFirst { use(child ~> Disk.self) }
        disk.onClose { [log] _ in log.note("disk") }
        if !isBuiltFirst { use(child ~> Disk.self) }
        try await child.close()
        #expect(log.all == [])
        try await request.close()
        #expect(log.all == ["disk"])
    }

    @Test func `closes what a request's container held that no scope keeps`() async throws {
        container.register(Disk.self) { Disk() }.onClose { [log] _ in log.note("store") }
        let request = container.openScope(.request)
        use(request ~> Disk.self)
        try await request.close()
        try await container.close()
        #expect(log.all == ["store"])
    }

    @Test func `closes a scope that is reset, and goes on`() async throws {
        register("a", on: container, .signedIn)
        register("b", on: container)
        let child = Container(parent: container)
        register("c", on: child, .signedIn)
        for name in ["a", "b", "c"] { use(child ~> (String.self, name: name)) }
        try await child.close(.signedIn)
        #expect(log.all == ["c", "a"])
        use(child ~> (String.self, name: "a"))
        try await container.close()
        #expect(log.all == ["c", "a", "a", "b"])
    }

    @Test func `drops what a parent without closers keeps in that scope, too`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.signedIn)
        let child = Container(parent: container)
        register("child", on: child, .signedIn)
        let disk = container ~> Disk.self
        #expect((container ~> Disk.self) === disk)
        try await child.close(.signedIn)
        #expect((container ~> Disk.self) !== disk)
    }

    @Test func `keeps nothing that is built meanwhile around what a parent drops`() async throws {
        final class Page: Sendable {
            let disk: Disk
            init(_ disk: Disk) { self.disk = disk }
        }
        container.register(Disk.self) { Disk() }.inObjectScope(.signedIn)
        let child = Container(parent: container)
        child.register(Page.self) { r in Page(r ~> Disk.self) }.inObjectScope(.signedIn)
            .onClose { [weak child] _ in
                // While this waits, another task requests the service anew.
                await Task.detached { use(child?.resolve(Page.self) as Any) }.value
            }
        use(child ~> Page.self)
        try await child.close(.signedIn)
        #expect((child ~> Page.self).disk === (container ~> Disk.self))
    }

    @Test func `closes what a type forwards to where that was built`() async throws {
        let (child, other) = (Container(parent: container), Container())
        for (name, home) in [("parent", container), ("other", other)] {
            let entry = home.register(Disk.self, name: name) { Disk() }.inObjectScope(.signedIn)
                .onClose { [log] _ in log.note(name) }
            child.forward((any Sendable).self, name: name, to: entry)
            use(home ~> (Disk.self, name: name))
            use(child ~> ((any Sendable).self, name: name))
        }
        let kept = other ~> (Disk.self, name: "other")
        try await child.close(.signedIn)
        #expect(log.all == ["parent"])
        #expect((other ~> (Disk.self, name: "other")) === kept)
        try await other.close(.signedIn)
        #expect(log.all == ["parent", "other"])
        let next = other ~> (Disk.self, name: "other")
        #expect(next !== kept)
        #expect((child ~> ((any Sendable).self, name: "other")) as? Disk === next)
    }

    @Test func `holds nothing that was registered where it may close later`() {
        weak var disk: Disk?
        do {
            let made = Disk()
            disk = made
            var gone: Container? = Container()
            let entry = gone?.register(Disk.self, instance: made)
            entry?.onClose { _ in }
            gone = nil
            entry?.inObjectScope(.container).onClose { _ in }
            container.register((any Sendable).self) { 1 }
            container.register(Disk.self, instance: made).onClose { _ in }
                .implements((any Sendable).self).inObjectScope(.container)
        }
        #expect(disk != nil)
        container.removeAll()
        #expect(disk == nil)
    }

    @Test func `says in golden words what went wrong`() async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { _ in throw Failed(name: "disk") }
            .onClose { [container] _ in try await container.close() }
        use(container ~> Disk.self)
        let failures = await #expect(throws: CloseError.self) { try await container.close() }
        try Golden("closers that failed").check("\(try #require(failures))")
        let error = #expect(throws: ResolutionError.self) { try container.require(Disk.self) }
        try Golden("asked of a container that was closed").check("\(try #require(error))")
    }

    @Test func `may not be called by a closer that it waits for`() async throws {
        let child = Container(parent: container)
        child.register(Disk.self) { Disk() }.inObjectScope(.container)
            .onClose { [container, log] _ in
                do {
                    try await container.close()
                } catch let error as ResolutionError {
                    log.note("\(error.reason)")
                }
            }
        use(child ~> Disk.self)
        try await child.close()
        #expect(log.all == ["closedFromWithin"])
    }

    /// Keeps the resolver that its factory was given.
    private final class Keeper {
        let resolver: any Resolver

        init(_ resolver: any Resolver) {
            self.resolver = resolver
        }
    }

    /// Refers to the graph in which it was made.
    private final class Reader {
        let disk: Lazy<Disk>

        init(_ disk: Lazy<Disk>) {
            self.disk = disk
        }
    }

    @Test(arguments: [ObjectScope.container, ObjectScope(storageFactory: { PermanentStorage() })])
    func `leaves what a reset has dropped`(_ scope: ObjectScope) async throws {
        container.register(Disk.self) { Disk() }.inObjectScope(scope)
            .onClose { [log] _ in log.note("disk") }
        let disk = container ~> Disk.self
        container.resetObjectScope(scope)
        try await container.close()
        #expect(log.all.isEmpty)
        use(disk)
    }

    @Test(arguments: [ObjectScope.container, .graph, .weak])
    func `leaves nothing of a graph that began through a kept resolver`(_ scope: ObjectScope) {
        container.register(Disk.self) { Disk() }.inObjectScope(.container).onClose { _ in }
        container.register(Reader.self) { resolver in Reader(resolver ~> Lazy<Disk>.self) }
        container.register(Keeper.self) { resolver in Keeper(resolver) }.inObjectScope(scope)
        let keeper = container ~> Keeper.self
        var reader: Reader? = keeper.resolver ~> Reader.self
        weak let left = reader
        reader = nil
        #expect(left == nil)
    }

    @Test(arguments: [false, true])
    func `is missed where the process ends without it`(isClosed: Bool) async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) { [isClosed = isClosed as Bool] in
            let container = SpaceValues.current.dependenciesContainer
            container.register(Disk.self) { Disk() }.inObjectScope(.container).onClose { _ in }
            container.register(Cache.self) { Cache() }.inObjectScope(.container).onClose { _ in }
            use(container ~> Disk.self)
            if isClosed { try await container.close() }
            exit(EXIT_SUCCESS)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let message = text.split(separator: "\n").filter { $0.hasPrefix("Depin: ") }
        #expect(message.count == (isClosed ? 0 : 1))
        if !isClosed {
            let words = "the process ends without close() of the app's container"
            #expect(text.contains("\(words); these closers did not run: Disk, registered at"))
            #expect(text.contains("fix: run the program in `assembler.run { … }`"))
        }
    }

    @Test func `is missed where a scope goes without it`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let container = Container()
            container.register(Disk.self) { Disk() }.inObjectScope(.request).onClose { _ in }
            container.register(Cache.self) { Cache() }.inObjectScope(.request).onClose { _ in }
            use(container.openScope(.request) ~> Disk.self)
            let closed = container.openScope(.request)
            use(closed ~> Disk.self)
            try await closed.close()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let message = text.split(separator: "\n").filter { $0.hasPrefix("Depin: ") }
        #expect(message.count == 1)
        #expect(
            message.first?.contains("scope request, opened at DepinSpecificationTests/") == true
        )
        #expect(message.first?.contains("these closers did not run: Disk, registered at") == true)
    }

    @Test func `is missed once for each registration`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let container = Container()
            container.register(Disk.self) { Disk() }.onClose { _ in }
            for _ in 0..<3 { use(container ~> Disk.self) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.components(separatedBy: "Disk, registered at").count == 2)
    }
}
