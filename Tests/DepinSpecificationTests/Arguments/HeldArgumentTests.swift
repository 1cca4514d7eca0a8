import Depin
import DepinInspection
import Testing

/// A graph that has ended holds nothing strongly.
struct `A graph that has ended` {
    //  Owner ──► Screen ──► Lazy<Tool> ··(argument of the graph)··► Owner

    enum Hold: CaseIterable {
        case lazy, readLazy, identifier

        func take(from resolver: any Resolver) -> Any {
            switch self {
            case .lazy: return resolver ~> Lazy<Tool>.self
            case .readLazy:
                let lazy = resolver ~> Lazy<Tool>.self
                _ = lazy.instance
                return lazy
            case .identifier: return resolver ~> GraphIdentifier.self
            }
        }
    }

    @Test(arguments: Hold.allCases)
    func `does not hold the argument that it was resolved with`(_ hold: Hold) {
        let owners = Population()
        let container = Container()
        container.register(Tool.self) { Tool() }
        container.register(Screen.self) { (resolver, _: Owner) in Screen(hold.take(from: resolver))
        }
        do {
            let owner = Owner()
            owners.add(owner)
            owner.screen = (container ~> (Screen.self, argument: owner))
        }
        #expect(owners.total == 1)
        #expect(owners.alive == 0)
    }

    @Test func `may look through an argument that uses the container`() async {
        await #expect(processExitsWith: .success) {
            let container = Container()
            container.register(Tool.self) { Tool() }
            container.register(Screen.self) { (resolver, _: Looker) in
                let lazy = resolver ~> Lazy<Tool>.self
                Looker.looks { use(lazy.instance) }
                return Screen(lazy)
            }
            expect(onThread { use(container ~> (Screen.self, argument: Looker())) } != nil, "hangs")
            expect(Looker.count > 0, "nobody looked")
        }
    }

    @Test(arguments: Hold.allCases)
    func `does not hold one of several arguments, nor those in a value`(_ hold: Hold) {
        let owners = Population()
        let container = Container()
        container.register(Tool.self) { Tool() }
        container.register(Screen.self) { (resolver, _: Int, _: [Owner]) in
            Screen(hold.take(from: resolver))
        }
        do {
            let owner = Owner()
            owners.add(owner)
            owner.screen = (container ~> (Screen.self, arguments: (5, [owner])))
        }
        #expect(owners.alive == 0)
    }

    @Test(arguments: Hold.allCases)
    func `does not hold an argument that is hashable`(_ hold: Hold) {
        let owners = Population()
        let container = Container()
        container.register(Tool.self) { Tool() }
        container.register(Screen.self) { (resolver, _: HashableOwner) in
            Screen(hold.take(from: resolver))
        }
        do {
            let owner = HashableOwner()
            owners.add(owner)
            owner.screen = (container ~> (Screen.self, argument: owner))
        }
        #expect(owners.alive == 0)
    }

    @Test(arguments: Hold.allCases)
    func `does not hold the argument of what was needed in it`(_ hold: Hold) {
        let owners = Population()
        let container = Container()
        container.register(Tool.self) { Tool() }
        container.register(Tool.self) { (_: any Resolver, _: Owner) in Tool() }
        container.register(Screen.self) { resolver in
            let owner = Owner()
            owners.add(owner)
            let screen = Screen([
                hold.take(from: resolver), resolver ~> (Tool.self, argument: owner),
            ])
            owner.screen = screen
            screen.owner = owner
            return screen
        }
        do {
            let screen = container ~> Screen.self
            screen.owner?.screen = nil
        }
        #expect(owners.total == 1)
        #expect(owners.alive == 0)
    }

    @Test(arguments: Hold.allCases)
    func `does not hold what is in an argument that is hashable`(_ hold: Hold) {
        let tokens = Population()
        let container = Container()
        container.register(Tool.self) { Tool() }
        container.register(Screen.self) { (resolver, _: Ticket) in Screen(hold.take(from: resolver))
        }
        func screen() -> Screen {
            let token = Token()
            tokens.add(token)
            return container ~> (Screen.self, argument: Ticket(token: token))
        }
        let screen = screen()
        #expect(tokens.alive == 0)
        withExtendedLifetime(screen) {}
    }

    @Test func `still finds what lives by its argument`() {
        let container = Container()
        container.register(Screen.self) { (resolver, _: Owner) in
            Screen(resolver ~> GraphIdentifier.self)
        }
        let (owner, other) = (Owner(), Owner())
        let screen = container ~> (Screen.self, argument: owner)
        guard let graph = screen.held as? GraphIdentifier else {
            Issue.record("no graph")
            return
        }
        container.withObjectGraph(graph) { container in
            #expect((container ~> (Screen.self, argument: owner)) === screen)
            #expect((container ~> (Screen.self, argument: other)) !== screen)
        }
    }

    // MARK: - Of a validation

    @Test(arguments: [ObjectScope.transient, .graph, .container, .weak])
    func `of a validation does not hold what holds a Lazy of it`(scope: ObjectScope) throws {
        let screens = Population()
        let container = Container()
        container.register(Tool.self) { Tool() }
        container.register(Screen.self) { resolver in
            let screen = Screen([
                resolver ~> Lazy<Tool>.self, resolver ~> GraphIdentifier.self,
                resolver ~> Provider<Tool>.self,
            ])
            screens.add(screen)
            return screen
        }
        .inObjectScope(scope)
        for _ in 0..<10 { try container.validate() }
        #expect(screens.total == 10)
        #expect(screens.alive == 0)
    }

    @Test func `of a validation does not hold those who have a Lazy of each other`() throws {
        let screens = Population()
        let container = Container()
        container.register(Screen.self) { resolver in
            let screen = Screen(resolver ~> (Lazy<Screen>.self, name: "other"))
            screens.add(screen)
            return screen
        }
        container.register(Screen.self, name: "other") { resolver in
            let screen = Screen(resolver ~> Lazy<Screen>.self)
            screens.add(screen)
            return screen
        }
        try container.validate()
        #expect(screens.total == 2)
        #expect(screens.alive == 0)
    }
}

private final class Tool: Sendable {}

private final class Owner {
    var screen: Screen?
}

private final class HashableOwner: Hashable {
    var screen: Screen?
    static func == (one: HashableOwner, other: HashableOwner) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An object with nothing in it, told apart by its identity.
private final class Token: Hashable {
    static func == (one: Token, other: Token) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private struct Ticket: Hashable {
    let token: Token
}

/// A value whose mirror runs code.
private struct Looker: Hashable, CustomReflectable {
    // Each process uses them on one thread.
    private nonisolated(unsafe) static var look: () -> Void = {}
    nonisolated(unsafe) static var count = 0

    static func looks(by look: @escaping () -> Void) {
        self.look = look
    }

    var customMirror: Mirror {
        Looker.count += 1
        Looker.look()
        return Mirror(self, children: [])
    }
}

private final class Screen {
    let held: Any
    weak var owner: Owner?
    init(_ held: Any) { self.held = held }
}
