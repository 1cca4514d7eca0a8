import Depin
import Testing

private final class First: Sendable {}
private final class Second: Sendable {}
private final class Third: Sendable {}

/// What is thrown where who closes waits for its own end.
private func saysCircle(_ error: any Error) -> Bool {
    switch error {
    case let error as ResolutionError:
        error.reason == .closedFromWithin || error.reason == .circularDependency
            || error.underlyingError.map(saysCircle) == true
    case let error as CloseError: error.failures.contains { saysCircle($0.error) }
    default: false
    }
}

/// Two that are to close each other, and what their closers come to.
private final class Ring: Sendable {
    let errors = EventLog<any Error>()
    private let entered = CallCount()
    private let all = AsyncGate()

    /// Closes the next one in the ring, when all have come so far.
    func close(_ next: Container, of count: Int) async throws {
        if entered.add() == count { all.open() }
        await all.wait()
        try await close(next)
    }

    func close(_ next: Container) async throws {
        do {
            try await next.close()
        } catch {
            errors.note(error)
            throw error
        }
    }

    var circles: Int { errors.all.count { saysCircle($0) } }
}

struct `Closing in a circle is an error` {
    private let ring = Ring()

    /// The other scopes close all the same.
    @Test(.timeLimit(.minutes(5)))
    func `where the closer of one scope waits for what closes all of that name`() async throws {
        let (app, other, log) = (Container(), Container(), EventLog<String>())
        let (isBuilding, goOn) = (AsyncGate(), AsyncGate())
        other.register(
            Second.self,
            asyncFactory: {
                isBuilding.open()
                await goOn.wait()
                do {
                    try await app.close(.request)
                } catch {
                    log.note(saysCircle(error) ? "circle" : "\(error)")
                }
                return Second()
            }
        )
        .inObjectScope(.container)
        app.register(First.self) { First() }.inObjectScope(.request)
            .onClose { _ in
                goOn.open()
                use(try await other.requireAsync(Second.self))
            }
        app.register(Third.self) { Third() }.inObjectScope(.request)
            .onClose { _ in log.note("third closed") }
        let (one, two) = (app.openScope(.request), app.openScope(.request))
        use((one ~> First.self, two ~> Third.self))
        let second = Task { try await other.requireAsync(Second.self) }
        await isBuilding.wait()
        try await inTime { try await one.close() }
        use(try await second.value)
        #expect(log.all == ["third closed", "circle"])
    }

    private static let numbered = (0..<3).map { ObjectScope(opened: "ring \($0)") }

    /// Containers that are related so, with a closer in each.
    enum Related: CaseIterable {
        case strangers, siblings, scopes, nestedScopes, forks

        func make(_ count: Int) -> [Container] {
            let app = Container()
            switch self {
            case .strangers: return (0..<count).map { _ in Container() }
            case .siblings: return (0..<count).map { _ in Container(parent: app) }
            case .scopes: return (0..<count).map { _ in app.openScope(.request) }
            case .forks: return (0..<count).map { _ in app.fork() }
            case .nestedScopes:
                var all = [app]
                for number in 0..<count { all.append(all[number].openScope(numbered[number])) }
                return Array(all.dropFirst())
            }
        }
    }

