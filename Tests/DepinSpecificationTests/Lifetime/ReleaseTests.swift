import Depin
import Testing

/// A container, its entries and what it keeps go with the last reference, whatever factories kept.
struct `What is released` {
    @Test(arguments: [ObjectScope.transient, .graph, .container, .weak, ObjectScope(named: "x")])
    func `with a resolver in the instance`(scope: ObjectScope) {
        expectReleased { container, log in
            container.register(Keeper.self) { resolver in Keeper(resolver, log) }
                .inObjectScope(scope)
            return [container ~> Keeper.self]
        }
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak, ObjectScope(named: "x")])
    func `with a Lazy or a Provider in the instance, used or not`(scope: ObjectScope) {
        expectReleased { container, log in
            container.register(Part.self) { _ in Part() }.inObjectScope(scope)
            container.register(Keeper.self) { resolver in
                let (lazy, used) = (resolver ~> Lazy<Part>.self, resolver ~> Lazy<Part>.self)
                _ = used.instance
                return Keeper([lazy, used, resolver ~> Provider<Part>.self], log)
            }
            .inObjectScope(scope)
            return [container ~> Keeper.self]
        }
    }

    @Test func `with an observer that was never taken back`() {
        expectReleased { container, log in
            container.addObserver(ResolutionTrace(print: { _ in }))
            container.register(Keeper.self) { resolver in Keeper(resolver, log) }
            return [container ~> Keeper.self]
        }
    }

    @Test func `with a Lazy of itself in the instance`() {
        expectReleased { container, log in
            container.register(Keeper.self) { resolver in Keeper(resolver ~> Lazy<Keeper>.self, log)
            }
            .inObjectScope(.container)
            return [container ~> Keeper.self]
        }
    }

    @Test(arguments: [ObjectScope.graph, .container, .weak])
    func `with a graph identifier in the instance`(scope: ObjectScope) {
        expectReleased { container, log in
            container.register(Part.self) { _ in Part() }
            container.register(Keeper.self) { resolver in
                _ = resolver.resolve(Part.self)
                return Keeper(resolver ~> GraphIdentifier.self, log)
            }
            .inObjectScope(scope)
            return [container ~> Keeper.self]
        }
    }

    @Test func `with the view of registerSynchronized in the instance`() {
        expectReleased { container, log in
            container.registerSynchronized(Keeper.self) { resolver in Keeper(resolver, log) }
                .inObjectScope(.container)
            return [container ~> Keeper.self]
        }
    }

    @Test func `with a child's resolver and instances`() {
        expectReleased { container, log in
            let child = Container(parent: container)
            child.register(Keeper.self) { resolver in Keeper(resolver, log) }
                .inObjectScope(.container)
            container.register(Keeper.self, name: "p") { resolver in Keeper(resolver, log) }
                .inObjectScope(.container)
            return [child ~> Keeper.self, child ~> (Keeper.self, name: "p")]
        }
    }

    @Test func `with forks, and forks of forks`() {
        expectReleased { container, log in
            container.register(Keeper.self) { resolver in Keeper(resolver, log) }
                .inObjectScope(.container)
            let fork = container.fork()
            let forkOfFork = fork.fork()
            return [container ~> Keeper.self, fork ~> Keeper.self, forkOfFork ~> Keeper.self]
        }
    }

    @Test func `with forwarding, callbacks and an entry that somebody keeps`() throws {
        var entry: ServiceEntry<Keeper>?
        let log = EventLog<WeakReference>()
        do {
            let container = Container()
            log.note(WeakReference(container))
            entry = container.register(Keeper.self) { resolver in Keeper(resolver, log) }
                .inObjectScope(.container)
                .implements(AnyObject.self)
                .initCompleted { resolver, keeper in
                    keeper.more = resolver.resolve(Lazy<AnyObject>.self)
                }
            _ = container.resolve(AnyObject.self)
        }
        #expect(log.all.count == 2)
        #expect(log.all.allSatisfy { $0.object == nil })
        #expect(entry?.objectScope === ObjectScope.container)
    }

    @Test func `with an instance that keeps its own entry`() {
        let log = EventLog<WeakReference>()
        do {
            let container = Container()
            let entry = container.register(Keeper.self) { resolver in Keeper(resolver, log) }
                .inObjectScope(.container)
            let stored = container.register(Keeper.self, name: "s") { Keeper($0, log) }
                .inObjectScope(ObjectScope(storageFactory: PermanentStorage.init))
            container.resolve(Keeper.self)?.more = entry
            container.resolve(Keeper.self, name: "s")?.more = stored
            log.note(WeakReference(entry))
            log.note(WeakReference(stored))
        }
        #expect(log.all.count == 4)
        #expect(log.all.allSatisfy { $0.object == nil })
    }

    @Test func `what a re-registration, removal or reset drops`() throws {
        let container = Container()
        let log = EventLog<WeakReference>()
        func register() {
            container.register(Keeper.self) { resolver in Keeper(resolver, log) }
                .inObjectScope(.container)
                .implements(AnyObject.self)
        }
        register()
        _ = (container.resolve(Keeper.self), container.resolve(AnyObject.self))
        register()
        #expect(log.all[0].object == nil, "registered again")
        _ = (container.resolve(Keeper.self), container.resolve(AnyObject.self))
        container.resetObjectScope(.container)
        #expect(log.all[1].object == nil, "reset")
        _ = (container.resolve(Keeper.self), container.resolve(AnyObject.self))
        container.removeAll()
        #expect(log.all[2].object == nil, "removed")
        #expect(log.all.count == 3)
    }

    @Test func `what a scope kept when another is chosen`() {
        let container = Container()
        let log = EventLog<WeakReference>()
        let entry = container.register(Keeper.self) { resolver in Keeper(resolver, log) }
            .inObjectScope(.container)
        _ = container.resolve(Keeper.self)
        entry.inObjectScope(.weak)

        #expect(log.all.allSatisfy { $0.object == nil })
    }

    @Test func `what a factory that failed had asked for`() {
        struct Failure: Error {}
        let container = Container()
        let log = EventLog<WeakReference>()
        container.register(Keeper.self) { resolver in Keeper(resolver, log) }
        container.register(Int.self) { resolver in
            _ = try resolver.require(Keeper.self)
            throw Failure()
        }
        #expect(throws: ResolutionError.self) { try container.require(Int.self) }
        #expect(log.all.count == 1)
        #expect(log.all[0].object == nil)
    }

    @Test func `a parent lives as long as its child`() {
        weak var parent: Container?
        do {
            let child = {
                let container = Container()
                container.register(Int.self) { _ in 5 }
                parent = container
                return Container(parent: container)
            }()
            #expect(child.resolve(Int.self) == 5)
            #expect(parent != nil)
        }
        #expect(parent == nil)
    }

    // MARK: - A resolver that outlives its container

    @Test func `a resolver that was kept finds an error when its container is gone`() throws {
        let log = EventLog<WeakReference>()
        let keeper = try keeperOfGoneContainer(log) { $0 }
        let resolver = try #require(keeper.kept as? Resolver)

        let error = try #require(throws: ResolutionError.self) {
            try resolver.require(Part.self)
        }
        #expect(error.reason == .containerGone)
    }

    @Test func `a Lazy that was used keeps what it has when its container is gone`() throws {
        let log = EventLog<WeakReference>()
        let keeper = try keeperOfGoneContainer(log) { resolver in
            let lazy = resolver ~> Lazy<Part>.self
            _ = lazy.instance
            return lazy
        }
        let lazy = try #require(keeper.kept as? Lazy<Part>)
        #expect(lazy.instance === lazy.instance)
    }

    private func keeperOfGoneContainer(
        _ log: EventLog<WeakReference>,
        keeping: @escaping @Sendable (Resolver) -> Any
    ) throws -> Keeper {
        let container = Container()
        container.register(Part.self) { _ in Part() }
        container.register(Keeper.self) { resolver in Keeper(keeping(resolver), log) }
            .inObjectScope(.container)
        return try container.require(Keeper.self)
    }

    private func expectReleased(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ use: (Container, EventLog<WeakReference>) -> [Keeper]
    ) {
        let log = EventLog<WeakReference>()
        do {
            let container = Container()
            log.note(WeakReference(container))
            let keepers = use(container, log)
            #expect(!keepers.isEmpty, sourceLocation: sourceLocation)
        }
        #expect(log.all.count > 1, sourceLocation: sourceLocation)
        for reference in log.all {
            #expect(reference.object == nil, sourceLocation: sourceLocation)
        }
    }
}

private struct WeakReference: @unchecked Sendable {  // references are atomic
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}

private final class Keeper {
    let kept: Any
    var more: Any?

    init(_ kept: Any, _ log: EventLog<WeakReference>) {
        self.kept = kept
        log.note(WeakReference(self))
    }
}

private final class Part {}
