import Depin
import Foundation
import Testing

/// What a storage drops is released where nobody waits, and who waits for a storage can be seen.
///
/// A deadlock would hold the whole run up, so each runs in a process of its own, for a limited time.
struct `An instance that a storage drops` {
    //  thread 1: SharedService's factory ··► Ticket
    //  thread 2: Ticket's storage ──► the old ticket's deinit ··► SharedService

    @Test func `asks at its end for what waits for the storage, after it expired`() async {
        await #expect(processExitsWith: .success) {
            let world = World { expiry, _ in ExpiringStorage(expiry) }
            world.meet { use(world.container ~> Ticket.self) }
            world.expectBoth()
        }
    }

    @Test func `asks at its end for what waits for the storage, after a look`() async {
        await #expect(processExitsWith: .success) {
            let world = World { expiry, _ in PruningStorage(expiry) }
            world.meet { use(world.container ~> Ticket.self) }
            world.expectBoth()
        }
    }

    @Test func `asks at its end for what waits for the storage, after a reset`() async {
        await #expect(processExitsWith: .success) {
            let world = World { _, _ in PermanentStorage() }
            world.meet { world.container.resetObjectScope(world.scope) }
            world.expectBoth()
        }
    }

    @Test func `asks at its end for what waits for the storage, as one of two`() async {
        await #expect(processExitsWith: .success) {
            let world = World { expiry, _ in
                CompositeStorage([ExpiringStorage(expiry), ExpiringStorage(expiry)])
            }
            world.meet { use(world.container ~> Ticket.self) }
            world.expectBoth()
        }
    }

    /// The library cannot hold what the storage has hidden: there it finds the circle of waits.
    @Test func `asks at its end for what waits for a storage that hides it`() async {
        await #expect(processExitsWith: .success) {
            let world = World(endsInStorage: true) { HidingStorage($0, $1) }
            world.meet { use(world.container ~> Ticket.self) }
            world.expectOneAtLeast()
        }
    }
}

/// A service whose factory asks for a ticket, while the end of an older one asks for the service.
private final class World: @unchecked Sendable {  // The rest is written before a latch opens.
    let container = Container()
    let scope: ObjectScope
    private let expiry = Expiry()
    private let isInFactory = Latch()
    private let isAtEnd = Latch()
    private(set) var ticket: Ticket?
    /// What the end of the older ticket got: an error, or nil inside.
    private(set) var end: ResolutionError??

    init(
        endsInStorage: Bool = false,
        _ storage: @escaping @Sendable (Expiry, @escaping () -> Ticket) -> any InstanceStorage
    ) {
        let makeFirst = Later<() -> Ticket>()
        scope = ObjectScope(
            storageFactory: { [expiry] in storage(expiry, makeFirst.value) },
            description: "test"
        )
        // The first one asks at its end, be it the instance or what the storage keeps beside it.
        makeFirst.value = { [unowned self] in
            expiry.now == 0 ? Ticket { [unowned self] in ask() } : Ticket()
        }
        container.register(Ticket.self) { endsInStorage ? Ticket() : makeFirst.value() }
            .inObjectScope(scope)
        container.register(SharedService.self) { [unowned self] resolver in
            isInFactory.open()
            isAtEnd.wait()
            ticket = resolver.resolve(Ticket.self)
            return SharedService()
        }
        .inObjectScope(.container)
        use(container ~> Ticket.self)
    }

    private func ask() {
        isAtEnd.open()
        do {
            _ = try container.require(SharedService.self)
            end = .some(nil)
        } catch {
            end = error as? ResolutionError
        }
    }

    /// Makes the two threads meet, and ends the process if they never part.
    func meet(drop: @escaping @Sendable () -> Void) {
        let builder = Work { [self] in _ = container.resolve(SharedService.self) }
        expect(isInFactory.wait(), "the factory does not run")
        expiry.advance()
        let dropper = Work { drop() }
        expect(isAtEnd.wait(), "the older ticket does not end")
        expect(builder.value() != nil, "the thread that builds hangs")
        expect(dropper.value() != nil, "the thread that drops hangs")
    }

    /// One has what it asked for, and the other that or the error of a circle.
    func expectOneAtLeast() {
        guard case .some(let error) = end else { fatalError("the end did not ask") }
        expect(ticket != nil || error == nil, "neither has what it asked for")
        guard let error else { return }
        guard case .circularDependency = error.reason else { fatalError("\(error)") }
    }

    func expectBoth() {
        expect(ticket != nil, "the factory got no ticket")
        guard case .some(let error) = end else { fatalError("the end did not ask") }
        expect(error == nil, "\(String(describing: error))")
    }
}

/// A value that is set once, before it is read.
private final class Later<Value>: @unchecked Sendable {
    private var stored: Value?

    var value: Value {
        get {
            guard let stored else { fatalError("it is not set yet") }
            return stored
        }
        set { stored = newValue }
    }
}

/// Time for storages, which goes on when it is told to.
private final class Expiry: @unchecked Sendable {
    private let lock = NSLock()
    private var time = 0  // guarded by lock

    var now: Int { lock.withLock { time } }

    func advance() {
        lock.withLock { time += 1 }
    }
}

/// As in the article about custom scopes: an instance is released when the next one is set.
private final class ExpiringStorage: InstanceStorage {
    private let expiry: Expiry
    private var kept: (instance: Any, since: Int)?

    init(_ expiry: Expiry) { self.expiry = expiry }

    var instance: Any? {
        get { kept.flatMap { $0.since == expiry.now ? $0.instance : nil } }
        set { kept = newValue.map { ($0, expiry.now) } }
    }
}

/// Releases an instance when it finds out that it has expired.
private final class PruningStorage: InstanceStorage {
    private let expiry: Expiry
    private var kept: (instance: Any, since: Int)?

    init(_ expiry: Expiry) { self.expiry = expiry }

    var instance: Any? {
        get {
            if kept?.since != expiry.now { kept = nil }
            return kept?.instance
        }
        set { kept = newValue.map { ($0, expiry.now) } }
    }
}

/// Drops something of its own with each instance, which the library has never seen.
private final class HidingStorage: InstanceStorage {
    private let expiry: Expiry
    private let makeOwn: () -> Ticket
    private var kept: (instance: Any, own: Ticket, since: Int)?

    init(_ expiry: Expiry, _ makeOwn: @escaping () -> Ticket) {
        self.expiry = expiry
        self.makeOwn = makeOwn
    }

    var instance: Any? {
        get { kept.flatMap { $0.since == expiry.now ? $0.instance : nil } }
        set { kept = newValue.map { ($0, makeOwn(), expiry.now) } }
    }
}

private final class SharedService: Sendable {}

private final class Ticket: Sendable {
    private let onEnd: (@Sendable () -> Void)?

    init(_ onEnd: (@Sendable () -> Void)? = nil) { self.onEnd = onEnd }

    deinit { onEnd?() }
}
