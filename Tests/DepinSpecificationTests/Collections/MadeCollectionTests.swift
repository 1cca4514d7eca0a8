import Depin
import Testing

private class Tracker: @unchecked Sendable {  // Nothing in it changes.
    let words: String
    init(_ words: String = "a") { self.words = words }
}

extension Resolver {
    fileprivate var words: [String] { (self ~> [Tracker].self).map(\.words) }
}

/// Whatever comes once the container has looked the contributions up.
struct `A collection of instances that nobody keeps` {
    private let container = Container()

    init() {
        container.contribute(Tracker.self) { Tracker("a") }.inObjectScope(.transient)
        container.contribute(Tracker.self, name: "n") { Tracker("b") }.inObjectScope(.transient)
        for _ in 0..<3 { _ = container.words }
    }

    @Test func `is made anew each time`() {
        let (first, second) = (container ~> [Tracker].self, container ~> [Tracker].self)
        #expect(first.map(\.words) == ["a", "b"])
        #expect(zip(first, second).allSatisfy { $0 !== $1 })
        #expect((container ~> [String: Tracker].self)["n"]?.words == "b")
        #expect((container ~> [Lazy<Tracker>].self).map(\.instance.words) == ["a", "b"])
    }

    @Test func `has what is contributed later, and not what is gone`() {
        container.contribute(Tracker.self, order: -1) { Tracker("c") }.inObjectScope(.transient)
        #expect(container.words == ["c", "a", "b"])
        container.unregister(Tracker.self, name: "n")
        #expect(container.words == ["c", "a"])
        container.removeAll()
        #expect(container.words == [])
    }

    @Test func `follows its entries when they are configured later`() {
        let completed = CallCount()
        let entry = container.contribute(Tracker.self) { Tracker("c") }.inObjectScope(.transient)
        _ = container.words
        entry.initCompleted { _, _ in completed.add() }
        _ = container.words
        #expect(completed.count == 1)
        entry.inObjectScope(.container)
        #expect((container ~> [Tracker].self)[2] === (container ~> [Tracker].self)[2])
    }

    @Test func `has the decorators that are added later, a child's for its requests`() {
        let child = Container(parent: container)
        _ = child.words
        child.decorate(Tracker.self) { _, inner in Tracker("child's " + inner.words) }
        #expect(child.words == ["child's a", "child's b"])
        #expect(container.words == ["a", "b"])
        container.decorate(Tracker.self) { _, inner in Tracker("x " + inner.words) }
        #expect(container.words == ["x a", "x b"])
        #expect(child.words == ["child's x a", "child's x b"])
    }

    @Test func `has what forwards to it, with the decorators of its type`() {
        final class Console: Tracker, @unchecked Sendable {}
        container.contribute(Console.self) { Console("c") }
            .inObjectScope(.transient)
            .implements(Tracker.self)
        for _ in 0..<2 { #expect(container.words == ["a", "b", "c"]) }
        container.decorate(Tracker.self) { _, inner in Tracker("x " + inner.words) }
        for _ in 0..<2 { #expect(container.words == ["x a", "x b", "x c"]) }
    }

    @Test func `may change while it is made`() {
        container.contribute(Tracker.self, order: -1) { [container] _ in
            container.unregister(Tracker.self, name: "n")
            return Tracker("c")
        }
        .inObjectScope(.transient)
        defer { container.removeAll() }
        _ = container.words
        #expect(container.words == ["c", "a"])
    }

    @Test func `of itself is a circle`() throws {
        container.contribute(Tracker.self) { r in try r.require([Tracker].self)[0] }
            .inObjectScope(.transient)
        for _ in 0..<2 {
            let error = try #require(throws: ResolutionError.self) {
                try container.require([Tracker].self)
            }
            #expect(error.reason == .circularDependency)
            #expect(error.path.count == 1)
        }
    }

    @Test func `is resolved from the container that was asked`() {
        container.contribute(Tracker.self) { r in Tracker(r ~> String.self) }
            .inObjectScope(.transient)
        container.register(String.self) { "parent's" }
        let (child, fork) = (Container(parent: container), container.fork())
        child.register(String.self) { "child's" }
        fork.register(String.self) { "fork's" }
        for _ in 0..<2 {
            #expect(container.words.last == "parent's")
            #expect(child.words.last == "child's")
            #expect(fork.words.last == "fork's")
        }
    }

    @Test func `has an override's contribution in the place of the one with its name`() {
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: {
                $0.contribute(Tracker.self, name: "n") { Tracker("fake") }
                    .inObjectScope(.transient)
            }) {
                let container = SpaceValues.current.dependenciesContainer
                for _ in 0..<2 { #expect(container.words == ["a", "fake"]) }
            }
        }
        #expect(container.words == ["a", "b"])
    }

    @Test func `is told to observers part by part`() {
        let seen = EventLog<String>()
        container.addObserver(Watching(log: seen))
        _ = container.words
        #expect(seen.all.filter { $0.hasSuffix(" built") }.count == 2)
    }

    private struct Watching: ResolutionObserver {
        let log: EventLog<String>
        func observe(_ event: ResolutionEvent) { log.note("\(event.request) \(event.outcome)") }
    }

    @Test func `fails with the path of the part`() throws {
        struct Mute: Error {}
        let line = #line + 1
        container.contribute(Tracker.self) { _ in throw Mute() }.inObjectScope(.transient)
        for _ in 0..<2 {
            let error = try #require(throws: ResolutionError.self) {
                try container.require([Tracker].self)
            }
            #expect(error.underlyingError is Mute)
            #expect(error.path.map(\.registeredAt.line) == [line])
        }
    }

    @Test func `knows the property that asked`() {
        let lines = EventLog<Int?>()
        container.contribute(Tracker.self) { r in
            do {
                _ = try r.require(Int.self)
            } catch let error as ResolutionError {
                lines.note(error.path.first?.request.injectedAt?.line)
            }
            return Tracker()
        }
        .inObjectScope(.transient)
        withSpace(\.dependenciesContainer, container) {
            for _ in 0..<2 { #expect(Screen().trackers.count == 3) }
        }
        #expect(lines.all == [Screen.line, Screen.line])
    }

    private struct Screen {
        static let line = #line + 1
        @Injected var trackers: [Tracker]
    }
}
