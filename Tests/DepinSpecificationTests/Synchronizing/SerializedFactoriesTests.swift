import Depin
import Foundation
import Synchronization
import Testing

/// A view that lets one factory at a time run, for code that relied on Swinject's lock.
struct `Views that serialize factories` {
    private let container = Container()
    private let crowd = Crowd()

    @Test func `factories that it runs never overlap, whatever the service`() {
        container.register(Int.self) { [crowd] in crowd.pass() }.inObjectScope(.transient)
        container.register(String.self) { [crowd] in "\(crowd.pass())" }.inObjectScope(.transient)
        let view = container.synchronize(serializingFactories: true)

        DispatchQueue.concurrentPerform(iterations: 64) { index in
            if index.isMultiple(of: 2) {
                use(view ~> Int.self)
            } else {
                use(view ~> String.self)
            }
        }

        #expect(crowd.most == 1)
        #expect(crowd.count == 64)
    }

    @Test func `an unguarded variable of a factory loses nothing`() {
        let unguarded = Unguarded()
        container.register(Int.self) { unguarded.add() }.inObjectScope(.transient)
        let view = container.synchronize(serializingFactories: true)

        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 { use(view ~> Int.self) }
        }

        #expect(unguarded.count == 4_000)
    }

    @Test func `what goes with a graph goes when the turn is free`() {
        defer { container.removeAll() }  // Factories hold the view.
        let view = container.synchronize(serializingFactories: true)
        let isFree = EventLog<Bool>()
        container.register(Int.self) { 1 }.inObjectScope(.transient)
        container.register(Ending.self) {
            Ending {
                let isDone = DispatchSemaphore(value: 0)
                Thread {
                    use(view ~> Int.self)
                    isDone.signal()
                }.start()
                isFree.note(isDone.wait(timeout: .now() + 30) == .success)
            }
        }
        container.register(String.self) { resolver in
            use(resolver ~> Ending.self)
            return "made"
        }
        #expect((view ~> String.self) == "made")
        #expect(isFree.all == [true])
    }

    @Test func `all such views of a hierarchy take one turn`() {
        let child = Container(parent: container)
        let sibling = Container(parent: container)
        for each in [container, child, sibling] {
            each.register(Int.self) { [crowd] in crowd.pass() }.inObjectScope(.transient)
        }
        let views = [container, child, sibling, child].map {
            $0.synchronize(serializingFactories: true)
        }

        DispatchQueue.concurrentPerform(iterations: 64) { index in
            use(views[index % views.count] ~> Int.self)
        }

        #expect(crowd.most == 1)
    }

    @Test func `callbacks run in the turn, too`() {
        container.register(Int.self) { 1 }.inObjectScope(.transient)
            .initCompleted { [crowd] _, _ in crowd.pass() }
        let view = container.synchronize(serializingFactories: true)

        DispatchQueue.concurrentPerform(iterations: 64) { _ in use(view ~> Int.self) }

        #expect(crowd.most == 1)
    }

    @Test func `a factory takes the turn again on its own thread`() throws {
        defer { container.removeAll() }
        let view = container.synchronize(serializingFactories: true)
        container.register(Int.self) { [crowd] in crowd.count }
        container.register(String.self) { [container] r in
            let view = container.synchronize(serializingFactories: true)
            return "\(r ~> Int.self) \(view ~> Int.self)"
        }

        #expect(try view.require(String.self) == "0 0")
    }

    @Test func `a factory that fails gives the turn back`() throws {
        struct Failure: Error {}
        container.register(Int.self) { throw Failure() }
        container.register(String.self) { "" }
        let view = container.synchronize(serializingFactories: true)
        #expect(throws: ResolutionError.self) { try view.require(Int.self) }

        let done = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            if (try? view.require(String.self)) != nil { done.store(true, ordering: .relaxed) }
        }
        let isDone = done.load(ordering: .relaxed)
        #expect(isDone)
    }

    @Test func `the container itself and its plain views wait for no turn`() async throws {
        container.register(String.self) { "" }
        let view = container.synchronize(serializingFactories: true)
        let mayLeave = await holdTurn(of: view, in: container)

        #expect(container.resolve(String.self) != nil)
        #expect(container.synchronize().resolve(String.self) != nil)
        mayLeave.signal()
    }

    @Test func `an instance that is ready waits for no turn`() async throws {
        container.register(String.self) { "" }.inObjectScope(.container)
        let view = container.synchronize(serializingFactories: true)
        use(view ~> String.self)
        let mayLeave = await holdTurn(of: view, in: container)

        #expect(view.resolve(String.self) != nil)
        mayLeave.signal()
    }

    @Test func `an instance that a parent has ready waits for no turn`() async throws {
        container.register(String.self) { "" }.inObjectScope(.container)
        use(container ~> String.self)
        let child = Container(parent: container)
        let view = child.synchronize(serializingFactories: true)
        let mayLeave = await holdTurn(of: view, in: child)

        #expect(view.resolve(String.self) != nil)
        mayLeave.signal()
    }

    @Test(arguments: [false, true])
    func `a view of a container that was closed gives nothing that its parent has ready`(
        _ isScope: Bool
    ) async throws {
        container.register(String.self) { "" }.inObjectScope(.container)
        use(container ~> String.self)
        let child = isScope ? container.openScope(.request) : Container(parent: container)
        let view = child.synchronize(serializingFactories: true)
        try await child.close()

        #expect(outcome { try view.require(String.self) } == "containerClosed")
        let later = await asyncOutcome { try await view.requireAsync(String.self) }
        #expect(later == "containerClosed")
    }

    @Test func `a fork takes turns of its own`() async throws {
        container.register(String.self) { "" }
        let view = container.synchronize(serializingFactories: true)
        let mayLeave = await holdTurn(of: view, in: container)

        let fork = container.fork()
        #expect(fork.synchronize(serializingFactories: true).resolve(String.self) != nil)
        // Where a factory of the fork has captured the original's view, that is the fork's, too.
        fork.register([String].self) { [view ~> String.self] }
        #expect(fork.resolve([String].self) != nil)
        mayLeave.signal()
    }

    @Test func `who observes the container hears of every request`() throws {
        container.register(Int.self) { 1 }.inObjectScope(.container)
        let view = container.synchronize(serializingFactories: true)
        use(view ~> Int.self)

        let lines = Mutex<[String]>([])
        let observation = container.addObserver(
            ResolutionTrace { line in lines.withLock { $0.append(line) } }
        )
        use(view ~> Int.self)
        observation.end()
        #expect(lines.withLock { $0.count } == 1)
    }

    /// One thread has the turn and waits for a build; its builder needs the turn.
    @Test(.timeLimit(.minutes(5)))
    func `a thread that waits lends its turn to the one that it waits for`() {
        defer { container.removeAll() }
        let view = container.synchronize(serializingFactories: true)
        let hasTurn = DispatchSemaphore(value: 0)
        let builds = DispatchSemaphore(value: 0)
        container.register(Int.self) { r in
            hasTurn.signal()
            builds.wait()
            return (try r.require(String.self)).count
        }
        container.register(String.self) {
            builds.signal()
            return "\(try view.require(Bool.self))"
        }
        .inObjectScope(.container)
        container.register(Bool.self) { true }
        let failures = Failures()
        let builder = DispatchGroup()
        builder.enter()
        let thread = Thread { [container] in
            hasTurn.wait()
            failures.note { _ = try container.require(String.self) }
            builder.leave()
        }
        thread.start()
        failures.note { _ = try view.require(Int.self) }
        builder.wait()

        #expect(failures.all.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `two hierarchies whose factories ask each other's views take turns`() {
        let other = Container()
        defer { for each in [container, other] { each.removeAll() } }
        let views = [container, other].map { $0.synchronize(serializingFactories: true) }
        for (each, view) in zip([other, container], views) {
            each.register(Int.self) { try view.require(Int.self, name: "leaf") }
                .inObjectScope(.transient)
            each.register(Int.self, name: "leaf") { [crowd] in crowd.pass() }
                .inObjectScope(.transient)
        }
        let failures = Failures()

        DispatchQueue.concurrentPerform(iterations: 64) { index in
            failures.note { _ = try views[index % 2].require(Int.self) }
        }

        #expect(failures.all.isEmpty)
        #expect(crowd.count == 64)
    }
}

