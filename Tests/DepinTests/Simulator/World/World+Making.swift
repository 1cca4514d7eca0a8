import Depin
import Foundation

extension World {
    /// What a factory has gathered.
    private struct Parts {
        let number: Int
        var needs: [Item] = []
        var deferrals: [Deferral] = []
        var graph: GraphIdentifier?
    }

    func make(
        _ origin: Item.Origin,
        _ recipe: Program.Recipe,
        _ argument: Int?,
        _ resolver: any Resolver
    ) throws -> Item {
        var parts = try begin(origin, argument, resolver)
        gate.replace(by: nil)?.stop()
        do {
            for need in recipe.needs {
                pause(recipe)
                try meet(need, &parts, recipe, resolver)
            }
            pause(recipe)
            return try finish(parts, origin, recipe)
        } catch {
            history.end(parts.number, failed: true)
            throw error
        }
    }

    func makeAsync(
        _ origin: Item.Origin,
        _ recipe: Program.Recipe,
        _ argument: Int?,
        _ resolver: any Resolver
    ) async throws -> Item {
        var parts = try begin(origin, argument, resolver)
        await gate.replace(by: nil)?.stopAsync()
        do {
            for need in recipe.needs {
                await pauseAsync(recipe)
                try await meetAsync(need, &parts, recipe, resolver)
            }
            await pauseAsync(recipe)
            let item = try finish(parts, origin, recipe)
            if CancelMark.isSet { history.cancel(item) }
            return item
        } catch {
            history.end(parts.number, failed: true)
            throw error
        }
    }

    private func begin(
        _ origin: Item.Origin,
        _ argument: Int?,
        _ resolver: any Resolver
    ) throws -> Parts {
        let place = containers.text(of: try resolver.require(Container.self))
        let number = history.begin(origin, in: place, argument: argument)
        history.note("make #\(number) = \(origin.service) in \(place)")
        return Parts(number: number)
    }

    private func finish(
        _ parts: Parts,
        _ origin: Item.Origin,
        _ recipe: Program.Recipe
    ) throws -> Item {
        if history.fails(origin.registration, atMost: recipe.failures) { throw Broken() }
        let item = Item(
            parts.number,
            origin,
            parts.needs,
            parts.deferrals,
            history,
            atEnd: atEnd(of: origin)
        )
        if let graph = parts.graph { item.graphs.change { $0.append(graph) } }
        history.end(parts.number, failed: false)
        noteProduct(item)
        return item
    }

    /// What has expired asks for another service, while other threads may wait for its storage.
    private func atEnd(of origin: Item.Origin) -> (@Sendable () -> Void)? {
        guard origin.scope == .expiring, program.asksAtEnd else { return nil }
        return { [weak self] in
            // What it asks for may expire at once, and must not ask in turn for ever.
            guard let self, !EndMark.isSet, isInLanes.value, let app = places.value.first else {
                return
            }
            let other = (origin.service + 1) % program.recipes.count
            EndMark.$isSet.withValue(true) {
                TurnMark.$isSet.withValue(false) {
                    _ = try? app.require(Item.self, name: ItemName(other))
                }
            }
        }
    }

    private func meet(
        _ need: Program.Need,
        _ parts: inout Parts,
        _ recipe: Program.Recipe,
        _ resolver: any Resolver
    ) throws {
        switch need {
        case .graph:
            parts.graph = try resolver.require(GraphIdentifier.self)
        case .collection:
            let all = try resolver.require([Item].self)
            for item in all { history.noteNeed(of: parts.number, item.number) }
            parts.needs += all
        case .operation(let operation):
            if history.isMuted { return }
            change(try resolver.require(Container.self), by: operation)
        case .errand(let errand):
            start(errand, resolver, of: parts.number)
        case .glances(let wanted):
            let first = glance(at: try ask(wanted, resolver), by: parts.number)
            pause(recipe)
            let second = glance(at: try ask(wanted, resolver), by: parts.number)
            compare(first, second)
        case .service(let wanted) where wanted.way.isLater:
            parts.deferrals += try deferral(wanted, resolver, of: parts.number)
        case .service(let wanted):
            let item = try ask(wanted, resolver)
            got(item, by: parts.number)
            parts.needs.append(item)
        }
    }

