import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A scope that changes while the old one is at work` {
    private struct Broken: Error {}

    private let container = Container()

    /// What a thread is given that waits for a `Thing` while the scope changes and its build fails.
    private func served(inChangeTo scope: ObjectScope) -> Thing? {
        let (built, inFactory, open) = (Shared(), Gate(), Gate())
        let entry = container.register(Thing.self) {
            if built.count() == 1 {
                inFactory.open()
                open.wait()
                throw Broken()
            }
            return Thing(built.value)
        }
        .inObjectScope(.container)
        let builder = Running { [container] in try? container.require(Thing.self) }
        inFactory.wait()
        let waiter = Running { [container] in try? container.require(Thing.self) }
        waiter.untilItWaits()
        entry.inObjectScope(scope)
        open.open()
        #expect(builder.value == nil)
        return waiter.value
    }

    @Test(arguments: [ObjectScope.transient, .graph])
    func `keeps nothing that is built after it for those who waited before`(_ scope: ObjectScope) {
        let served = served(inChangeTo: scope)
        #expect(served != nil)
        let one = container ~> Thing.self
        #expect(one !== served)
        #expect(one !== (container ~> Thing.self))
    }

    @Test func `keeps in another storage what is built after it for those who waited before`() {
        let scope = SharedScope.stored.scope
        let served = served(inChangeTo: scope)
        #expect(served === (container ~> Thing.self))
        container.resetObjectScope(scope)
        #expect(served !== (container ~> Thing.self))
    }

    /// Stops whoever drops its instance.
    private final class HoldingStorage: InstanceStorage {
        let onDrop: () -> Void
        var instance: Any? { didSet { if instance == nil { onDrop() } } }

        init(onDrop: @escaping () -> Void) { self.onDrop = onDrop }
    }

    @Test(arguments: [ObjectScope.transient, .weak])
    func `gives out no old instance when it has changed, though a reset is half through`(
        _ between: ObjectScope
    ) {
        let (container, isHalf, mayGoOn) = (Container(), Gate(), Gate())
        let scope = ObjectScope(storageFactory: {
            HoldingStorage {
                isHalf.open()
                mayGoOn.wait()
            }
        })
        // They are reset in this order, and only then does the container forget what was ready.
        let entry = container.register(Thing.self) { Thing() }.inObjectScope(.container)
        container.register(String.self) { "" }.inObjectScope(scope)
        let old = container ~> Thing.self
        #expect(entry.slot.kept != nil)

        let reset = Running { container.engine.resetChain() }
        isHalf.wait()
        entry.inObjectScope(between)
        let next = container ~> Thing.self
        #expect(next !== old)
        entry.inObjectScope(.transient)
        #expect((container ~> Thing.self) !== next)
        mayGoOn.open()
        reset.value
        #expect((container ~> Thing.self) !== (container ~> Thing.self))
    }
}
