import Depin
import DepinInspection
import Foundation
import Testing

struct TracingTests {
    @Test func `an observer is told what is asked, built, reused and missing`() throws {
        let log = Log()
        let container = Container()
        container.register((any API).self) { LiveAPI() }.inObjectScope(.container)
        container.register(FeedService.self) { r in FeedService(api: r ~> (any API).self) }
        container.register(FeedScreen.self) { r in
            use(r ~> (any API).self)
            return FeedScreen(feed: r ~> FeedService.self)
        }
        container.addObserver(log)
        use(container ~> FeedScreen.self)
        #expect(container.resolve(Profile.self) == nil)
        #expect(
            log.lines == [
                "requested FeedScreen", "  requested API", "  built API", "  requested FeedService",
                "    requested API", "    reused API", "  built FeedService", "built FeedScreen",
                "requested Profile", "missing Profile",
            ]
        )
    }

    @Test func `a graph's instance is reused, a failure and a Lazy are told`() throws {
        let log = Log()
        let container = Container()
        container.register(Profile.self) { Profile() }
        container.register(FeedService.self) { throw OutOfDisk() }
        container.register(Node.self, name: "n") { (r, _: Int) in
            Node(
                r ~> Profile.self,
                r ~> Profile.self,
                r ~> Lazy<Profile>.self,
                (r ~> Profile?.self) as Any
            )
        }
        container.addObserver(log)
        try use(container.require(Node.self, name: "n", arguments: 1))
        #expect(throws: ResolutionError.self) { try container.require(FeedService.self) }
        #expect(
            log.lines == [
                "requested Node named \"n\" with (Int)", "  requested Profile", "  built Profile",
                "  requested Profile", "  reused Profile", "  requested Lazy<Profile>",
                "  derived Lazy<Profile>", "  requested Profile", "  reused Profile",
                "built Node named \"n\" with (Int)", "requested FeedService", "failed FeedService",
            ]
        )
    }

    @Test func `an event has path, place, duration and the property that asked`() throws {
        let log = Log()
        let container = Container()
        let line = #line + 1
        container.register((any API).self) { LiveAPI() }
        container.register(Profile.self) {
            use(PaymentsScreen().api)
            return Profile()
        }
        container.addObserver(log)
        withSpace(\.dependenciesContainer, container) { use(container ~> Profile.self) }
        let built = try #require(
            log.events.first { "\($0.request)" == "API" && $0.duration != nil }
        )
        #expect(built.registeredAt?.line == line)
        #expect(built.path.map { "\($0.request)" } == ["Profile"])
        #expect(built.depth == 1)
        #expect(built.request.injectedAt?.file == "DepinSpecificationTests/Situation.swift")
        #expect(try #require(built.duration) > .zero)
    }

    @Test func `an event and its outcome are printed in words`() throws {
        let log = Log()
        let container = Container()
        container.register((any API).self, name: "live") { LiveAPI() }
            .inObjectScope(.container)
        container.register(FeedService.self) { throw OutOfDisk() }
        container.addObserver(log)
        for _ in 1...2 { use(container ~> ((any API).self, name: "live")) }
        use(container ~> (Lazy<any API>.self, name: "live"))
        use(container.resolve(Profile.self) as Any)
        #expect(throws: ResolutionError.self) { try container.require(FeedService.self) }
        let masked = log.events.map { event in
            "\(event)".replacing(#/\d+\.\d{3} ms/#, with: "_ ms")
                .replacing(#/\w+/TracingTests\.swift:\d+/#, with: "_")
        }
        #expect(
            masked == [
                "API named \"live\" requested, registered at _",
                "API named \"live\" built in _ ms, registered at _",
                "API named \"live\" requested, registered at _",
                "API named \"live\" reused in _ ms, registered at _",
                "Lazy<API> named \"live\" requested",
                "Lazy<API> named \"live\" made in _ ms",
                "Profile requested", "Profile is not registered",
                "FeedService requested, registered at _",
                "FeedService failed after _ ms, registered at _",
            ]
        )
        #expect(log.events.map { "\($0.outcome)" }.contains("derived"))
    }

    @Test func `an observation ends, and others go on`() {
        let (one, other) = (Log(), Log())
        let container = Container()
        container.register(Profile.self) { Profile() }
        let observation = container.addObserver(one)
        container.addObserver(other)
        use(container ~> Profile.self)
        observation.end()
        observation.end()
        use(container ~> Profile.self)
        #expect(one.lines.count == 2)
        #expect(other.lines.count == 4)
    }

    @Test func `only what was observed stays an observer's, not its fork's or child's`() throws {
        let log = Log()
        let container = Container()
        container.register(Profile.self) { Profile() }
        container.addObserver(log)
        use(container.fork() ~> Profile.self)
        use(Container(parent: container) ~> Profile.self)
        try container.validate()
        #expect(log.lines == [])
    }

    @Test func `a trace is indented as the factories are nested`() throws {
        let lines = Lines()
        let container = Container()
        container.register((any API).self) { LiveAPI() }.inObjectScope(.container)
        container.register(FeedService.self) { r in FeedService(api: r ~> (any API).self) }
        container.register(FeedScreen.self) { r in FeedScreen(feed: r ~> FeedService.self) }
        let observation = container.addObserver(ResolutionTrace { lines.add($0) })
        use(container ~> FeedScreen.self)
        use(container ~> (any API).self)
        use(container.resolve(Profile.self) as Any)
        observation.end()
        let masked = lines.all.joined(separator: "\n").replacing(#/\d+\.\d{3} ms/#, with: "_ ms")
        try Golden("trace").check(masked)
    }

    @Test func `a trace goes to standard error if nothing else is said`() async {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let container = Container()
            container.register(Profile.self) { Profile() }
            container.addObserver(ResolutionTrace())
            use(container ~> Profile.self)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = #/Profile built in .* ms, registered at .*TracingTests\.swift:\d+\n/#
        #expect(text.contains(line), "\(text)")
    }
}

/// Writes down what it is told.
private final class Log: ResolutionObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var told: [ResolutionEvent] = []

    var events: [ResolutionEvent] { lock.withLock { told } }

    func observe(_ event: ResolutionEvent) {
        lock.withLock { told.append(event) }
    }

    var lines: [String] {
        events.map { event in
            String(repeating: "  ", count: event.depth) + "\(event.outcome) \(event.request)"
        }
    }
}

private final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    var all: [String] { lock.withLock { lines } }
    func add(_ line: String) { lock.withLock { lines.append(line) } }
}
