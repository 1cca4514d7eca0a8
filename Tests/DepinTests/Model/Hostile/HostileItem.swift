import Depin

/// An instance, which knows how it came to be and what it can still ask for.
final class HostileItem: @unchecked Sendable {  // One thread uses it.
    let service: Int
    /// The number of its registration.
    let registration: Int
    /// When it was made, in the count of all that were.
    let serial: Int
    let needs: [HostileItem]
    let deferred: [HostileDeferral]
    private let graph: GraphIdentifier?
    private unowned let world: HostileWorld

    init(
        _ service: Int,
        _ registration: Int,
        _ needs: [HostileItem],
        _ deferred: [HostileDeferral],
        _ graph: GraphIdentifier?,
        in world: HostileWorld
    ) {
        self.service = service
        self.registration = registration
        self.needs = needs
        self.deferred = deferred
        self.graph = graph
        self.world = world
        world.born += 1
        serial = world.born
        world.living += 1
    }

    deinit {
        world.living -= 1
    }

    /// A shared instance holds this one, so it must not hold the container.
    func lease() {
        for deferral in deferred { deferral.holdsContainer = false }
        for need in needs { need.lease() }
    }
}

/// What may be asked for later.
final class HostileDeferral: @unchecked Sendable {  // One thread uses it.
    enum Way {
        case lazy(Lazy<HostileItem>)
        case provider(Provider<HostileItem>)
        case closure(any Resolver)
        case property(Injected<HostileItem?>)
    }

    let way: Way
    let service: Int
    /// The container that it asks; nil where the model does not know it.
    let level: HostileLevel?
    /// True when it keeps that container alive: it was not made on behalf of what is kept.
    var holdsContainer: Bool
    /// What it has given; a `Lazy` and a property give that for ever.
    private(set) var first: HostileItem??

    init(_ way: Way, _ service: Int, _ level: HostileLevel?, holdsContainer: Bool) {
        self.way = way
        self.service = service
        self.level = level
        self.holdsContainer = holdsContainer
    }

    /// True when it gives the same for ever.
    var isStable: Bool {
        switch way {
        case .lazy, .property: true
        case .provider, .closure: false
        }
    }

    /// Asks a container for what it may not do without.
    func demand() -> HostileItem? {
        guard case .closure(let resolver) = way else { return ask() }
        return resolver ~> (HostileItem.self, name: HostileName(service))
    }

    func ask() -> HostileItem? {
        let item: HostileItem? =
            switch way {
            case .lazy(let lazy): lazy.instance
            case .provider(let provider): provider.instance
            case .closure(let resolver):
                resolver.resolve(HostileItem.self, name: HostileName(service))
            case .property(let property): property.wrappedValue
            }
        if isStable, first == nil { first = .some(item) }
        return item
    }
}

struct HostileName: ServiceName {
    let name: String
    init(_ service: Int) { name = "\(service)" }
}

/// An argument that holds what was made for it.
final class HostileOwner: @unchecked Sendable {  // One thread uses it.
    var item: HostileItem?
}

/// Of another size than an item, so that one taken for the other is seen.
final class HostileGuest: @unchecked Sendable {
    let words = ["not", "an", "item"]
    let number: Int
    init(_ number: Int) { self.number = number }
}
