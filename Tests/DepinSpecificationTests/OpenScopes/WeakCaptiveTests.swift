import Depin
import DepinInspection
import Foundation
import Testing

private final class Audit: Sendable {}
private final class Cache: Sendable {
    let held: [any Sendable]
    init(_ held: any Sendable...) { self.held = held }
}
private final class Screen: Sendable {}
private struct Size: Sendable {}

/// What lives while somebody holds it outlives a scope.
struct `A weak service that needs one of an open scope` {
    private let app = Container()

    init() {
        app.register(Audit.self) { Audit() }.inObjectScope(.request)
    }

    /// The ways in which the weak service may need it.
    enum Way: CaseIterable {
        case factory, throughUnshared, autoregistered, perArguments
    }

    private func register(_ way: Way) {
        switch way {
        case .factory:
            app.register(Cache.self) { r in Cache(try r.require(Audit.self)) }
                .inObjectScope(.weak)
        case .throughUnshared:
            app.register([Audit].self) { r in [try r.require(Audit.self)] }
            app.register(Cache.self) { r in Cache(try r.require([Audit].self)) }
                .inObjectScope(.weak)
        case .autoregistered:
            app.autoregister(Cache.self) { (audit: Audit) in Cache(audit) }.inObjectScope(.weak)
        case .perArguments:
            app.register(Cache.self) { (r: any Resolver, _: Int) in
                Cache(try r.require(Audit.self))
            }
            .inObjectScope(.weak.perArguments)
        }
    }

    private func ask(_ way: Way, _ scope: Container) throws -> Cache {
        way == .perArguments
            ? try scope.require(Cache.self, argument: 1) : try scope.require(Cache.self)
    }

    @Test(arguments: Way.allCases)
    func `is an error, as for a singleton`(_ way: Way) throws {
        register(way)
        let error = try #require(throws: ResolutionError.self) {
            try ask(way, app.openScope(.request))
        }
        #expect(error.reason == .captive)
        #expect(error.description.contains("weak"), "\(error)")
    }

    @Test func `is an error in its callback`() throws {
        let log = EventLog<String>()
        app.register(Cache.self) { Cache() }.inObjectScope(.weak)
            .initCompleted { r, _ in log.note(outcome { try r.require(Audit.self) }) }
        use(try app.openScope(.request).require(Cache.self))
        #expect(log.all == ["captive"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `is an error where it takes time`(_ needTakesTime: Bool) async throws {
        if needTakesTime {
            app.register(Audit.self, asyncFactory: { Audit() }).inObjectScope(.request)
        }
        app.register(
            Cache.self,
            asyncFactory: { r in
                await Task.yield()
                return Cache(try await r.requireAsync(Audit.self))
            }
        )
        .inObjectScope(.weak)
        let scope = app.openScope(.request)
        let came = try await inTime {
            await asyncOutcome { try await scope.requireAsync(Cache.self) }
        }
        #expect(came == "captive")
    }

    @Test func `is a problem for a validation`() {
        register(.factory)
        #expect(problemKinds(of: app, open: [.request]) == [.captive])
    }

    @Test func `is a problem for a validation by its types`() {
        register(.autoregistered)
        #expect(problemKinds(of: app, open: [.request]) == [.captive])
    }

    /// A scope's own weak service lives in the scope.
    @Test func `is none where it asks through a Provider`() throws {
        app.register(Cache.self) { r in Cache(r ~> Provider<Audit>.self) }.inObjectScope(.weak)
        #expect(try app.openScope(.request).require(Cache.self).held.count == 1)
    }

    @Test func `is none where it is registered in that scope`() throws {
        let scope = app.openScope(.request) {
            $0.register(Cache.self) { r in Cache(r ~> Audit.self) }.inObjectScope(.weak)
        }
        #expect(try scope.require(Cache.self).held.count == 1)
    }
}

private func problemKinds(
    of container: Container,
    open scopes: [ObjectScope]
) -> [ValidationReport.Kind] {
    do {
        return try container.validate(.init(open: scopes)).problems.map(\.kind)
    } catch let error as ValidationError {
        return error.report.problems.map(\.kind)
    } catch {
        Issue.record(error)
        return []
    }
}

// MARK: -

struct `A weak instance that another has built` {
    private let container = Container()
    private let made = CallCount()

    //  Screen ──► Cache, Cache
    #if os(Linux)
    @Test(.timeLimit(.minutes(5)))
    func `stays to the end of the graph whose thread has waited for it`() async throws {
        let (isBuilding, goOn, hasFirst, isDropped) = (AsyncGate(), Latch(), Latch(), Latch())
        container.register(Cache.self) { [made] in
            if made.add() == 1 {
                isBuilding.open()
                goOn.wait(within: 100)
            }
            return Cache()
        }
        .inObjectScope(.weak)
        container.register(Screen.self) { r in
            use(r ~> Cache.self)
            hasFirst.open()
            isDropped.wait(within: 100)
            use(r ~> Cache.self)
            return Screen()
        }
        let builder = Work { [container] in
            let cache = container ~> Cache.self
            hasFirst.wait(within: 100)
            withExtendedLifetime(cache) {}
        }
        await isBuilding.wait()
        let ended = AsyncGate()
        let waiter = SleepingThread { [container] in
            use(container ~> Screen.self)
            ended.open()
        }
        waiter.untilItSleeps()
        goOn.open()
        #expect(builder.value() != nil)
        isDropped.open()
        try await inTime { await ended.wait() }
        #expect(made.count == 1)
    }
    #endif

