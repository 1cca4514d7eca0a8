import Depin

extension World {
    func register(_ service: Int, _ recipe: Program.Recipe, in container: Container) {
        let key = Newest(container: ObjectIdentifier(container), service: service)
        // The order of registrations is known only if nothing comes between.
        newest.change { newest in
            let origin = origin(of: service, recipe)
            register(origin, recipe, in: container)
            newest[key] = origin.registration
        }
    }

    private func register(
        _ origin: Item.Origin,
        _ recipe: Program.Recipe,
        in container: Container
    ) {
        let name = ItemName(origin.service)
        let entry: ServiceEntry<Item>
        switch (recipe.isAsync, recipe.takesArgument) {
        case (false, false) where recipe.isMain:
            entry = container.register(
                Item.self,
                name: name,
                mainActorFactory: { [unowned self] resolver in
                    try make(origin, recipe, nil, resolver)
                }
            )
        case (false, true) where recipe.isMain:
            entry = container.register(
                Item.self,
                name: name,
                mainActorFactory: { [unowned self] (resolver: any Resolver, ticket: Ticket) in
                    try make(origin, recipe, ticket.argument, resolver)
                }
            )
        case (false, false):
            entry = container.register(Item.self, name: name) { [unowned self] resolver in
                try make(origin, recipe, nil, resolver)
            }
        case (false, true):
            entry = container.register(Item.self, name: name) {
                [unowned self] (resolver: any Resolver, ticket: Ticket) in
                try make(origin, recipe, ticket.argument, resolver)
            }
        case (true, false):
            entry = container.register(
                Item.self,
                name: name,
                asyncFactory: { [unowned self] (resolver: any Resolver) async throws -> Item in
                    try await makeAsync(origin, recipe, nil, resolver)
                }
            )
        case (true, true):
            entry = container.register(
                Item.self,
                name: name,
                asyncFactory: {
                    [unowned self] (resolver: any Resolver, ticket: Ticket) async throws -> Item in
                    try await makeAsync(origin, recipe, ticket.argument, resolver)
                }
            )
        }
        configure(entry, recipe)
    }

    func contribute(_ recipe: Program.Recipe, in container: Container) {
        let origin = origin(of: -1, recipe)
        let entry = container.contribute(Item.self) { [unowned self] resolver in
            try make(origin, recipe, nil, resolver)
        }
        configure(entry, recipe)
    }

    private func origin(of service: Int, _ recipe: Program.Recipe) -> Item.Origin {
        Item.Origin(
            service: service,
            registration: history.makeRegistration(),
            scope: recipe.scope,
            closes: recipe.closes,
            isPerArguments: recipe.isPerArguments
        )
    }

    private func configure(_ entry: ServiceEntry<Item>, _ recipe: Program.Recipe) {
        let scope = objectScope(recipe.scope)
        entry.inObjectScope(recipe.isPerArguments ? scope.perArguments : scope).overriding()
        if recipe.isEager { entry.eager() }
        if recipe.closes { addCloser(to: entry, recipe) }
        // The last, so that nothing is missing where it runs.
        entry.initCompleted { [unowned self] resolver, item in complete(item, recipe, resolver) }
    }

    private func addCloser(to entry: ServiceEntry<Item>, _ recipe: Program.Recipe) {
        guard !recipe.atClose.isEmpty else {
            entry.onClose { [history] item in history.noteClosing(of: item.number) }
            return
        }
        entry.onClose { [unowned self] item async in
            history.noteClosing(of: item.number)
            for errand in recipe.atClose {
                if errand.moment == .awaited { await run(errand) } else { start(errand) }
            }
        }
    }

    private func complete(_ item: Item, _ recipe: Program.Recipe, _ resolver: any Resolver) {
        for wanted in recipe.callback {
            do {
                let found = try resolver.ask(wanted)
                history.note("#\(item.number) completes with #\(found.number)")
                history.noteOtherNeed(of: item.number, found.number)
                item.completions.change { $0.append(found) }
            } catch {
                history.note("#\(item.number) completes without: \(Self.kind(of: error))")
            }
        }
        history.note("#\(item.number) is complete")
        history.noteCompletion(of: item.number)
    }

    func decorate(_ service: Int, _ decoration: Program.Decoration, in container: Container) {
        guard decoration.isAsync else {
            container.decorate(Item.self, name: ItemName(service)) {
                [unowned self] resolver, inner in try wrap(inner, decoration, resolver)
            }
            return
        }
        container.decorate(
            Item.self,
            name: ItemName(service),
            asyncDecorator: { [unowned self] resolver, inner in
                // Also if it fails.
                defer { if CancelMark.isSet { history.cancel(inner.innermost) } }
                await Task.yield()
                let outer = try wrap(inner, decoration, resolver)
                await Task.yield()
                return outer
            }
        )
    }

    private func wrap(
        _ inner: Item,
        _ decoration: Program.Decoration,
        _ resolver: any Resolver
    ) throws -> Item {
        let origin = Item.Origin(
            service: inner.service,
            registration: inner.registration,
            scope: inner.scope,
            closes: false,
            isPerArguments: false
        )
        let number = history.begin(origin, in: "a decorator", inner: inner.number)
        history.note("#\(number) wraps #\(inner.number)")
        history.noteNeed(of: number, inner.number)
        do {
            let needs = try decoration.needs.map { wanted in
                let found = try resolver.ask(wanted)
                got(found, by: number)
                return found
            }
            if decoration.fails { throw Broken() }
            history.end(number, failed: false)
            return Item(number, origin, needs, [], inner: inner, history)
        } catch {
            history.end(number, failed: true)
            history.discard(inner)
            throw error
        }
    }

    struct Broken: Error {}

    func got(_ item: Item, by number: Int) {
        history.note("#\(number) got #\(item.number)")
        history.noteNeed(of: number, item.number)
    }

    static func kind(of error: any Error) -> String {
        (error as? ResolutionError)?.reason.description ?? "\(type(of: error))"
    }
}
