import Depin
import DepinInspection
import Foundation
import Testing

private protocol Voice: Sendable {
    var words: String { get }
}

private final class Plain: Voice {
    let words: String
    init(_ words: String = "a") { self.words = words }
}

/// Shows what it is around.
private final class Around: Voice {
    let (inner, mark): (any Voice, String)
    var words: String { "\(mark)(\(inner.words))" }

    init(_ mark: String, _ inner: any Voice) { (self.mark, self.inner) = (mark, inner) }
}

private final class Log: Sendable {}

extension Container {
    fileprivate func decorate(with mark: String, name: String? = nil) {
        decorate((any Voice).self, name: name) { _, inner in Around(mark, inner) }
    }

    fileprivate var words: String? { resolve((any Voice).self)?.words }
    fileprivate var around: Around? { resolve((any Voice).self) as? Around }
}

struct `A decorator` {
    private let container = Container()

    static let scopes: [ObjectScope] = [
        .transient, .graph, .container, .weak, ObjectScope(named: "session"),
        ObjectScope(storageFactory: PermanentStorage.init),
    ]

    @Test(arguments: scopes)
    func `wraps what is registered before and after, the last one outermost`(scope: ObjectScope) {
        container.decorate(with: "x")
        container.register((any Voice).self) { Plain() }.inObjectScope(scope)
        container.decorate(with: "y")
        #expect(container.words == "y(x(a))")
        container.register((any Voice).self) { Plain("b") }.inObjectScope(scope)
        #expect(container.words == "y(x(b))")
    }

    @Test func `wraps a registered instance`() {
        container.register((any Voice).self, instance: Plain())
        #expect(container.words == "a")
        container.decorate(with: "x")
        #expect(container.words == "x(a)")
        let first = container.around
        container.resetObjectScope(.container)
        #expect(container.around === first)
        container.register((any Voice).self, instance: Plain("b"))
        #expect(container.words == "x(b)")
    }

    @Test(arguments: [ObjectScope.container, .weak, scopes[4], scopes[5]])
    func `runs once for a shared instance, and anew after a reset`(scope: ObjectScope) throws {
        let runs = CallCount()
        container.register((any Voice).self) { Plain() }.inObjectScope(scope)
        container.decorate((any Voice).self) { _, inner in
            runs.add()
            return Around("x", inner)
        }
        let first = try #require(container.around)
        #expect(container.around === first)
        #expect(runs.count == 1)
        container.resetObjectScope(scope)
        #expect(container.around !== first)
        #expect(runs.count == 2)
    }

    @Test func `leaves the instances alone that are there already`() {
        container.register((any Voice).self) { Plain() }.inObjectScope(.container)
        #expect(container.words == "a")
        container.decorate(with: "x")
        #expect(container.words == "a")
        container.resetObjectScope(.container)
        #expect(container.words == "x(a)")
    }

    @Test(arguments: 0..<50)
    func `may be added while others resolve: none is missed that was seen once`(_: Int) async {
        let stages = ["a", "x(a)", "y(x(a))", "z(y(x(a)))"]
        container.register((any Voice).self) { Plain() }.inObjectScope(.transient)
        await withTaskGroup { [container] group in
            group.addTask {
                for mark in ["x", "y", "z"] {
                    for _ in 0..<50 { use(container.words as Any) }
                    container.decorate(with: mark)
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    let seen = (0..<200).map { _ in container.words ?? "none" }
                    let order = seen.map { stages.firstIndex(of: $0) ?? -1 }
                    #expect(order == order.sorted() && !order.contains(-1))
                }
            }
        }
        #expect(container.words == stages.last)
    }

    @Test(arguments: 0..<50)
    func `is in a fork that is made meanwhile, or is not, for every registration`(_: Int) async {
        let names = (0..<20).map { "\($0)" }
        for name in names { container.register((any Voice).self, name: name) { Plain() } }
        container.decorate(with: "w", name: "none")
        async let decorating: Void = { [container] in
            for name in names { container.decorate(with: "x", name: name) }
        }()
        let fork = container.fork()
        for name in names {
            let before = fork.resolve((any Voice).self, name: name)?.words
            fork.register((any Voice).self, name: name) { Plain() }
            #expect(fork.resolve((any Voice).self, name: name)?.words == before)
        }
        await decorating
    }

    @Test func `is for one name, and for all shapes of arguments`() {
        container.register((any Voice).self) { Plain() }
        container.register((any Voice).self, name: "n") { Plain("b") }.inObjectScope(.transient)
        container.register((any Voice).self, name: "n") { (_, words: String) in Plain(words) }
        container.decorate(with: "x", name: "n")
        #expect(container.words == "a")
        #expect(container.resolve((any Voice).self, name: "n")?.words == "x(b)")
        #expect((container ~> ((any Voice).self, name: "n", argument: "c")).words == "x(c)")
    }

