extension Reference {
    /// Registers what the app has from the beginning.
    func start(_ recipes: [Program.Recipe]) {
        for (service, recipe) in recipes.enumerated() {
            places[0].register(makeRegistration(service, recipe))
        }
    }

    /// Does an operation that asks for nothing, in a place or in the container that a factory was given.
    func run(_ operation: Program.Operation, in given: ReferenceContainer? = nil) {
        func target(_ index: Int) -> ReferenceContainer { given ?? place(index) }
        switch operation {
        case .register(let index, let service, let recipe):
            leaveOpen(target(index).register(makeRegistration(service, recipe)))
        case .unregister(let index, let service):
            leaveOpen(target(index).unregister(service))
        case .reset(let index, let scope):
            target(index).reset(scope)
        case .decorate(let index, let service, let decoration):
            target(index).decorate(service, decoration)
        case .contribute(let index, let recipe):
            target(index).contribute(makeRegistration(-1, recipe))
        case .child(let index):
            addPlace { ReferenceContainer($0, parent: target(index)) }
        case .open(let index, let scope):
            addPlace { ReferenceContainer($0, parent: target(index), opened: scope) }
        case .fork(let index):
            addPlace { target(index).fork($0) }
        case .drop(let index):
            drop(index)
        case .leave(let index):
            leave(index)
        case .resolve, .collect, .use, .visit, .close, .closeDuring, .override, .graph, .validate,
            .validateAsync, .cancel, .warmUp, .guests, .owner, .anything:
            break
        }
    }

    /// Whether an operation may be done: a container that has closed is asked for something only.
    func allows(_ operation: Program.Operation) -> Bool {
        switch operation {
        case .resolve(let place, let request):
            !request.way.isTrapping || isCertain(request, in: self.place(place))
        case .register(let place, _, _), .unregister(let place, _), .reset(let place, _),
            .contribute(let place, _), .child(let place),
            .open(let place, _), .fork(let place), .validate(let place),
            .validateAsync(let place, _), .warmUp(let place, _, _), .guests(let place, _),
            .owner(let place), .anything(let place):
            !self.place(place).isClosed
        case .decorate(let place, _, _):
            !self.place(place).isClosed
                && (self.place(place).parent == nil || !features.contains(.circles)
                    || features.contains(.decoratorsInCircles))
        case .graph(let place, let requests):
            !self.place(place).isClosed
                && requests.allSatisfy { !$0.way.isTrapping && !$0.way.isAsync }
        case .override(let index, _, _, let request):
            allowsOverride(in: place(index)) && !request.way.isTrapping && !request.way.isAsync
        case .visit(let index, _):
            allowsOverride(in: place(index)) && !place(index).chain.contains(where: \.isFork)
        case .leave(let index):
            mayLeave(place(index))
        case .closeDuring(let index, let request):
            !place(index).isClosed && place(index) !== places[0] && !request.way.isTrapping
        case .collect, .cancel, .use, .drop, .close: true
        }
    }

    private func allowsOverride(in place: ReferenceContainer) -> Bool {
        let isInScope = place.chain.contains { $0.opened != nil }
        return !place.isClosed && (!isInScope || features.contains(.overridesInScopes))
    }

    /// Whether a request succeeds for sure, so that a form may be used that stops the process.
    func isCertain(_ request: Program.Request, in asked: ReferenceContainer) -> Bool {
        isCertain(request.service, in: asked, [], isAsync: request.way.isAsync)
    }

    private func isCertain(
        _ service: Int,
        in asked: ReferenceContainer,
        _ path: [Int],
        isAsync: Bool
    ) -> Bool {
        guard !asked.isClosed, !asked.isGone, !path.contains(service),
            let (registration, holder) = asked.find(service)
        else { return false }
        let recipe = registration.recipe
        let isDecorated = asked.chain.contains { !$0.decorations(of: service).isEmpty }
        let isSynchronous = !recipe.isAsync && !recipe.isMain
        guard !isDecorated, recipe.failures == 0, isAsync || isSynchronous else { return false }
        if recipe.scope.isOpened, asked.openScope(recipe.scope) == nil { return false }
        let home =
            recipe.scope.isUnshared
            ? asked : recipe.scope.isOpened ? asked.openScope(recipe.scope) ?? asked : holder
        return recipe.needs.allSatisfy { need in
            switch need {
            case .graph, .errand: return true
            default: break
            }
            guard let request = need.request else { return false }
            if request.way == .resolver || request.way == .property { return true }
            if request.way.isLater { return home.find(request.service) != nil }
            return isCertain(
                request.service,
                in: home,
                path + [service],
                isAsync: request.way.isAsync
            )
        }
    }

    // MARK: - What asks

    func resolve(_ request: Program.Request, in place: ReferenceContainer) {
        spaces.append(place)
        defer { spaces.removeLast() }
        keep { () throws(Failure) in try ask(request, of: place) }
    }

    func resolveInGraph(_ requests: [Program.Request], in place: ReferenceContainer) {
        spaces.append(place)
        defer { spaces.removeLast() }
        let graph = ReferenceGraph()
        for request in requests {
            keep { () throws(Failure) in
                try ask(request, of: place, in: graph, endsGraph: false)
            }
        }
        graph.end()
    }

