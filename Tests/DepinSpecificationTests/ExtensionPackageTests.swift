import Depin
import Testing

/// Plays a package that builds on the extension points, as SwinjectStoryboard does.
struct `An extension package` {
    private let container = Container()

    @Test func `registrations are told apart by an option`() {
        container.registerScreen(Screen.self, id: "a") { _ in Screen("a") }
        container.registerScreen(Screen.self, id: "b") { _ in Screen("b") }
        container.register(Screen.self) { _ in Screen("plain") }

        #expect(container.screen(Screen.self, id: "a")?.title == "a")
        #expect(container.screen(Screen.self, id: "b")?.title == "b")
        #expect(container.screen(Screen.self, id: "c") == nil)
        #expect(container.resolve(Screen.self)?.title == "plain")
    }

    @Test func `options whose hashes collide are told apart`() {
        for id in ["a", "b"] {
            let factory: (Resolver) -> Any = { _ in Screen(id) }
            container._register(Screen.self, factory: factory, option: CollidingOption(id: id))
        }
        let titles = ["a", "b", "c"].map { id in
            let option = CollidingOption(id: id)
            let screen: Screen? = container._resolve(name: nil, option: option) {
                (factory: (Resolver) -> Any) in factory(self.container)
            }
            return screen?.title
        }
        #expect(titles == ["a", "b", nil])
    }

    @Test func `the registration's place is the line that called the package`() {
        container.registerScreen(Screen.self, id: "a") { r in Screen(r ~> String.self) }
        let place = CodePlace(file: #fileID, line: #line - 1)
        #expect(container.dependencyGraph().nodes.map(\.place) == [place])
    }

    @Test func `the name counts beside the option`() {
        container.registerScreen(Screen.self, id: "a", name: "n") { _ in Screen("named") }

        #expect(container.screen(Screen.self, id: "a", name: "n")?.title == "named")
        #expect(container.screen(Screen.self, id: "a") == nil)
        #expect(container.resolve(Screen.self, name: "n") == nil)
    }

    @Test func `arguments go through the invoker`() {
        container._register(
            Screen.self,
            factory: { (arguments: (Resolver, String, Int)) in
                Screen("\(arguments.1) \(arguments.2)")
            },
            name: "n",
            option: ScreenOption(id: "a")
        )
        let captured = container
        let screen: Screen? = container._resolve(name: "n", option: ScreenOption(id: "a")) {
            (factory: ((Resolver, String, Int)) -> Any) in factory((captured, "title", 5))
        }
        #expect(screen?.title == "title 5")
    }

    @Test func `what was registered below is found above, and the other way round`() {
        container._register(
            Screen.self,
            factory: { (arguments: (Resolver, String)) in Screen("below \(arguments.1)") }
        )
        #expect(container.resolve(Screen.self, argument: "x")?.title == "below x")

        container.register(Screen.self) { (_, title: String) in Screen("above \(title)") }
        let captured = container
        let screen: Screen? = container._resolve(name: nil) {
            (factory: ((Resolver, String)) -> Any) in factory((captured, "y"))
        }
        #expect(screen?.title == "above y")

        container._register(Screen.self, factory: { (_: Resolver) in Screen("plain below") })
        #expect(container.resolve(Screen.self)?.title == "plain below")
    }

    @Test func `an entry is configured as any other`() throws {
        let events = EventLog<String>()
        container.registerScreen(Screen.self, id: "a") { resolver in
            Screen(resolver.resolve(String.self)!)
        }
        .inObjectScope(.container)
        .initCompleted { _, screen in events.note(screen.title) }
        .implements(AnyObject.self)
        container.register(String.self) { _ in "from the container" }

        let screen = container.screen(Screen.self, id: "a")
        #expect(screen === container.screen(Screen.self, id: "a"))
        #expect(container.screen(AnyObject.self, id: "a") === screen)
        #expect(events.all == ["from the container"])
        container.resetObjectScope(.container)
        #expect(screen !== container.screen(Screen.self, id: "a"))
    }

    @Test func `in graph scope sharing goes by entry, whatever the arguments`() throws {
        container._register(
            Screen.self,
            factory: { (arguments: (Resolver, String)) in Screen(arguments.1) },
            option: ScreenOption(id: "a")
        )
        let captured = container
        container.register([Screen].self) { [unowned captured] _ in
            ["one", "two"].compactMap { title in
                captured._resolve(name: nil, option: ScreenOption(id: "a")) {
                    (factory: ((Resolver, String)) -> Any) in factory((captured, title))
                }
            }
        }
        let screens = try container.require([Screen].self)
        #expect(screens.map(\.title) == ["one", "one"])
        #expect(screens[0] === screens[1])
    }

    @Test func `parents are asked`() {
        container.registerScreen(Screen.self, id: "a") { _ in Screen("parent's") }
        let child = Container(parent: container)

        #expect(child.screen(Screen.self, id: "a")?.title == "parent's")
    }

    @Test func `the option is shown in the description`() {
        container.registerScreen(Screen.self, id: "a", name: "n") { _ in Screen("") }

        #expect(
            container.description == """
                [
                    { Service: Screen, Name: "n", Screen: a, Factory: Resolver -> Screen, \
                ObjectScope: graph }
                ]
                """
        )
    }