    @Test func `gives requests the outer, also in a cycle, and callbacks the inner`() throws {
        let seen = EventLog<String>()
        container.register((any Voice).self) { Plain() }
            .inObjectScope(.container)
            .initCompleted { r, inner in
                seen.note(inner.words)
                seen.note((r ~> (any Voice).self).words)
            }
        container.decorate(with: "x")
        #expect(container.words == "x(a)")
        #expect(seen.all == ["a", "x(a)"])
    }

    @Test func `asks for what it needs, in the graph of what it decorates`() {
        container.register(Log.self) { Log() }
        let logs = EventLog<Log>()
        container.register((any Voice).self) { r in
            logs.note(r ~> Log.self)
            return Plain()
        }
        container.decorate((any Voice).self) { r, inner in
            logs.note(r ~> Log.self)
            return Around("x", inner)
        }
        #expect(container.words == "x(a)")
        #expect(logs.all.count == 2 && logs.all[0] === logs.all[1])
    }

    @Test func `wraps contributions, whatever their names`() {
        container.contribute((any Voice).self) { Plain() }
        container.decorate(with: "x")
        container.decorate(with: "y", name: "n")
        container.contribute((any Voice).self, name: "n", instance: Plain("b"))
        #expect((container ~> [any Voice].self).map(\.words) == ["x(a)", "y(x(b))"])
    }

    @Test(arguments: scopes)
    func `of a forwarding type is for requests of that type`(scope: ObjectScope) {
        container.register(Plain.self) { Plain() }
            .inObjectScope(scope)
            .implements((any Voice).self)
        container.decorate(Plain.self) { _, inner in Plain("inner " + inner.words) }
        container.decorate(with: "x")
        #expect((container ~> Plain.self).words == "inner a")
        #expect(container.words == "x(inner a)")
        let isShared = scope !== ObjectScope.transient && scope !== ObjectScope.graph
        let (one, two) = (container ~> (any Voice).self, container ~> (any Voice).self)
        #expect((one as? Around === two as? Around) == isShared)
        let inner = container ~> Plain.self
        #expect(((one as? Around)?.inner as? Plain === inner) == isShared)
        #expect(container.words == "x(inner a)", "nothing of it is kept for the type alone")
    }

    @Test func `wraps a replaced service once, if its type forwards to it again`() {
        let replaced = container.register((any Voice).self) { Plain() }
        container.register((any Voice).self) { Plain("b") }
        replaced.implements((any Voice).self)
        container.decorate(with: "x")
        #expect(container.words == "x(a)")
    }

    @Test func `is copied by a fork, and goes with everything`() {
        container.register((any Voice).self) { Plain() }
        container.decorate(with: "x")
        let fork = container.fork()
        fork.decorate(with: "y")
        #expect(fork.words == "y(x(a))")
        fork.register((any Voice).self) { Plain("b") }
        #expect(fork.words == "y(x(b))")
        #expect(container.words == "x(a)")
        container.removeAll()
        container.register((any Voice).self) { Plain() }
        #expect(container.words == "a")
    }

    @Test func `is shown in the container's description`() {
        container.register((any Voice).self) { Plain() }
        container.decorate(with: "x")
        #expect(container.description.contains(", Decorated: 1 times"))
    }

    @Test func `that throws fails the request, with its place`() throws {
        struct Mute: Error {}
        container.register((any Voice).self) { Plain() }
        let line = #line + 1
        container.decorate((any Voice).self) { _, _ in throw Mute() }
        let error = try #require(throws: ResolutionError.self) {
            try container.require((any Voice).self)
        }
        #expect(error.underlyingError is Mute)
        #expect(error.path.map(\.decoratedAt?.line) == [line])
        #expect(
            try #require(throws: ResolutionError.self) {
                try container.require(Int.self)
            }.path.isEmpty
        )
    }
}

struct `A child's decorator` {
    private let parent = Container()
    private let child: Container

    init() {
        child = Container(parent: parent)
    }

    @Test(arguments: `A decorator`.scopes)
    func `wraps for requests through the child, around what the parent decorates`(
        scope: ObjectScope
    ) {
        parent.register((any Voice).self) { Plain() }.inObjectScope(scope)
        parent.decorate(with: "x")
        child.decorate(with: "y")
        let grandchild = Container(parent: child)
        grandchild.decorate(with: "z")
        for _ in 0..<2 {
            #expect(parent.words == "x(a)")
            #expect(child.words == "y(x(a))")
            #expect(grandchild.words == "z(y(x(a)))")
        }
    }

    @Test(arguments: [ObjectScope.container, .weak, ObjectScope(named: "session")])
    func `runs once for what the parent shares, and anew after its reset`(
        scope: ObjectScope
    ) throws {
        let runs = CallCount()
        parent.register((any Voice).self) { Plain() }.inObjectScope(scope)
        let inner = try parent.require((any Voice).self)
        child.decorate((any Voice).self) { _, inner in
            runs.add()
            return Around("y", inner)
        }
        let outer = try #require(child.around)
        #expect(child.around === outer)
        #expect(outer.inner as? Plain === inner as? Plain)
        #expect(runs.count == 1)
        parent.resetObjectScope(scope)
        let next = try #require(child.around)
        #expect(next.inner as? Plain !== inner as? Plain)
        #expect(next.inner as? Plain === parent.resolve((any Voice).self) as? Plain)
        #expect(runs.count == 2)
        parent.register((any Voice).self) { Plain("b") }.inObjectScope(scope)
        #expect(child.words == "y(b)")
    }

