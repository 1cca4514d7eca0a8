import Testing

@testable import Depin

/// In each of these, user code lets another thread use the container for everything and waits for it:
/// that would hang if a lock of the library's were held.
@Suite(.timeLimit(.minutes(5)))
struct `User code never runs under a lock` {
    enum Dropping: CaseIterable {
        case reset, resetOfType, reregistration, unregistration, removeAll, newScope, release
    }

    @Test(arguments: SharedScope.allCases, Dropping.allCases)
    func `a deinit of what is dropped`(_ shared: SharedScope, _ dropping: Dropping) {
        let ended = Shared()
        var container: Container? = Container()
        let other = Container()
        if let container {
            let entry = container.register(Dying.self) { [unowned container] in
                Dying {
                    // A container that goes cannot be used any more.
                    elsewhere(with: dropping == .release ? other : container)
                    ended.count()
                }
            }
            .inObjectScope(shared.scope)
            entry.implements(AnyObject.self)
            use(container ~> Dying.self)
            use(container ~> AnyObject.self)
            switch dropping {
            case .reset: container.resetObjectScope(shared.scope)
            case .resetOfType:
                container.resetObjectScope(shared.scope, serviceType: Dying.self)
            case .reregistration:
                container.register(Dying.self) { Dying {} }.implements(AnyObject.self)
            case .unregistration:
                container.unregister(Dying.self)
                container.unregister(AnyObject.self)
            case .removeAll: container.removeAll()
            case .newScope: entry.inObjectScope(.transient)
            case .release: break
            }
        }
        #expect(dropping == .release || ended.value > 0 || shared == .weak)
        container = nil
        #expect(ended.value == (shared == .weak ? 2 : 1))
    }

    @Test(arguments: [Dropping.reregistration, .unregistration, .removeAll])
    func `a deinit of what a factory captured`(_ dropping: Dropping) {
        let (container, ended) = (Container(), Shared())
        register(
            Dying { [unowned container] in
                elsewhere(with: container)
                ended.count()
            }
        )
        func register(_ captured: Dying) {
            container.register(Int.self) { withExtendedLifetime(captured) { 1 } }
        }
        #expect((container ~> Int.self) == 1)
        switch dropping {
        case .reregistration: container.register(Int.self) { 2 }
        case .unregistration: container.unregister(Int.self)
        default: container.removeAll()
        }
        #expect(ended.value == 1)
    }

    @Test func `a deinit of a graph's instances and of its arguments`() {
        let (container, ended) = (Container(), Shared())
        let onEnd: @Sendable () -> Void = { [unowned container] in
            elsewhere(with: container)
            ended.count()
        }
        container.register(Int.self) { (_: any Resolver, _: Dying) in 1 }
        container.register(Dying.self) { Dying(onEnd) }
        container.register(String.self) { resolver in
            let graph = resolver ~> GraphIdentifier.self
            use(resolver ~> (Int.self, argument: Dying(onEnd)))
            use(resolver ~> Dying.self)
            return "\(graph.id)"
        }
        let graph = GraphIdentifier()
        for round in 1...3 {
            use(container.withObjectGraph(graph) { $0 ~> String.self })
            #expect(ended.value == 2 * round)
        }
    }

    /// An argument whose comparison lets another thread use the very graph.
    private final class Nosy: Hashable, @unchecked Sendable {
        let onComparison: @Sendable () -> Void

        init(_ onComparison: @escaping @Sendable () -> Void) {
            self.onComparison = onComparison
        }

        static func == (left: Nosy, right: Nosy) -> Bool {
            left.onComparison()
            return left === right
        }

        func hash(into hasher: inout Hasher) {}
    }

    @Test func `the comparison of arguments in a graph that is shared`() {
        let (container, compared) = (Container(), Shared())
        container.register(Int.self) { (_: any Resolver, _: Nosy) in 1 }
        container.register(String.self) { [unowned container] resolver in
            let graph = resolver ~> GraphIdentifier.self
            let argument = Nosy {
                Running { container.withObjectGraph(graph) { use($0 ~> Thing.self) } }.value
                elsewhere(with: container)
                compared.count()
            }
            use(resolver ~> (Int.self, argument: argument))
            use(resolver ~> (Int.self, argument: Nosy {}))
            return "done"
        }
        container.register(Thing.self) { Thing() }
        #expect((container ~> String.self) == "done")
        #expect(compared.value > 0)
    }

    @Test(arguments: SharedScope.allCases)
    func `factories, callbacks and behaviors`(_ shared: SharedScope) {
        struct Curious: Behavior {
            let calls: Shared<Int>
            func container<Type, Service>(
                _ container: Container,
                didRegisterType type: Type.Type,
                toService entry: ServiceEntry<Service>,
                withName name: String?
            ) {
                guard type == Thing.self || type == AnyObject.self else { return }
                elsewhere(with: container)
                calls.count()
            }
        }
        let calls = Shared()
        let container = Container(behaviors: [Curious(calls: calls)])
        let everything: @Sendable () -> Void = { [unowned container] in
            elsewhere(with: container)
            calls.count()
        }
        container.register(Thing.self) {
            everything()
            return Thing()
        }
        .inObjectScope(shared.scope)
        .initCompleted { _, _ in everything() }
        .implements(AnyObject.self)
        use(container ~> Thing.self)
        #expect(calls.value == 4)
    }

    private final class CuriousStorage: InstanceStorage {
        let everything: () -> Void
        private var stored: Any?

        init(_ everything: @escaping () -> Void) {
            self.everything = everything
            everything()
        }

        var instance: Any? {
            get {
                everything()
                return stored
            }
            set {
                everything()
                stored = newValue
            }
        }

        func graphResolutionCompleted() {
            everything()
        }
    }

    @Test func `storages, and their factories`() {
        let (container, calls) = (Container(), Shared())
        let scope = ObjectScope(storageFactory: { [unowned container] in
            CuriousStorage { [unowned container] in
                elsewhere(with: container)
                calls.count()
            }
        })
        container.register(Thing.self) { Thing() }.inObjectScope(scope)
        let thing = container ~> Thing.self
        #expect(thing === (container ~> Thing.self))
        container.resetObjectScope(scope)
        #expect(thing !== (container ~> Thing.self))
        #expect(calls.value > 4)
    }

    // MARK: - Storages

    @Test func `calls to one entry's storage come one at a time`() {
        final class Unguarded: InstanceStorage {
            let violations: Shared<Int>
            private let inside = Shared()
            private var stored: Any?

            init(_ violations: Shared<Int>) {
                self.violations = violations
            }

            private func alone<Result>(_ body: () -> Result) -> Result {
                if inside.count() != 1 { violations.count() }
                defer { inside.change { $0 -= 1 } }
                return body()
            }

            var instance: Any? {
                get { alone { stored } }
                set { alone { stored = newValue } }
            }

            func graphResolutionCompleted() {
                alone {}
            }
        }
        let (container, violations) = (Container(), Shared())
        let scope = ObjectScope(storageFactory: { Unguarded(violations) })
        container.register(Thing.self) { Thing() }.inObjectScope(scope)
        use(
            onThreads(8) { index in
                for _ in 0..<200 {
                    index == 0 ? container.resetObjectScope(scope) : use(container ~> Thing.self)
                }
            }
        )
        #expect(violations.value == 0)
    }
}

/// Lets another thread use a container for everything, and waits for it.
private func elsewhere(with container: Container) {
    Running { doEverything(with: container) }.value
}