    @Test func `a behavior hears of it, and hasAnyRegistration knows it`() {
        let events = EventLog<String?>()
        container.addBehavior(Noting(events: events))
        container.registerScreen(Screen.self, id: "a", name: "n") { _ in Screen("") }

        #expect(events.all == ["n"])
        #expect(container.hasAnyRegistration(of: Screen.self, name: "n"))
    }

    @Test func `a factory reaches the package through its container`() throws {
        container.registerScreen(Screen.self, id: "a") { _ in Screen("a") }
        container.register(String.self) { r in
            let screen = (r ~> Container.self).screen(Screen.self, id: "a")
            return "\(screen?.title ?? "none"), \(r is any _Resolver)"
        }
        #expect(try container.require(String.self) == "a, false")
    }

    @Test func `a container can be had as what an extension asks`() {
        let resolver: _Resolver = container
        container.register(Int.self) { _ in 5 }
        let number: Int? = resolver._resolve(name: nil, option: nil) {
            (factory: (Resolver) -> Any) in factory(self.container)
        }
        #expect(number == 5)
    }

    @Test func `a scope of its own that must know its storages`() throws {
        let scope = RecentScope(limit: 2)
        for number in 0..<3 {
            container.registerScreen(Screen.self, id: "\(number)") { _ in Screen("\(number)") }
                .inObjectScope(scope)
        }
        let screens = (0..<3).map { container.screen(Screen.self, id: "\($0)") }

        #expect(scope.kept == 2)
        #expect(container.screen(Screen.self, id: "2") === screens[2])
        #expect(container.screen(Screen.self, id: "0") !== screens[0], "the oldest was dropped")
    }
}

// MARK: - What the package, in ExtensionPackage.swift, does not show

/// As a careless package has it: all collide, and are told apart by `isEqualTo`.
private struct CollidingOption: ServiceKeyOption {
    let id: String

    var description: String { "Colliding: \(id)" }

    func isEqualTo(_ another: any ServiceKeyOption) -> Bool {
        (another as? CollidingOption)?.id == id
    }

    func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

/// Keeps the instances of the registrations used last, across all of them.
private final class RecentScope: ObjectScopeProtocol {
    private let limit: Int
    private var recent: [Storage] = []

    var kept: Int { recent.filter { $0.instance != nil }.count }

    init(limit: Int) { self.limit = limit }

    func makeStorage() -> InstanceStorage { Storage(scope: self) }

    private func use(_ storage: Storage) {
        recent.removeAll { $0 === storage }
        recent.append(storage)
        if recent.count > limit {
            recent.removeFirst().instance = nil
        }
    }

    private final class Storage: InstanceStorage {
        unowned let scope: RecentScope
        var instance: Any?

        init(scope: RecentScope) { self.scope = scope }

        func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
            self.instance = instance
            scope.use(self)
        }
    }
}

private struct Noting: Behavior {
    let events: EventLog<String?>

    func container<Type, Service>(
        _ container: Container,
        didRegisterType type: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName name: String?
    ) {
        events.note(name)
    }
}

private final class Screen: Sendable {
    let title: String

    init(_ title: String) { self.title = title }
}
