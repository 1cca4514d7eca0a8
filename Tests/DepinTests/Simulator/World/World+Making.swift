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
                for _ in 0..<recipe.pauses { sched_yield() }
                try meet(need, &parts, resolver)
            }
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
                for _ in 0..<recipe.pauses { await Task.yield() }
                if case .service(let wanted) = need, wanted.way == .requireAsync {
                    let found = try await resolver.askAsync(wanted)
                    got(found, by: parts.number)
                    parts.needs.append(found)
                } else {
                    try meet(need, &parts, resolver)
                }
            }
            return try finish(parts, origin, recipe)
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
                _ = try? app.require(Item.self, name: ItemName(other))
            }
        }
    }

    private func meet(
        _ need: Program.Need,
        _ parts: inout Parts,
        _ resolver: any Resolver
    ) throws {
        switch need {
        case .graph:
            parts.graph = resolver.resolve(GraphIdentifier.self)
        case .collection:
            let all = try resolver.require([Item].self)
            for item in all { history.noteNeed(of: parts.number, item.number) }
            parts.needs += all
        case .operation(let operation):
            if history.isMuted { return }
            change(try resolver.require(Container.self), by: operation)
        case .service(let wanted):
            let found = try ask(wanted, resolver, for: parts.number)
            switch found {
            case .item(let item):
                got(item, by: parts.number)
                parts.needs.append(item)
            case .deferral(let deferral): parts.deferrals.append(deferral)
            case .nothing: break
            }
        }
    }

    private enum Found {
        case item(Item)
        case deferral(Deferral)
        case nothing
    }

    private func ask(
        _ wanted: Program.Request,
        _ resolver: any Resolver,
        for number: Int
    ) throws -> Found {
        let name = ItemName(wanted.service)
        let way: Deferral.Way
        switch wanted.way {
        case .require, .requireAsync: return .item(try resolver.ask(wanted))
        case .view:
            let view = try resolver.require(Container.self).synchronize()
            return .item(try view.ask(wanted))
        case .lazy: way = .lazy(try resolver.require(Lazy<Item>.self, name: name))
        case .provider: way = .provider(try resolver.require(Provider<Item>.self, name: name))
        case .asyncLazy: way = .asyncLazy(try resolver.require(AsyncLazy<Item>.self, name: name))
        case .resolver: way = .resolver(resolver)
        case .property:
            // What makes it must say in which space.
            guard SpaceMark.isSet else { return .nothing }
            way = .property(Injected(name))
        }
        return .deferral(Deferral(way, wanted, of: number))
    }

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
