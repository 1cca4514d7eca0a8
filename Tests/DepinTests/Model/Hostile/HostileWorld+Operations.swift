import Depin

extension HostileWorld {
    private func place(_ index: Int) -> Place { places[index % places.count] }

    func run(_ operation: HostileProgram.Operation) {
        switch operation {
        case .register(let index, let service, let recipe):
            let place = place(index)
            place.level.register(register(service, recipe, in: place.container), for: service)
        case .unregister(let index, let service):
            let place = place(index)
            place.container.unregister(HostileItem.self, name: "\(service)")
            place.level.unregister(service)
        case .reset(let index, let scope):
            let place = place(index)
            place.container.resetObjectScope(self.scope(scope))
            place.level.reset(scope)
        case .resolve(let index, let service):
            let place = place(index)
            keep(resolve(service, place.container, place.level))
        case .child(let index):
            let place = place(index)
            add(Container(parent: place.container), HostileLevel(parent: place.level))
        case .fork(let index):
            let place = place(index)
            add(place.container.fork(), place.level.fork())
        case .closePlace(let index):
            guard places.count > 1 else { return }
            let place = places.remove(at: index % places.count)
            // A parent lives as long as its children.
            place.level.isHeld = false
        case .screen(let index, let service, let overriding):
            inSpace(index, overriding) { _, level in
                var deferred = [property(Injected(HostileName(service)), service, level)]
                let container = SpaceValues.current.dependenciesContainer
                if program.features.contains(.deferral) {
                    deferred += deferrals(of: service, container, level)
                }
                held.append(Held(item: nil, deferred: deferred))
            }
        case .resolveInSpace(let index, let service, let overriding):
            inSpace(index, overriding) { container, level in
                keep(resolve(service, container, level))
            }
        case .use(let index): use(index)
        case .drop(let index):
            guard !held.isEmpty else { return }
            held.remove(at: index % held.count)
        case .validate(let index): validate(place(index))
        case .owned(let index, let recipe):
            let place = place(index)
            registerOwned(recipe, in: place.container)
            let owner = HostileOwner()
            asking(nil) {
                owner.item = try? place.container.require(HostileItem.self, argument: owner)
            }
        case .newGraph: graphs.append(GraphIdentifier())
        case .inGraph(let index, let graph, let service):
            guard !graphs.isEmpty else { return }
            let place = place(index)
            place.container.withObjectGraph(graphs[graph % graphs.count]) { container in
                keep(resolve(service, container, place.level))
            }
        case .meddleInGraph(let index, let graph, let scope):
            guard !graphs.isEmpty else { return }
            let (container, graph) = (place(index).container, graphs[graph % graphs.count])
            try? meddle(with: container, in: self.scope(scope)) {
                try container.withObjectGraph(graph) { try $0.require(HostileGuest.self) }
            }
        case .askForAnything(let index): askForAnything(place(index).container)
        }
    }

    // MARK: - Spaces

    private func inSpace(
        _ index: Int,
        _ overriding: [(service: Int, recipe: HostileProgram.Recipe)],
        _ body: (Container, HostileLevel) -> Void
    ) {
        let place = place(index)
        let level = overriding.isEmpty ? place.level : place.level.fork()
        spaces.append(level)
        defer { spaces.removeLast() }
        withSpace(\.dependenciesContainer, place.container) {
            guard !overriding.isEmpty else { return body(place.container, level) }
            withSpace(
                overriding: { fork in
                    containers.add(fork)
                    for (service, recipe) in overriding {
                        level.replace(register(service, recipe, in: fork), for: service)
                    }
                },
                operation: { body(SpaceValues.current.dependenciesContainer, level) }
            )
        }
        // From now on nobody but what was made there holds the fork.
        if !overriding.isEmpty { level.isHeld = false }
    }

    private func property(
        _ injected: Injected<HostileItem?>,
        _ service: Int,
        _ level: HostileLevel
    ) -> HostileDeferral {
        HostileDeferral(.property(injected), service, level, holdsContainer: true)
    }

    /// What a screen gets by its properties, and reads at once.
    private func deferrals(
        of service: Int,
        _ container: Container,
        _ level: HostileLevel
    ) -> [HostileDeferral] {
        let name = HostileName(service)
        var ways: [HostileDeferral.Way] = []
        if let lazy = Injected<Lazy<HostileItem>?>(name).wrappedValue { ways.append(.lazy(lazy)) }
        if let provider = Injected<Provider<HostileItem>?>(name).wrappedValue {
            ways.append(.provider(provider))
        }
        return ways.map { HostileDeferral($0, service, level, holdsContainer: true) }
    }

    // MARK: - Using what is held

    private func keep(_ item: HostileItem?) {
        guard let item else { return }
        held.append(Held(item: item, deferred: item.deferred))
    }

    private func use(_ index: Int) {
        guard !held.isEmpty else { return }
        let one = held[index % held.count]
        for deferral in one.deferred { use(deferral) }
        for need in one.item?.needs ?? [] {
            for deferral in need.deferred { use(deferral) }
        }
    }

    private func use(_ deferral: HostileDeferral) {
        if let first = deferral.first {
            if deferral.ask() !== first { fail("\(deferral.service) has changed") }
            return
        }
        // Without a model it may have to stop the process.
        guard let level = deferral.level, deferral.holdsContainer || level.isHeld else { return }
        guard level.canBuild(deferral.service) || level.find(deferral.service) == nil else {
            return
        }
        if level.find(deferral.service) == nil, case .lazy = deferral.way { return }
        if level.find(deferral.service) == nil, case .provider = deferral.way { return }
        keeping.append(!deferral.holdsContainer)
        defer { keeping.removeLast() }
        note("  using \(deferral.way) of \(deferral.service)")
        let start = born
        let item = asking(level) { deferral.ask() }
        if case .lazy = deferral.way {
            // What its graph holds may come from a registration that is over.
            if let item, item.serial <= start { return }
        }
        judge(item, deferral.service, level, since: start)
    }

    func asking<Result>(_ level: HostileLevel?, _ body: () -> Result) -> Result {
        let before = asked
        asked = level
        defer { asked = before }
        return body()
    }

    private func resolve(
        _ service: Int,
        _ container: Container,
        _ level: HostileLevel
    ) -> HostileItem? {
        let start = born
        let item = asking(level) {
            try? container.require(HostileItem.self, name: HostileName(service))
        }
        judge(item, service, level, since: start)
        return item
    }
}
