import Depin

/// An instance, which knows how it came to be and what it can still ask for.
final class Item: Sendable {
    /// What has a number of its own is traced.
    let number: Int
    let service: Int
    let registration: Int
    let scope: Program.Scope
    private let taken: Cell<[Item]>
    let deferrals: [Deferral]
    /// What a decorator has wrapped.
    let inner: Item?
    /// What the callback got.
    let completions = Cell<[Item]>([])
    /// The graph that it keeps.
    let graphs = Cell<[GraphIdentifier]>([])
    private let history: History
    /// Asks for something when it ends.
    private let atEnd: (@Sendable () -> Void)?

    init(
        _ number: Int,
        _ origin: Origin,
        _ needs: [Item],
        _ deferrals: [Deferral],
        inner: Item? = nil,
        _ history: History,
        atEnd: (@Sendable () -> Void)? = nil
    ) {
        self.number = number
        (service, registration, scope) = (origin.service, origin.registration, origin.scope)
        (self.deferrals, self.inner) = (deferrals, inner)
        taken = Cell(needs)
        self.history = history
        self.atEnd = atEnd
        history.noteLife(of: self)
    }

    deinit {
        atEnd?()
        history.noteEnd(of: ObjectIdentifier(self))
    }

    /// What its factory was given.
    var needs: [Item] { taken.value }

    /// Unties what refers to each other.
    func dissolve() {
        withExtendedLifetime((completions.replace(by: []), taken.replace(by: []))) {}
    }

    var innermost: Item { inner?.innermost ?? self }

    /// Its own and those of what it needs.
    var allDeferrals: [Deferral] {
        deferrals + needs.flatMap(\.deferrals) + (inner?.allDeferrals ?? [])
    }

    /// Which registration an instance is of.
    struct Origin: Sendable {
        let service: Int
        let registration: Int
        let scope: Program.Scope
        let closes: Bool
        let isPerArguments: Bool
    }
}

struct ItemName: ServiceName {
    let name: String
    init(_ service: Int) { name = "\(service)" }
}

/// The argument of a factory; all hashes collide.
struct Ticket: Hashable, Sendable {
    let argument: Int

    func hash(into hasher: inout Hasher) {}
}

/// What an instance has kept to ask for later.
final class Deferral: Sendable {
    enum Way: Sendable {
        case lazy(Lazy<Item>)
        case provider(Provider<Item>)
        case resolver(any Resolver)
        case property(Injected<Item>)
        case asyncLazy(AsyncLazy<Item>)
    }

    let way: Way
    let request: Program.Request
    /// The number of the instance that has it.
    let owner: Int
    /// Whether it takes the turn of the app's serialized views.
    let takesTurn: Bool

    init(_ way: Way, _ request: Program.Request, of owner: Int, takesTurn: Bool) {
        (self.way, self.request, self.owner) = (way, request, owner)
        self.takesTurn = takesTurn
    }

    func ask() throws -> Item {
        switch way {
        case .lazy(let lazy): return lazy.instance
        case .provider(let provider): return provider.instance
        case .property(let property): return property.wrappedValue
        case .resolver(let resolver):
            var request = request
            request.way = .require
            return try resolver.ask(request)
        case .asyncLazy: fatalError("is awaited")
        }
    }

    func askAsync() async throws -> Item {
        guard case .asyncLazy(let lazy) = way else { return try ask() }
        return try await lazy.value
    }
}

extension Resolver {
    /// Asks for something at once.
    func ask(_ request: Program.Request) throws -> Item {
        let name = ItemName(request.service)
        guard let argument = request.argument else {
            return try require(Item.self, name: name)
        }
        return try require(Item.self, name: name, argument: Ticket(argument: argument))
    }

    func askAsync(_ request: Program.Request) async throws -> Item {
        let name = ItemName(request.service)
        guard let argument = request.argument else {
            return try await requireAsync(Item.self, name: name)
        }
        return try await requireAsync(Item.self, name: name, argument: Ticket(argument: argument))
    }
}
