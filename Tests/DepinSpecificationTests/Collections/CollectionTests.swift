import Depin
import DepinInspection
import Testing

/// What modules contribute to.
private protocol Tracker: Sendable {
    var name: String { get }
}

private final class Named: Tracker {
    let name: String
    init(_ name: String) { self.name = name }
}

private final class Other: Tracker {
    let name: String
    init(_ name: String) { self.name = name }
}

extension Resolver {
    fileprivate var trackers: [String] { (self ~> [any Tracker].self).map(\.name) }
}

struct `A collection of contributions` {
    private let container = Container()

    @Test func `comes in the order that was said, and else in that of registration`() {
        container.contribute((any Tracker).self) { Named("b") }
        container.contribute((any Tracker).self, order: 1) { _ in Named("d") }
        container.contribute((any Tracker).self, order: -1, name: "first") { Named("a") }
        container.contribute((any Tracker).self, order: 0, instance: Named("c"))
        #expect(container.trackers == ["a", "b", "c", "d"])
    }

    @Test func `has what is made on the main actor`() async throws {
        container.contribute(
            (any Tracker).self,
            mainActorFactory: { resolver in
                MainActor.preconditionIsolated()
                return Named(resolver ~> String.self)
            }
        )
        container.register(String.self) { "main" }
        #expect(try await container.requireAsync([any Tracker].self).map(\.name) == ["main"])
    }

    @Test func `has the parents' before the children's, but for their order`() {
        let child = Container(parent: container)
        child.contribute((any Tracker).self) { Named("child's") }
        child.contribute((any Tracker).self, order: -1) { Named("child's first") }
        container.contribute((any Tracker).self) { Named("parent's") }
        container.contribute((any Tracker).self, order: 1) { Named("parent's last") }
        #expect(child.trackers == ["child's first", "parent's", "child's", "parent's last"])
        #expect(container.trackers == ["parent's", "parent's last"])
    }

    @Test func `can be had as a dictionary of those that have a name`() throws {
        container.contribute((any Tracker).self, name: "one") { Named("1") }
        container.contribute((any Tracker).self) { Named("2") }
        let named = container ~> [String: any Tracker].self
        #expect(named.mapValues(\.name) == ["one": "1"])
    }

    @Test func `can be had later, as a whole and one by one`() {
        let built = CallCount()
        container.contribute((any Tracker).self, name: "x") { Named("\(built.add())") }
            .inObjectScope(.transient)
        let lazy = container ~> [Lazy<any Tracker>].self
        let providers = container ~> [Provider<any Tracker>].self
        let whole = container ~> Lazy<[any Tracker]>.self
        let named = container ~> [String: Provider<any Tracker>].self
        #expect(built.count == 0)
        #expect(lazy.map(\.instance.name) == ["1"])
        #expect(lazy.map(\.instance.name) == ["1"])
        #expect(providers.map(\.instance.name) == ["2"])
        #expect(providers.map(\.instance.name) == ["3"])
        #expect(whole.instance.map(\.name) == ["4"])
        #expect(named["x"]?.instance.name == "5")
    }

    @Test func `is one graph, and a part of the one under way`() {
        container.register(Named.self) { Named("shared") }
        container.contribute(Box.self) { r in Box(r ~> Named.self) }
        container.contribute(Box.self) { r in Box(r ~> Named.self) }
        container.register(Pair.self) { r in Pair(r ~> Named.self, r ~> [Box].self) }
        let boxes = container ~> [Box].self
        #expect(boxes[0].named === boxes[1].named)
        let pair = container ~> Pair.self
        #expect(pair.boxes.allSatisfy { $0.named === pair.named })
    }

    private final class Box: Sendable {
        let named: Named
        init(_ named: Named) { self.named = named }
    }

    private final class Pair: Sendable {
        let (named, boxes): (Named, [Box])
        init(_ named: Named, _ boxes: [Box]) { (self.named, self.boxes) = (named, boxes) }
    }

    @Test func `has contributions with scopes, callbacks and further types`() {
        let completed = CallCount()
        container.contribute(Named.self) { Named("kept") }
            .inObjectScope(.container)
            .initCompleted { _, _ in completed.add() }
            .implements((any Tracker).self)
        let first = (container ~> [Named].self)[0]
        #expect((container ~> [Named].self)[0] === first)
        #expect((container ~> [any Tracker].self)[0] as? Named === first)
        #expect(completed.count == 1)
        container.resetObjectScope(.container, serviceType: Named.self)
        #expect((container ~> [Named].self)[0] !== first)
    }

    @Test func `has the very instances that a parent shares`() {
        let child = Container(parent: container)
        container.contribute((any Tracker).self) { Named("shared") }.inObjectScope(.container)
        let (inner, outer) = (child ~> [any Tracker].self, container ~> [any Tracker].self)
        #expect(inner[0] as? Named === outer[0] as? Named)
    }