    @Test func `is not for what a child of it registers, nor a parent's for the child's`() {
        parent.decorate(with: "x")
        child.register((any Voice).self) { Plain("child's") }
        #expect(child.words == "child's")
        child.decorate(with: "y")
        #expect(child.words == "y(child's)")
    }

    @Test func `wraps for a view that serializes factories, too`() {
        parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
        #expect(parent.words == "a")
        child.decorate(with: "y")
        let view = child.synchronize(serializingFactories: true)
        #expect(view.resolve((any Voice).self)?.words == "y(a)")
    }

    @Test func `resolves from the child where the parent does not share`() {
        parent.register((any Voice).self) { Plain() }
        parent.register(String.self) { "parent's" }
        child.register(String.self) { "child's" }
        parent.decorate((any Voice).self) { r, inner in Around(r ~> String.self, inner) }
        #expect(child.words == "child's(a)")
        #expect(parent.words == "parent's(a)")
    }

    @Test func `runs once under racing requests`() {
        let runs = CallCount()
        parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
        let children = (0..<1000).map { _ in
            Container(parent: parent) { child in
                child.decorate((any Voice).self) { _, inner in
                    runs.add()
                    return Around("y", inner)
                }
            }
        }
        // Who is behind catches up, since it makes nothing.
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for child in children { use(child ~> (any Voice).self) }
        }
        #expect(runs.count == children.count)
    }

    @Test func `in an override goes where the service is registered`() {
        parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
        parent.register(String.self) { r in (r ~> (any Voice).self).words }
            .inObjectScope(.container)
        parent.contribute((any Voice).self) { Plain("b") }
        child.contribute((any Voice).self) { Plain("c") }
        #expect((child ~> String.self) == "a")
        withSpace(\.dependenciesContainer, child) {
            withSpace(overriding: { $0.decorate(with: "spy") }) {
                let container = SpaceValues.current.dependenciesContainer
                #expect((container ~> String.self) == "spy(a)")
                #expect((container ~> [any Voice].self).map(\.words) == ["spy(b)", "spy(c)"])
            }
        }
        #expect(child.words == "a")
    }

    @Test func `in an override goes where each shape of arguments is registered`() {
        parent.register((any Voice).self) { _, words in Plain(words) }
        child.register((any Voice).self) { Plain() }
        withSpace(\.dependenciesContainer, child) {
            withSpace(overriding: { $0.decorate(with: "spy") }) {
                let container = SpaceValues.current.dependenciesContainer
                #expect(container.words == "spy(a)")
                #expect(container.resolve((any Voice).self, argument: "b")?.words == "spy(b)")
            }
        }
    }

    @Test func `is told to observers and strict tests as the registration itself`() throws {
        parent.register((any Voice).self) { Plain() }
        child.decorate(with: "y")
        let log = EventLog<String>()
        child.addObserver(Watching(log: log))
        _ = child.words
        #expect(log.all == ["Voice requested", "Voice built"])
    }

    private struct Watching: ResolutionObserver {
        let log: EventLog<String>
        func observe(_ event: ResolutionEvent) { log.note("\(event.request) \(event.outcome)") }
    }
}

struct `Validation of decorators` {
    private let container = Container()

    @Test func `says which decorate nothing`() throws {
        container.register((any Voice).self) { Plain() }
        container.contribute(Log.self) { Log() }
        container.decorate(with: "x")
        container.decorate(Log.self) { _, inner in inner }
        #expect(problemKinds(of: container) == [])
        container.decorate(with: "y", name: "other")
        container.decorate(Int.self) { _, inner in inner }
        #expect(problemKinds(of: container) == [.unusedDecorator, .unusedDecorator])
        try Golden("validation with unused decorators").check("\(container.validate())")
        let child = Container(parent: container)
        child.decorate(with: "z")
        #expect(problemKinds(of: child).count == 2)
        // What a child registers, a parent's decorator never sees.
        child.register(Int.self) { 1 }
        #expect(problemKinds(of: child).count == 2)
    }

    @Test func `runs them, and finds what they miss, and circles through them`() {
        container.register((any Voice).self) { Plain() }
        container.decorate((any Voice).self) { r, inner in
            _ = try r.require(Log.self)
            return inner
        }
        #expect(problemKinds(of: container) == [.missing])
        container.register(Log.self) { r in
            _ = try r.require((any Voice).self)
            return Log()
        }
        #expect(problemKinds(of: container) == [.circular])
    }
}