    /// Each closes the next one, from a closer.
    private func link(_ all: [Container], waitingForAll waits: Bool) {
        for (index, container) in all.enumerated() {
            let next = all[(index + 1) % all.count]
            container.register(First.self) { First() }.inObjectScope(.container)
                .onClose { [ring, weak next, count = all.count] _ in
                    guard let next else { return }
                    if waits {
                        try await ring.close(next, of: count)
                    } else {
                        try await ring.close(next)
                    }
                }
            use(container ~> First.self)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Related.allCases, [2, 3])
    func `where closers close each other's container, begun at one end`(
        _ related: Related,
        _ count: Int
    ) async throws {
        let all = related.make(count)
        link(all, waitingForAll: false)
        let came = try await inTime { await asyncOutcome { try await all[0].close() } }
        #expect(ring.circles > 0, "\(came), \(ring.errors.all)")
        // Whoever comes later hears the same, and no more waits.
        for container in all {
            _ = try await inTime { await asyncOutcome { try await container.close() } }
        }
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [Related.strangers, .siblings, .scopes, .forks],
        [2, 3]
    )
    func `where closers close each other's container, begun at all ends`(
        _ related: Related,
        _ count: Int
    ) async throws {
        let all = related.make(count)
        link(all, waitingForAll: true)
        try await inTime {
            await withTaskGroup(of: Void.self) { group in
                for container in all { group.addTask { try? await container.close() } }
            }
        }
        #expect(ring.circles > 0, "\(ring.errors.all)")
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where asynchronous factories close each other's container`(_ kept: EveryScope)
        async throws
    {
        let all = [Container(), Container()]
        for (container, other) in zip(all, all.reversed()) {
            container.register(
                First.self,
                asyncFactory: { [ring, weak other] in
                    if let other { try await ring.close(other, of: 2) }
                    return First()
                }
            )
            .inObjectScope(kept.scope)
        }
        try await inTime {
            await withTaskGroup(of: Void.self) { group in
                for container in all {
                    let place = kept.place(in: container)
                    group.addTask { use((try? await place.requireAsync(First.self)) as Any) }
                }
            }
        }
        withExtendedLifetime(all) {}
        #expect(ring.circles > 0, "\(ring.errors.all)")
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.shared)
    func `where an asynchronous factory closes its own container`(_ kept: EveryScope) async throws {
        try await expectRefusal(kept)
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.unshared)
    func `where an asynchronous factory of an unshared service closes its own container`(
        _ kept: EveryScope
    ) async throws {
        try await expectRefusal(kept)
    }

    private func expectRefusal(_ kept: EveryScope) async throws {
        let container = Container()
        container.register(
            First.self,
            asyncFactory: { [ring] r in
                try await ring.close(r ~> Container.self)
                return First()
            }
        )
        .inObjectScope(kept.scope)
        let place = kept.place(in: container)
        let came = try await inTime {
            await asyncOutcome { try await place.requireAsync(First.self) }
        }
        #expect(came == "factoryFailed" || came == "closedFromWithin")
        #expect(ring.circles == 1, "\(ring.errors.all)")
        try await inTime { try await container.close() }
    }

    /// The factory of the second waits for the end of the container, which waits for the first, which waits for
    /// the second.
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `where a build waits for one that closes the container`(_ kept: EveryScope) async throws {
        let container = Container()
        let isWaiting = AsyncGate()
        container.register(
            First.self,
            asyncFactory: { r in
                isWaiting.open()
                use(try await r.requireAsync(Second.self))
                return First()
            }
        )
        .inObjectScope(kept.scope)
        container.register(
            Second.self,
            asyncFactory: { [ring, weak container] in
                await isWaiting.wait()
                // Not in the path of the first, and yet it is waited for by it.
                if let container { try await ring.close(container) }
                return Second()
            }
        )
        .inObjectScope(kept.scope)
        let place = kept.place(in: container)
        try await inTime {
            async let second = asyncOutcome { try await place.requireAsync(Second.self) }
            async let first = asyncOutcome { try await place.requireAsync(First.self) }
            use(await (first, second))
        }
        #expect(ring.circles > 0, "\(ring.errors.all)")
        try await inTime { try await container.close() }
    }

    /// The closer waits for a build in another container, whose factory waits for the end of this one.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [EveryScope.container, .weak, .named, .stored]
    )
    func `where a closer waits for a factory that closes its container`(_ kept: EveryScope)
        async throws
    {
        let (container, other) = (Container(), Container())
        let (isBuilding, isClosing) = (AsyncGate(), AsyncGate())
        other.register(
            Second.self,
            asyncFactory: { [ring] in
                isBuilding.open()
                await isClosing.wait()
                try await ring.close(container)
                return Second()
            }
        )
        .inObjectScope(kept.scope)
        container.register(First.self) { First() }.inObjectScope(.container)
            .onClose { [ring] _ in
                isClosing.open()
                do {
                    use(try await other.requireAsync(Second.self))
                } catch {
                    ring.errors.note(error)
                    throw error
                }
            }
        use(container ~> First.self)
        let built = Task { try await other.requireAsync(Second.self) }
        await isBuilding.wait()
        _ = try await inTime { await asyncOutcome { try await container.close() } }
        _ = try await inTime { await asyncOutcome { try await built.value } }
        #expect(ring.circles > 0, "\(ring.errors.all)")
        container.removeAll()
        other.removeAll()
    }

    @Test(.timeLimit(.minutes(5)))
    func `where a closer of a scope that is reset closes the container, or that scope`()
        async throws
    {
        let container = Container()
        container.register(First.self) { First() }.inObjectScope(.signedIn)
            .onClose { [ring, weak container] _ in
                if let container { try await ring.close(container) }
            }
        container.register(Second.self) { Second() }.inObjectScope(.signedIn)
            .onClose { [ring, weak container] _ in
                do {
                    try await container?.close(.signedIn)
                } catch {
                    ring.errors.note(error)
                    throw error
                }
            }
        use((container ~> First.self, container ~> Second.self))
        let came = try await inTime { await asyncOutcome { try await container.close(.signedIn) } }
        #expect(ring.circles == 2, "\(came), \(ring.errors.all)")
    }

    @Test(.timeLimit(.minutes(5)))
    func `where closers of two scopes that are reset close each other's`() async throws {
        let scopes = [ObjectScope(named: "first"), ObjectScope(named: "second")]
        let (container, entered, both) = (Container(), CallCount(), AsyncGate())
        for (index, scope) in scopes.enumerated() {
            container.register(First.self, name: "\(index)") { First() }.inObjectScope(scope)
                .onClose { [ring, weak container] _ in
                    if entered.add() == 2 { both.open() }
                    await both.wait()
                    do {
                        try await container?.close(scopes[1 - index])
                    } catch {
                        ring.errors.note(error)
                        throw error
                    }
                }
            use(container ~> (First.self, name: "\(index)"))
        }
        try await inTime {
            await withTaskGroup(of: Void.self) { group in
                for scope in scopes { group.addTask { try? await container.close(scope) } }
            }
        }
        #expect(ring.circles > 0, "\(ring.errors.all)")
    }

    @Test(.timeLimit(.minutes(5)))
    func `where what is around a scope is closed inside it`() async throws {
        let app = Container()
        app.register(First.self) { First() }.inObjectScope(.request)
            .onClose { [ring, weak app] _ in if let app { try await ring.close(app) } }
        let came = try await inTime {
            await asyncOutcome {
                try await app.withScope(.request) { scope in use(scope ~> First.self) }
            }
        }
        #expect(ring.circles == 1, "\(came)")
        try await inTime { try await app.close() }
    }
}

struct `Closing from what has outlived its beginning` {
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `a task that a closer started may close the app when the scope has ended`(
        _ isChild: Bool
    ) async throws {
        let (app, goOn, log) = (Container(), AsyncGate(), EventLog<Task<Void, any Error>>())
        let scope = isChild ? Container(parent: app) : app.openScope(.request)
        scope.register(First.self) { First() }.inObjectScope(.container)
            .onClose { [weak app] _ in
                log.note(
                    Task {
                        await goOn.wait()
                        try await app?.close()
                    }
                )
            }
        use(scope ~> First.self)
        try await inTime { try await scope.close() }
        goOn.open()
        let task = try #require(log.all.first)
        try await inTime { try await task.value }
        #expect(outcome { try app.require(First.self) } == "containerClosed")
    }