    @Test func `is empty where it is needed and nobody contributes, and nil for resolve`() throws {
        #expect(container.trackers == [])
        #expect(try container.require([String: any Tracker].self).isEmpty)
        #expect((container ~> Lazy<[any Tracker]>.self).instance.isEmpty)
        #expect((container ~> Provider<[any Tracker]>.self).instance.isEmpty)
        #expect((container ~> [Lazy<any Tracker>].self).isEmpty)
        withSpace(\.dependenciesContainer, container) {
            #expect(Dashboard().trackers.isEmpty)
            #expect(Dashboard().perhaps == nil)
        }
        #expect(container.resolve([any Tracker].self) == nil)
        #expect((container ~> [any Tracker]?.self) == nil)
        container.contribute((any Tracker).self) { Named("a") }
        #expect(container.resolve([any Tracker].self)?.count == 1)
        #expect((container ~> [any Tracker]?.self)?.count == 1)
    }

    private struct Dashboard {
        @Injected var trackers: [any Tracker]
        @Injected var later: [Lazy<any Tracker>]
        @Injected var anew: [Provider<any Tracker>]
        @Injected var named: [String: any Tracker]
        @Injected var perhaps: [any Tracker]?
    }

    @Test func `is injected into properties and initializers`() {
        container.contribute((any Tracker).self, name: "a") { Named("a") }
        container.autoregister(Board.self, initializer: Board.init)
        #expect((container ~> Board.self).names == ["a", "a"])
        withSpace(\.dependenciesContainer, container) {
            let dashboard = Dashboard()
            #expect(dashboard.trackers.map(\.name) == ["a"])
            #expect(dashboard.later.map(\.instance.name) == ["a"])
            #expect(dashboard.anew.map(\.instance.name) == ["a"])
            #expect(dashboard.named["a"]?.name == "a")
        }
    }

    @Test func `replaces in an override what has its name, also under a further type`() {
        container.contribute((any Tracker).self, name: "a") { Named("live") }
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: {
                $0.contribute(Named.self) { Named("fake") }
                    .implements((any Tracker).self, name: "a")
            }) {
                let all = SpaceValues.current.dependenciesContainer ~> [String: any Tracker].self
                #expect(all.mapValues(\.name) == ["a": "fake"])
            }
        }
        #expect((container ~> [any Tracker].self).map(\.name) == ["live"])
    }

    @Test func `replaces in an override its own further type, of two with one name`() {
        container.contribute(Named.self, name: "x") { Named("one") }
            .implements((any Tracker).self, name: "x")
        container.contribute(Other.self, name: "x") { Other("two") }
            .implements((any Tracker).self, name: "x")
        withSpace(\.dependenciesContainer, container) {
            withSpace(overriding: {
                $0.contribute(Other.self, name: "x") { Other("fake") }
                    .implements((any Tracker).self, name: "x")
            }) {
                let all = SpaceValues.current.dependenciesContainer ~> [any Tracker].self
                #expect(all.map(\.name) == ["one", "fake"])
            }
        }
    }

    @Test func `in a property outlives the override that it was made in`() {
        func register(in container: Container) {
            container.register(String.self) { "later" }
            container.contribute(Late.self) { r in Late(r ~> Lazy<String>.self) }
                .inObjectScope(.container)
        }
        let made = withSpace(overriding: register) {
            let holder = Holder()
            _ = holder.all
            return holder
        }
        #expect(made.all[0].lazy.instance == "later")
    }

    private final class Late: Sendable {
        let lazy: Lazy<String>
        init(_ lazy: Lazy<String>) { self.lazy = lazy }
    }

    private final class Holder {
        @Injected var all: [Late]
    }

    private struct Board: Sendable {
        let names: [String]
        init(all: [any Tracker], named: [String: any Tracker]) {
            names = all.map(\.name) + named.keys
        }
    }

    @Test func `ends with its contributions`() {
        container.contribute((any Tracker).self) { Named("a") }
        container.contribute((any Tracker).self, name: "b") { Named("b") }
        container.unregister((any Tracker).self)
        #expect(container.trackers == ["b"])
        container.unregister((any Tracker).self, name: "b")
        #expect(container.resolve([any Tracker].self) == nil)
        container.contribute((any Tracker).self) { Named("c") }
        container.removeAll()
        #expect(container.trackers == [])
    }

    @Test func `of two of one name is an error as a dictionary`() throws {
        let child = Container(parent: container)
        let line = #line + 1
        container.contribute((any Tracker).self, name: "a") { Named("1") }
        child.contribute((any Tracker).self, name: "a") { Named("2") }
        let error = try #require(throws: ResolutionError.self) {
            try child.require([String: any Tracker].self)
        }
        #expect(error.reason == .duplicateName)
        #expect("\(error)".contains("CollectionTests.swift:\(line) and at "))
        #expect("\(error)".contains("CollectionTests.swift:\(line + 1)\n"))
        #expect(child.trackers == ["1", "2"])
        #expect(problemKinds(of: child) == [.duplicateName])
    }

    @Test func `of itself is a circle, with the contribution in the path`() throws {
        container.contribute((any Tracker).self, name: "a") { r in Named(r.trackers[0]) }
        container.contribute(Named.self) { r in try r.require([Named].self)[0] }
        let error = try #require(throws: ResolutionError.self) {
            try container.require([Named].self)
        }
        #expect(error.reason == .circularDependency)
        #expect(error.path.map(\.request.isContribution) == [true])
        #expect("\(error)".hasPrefix("circular dependency: contributed Named → contributed Named"))
    }

    @Test func `is listed, and no registration of the service`() {
        container.contribute((any Tracker).self, name: "a") { Named("a") }
        #expect(!container.hasAnyRegistration(of: (any Tracker).self, name: "a"))
        #expect(container.description.contains("{ Contribution: Tracker, Name: \"a\""))
    }

    @Test func `is told to behaviors and observers`() {
        let (log, events) = (EventLog<String>(), EventLog<String>())
        container.addBehavior(Noting(log: log))
        container.contribute((any Tracker).self, name: "a") { Named("a") }
        container.addObserver(Watching(log: events))
        _ = container.trackers
        #expect(log.all == ["Tracker a"])
        #expect(
            events.all
                == [
                    "Array<Tracker> requested", "contributed Tracker named \"a\" requested",
                    "contributed Tracker named \"a\" built", "Array<Tracker> derived",
                ].map { $0.replacing("Array<Tracker>", with: "[Tracker]") }
        )
    }

    private struct Noting: Behavior {
        let log: EventLog<String>
        func container<Type, Service>(
            _ container: Container,
            didRegisterType type: Type.Type,
            toService entry: ServiceEntry<Service>,
            withName name: String?
        ) {
            log.note("\(type) \(name ?? "")")
        }
    }

    private struct Watching: ResolutionObserver {
        let log: EventLog<String>
        func observe(_ event: ResolutionEvent) { log.note("\(event.request) \(event.outcome)") }
    }
}

