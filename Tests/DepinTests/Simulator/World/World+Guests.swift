import Depin

/// Of another size than an item, so that one taken for the other is seen.
private final class Guest: Sendable {
    let words = ["not", "an", "item"]
    let number: Int
    init(_ number: Int) { self.number = number }
}

/// An argument that keeps what was made for it.
private final class Owner: Sendable {
    let item = Cell<Item?>(nil)
}

/// Operations that say themselves what they must give.
extension World {
    /// Registers, asks for and removes one service after the other, and another type in between.
    func inviteGuests(to container: Container, _ scope: Program.Scope) {
        // None need be open.
        let scope = objectScope(scope.isOpened ? .graph : scope)
        var guests: [Guest] = []
        for number in 0..<4 {
            container.register(Guest.self) { Guest(number) }.inObjectScope(scope).overriding()
            let guest = container.resolve(Guest.self)
            if guest?.number != number || guest?.words.count != 3 {
                history.fail("the guest \(number) is \(guest?.number ?? -1)")
            }
            guests += guest.map { [$0] } ?? []
            // The first is replaced where it stands.
            if number > 0 { container.unregister(Guest.self) }
            container.register([Int].self) { [number] }.overriding()
            let list = container.resolve([Int].self)
            if list != [number] { history.fail("the list of \(number) is \(list ?? [])") }
            container.unregister([Int].self)
        }
        withExtendedLifetime(guests) {}
    }

    /// A graph that has ended holds no arguments, though a `Lazy` and its name keep the graph.
    func passOwner(to container: Container) {
        let origin = Item.Origin(
            service: -2,
            registration: 0,
            scope: .graph,
            closes: false,
            isPerArguments: false
        )
        container.register(Item.self, name: "owned") {
            [history] (resolver: any Resolver, _: Owner) in
            let item = Item(0, origin, [], [], history)
            if let graph = resolver.resolve(GraphIdentifier.self) {
                item.graphs.change { $0.append(graph) }
            }
            return item
        }
        .inObjectScope(.graph)
        .overriding()
        let living = history.livingCount
        do {
            let owner = Owner()
            let item = container.resolve(Item.self, name: "owned", argument: owner)
            owner.item.change { $0 = item }
            if item == nil { history.fail("the owner got nothing") }
            // Both end here, unless the graph holds the argument.
            withExtendedLifetime(owner) {}
        }
        container.unregister(Item.self, name: "owned")
        if history.livingCount > living { history.fail("a graph holds its arguments") }
    }

    /// Nothing is registered for what everything is.
    func askForAnything(_ container: Container) {
        func ask<Service>(_ type: Service.Type) {
            if container.resolve(type) != nil { history.fail("there is something for \(type)") }
            if (try? container.require(type)) != nil {
                history.fail("there is something for \(type)")
            }
            if (container ~> Service?.self) != nil { history.fail("there is some \(type)?") }
        }
        ask(Any.self)
        ask(AnyObject.self)
        ask((any CustomDebugStringConvertible).self)
        ask((any Hashable).self)
    }
}