    /// The task asks another container, whose factory closes the app.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `what a closer's task has asked for may close the app when the scope has ended`(
        _ suspends: Bool
    ) async throws {
        let (app, other, log) = (Container(), Container(), EventLog<Task<Void, any Error>>())
        let (isAsking, isBuilding, goOn) = (Latch(), AsyncGate(), AsyncGate())
        other.register(
            Second.self,
            asyncFactory: { [weak app] in
                isAsking.open()
                isBuilding.open()
                await goOn.wait()
                try await app?.close()
                return Second()
            }
        )
        @Sendable func ask() {
            log.note(
                Task(executorPreference: OwnQueue()) {
                    use(try await other.requireAsync(Second.self))
                }
            )
        }
        let scope = app.openScope(.request)
        let entry = scope.register(First.self) { First() }.inObjectScope(.container)
        if suspends {
            entry.onClose { _ in
                ask()
                await isBuilding.wait()
            }
        } else {
            entry.onClose { _ in
                ask()
                isAsking.wait(within: 100)
            }
        }
        use(scope ~> First.self)
        try await inTime { try await scope.close() }
        goOn.open()
        let task = try #require(log.all.first)
        try await inTime { try await task.value }
        #expect(outcome { try app.require(First.self) } == "containerClosed")
    }

    @Test(.timeLimit(.minutes(5)))
    func `a task that a closer started may close another scope of that name`() async throws {
        let (app, goOn, log) = (Container(), AsyncGate(), EventLog<Task<Void, any Error>>())
        app.register(First.self) { First() }.inObjectScope(.signedIn)
            .onClose { [weak app] _ in
                log.note(
                    Task {
                        await goOn.wait()
                        try await app?.close(.signedIn)
                    }
                )
            }
        use(app ~> First.self)
        try await inTime { try await app.close(.signedIn) }
        goOn.open()
        let task = try #require(log.all.first)
        try await inTime { try await task.value }
    }

    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.allCases)
    func `a task that a factory started may close the app when the factory has returned`(
        _ kept: EveryScope
    ) async throws {
        let (app, goOn, log) = (Container(), AsyncGate(), EventLog<Task<Void, any Error>>())
        app.register(
            First.self,
            asyncFactory: { [weak app] in
                log.note(
                    Task {
                        await goOn.wait()
                        try await app?.close()
                    }
                )
                return First()
            }
        )
        .inObjectScope(kept.scope)
        let place = kept.place(in: app)
        use(try await place.requireAsync(First.self))
        goOn.open()
        let task = try #require(log.all.first)
        try await inTime { try await task.value }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a closer may close another container, and wait for it`() async throws {
        let (container, other, log) = (Container(), Container(), EventLog<String>())
        other.register(Second.self) { Second() }.inObjectScope(.container)
            .onClose { _ in log.note("other") }
        container.register(First.self) { First() }.inObjectScope(.container)
            .onClose { _ in
                try await other.close()
                log.note("first")
            }
        use((container ~> First.self, other ~> Second.self))
        try await inTime { try await container.close() }
        #expect(log.all == ["other", "first"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `two closers may close the same container, and both wait for it`() async throws {
        let (app, other, log) = (Container(), Container(), EventLog<String>())
        other.register(Third.self) { Third() }.inObjectScope(.container)
            .onClose { _ in
                await Task.yield()
                log.note("other")
            }
        use(other ~> Third.self)
        for name in ["a", "b"] {
            app.register(First.self, name: name) { First() }.inObjectScope(.container)
                .onClose { _ in
                    try await other.close()
                    log.note(name)
                }
            use(app ~> (First.self, name: name))
        }
        try await inTime { try await app.close() }
        #expect(log.all.first == "other")
        #expect(log.all.count == 3)
    }
}
