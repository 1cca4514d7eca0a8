import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A change during a build` {
    @Test(arguments: SharedScope.allCases)
    func `a reset during a build: waiters are served, the next request builds anew`(
        _ shared: SharedScope
    ) {
        duringABuild(shared) { container in container.resetObjectScope(shared.scope) }
    }

    @Test(arguments: SharedScope.allCases)
    func `a re-registration during a build: the old factory serves those who wait`(
        _ shared: SharedScope
    ) {
        duringABuild(shared) { container in
            container.register(Thing.self) { Thing(-1) }.inObjectScope(shared.scope)
        }
    }

    @Test(arguments: SharedScope.allCases)
    func `another scope during a build takes effect with the next request`(_ shared: SharedScope) {
        let (container, entry) = (Container(), Shared<ServiceEntry<Thing>?>(nil))
        duringABuild(shared, in: container, entry) { _ in
            entry.value?.inObjectScope(.transient)
        }
        #expect((container ~> Thing.self) !== (container ~> Thing.self))
    }

    @Test(arguments: SharedScope.allCases)
    func `the builder's own callback finds its instance after a reset, not after a registration`(
        _ shared: SharedScope
    ) {
        for (isReset, expected) in [(true, 1), (false, 2)] {
            let (container, found) = (Container(), Shared<Int?>(nil))
            container.register(Thing.self) { Thing(1) }
                .inObjectScope(shared.scope)
                .initCompleted { [unowned container] resolver, _ in
                    if isReset {
                        container.resetObjectScope(shared.scope)
                    } else {
                        container.register(Thing.self) { Thing(2) }.inObjectScope(shared.scope)
                    }
                    found.change { $0 = (resolver ~> Thing.self).number }
                }
            #expect((container ~> Thing.self).number == 1)
            #expect(found.value == expected)
        }
    }

    @Test(arguments: SharedScope.allCases)
    func `a container that goes during a build keeps nothing of it`(_ shared: SharedScope) {
        let (inFactory, open) = (Gate(), Gate())
        var container: Container? = Container()
        let entry = container?.register(Thing.self) {
            inFactory.open()
            open.wait()
            return Thing()
        }
        .inObjectScope(shared.scope)
        let builder = container.map { container in
            Running { [engine = container.engine] in Weak(try? engine.require(Thing.self)) }
        }
        inFactory.wait()
        container = nil
        open.open()
        #expect(builder?.value.object == nil)
        withExtendedLifetime(entry) {}
    }

    /// Needs a thing.
    private final class Holder: Sendable {
        let thing: Thing

        init(_ thing: Thing) {
            self.thing = thing
        }
    }

    /// Tells whether a thing is still there, of which the test holds nothing.
    private final class Weak: @unchecked Sendable {
        private(set) weak var object: Thing?

        init(_ object: Thing?) {
            self.object = object
        }
    }

    private func duringABuild(
        _ shared: SharedScope,
        in container: Container = Container(),
        _ entry: Shared<ServiceEntry<Thing>?> = Shared(nil),
        _ change: (Container) -> Void
    ) {
        let (built, inFactory, open) = (Shared(), Gate(), Gate())
        let registered = container.register(Thing.self) {
            let number = built.count()
            if number == 1 {
                inFactory.open()
                open.wait()
            }
            return Thing(number)
        }
        .inObjectScope(shared.scope)
        entry.change { $0 = registered }

        container.register(Holder.self) { resolver in Holder(resolver ~> Thing.self) }
            .inObjectScope(.transient)

        let builder = Running { container ~> Thing.self }
        inFactory.wait()
        let waiter = Running { container ~> Thing.self }
        let factory = Running { (container ~> Holder.self).thing }
        waiter.untilItWaits()
        factory.untilItWaits()
        change(container)
        let next = container ~> Thing.self
        #expect(next.number != 1)
        open.open()
        #expect(builder.value === waiter.value)
        #expect(builder.value === factory.value)
        #expect(builder.value.number == 1)
        let kept = container ~> Thing.self
        #expect(kept === next || registered.objectScope === ObjectScope.transient)
        entry.change { $0 = nil }
    }

    @Test func `a reset between the look at the storage and the factory keeps what is built`() {
        final class ResettingStorage: InstanceStorage {
            let onFirstLook: () -> Void
            private var looks = 0
            private var stored: Any?

            init(onFirstLook: @escaping () -> Void) {
                self.onFirstLook = onFirstLook
            }

            var instance: Any? {
                get {
                    looks += 1
                    if looks == 1 { onFirstLook() }
                    return stored
                }
                set { stored = newValue }
            }
        }
        let (container, built, storages) = (Container(), Shared(), Shared())
        let known = Shared<ObjectScope?>(nil)
        let scope = ObjectScope(storageFactory: { [unowned container] in
            storages.count()
            return ResettingStorage { container.resetObjectScope(known.value ?? .container) }
        })
        known.change { $0 = scope }
        container.register(Thing.self) { Thing(built.count()) }.inObjectScope(scope)
        let first = container ~> Thing.self
        #expect(first === (container ~> Thing.self))
        #expect(built.value == 1)
        #expect(storages.value == 1)
        known.change { $0 = nil }
    }

    @Test func `a reset leaves alone what another scope has kept since the reset began`() {
        final class RescopingStorage: InstanceStorage {
            let onDrop: () -> Void
            var instance: Any? { didSet { if instance == nil { onDrop() } } }

            init(onDrop: @escaping () -> Void) { self.onDrop = onDrop }
        }
        let container = Container()
        let entries = Shared<[ServiceEntry<Thing>]>([])
        let kept = Shared<[String: Thing]>([:])
        // The first entry that is reset moves both to another scope, where they have an instance.
        let scope = ObjectScope(storageFactory: {
            RescopingStorage {
                for entry in entries.change({ taken in
                    defer { taken = [] }
                    return taken
                }) { entry.inObjectScope(.container) }
                for name in ["one", "other"] {
                    let thing = Running { container ~> (Thing.self, name: name) }.value
                    kept.change { $0[name] = $0[name] ?? thing }
                }
            }
        })
        for name in ["one", "other"] {
            let entry = container.register(Thing.self, name: name) { Thing() }.inObjectScope(scope)
            entries.change { $0.append(entry) }
        }
        container.resetObjectScope(scope)
        #expect(kept.value.count == 2)
        for (name, thing) in kept.value {
            #expect(thing === (container ~> (Thing.self, name: name)))
        }
    }

    @Test func `a reset drops nothing that is built after it`() {
        let (container, given) = (Container(), Shared<[Thing]>([]))
        let isReset = Shared(false)
        // The storage is made on the way of the reset to it, and something is built meanwhile.
        let scope = ObjectScope(storageFactory: {
            if isReset.change({ isReset in
                defer { isReset = false }
                return isReset
            }) {
                let thing = Running { container ~> Thing.self }.value
                given.change { $0.append(thing) }
            }
            return PermanentStorage()
        })
        container.register(Thing.self) { Thing() }.inObjectScope(scope)
        isReset.change { $0 = true }
        container.resetObjectScope(scope)
        #expect(given.value.count == 1)
        let next = container ~> Thing.self
        #expect(next !== given.value.first)
        #expect((container ~> Thing.self) === next)
        container.removeAll()
    }
}