/// The truth table of the article "Modules".
struct `What answers which request` {
    enum Request: CaseIterable {
        case single, named, all, dictionary
    }

    /// What is registered, or contributed, in a parent or in the child that is asked.
    enum Setting: CaseIterable {
        case nothing, single, named, contribution, namedContribution, explicit
    }

    enum Place: CaseIterable {
        case own, parent, fork, override
    }

    @Test(arguments: Setting.allCases, Place.allCases)
    func `is told by the table`(_ setting: Setting, _ place: Place) {
        let parent = Container()
        let child = Container(parent: parent)
        func register(in container: Container) {
            let type = (any Tracker).self
            switch setting {
            case .nothing: break
            case .single: container.register(type) { Named("x") }
            case .named: container.register(type, name: "n") { Named("x") }
            case .contribution: container.contribute(type) { Named("x") }
            case .namedContribution: container.contribute(type, name: "n") { Named("x") }
            case .explicit:
                container.contribute(type, name: "n") { Named("hidden") }
                container.register([any Tracker].self) { [Named("x")] }
            }
        }
        func check(_ container: Container) {
            let answers = Request.allCases.map { answer($0, container) }
            #expect(answers == row(of: setting))
        }
        switch place {
        case .own:
            register(in: child)
            check(child)
        case .parent:
            register(in: parent)
            check(child)
        case .fork:
            register(in: parent)
            check(child.fork())
        case .override:
            withSpace(\.dependenciesContainer, child) {
                withSpace(overriding: register) { check(SpaceValues.current.dependenciesContainer) }
            }
            #expect(child.resolve([any Tracker].self) == nil)
        }
    }

    private func row(of setting: Setting) -> [String?] {
        switch setting {
        case .nothing: [nil, nil, nil, nil]
        case .single: ["x", nil, nil, nil]
        case .named: [nil, "x", nil, nil]
        case .contribution: [nil, nil, "x", nil]
        case .namedContribution: [nil, nil, "x", "x"]
        case .explicit: [nil, nil, "x", "hidden"]
        }
    }

    private func answer(_ request: Request, _ container: Container) -> String? {
        switch request {
        case .single: container.resolve((any Tracker).self)?.name
        case .named: container.resolve((any Tracker).self, name: "n")?.name
        case .all: container.resolve([any Tracker].self)?.first?.name
        case .dictionary: container.resolve([String: any Tracker].self)?["n"]?.name
        }
    }

