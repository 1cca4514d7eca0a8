import Testing

@testable import Depin

/// In each of these, what is dropped lets another thread use the very thing that drops it, and waits.
@Suite(.timeLimit(.minutes(5)))
struct `What is dropped goes under no lock` {
    private let container = Container()
    private let ended = Shared()

    init() {
        container.register(Int.self) { 1 }
    }

    /// What has another thread resolve in a graph when it goes.
    private func dying(using graph: GraphIdentifier) -> Dying {
        Dying { [container, ended] in
            use(Running { container.withObjectGraph(graph) { $0 ~> Int.self } }.value)
            ended.count()
        }
    }

    // MARK: - By a graph

    @Test func `an instance at a graph's end`() {
        let graph = GraphIdentifier()
        let made = Shared<Dying?>(dying(using: graph))
        container.register(Dying.self) {
            made.change { made in
                defer { made = nil }
                return made ?? Dying {}
            }
        }
        container.withObjectGraph(graph) { use($0 ~> Dying.self) }
        #expect(ended.value == 1)
    }

    @Test func `an argument at a graph's end`() {
        let graph = GraphIdentifier()
        container.register(Thing.self) { (_: any Resolver, _: Dying) in Thing() }
        container.withObjectGraph(graph) { [dying = dying(using: graph)] in
            use($0 ~> (Thing.self, argument: dying))
        }
        #expect(ended.value == 1)
    }

    @Test func `an instance that a storage replaces in a graph`() {
        let (graph, storage) = (GraphIdentifier(), GraphStorage())
        container.withObjectGraph(graph) { _ in
            storage.setInstance(dying(using: graph), inGraph: graph)
            storage.setInstance(Dying {}, inGraph: graph)
            #expect(ended.value == 1)
        }
    }

    // MARK: - By who looks at it

    @Test func `an instance of weak scope, by who looks whether there is one`() {
        let (next, isOver) = (Shared<@Sendable () -> Void>({}), Gate())
        let entry = container.register(Dying.self) { Dying(next.value) }.inObjectScope(.weak)
        let looking = Running { [container] in
            while !isOver.isOpen { use(container.engine.hasShared(in: entry.slot)) }
        }
        untilOthersEnd(3) { [container] onEnd in
            next.change { next in
                next = {
                    use(entry.objectScope)
                    onEnd()
                }
            }
            use(container ~> Dying.self)
        }
        next.change { $0 = {} }
        isOver.open()
        looking.value
    }

    // MARK: - By what watches

    @Test func `who watches, when another does`() {
        final class Watching: EngineObserver {
            let dying: Dying

            init(_ dying: Dying) {
                self.dying = dying
            }
        }
        let other = container.addObserver(ResolutionTrace { _ in })
        let observe: @Sendable () -> Void = { [container, ended] in
            Running { container.addObserver(ResolutionTrace { _ in }).end() }.value
            ended.count()
        }
        func watch() {
            let watching = Watching(Dying(observe))
            container.engine.observe(by: watching)
            container.engine.endObserving(by: watching)
        }
        watch()
        let observation = container.addObserver(ResolutionTrace { _ in })
        #expect(ended.value == 1)
        other.end()
        observation.end()
    }

    @Test func `an observer, with its container`() {
        struct Observer: ResolutionObserver {
            let dying: Dying

            func observe(_: ResolutionEvent) {}
        }
        var observed: Container? = Container()
        let other = observed?.addObserver(ResolutionTrace { _ in })
        observed?.addObserver(
            Observer(
                dying: Dying { [ended] in
                    Running { other?.end() }.value
                    ended.count()
                }
            )
        )
        observed = nil
        #expect(ended.value == 1)
    }

    // MARK: - By a storage

    /// Finds for no graph what it keeps.
    private final class Forgetful: InstanceStorage {
        var instance: Any?

        func instance(inGraph graph: GraphIdentifier) -> Any? { nil }
    }

    @Test func `an instance that another one replaces`() {
        let (scope, built) = (ObjectScope(storageFactory: Forgetful.init), Shared())
        container.register(Dying.self) { [unowned container, built, ended] in
            guard built.count() == 1 else { return Dying {} }
            return Dying {
                Running { container.resetObjectScope(scope) }.value
                ended.count()
            }
        }
        .inObjectScope(scope)
        use(container ~> Dying.self)
        #expect(ended.value == 0)
        use(container ~> Dying.self)
        #expect(ended.value == 1)
    }

    /// The library sees what a reset drops, also where no object is the instance.
    @Test func `a value, by a reset`() {
        struct Carrier: Sendable {
            let dying: Dying
        }
        let (scope, built) = (ObjectScope(storageFactory: PermanentStorage.init), Shared())
        container.register(Carrier.self) { [unowned container, built, ended] in
            guard built.count() == 1 else { return Carrier(dying: Dying {}) }
            return Carrier(
                dying: Dying {
                    use(Running { container ~> Carrier.self }.value)
                    ended.count()
                }
            )
        }
        .inObjectScope(scope)
        use(container ~> Carrier.self)
        container.resetObjectScope(scope)
        #expect(ended.value == 1)
    }
}
