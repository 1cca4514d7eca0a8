import Testing

@testable import Depin

private final class Slow: Sendable {}
private final class Layers: Sendable {
    let names: [String]
    init(_ names: [String] = []) { self.names = names }
    func under(_ name: String) -> Layers { Layers(names + [name]) }
}
private final class Menu: Sendable {
    let layers: Layers
    init(layers: Layers) { self.layers = layers }
}
private final class Page: Sendable {
    let (menu, layers): (Menu, Layers)
    init(menu: Menu, layers: Layers) { (self.menu, self.layers) = (menu, layers) }
}

/// A child decorates what its parent makes, and tasks ask for it.
// One after another, because they look for whoever waits for a type.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Tasks ask for what a child decorates` {
    private let parent = Container()
    private let child: Container

    init() { child = Container(parent: parent) }

    // MARK: - Waiting

    private func untilSomeoneWaits(orWhen isOver: () -> Bool = { false }) async {
        func isAwaited(_ type: Any.Type) -> Bool { type == Slow.self || type == Layers.self }
        while !WaitCoordinator.shared.awaitedTypes.contains(where: isAwaited), !isOver() {
            await Task.yield()
        }
    }

    /// Has a thread build what the child decorates, and returns when it has begun.
    private func beginBuild(until gate: Gate) -> Running<Slow> {
        let inFactory = Gate()
        parent.register(Slow.self) {
            inFactory.open()
            gate.wait()
            return Slow()
        }
        .inObjectScope(.container)
        child.decorate(Slow.self) { _, slow in slow }
        let builder = Running { [parent] in parent ~> Slow.self }
        inFactory.wait()
        return builder
    }

    /// The thread of its executor is free for others meanwhile.
    @Test func `one that waits for what another thread makes is suspended`() async throws {
        let gate = Gate()
        let builder = beginBuild(until: gate)
        let thread = OneThread()
        let waiter = Task(executorPreference: thread) { [child] in
            try await child.requireAsync(Slow.self)
        }
        await untilSomeoneWaits()
        await Task(executorPreference: thread) { gate.open() }.value
        #expect(try await waiter.value === builder.value)
    }

    @Test func `one that is canceled while it waits stops waiting`() async throws {
        let gate = Gate()
        let builder = beginBuild(until: gate)
        let waiter = Task { [child] in try await child.requireAsync(Slow.self) }
        await untilSomeoneWaits()
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        gate.open()
        use(builder.value)
    }

    @Test(arguments: [ObjectScope.container, ObjectScope(storageFactory: PermanentStorage.init)])
    func `a thread waits for one that decorates for some argument what is ready`(
        scope: ObjectScope
    ) async throws {
        parent.register(
            Layers.self,
            asyncFactory: { (_: any Resolver, name: String) async in Layers([name]) }
        )
        .inObjectScope(scope.perArguments)
        use(try await parent.requireAsync(Layers.self, argument: "a"))
        let (isDecorating, gate) = (Gate(), Gate())
        child.decorate(Layers.self) { _, layers in
            isDecorating.open()
            gate.wait()
            return layers.under("b")
        }
        let task = Task { [child] in try await child.requireAsync(Layers.self, argument: "a") }
        isDecorating.wait()
        let thread = Running { [child] in try? child.require(Layers.self, argument: "a") }
        thread.untilItWaitsOrEnds()
        gate.open()
        let made = try await task.value
        #expect(made.names == ["a", "b"])
        #expect(thread.value === made)
    }

    @Test func `one that is canceled in a decorator of the parent hears so`() async throws {
        let (begun, gate) = (AsyncGate(), AsyncGate())
        parent.register(Slow.self) { Slow() }.inObjectScope(.container)
        parent.decorate(
            Slow.self,
            asyncDecorator: { _, slow in
                begun.open()
                await gate.wait()
                try Task.checkCancellation()
                return slow
            }
        )
        child.decorate(Slow.self) { _, slow in slow }
        let task = Task { [child] in try await child.requireAsync(Slow.self) }
        await begun.wait()
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Only the decorator runs, which takes no time.
    @Test(arguments: [true, false])
    func `synchronous code waits while what is ready is decorated`(byTask: Bool) async throws {
        parent.register(Layers.self, asyncFactory: { Layers() }).inObjectScope(.container)
        let (inDecorator, gate) = (Gate(), Gate())
        child.decorate(Layers.self) { _, layers in
            inDecorator.open()
            gate.wait()
            return layers.under("child")
        }
        use(try await parent.requireAsync(Layers.self))
        // Never one of the pool: that would be missing to others.
        let first = Task(executorPreference: OneThread()) { [child] in
            byTask ? try await child.requireAsync(Layers.self) : try child.require(Layers.self)
        }
        inDecorator.wait()
        let second = Running { [child] in Result { try child.require(Layers.self) } }
        second.untilItWaitsOrEnds()
        #expect(!second.hasEnded)
        gate.open()
        #expect(try await first.value === second.value.get())
    }

    // MARK: - What is made first

    @Test func `what takes time further in is awaited for who declares to need it`() async throws {
        parent.register(Layers.self) { Layers() }.inObjectScope(.container)
        parent.decorate(Layers.self, asyncDecorator: { _, layers in layers.under("parent") })
        child.decorate(Layers.self) { _, layers in layers.under("child") }
        child.autoregister(Menu.self, initializer: Menu.init)
        #expect(try await child.requireAsync(Menu.self).layers.names == ["parent", "child"])
    }

    /// The parent's menu needs the bare one, and the child's page what is around it.
    @Test func `what takes time is awaited in the parent and in the child`() async throws {
        parent.register(Layers.self, asyncFactory: { Layers() }).inObjectScope(.container)
        parent.autoregister(Menu.self, initializer: Menu.init).inObjectScope(.container)
        child.decorate(Layers.self, asyncDecorator: { _, layers in layers.under("child") })
        child.autoregister(Page.self, initializer: Page.init)
        let page = try await child.requireAsync(Page.self)
        #expect(page.menu.layers.names == [] && page.layers.names == ["child"])
    }

    @Test(arguments: [true, false])
    func `what belongs to an open scope is decorated outside and inside of that`(takesTime: Bool)
        async throws
    {
        let request = ObjectScope(opened: "request")
        parent.register(Layers.self, asyncFactory: { Layers() }).inObjectScope(request)
        let scope = child.openScope(request)
        let inside = Container(parent: scope)
        for (container, name) in [(child, "outside"), (inside, "inside")] {
            if takesTime {
                container.decorate(Layers.self, asyncDecorator: { _, layers in layers.under(name) })
            } else {
                container.decorate(Layers.self) { _, layers in layers.under(name) }
            }
        }
        #expect(try await inside.requireAsync(Layers.self).names == ["outside", "inside"])
        #expect(try scope.require(Layers.self).names == ["outside"])
    }

    /// A value is never held weakly.
    @Test(arguments: [true, false])
    func `what nothing keeps is made once for each request`(takesTime: Bool) async throws {
        let made = Shared(0)
        if takesTime {
            parent.register(Int.self, asyncFactory: { made.count() }).inObjectScope(.weak)
        } else {
            parent.register(Int.self) { made.count() }.inObjectScope(.weak)
        }
        child.decorate(Int.self) { _, number in -number }
        #expect(try await child.requireAsync(Int.self) == -1)
        #expect(try await child.requireAsync(Int.self) == -2)
        #expect(made.value == 2)
    }

    // MARK: - Tasks that a decorator starts

    @Test func `a task that a decorator starts begins anew, beside one that takes time too`()
        async throws
    {
        let started = Shared<Task<Layers, any Error>?>(nil)
        let hasEnded = Shared(false)
        parent.register(Layers.self) { Layers() }.inObjectScope(.container)
        parent.decorate(Layers.self) { [parent] _, layers in
            let task = Task {
                defer { hasEnded.change { $0 = true } }
                return try await parent.requireAsync(Layers.self)
            }
            started.change { $0 = task }
            return layers.under("plain")
        }
        parent.decorate(
            Layers.self,
            asyncDecorator: { _, layers in
                await untilSomeoneWaits { hasEnded.value }
                return layers.under("async")
            }
        )
        let layers = try await parent.requireAsync(Layers.self)
        #expect(try await started.value?.value === layers)
    }
}