    func override(
        _ service: Int,
        by recipe: Program.Recipe,
        in place: ReferenceContainer,
        _ request: Program.Request
    ) {
        inOverride(of: place) { fork in
            let holder = fork.find(service)?.holder ?? fork
            holder.register(makeRegistration(service, recipe))
            resolve(request, in: fork)
        }
    }

    private func inOverride(
        of place: ReferenceContainer,
        _ body: (ReferenceContainer) -> Void
    ) {
        withPlace {
            place.fork($0, isTemporary: true)
        } _: { fork in
            body(fork)
            guard features.contains(.closingForks) else { return }
            overrides.append(fork)
            discardOverrides()
        }
    }

    /// Makes what is eager one after the other, what takes time first.
    func warmUp(_ place: ReferenceContainer) {
        spaces.append(place)
        defer { spaces.removeLast() }
        let all = place.chain.flatMap { holder in
            holder.eager.filter {
                !$0.recipe.scope.isOpened || place.openScope($0.recipe.scope) != nil
            }
            .map { (registration: $0, holder: holder) }
        }
        let first = all.filter { $0.holder.takesTime($0.registration) }
        let then = all.filter { !$0.holder.takesTime($0.registration) }
        for (registration, holder) in first + then where !isCanceled {
            let service = registration.service
            let asked = place.find(service)?.registration === registration ? place : holder
            do throws(Failure) {
                let request = Program.Request(service: service, way: .requireAsync)
                _ = try ask(request, of: asked)
            } catch {
                return note("warmed up: \(error.kind)")
            }
        }
        note("warmed up\(isCanceled ? ": CancellationError" : "")")
    }

    /// What is being made when a container closes goes on, and finds what is ready.
    ///
    /// If the program has weak instances, a closing that does not wait begins only afterwards: see `World.close`.
    func closeDuring(_ request: Program.Request, in place: ReferenceContainer, hasWeak: Bool) {
        closingWaits = false
        onFirstBuild = { home in
            self.closingWaits = home.chain.contains { $0 === place }
            if self.closingWaits || !hasWeak { place.beginClosing() }
        }
        spaces.append(place)
        defer { spaces.removeLast() }
        let graph = ReferenceGraph()
        keep { () throws(Failure) in try ask(request, of: place, in: graph, endsGraph: false) }
        onFirstBuild = nil
        // Nobody says whether the graph ends before that.
        close(place)
        graph.end()
    }

    // MARK: - Using what is held

    /// Uses what an instance has kept, and says what of it could be used.
    func use(_ index: Int) -> [Bool] {
        guard !held.isEmpty else { return [] }
        let instance = held[cyclic: index]
        return deferrals(of: instance).map { deferral in
            guard allowsUse(of: deferral) else { return false }
            note(use(deferral))
            return true
        }
    }

    /// Uses the `Provider`s that an instance has kept, where a place is in force and overridden, and says which could be.
    func visit(_ index: Int, in place: ReferenceContainer) -> [Bool] {
        let deferrals = held.isEmpty ? [] : deferrals(of: held[cyclic: index])
        var used: [Bool] = []
        inOverride(of: place) { fork in
            spaces.append(fork)
            defer { spaces.removeLast() }
            used = deferrals.map { visit($0, in: fork, of: place) }
        }
        return used
    }

    private func visit(
        _ deferral: ReferenceDeferral,
        in fork: ReferenceContainer,
        of place: ReferenceContainer
    ) -> Bool {
        let request = deferral.request
        guard request.way == .provider, !request.isSerialized, !deferral.container.isTemporary,
            !deferral.container.isFork
        else { return false }
        var target = deferral.container
        if let outside = place.chain.firstIndex(where: { $0 === target }) {
            // An open scope in force that was opened on its container.
            let isInScope = place.chain[..<outside].contains { $0.opened != nil }
            if isInScope { target = fork }
        }
        guard isCertain(request, in: target) else { return false }
        do throws(Failure) {
            note("used \(request): #\(try ask(request, of: target).number)")
        } catch {
            note("used \(request): \(error.kind)")
        }
        return true
    }

    private func deferrals(of instance: ReferenceInstance) -> [ReferenceDeferral] {
        instance.deferrals + instance.needs.flatMap(\.deferrals)
            + (instance.inner.map(deferrals) ?? [])
    }

    private func allowsUse(of deferral: ReferenceDeferral) -> Bool {
        if deferral.value != nil { return true }
        let container = deferral.container
        // Its container may have gone, also where something shared takes what a graph has.
        if container.isTemporary, !deferral.holdsContainer || deferral.graph != nil {
            return false
        }
        if container.isClosed, !features.contains(.endedScopes) { return false }
        return !deferral.request.way.isTrapping || isCertain(deferral.request, in: container)
    }

    private func use(_ deferral: ReferenceDeferral) -> String {
        do throws(Failure) {
            let instance: ReferenceInstance
            if let value = deferral.value {
                instance = value
            } else {
                instance = try ask(deferral.request, of: deferral.container, in: deferral.graph)
            }
            switch deferral.request.way {
            case .lazy, .property, .asyncLazy: deferral.value = instance
            default: break
            }
            return "used \(deferral.request): #\(instance.number)"
        } catch {
            return "used \(deferral.request): \(error.kind)"
        }
    }
}
