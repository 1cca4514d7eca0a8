import Testing

@testable import Depin

@Suite(.timeLimit(.minutes(5)))
struct `A circle of threads never deadlocks` {
    //  Parent ──► Child ··► Parent       (··► in initCompleted)

    private struct Family {
        let container = Container()
        let inFactory = Gate(), inCallback = Gate()
        let factoryMayAsk = Gate(), callbackMayAsk = Gate()
        let childSeen = Shared<Bool?>(nil)
        let adopted = Shared<Parent?>(nil)

        init(_ scope: ObjectScope) {
            container.register(Parent.self) { [inFactory, factoryMayAsk, childSeen] resolver in
                inFactory.open()
                factoryMayAsk.wait()
                let child = resolver ~> Child.self
                childSeen.change { $0 = child.isComplete.value }
                return Parent(child)
            }
            .inObjectScope(scope)
            container.register(Child.self) { Child() }
                .inObjectScope(scope)
                .initCompleted { [inCallback, callbackMayAsk, adopted] resolver, child in
                    inCallback.open()
                    callbackMayAsk.wait()
                    adopted.change { $0 = (resolver ~> Parent.self) }
                    child.isComplete.change { $0 = true }
                }
        }
    }

    @Test(arguments: SharedScope.allCases)
    func `who waits already is given the constructed instance when the circle closes`(
        _ shared: SharedScope
    ) {
        let family = Family(shared.scope)
        let parent = Running { family.container ~> Parent.self }
        let child = Running { family.container ~> Child.self }
        family.inFactory.wait()
        family.inCallback.wait()
        family.factoryMayAsk.open()
        parent.untilItWaits()
        family.callbackMayAsk.open()
        #expect(family.childSeen.whenThere() == false)
        #expect(parent.value.child === child.value)
        #expect(child.value.isComplete.value)
        #expect(family.adopted.value === parent.value)
        family.adopted.change { $0 = nil }
    }

    //  a ──► b ──► c ··► a
    @Test func `a callback that asks for what waits for its own builder is told so`() {
        let (container, inCallback, mayAsk) = (Container(), Gate(), Gate())
        let isCircular = Shared<Bool?>(nil)
        func register(_ name: String, needing next: String) {
            container.register(Thing.self, name: name) { resolver in
                use(try resolver.require(Thing.self, name: next))
                return Thing()
            }
            .inObjectScope(.container)
        }
        register("a", needing: "b")
        register("b", needing: "c")
        container.register(Thing.self, name: "c") { Thing() }
            .inObjectScope(.container)
            .initCompleted { resolver, _ in
                inCallback.open()
                mayAsk.wait()
                do {
                    use(try resolver.require(Thing.self, name: "a"))
                    isCircular.change { $0 = false }
                } catch {
                    guard case .circularDependency = (error as? ResolutionError)?.reason else {
                        fatalError("\(error)")
                    }
                    isCircular.change { $0 = true }
                }
            }
        let builder = Running { try? container.require(Thing.self, name: "b") }
        inCallback.wait()
        let waiter = Running { try? container.require(Thing.self, name: "a") }
        waiter.untilItWaits()
        mayAsk.open()
        #expect(builder.value != nil && waiter.value != nil)
        #expect(isCircular.value == true)
        // One thread gets through from each end.
        for end in ["a", "b", "c"] {
            container.resetObjectScope(.container)
            use(try? container.require(Thing.self, name: end))
            #expect(isCircular.value == false, "from \(end)")
        }
    }

    @Test(arguments: SharedScope.allCases)
    func `who closes the circle takes the constructed instance at once`(_ shared: SharedScope) {
        let family = Family(shared.scope)
        let parent = Running { family.container ~> Parent.self }
        let child = Running { family.container ~> Child.self }
        family.inFactory.wait()
        family.inCallback.wait()
        family.callbackMayAsk.open()
        child.untilItWaits()
        family.factoryMayAsk.open()
        #expect(family.childSeen.whenThere() == false)
        #expect(parent.value.child === child.value)
        #expect(family.adopted.value === parent.value)
        family.adopted.change { $0 = nil }
    }

    //  Left ──► Right ──► Left

    @Test func `without a constructed member it is an error with both paths`() throws {
        let container = Container()
        let (inLeft, inRight, open) = (Gate(), Gate(), Gate())
        container.register(Left.self) { resolver in
            inLeft.open()
            open.wait()
            return Left(try resolver.require(Right.self))
        }
        .inObjectScope(.container)
        container.register(Right.self) { resolver in
            inRight.open()
            inLeft.wait()
            return Right(try resolver.require(Left.self))
        }
        .inObjectScope(.container)

        let left = Running { failure(of: { try container.require(Left.self) }) }
        inLeft.wait()
        let right = Running { failure(of: { try container.require(Right.self) }) }
        right.untilItWaits()
        open.open()
        let errors = [left.value, right.value].compactMap(\.self)
        #expect(errors.count == 2)
        let closing = try #require(errors.first)
        #expect(closing.reason == .circularDependency)
        #expect(closing.path.map { "\($0.request.serviceType)" } == ["Left", "Right"])
        #expect("\(closing.request.serviceType)" == "Right")
        #expect(closing.otherPath.map { "\($0.request.serviceType)" } == ["Right", "Left"])
        #expect(errors.last?.reason == .circularDependency)
        // Nothing is left behind: a fixed registration works.
        container.register(Left.self) { Left(nil) }
        #expect((container ~> Right.self).left != nil)
    }

    @Test func `three threads and two containers`() {
        let (one, two) = (Container(), Container())
        let inside = [Gate(), Gate(), Gate()]
        let open = Gate()
        func register(_ index: Int, in container: Container, asking next: Container) {
            container.register(Thing.self, name: "\(index)") { [unowned next] in
                inside[index].open()
                open.wait()
                return try next.require(Thing.self, name: "\((index + 1) % 3)")
            }
            .inObjectScope(.container)
        }
        register(0, in: one, asking: two)
        register(1, in: two, asking: one)
        register(2, in: one, asking: one)
        let threads = [(0, one), (1, two), (2, one)].map { index, container in
            Running { failure(of: { try container.require(Thing.self, name: "\(index)") }) }
        }
        for gate in inside { gate.wait() }
        open.open()
        for thread in threads {
            guard case .circularDependency = thread.value?.reason else {
                Issue.record("\(String(describing: thread.value))")
                continue
            }
        }
    }

    @Test func `nobody waits for what has gone`() {
        let container = Container()
        container.register(Left.self) { Left(try $0.require(Right.self)) }
            .inObjectScope(.container)
        container.register(Right.self) { Right(try $0.require(Left.self)) }
            .inObjectScope(.container)
        for _ in 0..<50 {
            let errors = onThreads(4) { index in
                index % 2 == 0
                    ? failure(of: { try container.require(Left.self) })
                    : failure(of: { try container.require(Right.self) })
            }
            #expect(errors.allSatisfy { $0 != nil })
        }
        container.register(Left.self) { Left(nil) }
        #expect((container ~> Right.self).left != nil)
    }
}

private func failure<Service>(of body: () throws -> Service) -> ResolutionError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? ResolutionError
    }
}

private final class Child: Sendable {
    let isComplete = Shared(false)
}

private final class Parent: Sendable {
    let child: Child
    init(_ child: Child) { self.child = child }
}

private final class Left: Sendable {
    let right: Right?
    init(_ right: Right?) { self.right = right }
}

private final class Right: Sendable {
    let left: Left?
    init(_ left: Left?) { self.left = left }
}
