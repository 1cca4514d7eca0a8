import Depin
import Foundation

/// Runs a program on its threads, and says what was wrong.
final class HostileThreadsWorld: @unchecked Sendable {  // Each variable is guarded by its cell.
    private let program: HostileThreads
    private let violations = HostileCell<[String]>([])
    private let seen = HostileCell<[Int: Thing]>([:])
    private let container = HostileCell<Container?>(nil)
    private let scopes: [HostileThreads.Scope: ObjectScope]
    /// Goes on with each request of a thread's own, and so not within one.
    private let time = HostileCell(0)

    init(_ program: HostileThreads) {
        self.program = program
        scopes = [
            .container: .container, .weak: .weak, .graph: .graph, .transient: .transient,
            .named: ObjectScope(named: "named"),
            .stored: ObjectScope(storageFactory: PermanentStorage.init, description: "stored"),
            .expiring: ObjectScope(
                storageFactory: { [time] in ExpiringStorage(time) },
                description: "expiring"
            ),
        ]
    }

    func run(patience: Double = 10) -> [String] {
        container.change { $0 = Container() }
        for index in program.services.indices { register(index) }
        let (start, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for requests in program.threads {
            let thread = Thread { [self] in
                start.wait()
                for index in requests { request(index) }
                ended.signal()
            }
            thread.stackSize = 1 << 21
            thread.start()
        }
        for _ in program.threads { start.signal() }
        for _ in program.threads where ended.wait(timeout: .now() + patience) == .timedOut {
            return violations.value + ["a thread hangs"]
        }
        seen.change { $0 = [:] }
        // What ends from here on asks for nothing.
        let last = container.change { container in
            defer { container = nil }
            return container
        }
        withExtendedLifetime(last) {}
        return violations.value
    }

    private func fail(_ text: String) {
        violations.change { $0.append(text) }
    }

    private func register(_ index: Int) {
        let service = program.services[index]
        container.value?.register(Thing.self, name: HostileName(index)) {
            [unowned self] resolver in
            let needs = try service.factory.map { need in
                pause(service.pause)
                return try resolver.require(Thing.self, name: HostileName(need))
            }
            return Thing(index, needs) { [weak self] in self?.end(of: service) }
        }
        .inObjectScope(scopes[service.scope] ?? .container)
        .initCompleted { [unowned self] resolver, _ in
            for other in service.callback {
                pause(service.pause)
                _ = try? resolver.require(Thing.self, name: HostileName(other))
            }
        }
    }

    private func end(of service: HostileThreads.Service) {
        guard let other = service.atEnd, let container = container.value else { return }
        pause(service.pause)
        do {
            _ = try container.require(Thing.self, name: HostileName(other))
        } catch {
            // An end within a build may lead back to that. Another thread has nothing to do with it.
            let others = (error as? ResolutionError)?.otherPath ?? []
            if program.isExpiring, !others.isEmpty { fail("an end waits in a circle of threads") }
        }
    }

    private func request(_ index: Int) {
        guard let container = container.value else { return }
        time.change { $0 += 1 }
        do {
            let thing = try container.require(Thing.self, name: HostileName(index))
            if thing.service != index { fail("got \(thing.service) for \(index)") }
            if program.services[index].scope.isPermanent {
                let first = seen.change { seen in
                    seen[index] = seen[index] ?? thing
                    return seen[index]
                }
                if first !== thing { fail("\(index) has two instances") }
            }
        } catch {
            // Of a circle through a `deinit` nobody says whose request fails.
            guard program.succeeds else { return }
            fail(
                "\(index) was not got: \((error as? ResolutionError).map { "\($0.reason)" } ?? "")"
            )
        }
    }

    private func pause(_ times: Int) {
        for _ in 0..<times { sched_yield() }
    }

    private final class Thing: Sendable {
        let service: Int
        let needs: [Thing]
        private let onEnd: @Sendable () -> Void

        init(_ service: Int, _ needs: [Thing], _ onEnd: @escaping @Sendable () -> Void) {
            self.service = service
            self.needs = needs
            self.onEnd = onEnd
        }

        deinit { onEnd() }
    }

    /// As in the article on custom scopes, with requests for time.
    private final class ExpiringStorage: InstanceStorage {
        private let time: HostileCell<Int>
        private var kept: (instance: Any, since: Int)?

        init(_ time: HostileCell<Int>) { self.time = time }

        var instance: Any? {
            get { kept.flatMap { $0.since == time.value ? $0.instance : nil } }
            set { kept = newValue.map { ($0, time.value) } }
        }
    }
}

/// A value that several threads change.
final class HostileCell<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value  // guarded by lock

    init(_ value: Value) { stored = value }

    var value: Value { lock.withLock { stored } }

    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&stored) }
    }
}
