import Depin
import DepinInspection
import Testing

private protocol Voice: AnyObject, Sendable {
    var words: String { get }
}

private final class Plain: Voice {
    let words: String
    init(_ words: String = "a") { self.words = words }
}

/// Shows what it is around.
private final class Around: Voice {
    let inner: any Voice
    var words: String { "x(\(inner.words))" }

    init(_ inner: any Voice) { self.inner = inner }
}

private final class Log: Sendable {}

private struct Weak {
    private(set) weak var object: AnyObject?
    init(_ object: AnyObject?) { self.object = object }
}

extension ObjectScope {
    fileprivate static let visit = ObjectScope(opened: "visit")
}

extension Container {
    fileprivate func decorate(counting runs: CallCount = CallCount()) {
        decorate((any Voice).self) { _, inner in
            runs.add()
            return Around(inner)
        }
    }

    fileprivate var around: Around? { resolve((any Voice).self) as? Around }
    fileprivate var voices: [String] { (self ~> [any Voice].self).map(\.words) }

    fileprivate func voice(_ words: String) -> (any Voice)? {
        resolve((any Voice).self, argument: words)
    }
}

struct `What decorators are around` {
    private let parent = Container()
    private let child: Container

    init() {
        child = Container(parent: parent)
    }

    @Test func `goes when it is unregistered`() {
        parent.register(Plain.self) { Plain() }
            .inObjectScope(.container)
            .implements((any Voice).self)
        parent.decorate()
        let (outer, inner) = (Weak(parent.around), Weak(parent ~> Plain.self))
        #expect(outer.object != nil)

        parent.unregister((any Voice).self)
        #expect(outer.object == nil)
        #expect(inner.object != nil)
        parent.unregister(Plain.self)
        #expect(inner.object == nil)
    }

    @Test(arguments: ["unregister", "reset", "removeAll"])
    func `goes in a child as in the parent`(way: String) {
        parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
        child.decorate()
        let grandchild = Container(parent: child)
        grandchild.decorate()
        let (outer, outermost) = (Weak(child.around), Weak(grandchild.around))
        #expect(outermost.object != nil)

        switch way {
        case "unregister": parent.unregister((any Voice).self)
        case "reset": parent.resetObjectScope(.container)
        default: parent.removeAll()
        }
        #expect(outer.object == nil)
        #expect(outermost.object == nil)
    }

    @Test(arguments: EveryScope.shared)
    func `goes with the registrations of the child that decorates`(_ kept: EveryScope) {
        parent.register((any Voice).self) { Plain() }.inObjectScope(kept.scope)
        child.decorate()
        let place = kept.place(in: child)
        let outer = Weak(place.around)
        child.removeAll()
        #expect(outer.object == nil)
        #expect(place.around == nil)
    }

    @Test(arguments: [true, false])
    func `goes in a child under every name, where it stands for any`(isReplaced: Bool) {
        func register() {
            parent.register((any Voice).self, anyName: { _, name in Plain(name) })
                .inObjectScope(.container)
        }
        register()
        child.decorate()
        let voices = ["b", "c"].map { Weak(child.resolve((any Voice).self, name: $0)) }
        #expect(voices.allSatisfy { $0.object is Around })
        isReplaced ? register() : parent.unregister((any Voice).self)
        #expect(voices.allSatisfy { $0.object == nil })
    }

    @Test(arguments: EveryScope.shared, [true, false])
    func `stays where a container in between begins to decorate, until a reset`(
        _ scope: EveryScope,
        isForAnyName: Bool
    ) {
        let (root, objectScope) = (scope.place(in: Container()), scope.scope)
        let middle = Container(parent: root)
        let leaf = Container(parent: middle)
        if isForAnyName {
            root.register((any Voice).self, anyName: { _, name in Plain(name) })
                .inObjectScope(objectScope)
        } else {
            root.register((any Voice).self, name: "a") { Plain() }.inObjectScope(objectScope)
        }
        func decorate(_ container: Container) {
            if isForAnyName {
                container.decorate((any Voice).self) { _, inner in Around(inner) }
            } else {
                container.decorate((any Voice).self, name: "a") { _, inner in Around(inner) }
            }
        }
        decorate(leaf)
        let around = leaf.resolve((any Voice).self, name: "a") as? Around
        #expect(around?.words == "x(a)")
        decorate(middle)
        #expect(leaf.resolve((any Voice).self, name: "a") as? Around === around)
        #expect(middle.resolve((any Voice).self, name: "a")?.words == "x(a)")
        #expect(leaf.resolve((any Voice).self, name: "a") as? Around === around)
        leaf.resetObjectScope(objectScope)
        #expect(leaf.resolve((any Voice).self, name: "a")?.words == "x(x(a))")
        middle.removeAll()
        #expect(leaf.resolve((any Voice).self, name: "a")?.words == "x(a)")
    }

    @Test func `stays where a default comes that yields to it`() {
        parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
        child.decorate()
        let around = child.around
        parent.register((any Voice).self) { Plain("default") }.asDefault()
        #expect(child.around === around)
    }

    @Test func `stays where one default comes in place of another, and both yield to it`() {
        child.decorate()
        parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
        parent.register((any Voice).self) { Plain("default") }.asDefault()
        let around = child.around
        parent.register(Plain.self) { Plain("other") }.implements((any Voice).self).asDefault()
        #expect(child.around === around)
    }

    @Test func `stays in a child whose own it is`() {
        child.register(Plain.self) { Plain() }
            .inObjectScope(.container)
            .implements((any Voice).self)
        child.decorate()
        let first = child.around
        parent.resetObjectScope(.container)
        #expect(child.around === first)
        child.resetObjectScope(.container, serviceType: Plain.self)
        #expect(child.around !== first)
    }