private final class Failures: Sendable {
    private let errors = Mutex<[ResolutionError]>([])

    var all: [ResolutionError] { errors.withLock { $0 } }

    func note(_ body: () throws -> Void) {
        do {
            try body()
        } catch let error as ResolutionError {
            errors.withLock { $0.append(error) }
        } catch {
            Issue.record("\(error)")
        }
    }
}

private func use<Service>(_: Service) {}

/// Has another thread be inside a factory of a view's, until what it returns is signaled.
private func holdTurn(of view: any Resolver, in container: Container) async -> DispatchSemaphore {
    let isInside = AsyncStream.makeStream(of: Void.self)
    let mayLeave = DispatchSemaphore(value: 0)
    container.register(Int.self) {
        isInside.continuation.finish()
        mayLeave.wait()
        return 1
    }
    let thread = Thread { use(view ~> Int.self) }
    thread.start()
    for await _ in isInside.stream {}
    return mayLeave
}

/// Lets other threads run that are not kept from it.
private func giveOthersAChance() {
    for _ in 0..<20 { sched_yield() }
}

/// How many are inside at a time.
private final class Crowd: Sendable {
    private let inside = Atomic(0)
    private let largest = Atomic(0)
    private let passed = Atomic(0)

    var most: Int { largest.load(ordering: .relaxed) }
    var count: Int { passed.load(ordering: .relaxed) }

    @discardableResult
    func pass() -> Int {
        let now = inside.wrappingAdd(1, ordering: .relaxed).newValue
        largest.max(now, ordering: .relaxed)
        giveOthersAChance()
        inside.wrappingSubtract(1, ordering: .relaxed)
        return passed.wrappingAdd(1, ordering: .relaxed).newValue
    }
}

private final class Ending: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}

/// Unchecked, because the turn guards it.
private final class Unguarded: @unchecked Sendable {
    private(set) var count = 0

    func add() -> Int {
        let old = count
        if old.isMultiple(of: 50) { giveOthersAChance() }
        count = old + 1
        return count
    }
}
