import Depin

/// Runs a program on one thread, beside its model, and says what differs.
///
/// It uses the public API only. What stops the process is a failure too: the operation that did it is
/// the last one that ``note`` was told of.
final class HostileWorld: @unchecked Sendable {  // One thread uses it.
    /// A container that the world holds, with its model.
    struct Place {
        let container: Container
        let level: HostileLevel
    }

    struct Held {
        let item: HostileItem?
        let deferred: [HostileDeferral]
    }

    let program: HostileProgram
    let note: (String) -> Void
    var born = 0
    var living = 0
    var places: [Place] = []
    var held: [Held] = []
    var late: [HostileDeferral] = []
    var graphs: [GraphIdentifier] = []
    var violations: [String] = []
    let containers = HostileContainers()
    /// For each factory and callback that runs, whether its instance is kept; for each deferral that is
    /// used, whether it holds its container weakly.
    var keeping: [Bool] = []
    /// The model of the container that the space in force shows.
    var spaces: [HostileLevel] = []
    /// The model of the container that was asked by the operation; nil where it is not known.
    var asked: HostileLevel?
    /// What the operation has made that holds its container.
    var holding: [HostileDeferral] = []
    /// True when something shared took, from their graph, what was made for something unshared.
    ///
    /// Then nothing of that graph need hold the container.
    var isTaken = false
    /// True when a thread does not go on, and so holds what it holds.
    var isParked = false
    private var registrations = 0
    private let scopes: [HostileProgram.Scope: ObjectScope] = [
        .transient: .transient, .graph: .graph, .container: .container, .weak: .weak,
        .named: ObjectScope(named: "named"),
        .stored: ObjectScope(storageFactory: PermanentStorage.init, description: "stored"),
        .graphStored: ObjectScope(storageFactory: GraphStorage.init, description: "graph storage"),
    ]

    init(_ program: HostileProgram, note: @escaping (String) -> Void = { _ in }) {
        self.program = program
        self.note = note
    }

    func run() -> [String] {
        runOperations()
        note("the end")
        (places, held, late, graphs, holding) = ([], [], [], [], [])
        if isParked { return violations }
        if living != 0 { fail("\(living) instances are left behind") }
        let count = containers.alive
        if count != 0 { fail("\(count) containers are left behind") }
        return violations
    }

    private func runOperations() {
        let root = add(Container(), HostileLevel(parent: nil))
        for (service, recipe) in program.recipes.enumerated() {
            root.level.register(register(service, recipe, in: root.container), for: service)
        }
        for operation in program.operations {
            note("\(operation)")
            run(operation)
            if isTaken {
                for deferral in holding { deferral.holdsContainer = false }
            }
            (holding, isTaken) = ([], false)
        }
    }

    @discardableResult
    func add(_ container: Container, _ level: HostileLevel) -> Place {
        containers.add(container)
        let place = Place(container: container, level: level)
        places.append(place)
        return place
    }

    func fail(_ text: String) {
        note("FAILED: \(text)")
        violations.append(text)
    }

    func scope(_ scope: HostileProgram.Scope) -> ObjectScope { scopes[scope] ?? .graph }

    // MARK: - Registering

    func register(
        _ service: Int,
        _ recipe: HostileProgram.Recipe,
        in container: Container
    ) -> HostileLevel.Record {
        registrations += 1
        let number = registrations
        let entry = container.register(HostileItem.self, name: HostileName(service)) {
            [unowned self] resolver in
            try make(service, number, recipe, resolver)
        }
        .inObjectScope(scope(recipe.scope))
        .overriding()
        if let other = recipe.callback {
            entry.initCompleted { [unowned self] resolver, _ in
                keeping.append(recipe.scope.isShared)
                defer { keeping.removeLast() }
                let start = born
                let item = try? resolver.require(HostileItem.self, name: HostileName(other))
                if keeping.contains(true), let item, item.serial <= start { isTaken = true }
            }
        }
        return HostileLevel.Record(number, recipe)
    }

