import Depin
import DepinInspection
import Testing

private final class Disk: Sendable {}
private final class Server: Sendable {
    let disk: Disk
    init(disk: Disk) { self.disk = disk }
}
private final class Cart: Sendable {}
private final class Screen {
    @Injected var server: Server
}

private struct Failed: Error {}

extension ScopeOutcome {
    fileprivate var words: String {
        switch self {
        case .completed: "completed"
        case .failed(let error): "failed: \(error)"
        case .canceled: "canceled"
        }
    }
}

struct `An assembler that runs` {
    private let log = EventLog<String>()

    private struct AppAssembly: Assembly {
        let log: EventLog<String>

        func assemble(container: Container) {
            container.autoregister(Disk.self, asyncInitializer: { Disk() })
                .inObjectScope(.container).eager()
                .initCompleted { [log] _, _ in log.note("opened") }
                .onClose { [log] _, outcome in log.note(outcome.words) }
            container.autoregister(Server.self, initializer: Server.init)
        }
    }

    private func makeAssembler() -> Assembler { Assembler([AppAssembly(log: log)]) }

    @Test func `warms up, runs and closes`() async throws {
        let assembler = makeAssembler()
        let result = try await assembler.run { [log] resolver in
            let server = resolver ~> Server.self
            log.note("runs")
            #expect(Screen().server.disk === server.disk)
            return 7
        }
        #expect(result == 7)
        #expect(log.all == ["opened", "runs", "completed"])
        let error = #expect(throws: ResolutionError.self) {
            try assembler.resolver.require(Server.self)
        }
        #expect(error?.reason == .containerClosed)
    }

    @Test func `closes with the error that the operation throws`() async {
        await #expect(throws: Failed.self) { try await makeAssembler().run { _ in throw Failed() } }
        #expect(log.all == ["opened", "failed: Failed()"])
    }

    @Test func `closes where warming up fails, and does not run`() async {
        let assembler = makeAssembler()
        assembler.apply(FailingAssembly())
        let error = await #expect(throws: ResolutionError.self) {
            try await assembler.run { [log] _ in log.note("runs") }
        }
        #expect(error?.underlyingError is Failed)
        #expect(!log.all.contains("runs"))
        #expect(log.all.last?.hasPrefix("failed: ") ?? false)
    }

    private struct FailingAssembly: Assembly {
        func assemble(container: Container) {
            container.autoregister(String.self, asyncInitializer: { (_: Disk) in throw Failed() })
                .inObjectScope(.container).eager()
        }
    }

    @Test func `makes nothing where it was canceled before, and throws`() async {
        let assembler = makeAssembler()
        let task = Task { [log] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await assembler.run { _ in log.note("runs") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.all == [])
        #expect(throws: ResolutionError.self) { try assembler.resolver.require(Server.self) }
    }

    @Test func `makes nothing further where it is canceled while it warms up`() async {
        let assembler = makeAssembler()
        assembler.apply(CancelingAssembly(log: log))
        let task = Task { [log] in
            try await assembler.run(width: 1) { _ in log.note("runs") }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.all == ["opened", "canceling", "canceled"])
    }

    private struct CancelingAssembly: Assembly {
        let log: EventLog<String>

        func assemble(container: Container) {
            // After the disk, and before the text.
            container.autoregister(
                Int.self,
                asyncInitializer: { [log] (_: Disk) in
                    log.note("canceling")
                    withUnsafeCurrentTask { $0?.cancel() }
                    try Task.checkCancellation()
                    return 1
                }
            )
            .inObjectScope(.container).eager()
            container.autoregister(
                String.self,
                initializer: { [log] (number: Int) in
                    log.note("text")
                    return "\(number)"
                }
            )
            .inObjectScope(.container).eager()
        }
    }

    @Test func `closes with what the operation came to where it is canceled`() async {
        let (assembler, runs) = (makeAssembler(), AsyncGate())
        let task = Task {
            try await assembler.run { _ in
                runs.open()
                try await Task.sleep(for: .seconds(100))
            }
        }
        await runs.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.all == ["opened", "canceled"])
    }

    @Test func `throws what closers throw, and the operation's error before that`() async {
        let assembler = Assembler()
        assembler.apply(UnclosableAssembly())
        await #expect(throws: CloseError.self) {
            try await assembler.run { resolver in use(resolver ~> Cart.self) }
        }
        let other = Assembler()
        other.apply(UnclosableAssembly())
        let heard = EventLog<CloseError>()
        other.resolver.resolve(Container.self)?.addObserver(Listener(heard: heard))
        await #expect(throws: Failed.self) {
            try await other.run { resolver in
                use(resolver ~> Cart.self)
                throw Failed()
            }
        }
        #expect(heard.all.count == 1)
    }

    @Test func `refuses to run once more, and tells nothing of the closers of the first run`() async
    {
        let (parent, heard) = (Assembler(), EventLog<CloseError>())
        parent.resolver.resolve(Container.self)?.addObserver(Listener(heard: heard))
        let assembler = Assembler([UnclosableAssembly()], parent: parent)
        await #expect(throws: CloseError.self) {
            try await assembler.run { resolver in use(resolver ~> Cart.self) }
        }
        let error = await #expect(throws: ResolutionError.self) {
            try await assembler.run { [log] _ in log.note("runs") }
        }
        #expect(error?.reason == .containerClosed)
        #expect(error?.description.contains("cannot run a program") == true)
        #expect(error?.description.contains("requested by run at") == true)
        #expect(log.all.isEmpty)
        #expect(heard.all.isEmpty)
    }

    private struct UnclosableAssembly: Assembly {
        func assemble(container: Container) {
            container.register(Cart.self) { Cart() }.inObjectScope(.container)
                .onClose { _ in throw Failed() }
        }
    }

    private struct Listener: ResolutionObserver {
        let heard: EventLog<CloseError>

        func observe(_ event: ResolutionEvent) {
            if let error = event.error as? CloseError { heard.note(error) }
        }
    }

    @Test func `gives a closing that hangs no more than its time`() async throws {
        let (assembler, gate) = (makeAssembler(), AsyncGate())
        assembler.resolver.resolve(Container.self)?
            .register(Cart.self) { Cart() }.inObjectScope(.container)
            .onClose { _ in await gate.wait() }
        let error = await #expect(throws: CloseError.self) {
            try await assembler.run(closingWithin: .milliseconds(50)) { r in use(r ~> Cart.self) }
        }
        #expect(error?.failures.contains { $0.isStillRunning } ?? false)
        gate.open()
    }

    @Test func `runs with the services of an override, and closes the override alone`() async throws
    {
        let assembler = makeAssembler()
        let fake = Disk()
        try await withSpace(\.dependenciesAssembler, assembler) {
            try await withSpace(overriding: { $0.register(Disk.self, instance: fake).eager() }) {
                try await assembler.run { resolver in
                    #expect((resolver ~> Server.self).disk === fake)
                    #expect(Screen().server.disk === fake)
                }
                #expect(log.all.isEmpty)
                await #expect(throws: ResolutionError.self) { try await assembler.warmUp() }
            }
        }
        #expect(log.all.isEmpty)
        _ = try await assembler.resolver.requireAsync(Disk.self)
        #expect(log.all == ["opened"])
        try await assembler.close()
    }

    @Test @MainActor func `runs on the caller's actor`() async throws {
        let screen = Screen()
        try await makeAssembler().run { _ in
            MainActor.assertIsolated()
            withExtendedLifetime(screen) {}
        }
    }
}

struct `An assembler does what its container does` {
    private let closed = EventLog<String>()
    private let assembler = Assembler()

    init() {
        assembler.resolver.resolve(Container.self)?.register(Cart.self) { Cart() }
            .inObjectScope(.request).eager()
            .onClose { [closed] _, outcome in closed.note(outcome.words) }
    }

    @Test func `it opens scopes, warms up, validates and closes`() async throws {
        try await assembler.withScope(.request) { scope in
            use(scope ~> Cart.self)
        }
        let scope = assembler.openScope(.request) { $0.register(Int.self, instance: 7) }
        #expect((scope ~> Int.self) == 7)
        use(scope ~> Cart.self)
        #expect(try await assembler.warmUp().services.isEmpty)
        try await assembler.close(.request)
        #expect(closed.all == ["completed", "completed"])
        try assembler.validate(.init(open: [.request]))
        let last = assembler.openScope(.request)
        use(last ~> Cart.self)
        try await assembler.close(.canceled, within: .seconds(100))
        #expect(closed.all.last == "canceled")
        #expect(throws: ResolutionError.self) { try assembler.resolver.require(Cart.self) }
    }
}
