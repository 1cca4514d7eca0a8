import Testing

@testable import Depin

/// The scopes that share an instance between threads.
enum SharedScope: CaseIterable, CustomTestStringConvertible {
    case container, named, stored, weak

    var testDescription: String { "\(self)" }

    private static let session = ObjectScope(named: "session")
    private static let custom = ObjectScope(storageFactory: PermanentStorage.init)

    var scope: ObjectScope {
        switch self {
        case .container: .container
        case .named: Self.session
        case .stored: Self.custom
        case .weak: .weak
        }
    }
}

final class Thing: Sendable {
    let number: Int

    init(_ number: Int = 0) {
        self.number = number
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `A shared instance is built exactly once` {
    @Test(arguments: SharedScope.allCases)
    func `however many threads ask at once`(_ shared: SharedScope) {
        let container = Container()
        let (built, inFactory, open) = (Shared(), Gate(), Gate())
        container.register(Thing.self) {
            inFactory.open()
            open.wait()
            return Thing(built.count())
        }
        .inObjectScope(shared.scope)

        let builder = Running { container ~> Thing.self }
        inFactory.wait()
        let others = (0..<7).map { _ in Running { container ~> Thing.self } }
        for thread in others { thread.untilItWaits() }
        open.open()

        let instances = [builder.value] + others.map(\.value)
        #expect(Set(instances.map(ObjectIdentifier.init)).count == 1)
        #expect(built.value == 1)
        #expect(instances.contains { $0 === (container ~> Thing.self) })
    }

    @Test(arguments: SharedScope.allCases)
    func `also when nothing holds them back`(_ shared: SharedScope) {
        for _ in 0..<50 {
            let container = Container()
            let built = Shared()
            container.register(Thing.self) { Thing(built.count()) }.inObjectScope(shared.scope)
            let instances = onThreads(4) { _ in container ~> Thing.self }
            #expect(instances.allSatisfy { $0 === instances[0] || shared == .weak })
            #expect(built.value == 1 || shared == .weak)
        }
    }

    @Test func `whether asked by its type, a forwarded type, a child or a view`() {
        let container = Container()
        let (built, inFactory, open) = (Shared(), Gate(), Gate())
        container.register(Thing.self) {
            inFactory.open()
            open.wait()
            return Thing(built.count())
        }
        .inObjectScope(.container).implements(AnyObject.self)
        let child = Container(parent: container)
        let view = container.synchronize()

        let builder = Running { ObjectIdentifier(container ~> Thing.self) }
        inFactory.wait()
        let others = [
            Running { ObjectIdentifier(child ~> Thing.self) },
            Running { ObjectIdentifier(view ~> Thing.self) },
            Running { ObjectIdentifier(container ~> AnyObject.self) },
        ]
        for thread in others { thread.untilItWaits() }
        open.open()
        #expect(Set(others.map(\.value) + [builder.value]).count == 1)
        #expect(built.value == 1)
    }

    @Test(arguments: SharedScope.allCases)
    func `callbacks run once, and those who wait get the instance after them`(
        _ shared: SharedScope
    ) {
        let container = Container()
        let (completed, inCallback, open) = (Shared(), Gate(), Gate())
        container.register(Thing.self) { Thing() }
            .inObjectScope(shared.scope)
            .initCompleted { _, _ in
                inCallback.open()
                open.wait()
                completed.count()
            }
        let builder = Running { container ~> Thing.self }
        inCallback.wait()
        let other = Running { (container ~> Thing.self, completed.value) }
        other.untilItWaits()
        open.open()
        #expect(other.value.0 === builder.value)
        #expect(other.value.1 == 1)
        #expect(completed.value == 1)
    }

    @Test(arguments: SharedScope.allCases)
    func `an instance that its callback asks for is not handed to others before its end`(
        _ shared: SharedScope
    ) {
        let container = Container()
        let (completed, inCallback, open) = (Shared(), Gate(), Gate())
        container.register(Thing.self) { Thing() }
            .inObjectScope(shared.scope)
            .implements(AnyObject.self)
            .initCompleted { resolver, thing in
                #expect((resolver ~> Thing.self) === thing)
                #expect((resolver ~> AnyObject.self) === thing)
                inCallback.open()
                open.wait()
                completed.count()
            }
        let builder = Running { container ~> Thing.self }
        inCallback.wait()
        let others = [
            Running { use(container ~> Thing.self) },
            Running { use(container ~> AnyObject.self) },
        ]
        for thread in others { thread.untilItWaitsOrEnds() }
        #expect(others.allSatisfy { !$0.hasEnded })
        open.open()
        for thread in others { thread.value }
        #expect(completed.value == 1)
        use(builder.value)
    }

    @Test func `a failed build makes one of those who wait build anew`() throws {
        struct Broken: Error {}
        let container = Container()
        let (built, inFactory, open) = (Shared(), Gate(), Gate())
        container.register(Thing.self) {
            if built.count() == 1 {
                inFactory.open()
                open.wait()
                throw Broken()
            }
            return Thing(built.value)
        }
        .inObjectScope(.container)

        let builder = Running { try? container.require(Thing.self) }
        inFactory.wait()
        let others = (0..<4).map { _ in Running { try? container.require(Thing.self) } }
        for thread in others { thread.untilItWaits() }
        open.open()
        #expect(builder.value == nil)
        #expect(others.map { $0.value?.number } == [2, 2, 2, 2])
    }

    // MARK: - Own instances first

    @Test(arguments: SharedScope.allCases)
    func `a resolution finds its own instance although a reset came between`(
        _ shared: SharedScope
    ) {
        let (container, built) = (Container(), Shared())
        let found = Shared<Thing?>(nil)
        container.register(Thing.self) { Thing(built.count()) }
            .inObjectScope(shared.scope)
            .initCompleted { [unowned container] resolver, _ in
                container.resetObjectScope(shared.scope)
                found.change { $0 = (resolver ~> Thing.self) }
            }
        let thing = container ~> Thing.self
        #expect(found.value === thing)
        #expect(built.value == 1)
        // It is not kept, although it was asked for after the reset.
        #expect((container ~> Thing.self) !== thing)
    }

    //  Owner ──► Thing ··► Owner       (··► in initCompleted)
    @Test(arguments: SharedScope.allCases)
    func `a way back into a build keeps to its generation, the first instance stored wins`(
        _ shared: SharedScope
    ) {
        let (container, completed) = (Container(), Shared())
        let inner = Shared<Owner?>(nil)
        container.register(Owner.self) { Owner($0 ~> Thing.self) }
            .inObjectScope(shared.scope)
            .initCompleted { _, _ in completed.count() }
        container.register(Thing.self) { Thing() }
            .inObjectScope(shared.scope)
            .initCompleted { [unowned container] resolver, _ in
                container.resetObjectScope(shared.scope)
                inner.change { $0 = (resolver ~> Owner.self) }
            }
        let owner = container ~> Owner.self
        #expect(owner === inner.value)
        #expect(owner.thing === inner.value?.thing)
        #expect(completed.value == 1)
    }

    private final class Owner: Sendable {
        let thing: Thing
        init(_ thing: Thing) { self.thing = thing }
    }
}