    @Test func `an override adds, and takes the place of what has its name, where that stands`() {
        let parent = Container()
        let child = Container(parent: parent)
        parent.contribute((any Tracker).self, order: 2, name: "n") { Named("live") }
        parent.register([Int].self) { r in r.trackers.map(\.count) }.inObjectScope(.container)
        child.contribute((any Tracker).self, order: 1) { Named("other") }
        withSpace(\.dependenciesContainer, child) {
            withSpace(overriding: {
                $0.contribute((any Tracker).self) { Named("added") }
                $0.contribute((any Tracker).self, name: "n") { Named("fake!") }
            }) {
                let container = SpaceValues.current.dependenciesContainer
                #expect(container.trackers == ["added", "other", "fake!"])
                #expect((container ~> [Int].self) == [5], "the parent's singleton gets it too")
            }
        }
        #expect(child.trackers == ["other", "live"])
    }
}

struct `Validation of collections` {
    private let container = Container()

    private struct Board: Sendable {
        init(all: [any Tracker]) {}
    }

    private struct NamedBoard: Sendable {
        init(all: [String: any Tracker]) {}
    }

    @Test func `says where nobody contributes, declared or observed`() throws {
        container.autoregister(Board.self, initializer: Board.init)
        container.register(NamedBoard.self) { r in
            NamedBoard(all: r ~> [String: any Tracker].self)
        }
        #expect(problemKinds(of: container) == [.emptyCollection, .emptyCollection])
        #expect(
            problemKinds(of: container, providing: [(any Tracker).self]) == [],
            "what is provided elsewhere is no empty collection"
        )
        try Golden("validation with empty collections").check("\(container.validate())")
        container.contribute((any Tracker).self, name: "a") { Named("a") }
        #expect(problemKinds(of: container) == [])
    }

    @Test func `says what a registration of the collection hides`() throws {
        container.contribute((any Tracker).self) { Named("a") }
        container.register([any Tracker].self) { [] }
        #expect(problemKinds(of: container) == [.unusedContribution])
        try Golden("validation with unused contributions").check("\(container.validate())")
    }

    @Test func `builds contributions, and knows that they are needed`() throws {
        container.autoregister(Board.self, initializer: Board.init)
        container.contribute((any Tracker).self) { r in r ~> Named.self }
        container.register((any Tracker).self) { Named("no contribution") }
        #expect(problemKinds(of: container) == [.missing])
        container.register(Named.self) { Named("a") }
        let report = try container.validate(.init(roots: [Board.self]))
        #expect(report.unreached.map(\.description.first) == ["T"])
        #expect(report.unreached.count == 1)
        let graph = container.dependencyGraph()
        #expect(graph.edges.count == 1)
        #expect(graph.nodes.map(\.service).contains("contributed Tracker"))
    }

    @Test func `sees a contribution that a longer-lived service keeps`() {
        let session = ObjectScope(named: "session")
        container.autoregister(Board.self, initializer: Board.init).inObjectScope(.container)
        container.contribute((any Tracker).self) { Named("a") }.inObjectScope(session)
        #expect(problemKinds(of: container) == [.captive])
    }

    @Test func `sees what a Lazy or Provider of the whole needs`() throws {
        let session = ObjectScope(named: "session")
        container.contribute((any Tracker).self) { Named("a") }.inObjectScope(session)
        container.register(LateBoard<Lazy<[any Tracker]>>.self) { r in
            LateBoard(all: r ~> Lazy<[any Tracker]>.self)
        }
        container.register(LateBoard<Provider<[any Tracker]>>.self) { r in
            LateBoard(all: r ~> Provider<[any Tracker]>.self)
        }
        .inObjectScope(.container)
        let edges = try container.validate().graph.edges
        #expect(edges.map(\.isDeferred) == [true, true])
        container.register(LateBoard<Lazy<[any Tracker]>>.self) { r in
            LateBoard(all: r ~> Lazy<[any Tracker]>.self)
        }
        .inObjectScope(.container)
        .overriding()
        #expect(problemKinds(of: container) == [.captive])
    }

    @Test(arguments: 0..<8)
    func `has one contribution of several names in the order of the names`(_: Int) {
        container.contribute(String.self, name: "b") { "x" }
            .implements(String.self, name: "c")
            .implements(String.self, name: "a")
        for name in ["a", "b", "c"] {
            container.decorate(String.self, name: name) { _, text in text + name }
        }
        #expect((container ~> [String].self) == ["xba", "xb", "xbc"])
    }

    private struct LateBoard<Trackers: Sendable>: Sendable {
        let all: Trackers
    }
}