    @Test(.timeLimit(.minutes(5)))
    func `stays to the end of the graph whose task has waited for it`() async throws {
        let (isBuilding, goOn) = (AsyncGate(), AsyncGate())
        let (hasFirst, isDropped) = (AsyncGate(), AsyncGate())
        container.register(
            Cache.self,
            asyncFactory: { [made] in
                if made.add() == 1 {
                    isBuilding.open()
                    await goOn.wait()
                }
                return Cache()
            }
        )
        .inObjectScope(.weak)
        container.register(
            Screen.self,
            asyncFactory: { r in
                use(try await r.requireAsync(Cache.self))
                hasFirst.open()
                await isDropped.wait()
                use(try await r.requireAsync(Cache.self))
                return Screen()
            }
        )
        let builder = Task { [container] in
            let cache = try await container.requireAsync(Cache.self)
            await hasFirst.wait()
            withExtendedLifetime(cache) {}
        }
        await isBuilding.wait()
        async let screen = container.requireAsync(Screen.self)
        await letOthersRun()
        goOn.open()
        try await inTime { try await builder.value }
        isDropped.open()
        use(try await screen)
        #expect(made.count == 1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `stays to the end of the graph that has built it`(_ takesTime: Bool) async throws {
        if takesTime {
            container.register(
                Cache.self,
                asyncFactory: { [made] in
                    made.add()
                    return Cache()
                }
            )
            .inObjectScope(.weak)
        } else {
            container.register(Cache.self) { [made] in
                made.add()
                return Cache()
            }
            .inObjectScope(.weak)
        }
        container.register(
            Screen.self,
            asyncFactory: { r in
                for _ in 0..<2 { use(try await r.requireAsync(Cache.self)) }
                return Screen()
            }
        )
        use(try await container.requireAsync(Screen.self))
        #expect(made.count == 1)
        use(try await container.requireAsync(Cache.self))
        #expect(made.count == 2)
    }
}

// MARK: - What is told

/// What a process of its own says on standard error.
private func messages(_ result: ExitTest.Result?) throws -> [Substring] {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("Depin: ") }
}

struct `A scope that does not fit its closers is told` {
    @Test(.timeLimit(.minutes(5)), arguments: EveryScope.shared)
    func `when it is changed after an instance was built`(_ kept: EveryScope) async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        { [kept] in
            let container = Container()
            let entry = container.register(Screen.self) { Screen() }.inObjectScope(kept.scope)
                .onClose { _ in }
            let place = kept.place(in: container)
            let screen = place ~> Screen.self
            entry.inObjectScope(kept == .container ? .request : .container)
            try await container.close()
            withExtendedLifetime((screen, place)) {}
        }
        let all = try messages(result)
        #expect(all.count == 1)
        #expect(all.first?.contains("Screen, registered at ") == true, "\(all)")
        #expect(all.first?.contains("scope") == true, "\(all)")
    }

    @Test(.timeLimit(.minutes(5)))
    func `not when it is changed before, or to itself, or without closers`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let container = Container()
            container.register(Screen.self) { Screen() }.inObjectScope(.container)
                .onClose { _ in }.inObjectScope(.request).inObjectScope(.container)
            let entry = container.register(Audit.self) { Audit() }.inObjectScope(.container)
            use((container ~> Screen.self, container ~> Audit.self))
            entry.inObjectScope(.request)
            try await container.close()
        }
        #expect(try messages(result) == [])
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: ["scope first", "closer first", "asynchronous", "arguments"]
    )
    func `when a value is weak, at its registration`(_ way: String) async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        { [way] in
            let container = Container()
            switch way {
            case "scope first":
                container.register(Size.self) { Size() }.inObjectScope(.weak).onClose { _ in }
            case "closer first":
                container.register(Size.self) { Size() }.onClose { _ in }.inObjectScope(.weak)
            case "asynchronous":
                container.register(Size.self, asyncFactory: { Size() }).inObjectScope(.weak)
                    .onClose { _ in }
            default:
                container.register(Size.self) { (_: any Resolver, _: Int) in Size() }
                    .inObjectScope(.weak.perArguments).onClose { _ in }
            }
        }
        let all = try messages(result)
        #expect(all.count == 1)
        #expect(all.first?.contains("Size, registered at ") == true, "\(all)")
        #expect(all.first?.contains("weak") == true, "\(all)")
    }

    @Test(.timeLimit(.minutes(5)))
    func `not when an object or what may be one is weak`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let container = Container()
            container.register(Screen.self) { Screen() }.inObjectScope(.weak).onClose { _ in }
            container.register(AnyObject.self) { Screen() }.inObjectScope(.weak).onClose { _ in }
            container.register(Any.self, factory: { _ in Screen() }).inObjectScope(.weak)
                .onClose { _ in }
            container.register(Size.self) { Size() }.inObjectScope(.weak)
        }
        #expect(try messages(result) == [])
    }
}