    @Test func `is wrapped once for each value of the arguments, and goes alone`() throws {
        let runs = CallCount()
        parent.register((any Voice).self) { (_, words: String) in Plain(words) }
            .inObjectScope(.container.perArguments)
        child.decorate(counting: runs)
        let (a, b) = (try #require(child.voice("a")), try #require(child.voice("b")))
        #expect(child.voice("a") === a)
        #expect([a, b].map(\.words) == ["x(a)", "x(b)"])

        parent.resetObjectScope(.container, serviceType: (any Voice).self, argument: "a")
        let other = try #require(child.voice("a") as? Around)
        #expect(other !== a)
        #expect(other.inner === parent.voice("a"))
        #expect(child.voice("b") === b)
        #expect(runs.count == 3)
        parent.resetObjectScope(.container)
        #expect(child.voice("b") !== b)
    }

    @Test func `is wrapped once for each scope that is open`() {
        let runs = CallCount()
        parent.register((any Voice).self) { Plain() }.inObjectScope(.visit)
        child.decorate(counting: runs)
        let (one, other) = (child.openScope(.visit), child.openScope(.visit))
        #expect(one.around === one.around)
        #expect(one.around?.inner !== other.around?.inner)
        #expect(parent.openScope(.visit).resolve((any Voice).self)?.words == "a")
        #expect(runs.count == 2)

        let own = parent.openScope(.visit) { $0.decorate(counting: runs) }
        #expect(own.around === own.around)
        #expect(runs.count == 3)
    }

    @Test func `goes with the scope that is open, and not with another one`() {
        parent.register((any Voice).self) { Plain() }.inObjectScope(.visit)
        let (scope, other) = (parent.openScope(.visit), parent.openScope(.visit))
        let inside = Container(parent: scope)
        inside.decorate()
        let around = inside.around
        other.resetObjectScope(.visit)
        #expect(inside.around === around)
        scope.resetObjectScope(.visit)
        #expect(inside.around !== around)
        #expect(inside.around?.inner === scope.resolve((any Voice).self))
    }

    @Test(arguments: [true, false])
    func `goes when it is reset by any type that finds it`(isForwardedByChild: Bool) {
        let entry = parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
        let (home, other) = (isForwardedByChild ? child : parent, Container(parent: parent))
        home.forward(AnyObject.self, to: entry)
        child.decorate()
        other.decorate()
        let around = [child.around, other.around]
        home.resetObjectScope(.container, serviceType: AnyObject.self)
        #expect(child.around !== around[0])
        #expect(other.around !== around[1])
        #expect(child.around?.inner === other.around?.inner)
    }

    @Test func `may be contributions of a scope that is open`() throws {
        parent.contribute((any Voice).self) { Plain() }.inObjectScope(.visit)
        parent.decorate()
        let scope = parent.openScope(.visit) {
            $0.contribute((any Voice).self, order: -1) { Plain("own") }
        }
        #expect(scope.voices == ["own", "x(a)"])
        #expect((scope ~> [any Voice].self)[1] === (scope ~> [any Voice].self)[1])
        let error = #expect(throws: ResolutionError.self) { try parent.require([any Voice].self) }
        #expect(error?.reason == .noOpenScope)
    }

    @Test func `is closed once, before what its decorators need, and not by a child`() async throws
    {
        let closed = EventLog<String>()
        parent.register(Log.self) { Log() }.inObjectScope(.container)
            .onClose { _ in closed.note("log") }
        parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
            .onClose { closed.note($0.words) }
        parent.decorate((any Voice).self) { r, inner in
            _ = (r ~> Log.self)
            return Around(inner)
        }
        child.decorate()
        #expect(child.around?.words == "x(x(a))")
        try await child.close()
        #expect(closed.all == [])
        try await parent.close()
        #expect(closed.all == ["a", "log"])
    }

    @Test(arguments: [ObjectScope.transient, .graph, .container, .weak])
    func `is closed once under a further type`(scope: ObjectScope) async throws {
        let closed = EventLog<String>()
        parent.register(Plain.self) { Plain() }
            .inObjectScope(scope)
            .implements((any Voice).self)
            .onClose { closed.note($0.words) }
        parent.decorate()
        let around = parent.around
        try await parent.close()
        withExtendedLifetime(around) {}
        #expect(closed.all == ["a"])
    }
}

struct `Needs of a child's decorator` {
    private let parent = Container()
    private let child: Container

    init() {
        child = Container(parent: parent)
        parent.register((any Voice).self) { Plain() }.inObjectScope(.container)
        child.decorate((any Voice).self) { r, inner in
            _ = (r ~> Log.self)
            return Around(inner)
        }
    }

    @Test func `are shown, and keep nothing for the parent`() throws {
        child.register(Log.self) { Log() }.inObjectScope(.container)
        let graph = try child.validate().graph
        #expect(graph.nodes.map(\.service) == ["Log", "Voice"])
        #expect(graph.edges.map { [$0.from, $0.to] } == [["n2", "n1"]])
        #expect(!graph.edges[0].isDeferred)
    }

    @Test func `make no circle of what the parent builds alone`() throws {
        parent.register(Log.self) { r in
            _ = (r ~> (any Voice).self)
            return Log()
        }
        .inObjectScope(.container)
        #expect(child.around != nil)
        #expect(problemKinds(of: child) == [])
        child.register(Log.self) { r in
            _ = try r.require((any Voice).self)
            return Log()
        }
        #expect(problemKinds(of: child).contains(.circular))
    }
}