    func registerOwned(_ recipe: HostileProgram.Recipe, in container: Container) {
        var recipe = recipe
        recipe.scope = .graph
        recipe.needs.removeAll { if case .late = $0 { true } else { false } }
        container.register(HostileItem.self) {
            [unowned self, recipe] (resolver: any Resolver, _: HostileOwner) in
            try make(-1, 0, recipe, resolver)
        }
        .overriding()
    }

    // MARK: - Making

    private func make(
        _ service: Int,
        _ number: Int,
        _ recipe: HostileProgram.Recipe,
        _ resolver: any Resolver
    ) throws -> HostileItem {
        keeping.append(recipe.scope.isShared)
        defer { keeping.removeLast() }
        let holdsContainer = !keeping.contains(true)
        // What is shared is built with the resolver of its own container, which the model knows only
        // where all on the way is unshared.
        let level = holdsContainer ? asked : nil
        var needs: [HostileItem] = []
        var deferred: [HostileDeferral] = []
        var graph: GraphIdentifier?
        func add(_ way: HostileDeferral.Way?, _ service: Int, in level: HostileLevel?) {
            guard let way else { return }
            let deferral = HostileDeferral(way, service, level, holdsContainer: holdsContainer)
            deferred.append(deferral)
            if holdsContainer { holding.append(deferral) }
        }
        for need in recipe.needs {
            switch need {
            case .direct(let other):
                let start = born
                let item = try resolver.require(HostileItem.self, name: HostileName(other))
                if !holdsContainer {
                    item.lease()
                    if item.serial <= start { isTaken = true }
                }
                needs.append(item)
            case .lazy(let other):
                let lazy = resolver.resolve(Lazy<HostileItem>.self, name: HostileName(other))
                add(lazy.map { .lazy($0) }, other, in: level)
            case .provider(let other):
                let provider = resolver.resolve(
                    Provider<HostileItem>.self,
                    name: HostileName(other)
                )
                add(provider.map { .provider($0) }, other, in: level)
            case .closure(let other):
                add(.closure(resolver), other, in: level)
            case .property(let other):
                let space = spaces.last
                add(.property(Injected(HostileName(other))), other, in: space)
            case .late(let other):
                guard holdsContainer else { continue }
                let way = HostileDeferral.Way.closure(resolver)
                late.append(HostileDeferral(way, other, nil, holdsContainer: true))
            case .meddling(let scope):
                let container = try resolver.require(Container.self)
                try meddle(with: container, in: self.scope(scope)) {
                    try resolver.require(HostileGuest.self)
                }
            case .graph:
                graph = resolver.resolve(GraphIdentifier.self)
            }
        }
        return HostileItem(service, number, needs, deferred, graph, in: self)
    }

    /// Registers, asks for and removes one service after the other, and another type in between.
    func meddle(
        with container: Container,
        in scope: ObjectScope,
        _ ask: () throws -> HostileGuest
    ) rethrows {
        var guests: [HostileGuest] = []
        for number in 0..<4 {
            container.register(HostileGuest.self) { HostileGuest(number) }
                .inObjectScope(scope)
                .overriding()
            let guest = try ask()
            if guest.number != number || guest.words.count != 3 {
                fail("the guest \(number) is \(guest.number)")
            }
            guests.append(guest)
            // The first is replaced where it stands.
            if number > 0 { container.unregister(HostileGuest.self) }
            container.register([Int].self) { [number] }.overriding()
            let list = container.resolve([Int].self)
            if list != [number] { fail("the list of \(number) is \(list ?? [])") }
            container.unregister([Int].self)
        }
        withExtendedLifetime(guests) {}
    }
}

/// All containers that there were, held weakly.
final class HostileContainers {
    private struct Reference {
        weak var container: Container?
    }

    private var all: [Reference] = []

    var alive: Int { all.count { $0.container != nil } }

    func add(_ container: Container) {
        all.append(Reference(container: container))
    }
}