    private func meetAsync(
        _ need: Program.Need,
        _ parts: inout Parts,
        _ recipe: Program.Recipe,
        _ resolver: any Resolver
    ) async throws {
        switch need {
        case .service(let wanted) where wanted.way == .requireAsync:
            let item = try await askAsync(wanted, resolver)
            got(item, by: parts.number)
            parts.needs.append(item)
        case .glances(let wanted) where wanted.way == .requireAsync:
            let first = glance(at: try await askAsync(wanted, resolver), by: parts.number)
            await pauseAsync(recipe)
            let second = glance(at: try await askAsync(wanted, resolver), by: parts.number)
            compare(first, second)
        case .errand(let errand) where errand.moment == .awaited:
            await run(errand, resolver, of: parts.number)
        default:
            try meet(need, &parts, recipe, resolver)
        }
    }

    // MARK: - What factories ask for

    private func ask(_ wanted: Program.Request, _ resolver: any Resolver) throws -> Item {
        guard wanted.isSerialized || wanted.way == .view else { return try resolver.ask(wanted) }
        let container = try resolver.require(Container.self)
        return try inTurn(takesTurn(wanted, of: container)) {
            try container.view(for: wanted).ask(wanted)
        }
    }

    private func askAsync(
        _ wanted: Program.Request,
        _ resolver: any Resolver
    ) async throws -> Item {
        guard wanted.isSerialized else { return try await resolver.askAsync(wanted) }
        let container = try resolver.require(Container.self)
        return try await inTurn(takesTurn(wanted, of: container)) {
            try await container.view(for: wanted).askAsync(wanted)
        }
    }

    /// What asks later, unless it is a property that nobody says the space for.
    private func deferral(
        _ wanted: Program.Request,
        _ resolver: any Resolver,
        of number: Int
    ) throws -> [Deferral] {
        let name = ItemName(wanted.service)
        var (view, takesTurn) = (resolver, false)
        if wanted.isSerialized {
            let container = try resolver.require(Container.self)
            (view, takesTurn) = (
                container.view(for: wanted), self.takesTurn(wanted, of: container)
            )
        }
        let way: Deferral.Way
        switch wanted.way {
        case .lazy: way = .lazy(try view.require(Lazy<Item>.self, name: name))
        case .provider: way = .provider(try view.require(Provider<Item>.self, name: name))
        case .asyncLazy: way = .asyncLazy(try view.require(AsyncLazy<Item>.self, name: name))
        case .property:
            guard SpaceMark.isSet else { return [] }
            way = .property(Injected(name))
        case .resolver, .require, .requireAsync, .view: way = .resolver(resolver)
        }
        return [Deferral(way, wanted, of: number, takesTurn: takesTurn)]
    }

    /// An instance that a factory has seen and does not keep.
    private struct Glance {
        let number: Int
        let scope: Program.Scope
    }

    private func glance(at item: Item, by number: Int) -> Glance {
        got(item, by: number)
        return Glance(number: item.innermost.number, scope: item.scope)
    }

    /// The graph holds what it has had, until it ends.
    private func compare(_ first: Glance, _ second: Glance) {
        guard isInLanes.value, !program.changesInLanes, !program.hasCircles,
            first.scope != .transient, first.scope != .expiring, first.number != second.number
        else { return }
        history.fail("#\(first.number) was made again as #\(second.number) in one graph")
    }

    // MARK: - Changing

    /// Does an operation that asks for nothing.
    func change(_ container: Container, by operation: Program.Operation) {
        switch operation {
        case .register(_, let service, let recipe): register(service, recipe, in: container)
        case .unregister(_, let service):
            container.unregister(Item.self, name: ItemName(service))
            let key = Newest(container: ObjectIdentifier(container), service: service)
            newest.change { $0[key] = nil }
        case .reset(_, let scope): container.resetObjectScope(objectScope(scope))
        case .decorate(_, let service, let decoration):
            decorate(service, decoration, in: container)
        case .contribute(_, let recipe): contribute(recipe, in: container)
        case .child: addPlace(Container(parent: container), isFork: containers.isFork(container))
        case .open(_, let scope):
            let isFork = containers.isFork(container)
            addPlace(container.openScope(objectScope(scope)), isFork: isFork)
        case .fork: addPlace(container.fork(), isFork: true)
        case .guests(_, let scope): inviteGuests(to: container, scope)
        default: break
        }
    }
}

/// Says that an instance asks as it ends.
private enum EndMark {
    @TaskLocal static var isSet = false
}

/// Says that the program has put a container into the space.
enum SpaceMark {
    @TaskLocal static var isSet = false
}
