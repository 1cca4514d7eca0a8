/// One resolution: a graph and the path that leads through it.
final class ReferenceResolution {
    typealias Failure = Reference.Failure
    typealias Registration = ReferenceContainer.Registration

    struct Frame {
        let registration: Registration
        let home: ReferenceContainer
        let asked: ReferenceContainer
        let argument: Int?
        /// What is made runs on the main actor.
        var isOnMain: Bool
        var isCompleting = false
        /// What was made, while callbacks run.
        var instance: ReferenceInstance?

        /// Whether both build the same.
        func builds(_ other: Frame) -> Bool {
            registration === other.registration && home === other.home
                && argument == other.argument
        }

        /// Whether what the other makes is kept where this one would keep it: for all arguments, but for those scopes
        /// that have an instance for each.
        func keepsTheSame(as other: Frame) -> Bool {
            let recipe = registration.recipe
            guard !recipe.scope.isUnshared, !recipe.isPerArguments else { return builds(other) }
            return registration === other.registration && home === other.home
        }
    }

    let reference: Reference
    let graph: ReferenceGraph
    var path: [Frame] = []

    init(_ reference: Reference, _ graph: ReferenceGraph) {
        (self.reference, self.graph) = (reference, graph)
    }

    func request(
        _ request: Program.Request,
        of asked: ReferenceContainer
    ) throws(Failure) -> ReferenceInstance {
        guard !asked.isGone else { throw Failure("containerGone") }
        guard !asked.isClosed else { throw Failure("containerClosed") }
        guard let (registration, holder) = asked.find(request.service) else {
            throw Failure("notRegistered")
        }
        let inner = try instance(
            of: registration,
            in: holder,
            request.argument,
            of: asked,
            isAsync: request.way.isAsync
        )
        return try decorated(inner, registration, holder, request, of: asked)
    }

    func collect(_ asked: ReferenceContainer) throws(Failure) -> [ReferenceInstance] {
        guard !asked.isClosed else { throw Failure("containerClosed") }
        var all: [ReferenceInstance] = []
        for holder in asked.chain.reversed() {
            for registration in holder.contributions {
                all.append(
                    try instance(of: registration, in: holder, nil, of: asked, isAsync: false)
                )
            }
        }
        return all
    }

    // MARK: - Finding

    /// The container that builds, and keeps what is shared.
    private func home(
        of registration: Registration,
        in holder: ReferenceContainer,
        _ asked: ReferenceContainer
    ) throws(Failure) -> ReferenceContainer {
        let scope = registration.recipe.scope
        if scope.isUnshared { return asked }
        guard scope.isOpened else { return holder }
        if let open = asked.openScope(scope) { return open }
        // Whoever would keep it first.
        let keeper = path.last { frame in
            let scope = frame.registration.recipe.scope
            guard asked.chain.contains(where: { $0 === frame.home }) else { return false }
            return scope.isPermanent || scope == .expiring
                || scope == .weak && reference.features.contains(.weakCaptives)
        }
        // An open scope keeps nothing of one that is not open inside of it.
        let isOpenInside = asked.inside.contains { $0.opened == scope }
        let isCaptive =
            keeper.map { isOpenInside || !$0.registration.recipe.scope.isOpened } ?? false
        throw Failure(isCaptive ? "captive" : "noOpenScope")
    }

    private func instance(
        of registration: Registration,
        in holder: ReferenceContainer,
        _ argument: Int?,
        of asked: ReferenceContainer,
        isAsync: Bool
    ) throws(Failure) -> ReferenceInstance {
        let recipe = registration.recipe
        let home = try home(of: registration, in: holder, asked)
        let slot = ReferenceContainer.SlotKey(
            registration: ObjectIdentifier(registration),
            argument: recipe.isPerArguments ? argument : nil
        )
        let key = ReferenceGraph.Key(
            registration: slot.registration,
            container: ObjectIdentifier(home),
            argument: argument
        )
        let frame = Frame(
            registration: registration,
            home: home,
            asked: asked,
            argument: argument,
            isOnMain: isOnMain(registration, isAsync)
        )
        if let own = try own(frame) { return own }
        if let kept = home.slots[slot], let instance = kept.kept.instance,
            recipe.scope != .expiring || kept.time == reference.time
        {
            return instance
        }
        if recipe.scope == .graph, let known = graph[key] { return known }
        if holder.takesTime(registration), !isAsync { throw Failure("needsAwait") }
        if recipe.isMain, !frame.isOnMain { throw Failure("offMainActor") }
        if !mayBuild(in: home) { throw Failure("containerClosed") }
        return try build(frame, holder, slot, key)
    }

    /// Whether what is made for a request runs on the main actor.
    func isOnMain(_ registration: Registration, _ isAsync: Bool) -> Bool {
        // A task goes there, and from it; synchronous code stays where it is.
        isAsync ? registration.recipe.isMain : path.last?.isOnMain ?? false
    }

    /// Whether a container is open, or what closes waits for this resolution, which goes on until it has ended.
    private func mayBuild(in home: ReferenceContainer) -> Bool {
        let closing = home.chain.filter(\.isClosing)
        return closing.isEmpty
            || closing.contains { container in
                path.contains { frame in frame.home.chain.contains { $0 === container } }
            }
    }

    /// The instance that this resolution is making, if there is one; an error in a circle without one, or too deep.
    func own(_ frame: Frame) throws(Failure) -> ReferenceInstance? {
        // A factory that registers anew what leads back to it goes round with ever new services.
        let entered = path.indices.filter { path[$0].registration === frame.registration }
        if entered.count >= 100 || path.count - (entered.first ?? path.count) >= 200 {
            throw Failure("recursionTooDeep")
        }
        // What is under construction comes first, for whatever argument, even after a reset.
        if frame.registration.recipe.scope != .transient,
            let same = path.last(where: { $0.keepsTheSame(as: frame) }),
            let instance = same.instance
        {
            return instance
        }
        guard let last = path.lastIndex(where: { $0.builds(frame) }) else { return nil }
        let isReentrant = path[last...].contains {
            $0.isCompleting && $0.registration.recipe.scope != .transient
        }
        if !isReentrant { throw Failure("circularDependency") }
        return nil
    }

    // MARK: - Building

    private func build(
        _ frame: Frame,
        _ holder: ReferenceContainer,
        _ slot: ReferenceContainer.SlotKey,
        _ key: ReferenceGraph.Key
    ) throws(Failure) -> ReferenceInstance {
        let (registration, recipe) = (frame.registration, frame.registration.recipe)
        // What a container keeps does not keep the container.
        if !recipe.scope.isUnshared || recipe.closes { reference.noteShared() }
        let before = frame.home.slots[slot]?.kept
        let resets = frame.home.resetCounts[recipe.scope]
        path.append(frame)
        defer { path.removeLast() }
        let bare = reference.makeInstance(registration.service)
        reference.note(
            "make #\(bare.number) = \(registration.service) in \(Self.text(of: frame.home))"
        )
        reference.noteBuild(in: frame.home)
        for need in recipe.needs { try meet(need, for: bare, in: frame.home) }
        if reference.fails(registration) { throw Failure("factoryFailed") }
        if recipe.isAsync, !recipe.scope.isUnshared, reference.isCanceled {
            // What is made for nobody is not kept.
            if recipe.closes { reference.closeAtOnce(bare) }
            throw Failure("CancellationError")
        }
        var instance = bare
        let decorations = holder.decorations(of: registration.service)
        do throws(Failure) {
            for decoration in decorations {
                instance = try decorate(instance, decoration, in: frame.home)
            }
        } catch {
            if recipe.closes {
                let isLost = reference.isCanceled && decorations.contains(where: \.isAsync)
                if isLost { reference.closeAtOnce(bare) } else { reference.discard(bare) }
            }
            throw error
        }
        if holder.takesTime(registration), !recipe.scope.isUnshared, reference.isCanceled {
            if recipe.closes { reference.closeAtOnce(bare) }
            throw Failure("CancellationError")
        }
        if let first = path[path.count - 1].instance {
            // A circle through a callback: the first one wins.
            if recipe.closes { reference.discard(bare) }
            return first
        }
        noteMade(instance, frame)
        if recipe.scope.isUnshared {
            if recipe.closes { frame.home.unshared.append(bare) }
            if recipe.scope == .graph {
                if let first = graph[key] { return first }
                graph.keep(instance, for: key, registration, frame.home)
            }
        } else {
            if let first = frame.home.slots[slot]?.kept.instance, before?.instance !== first {
                if recipe.closes { reference.discard(bare) }
                return first
            }
            // What was reset or removed meanwhile serves who waits, and is not kept.
            if !registration.isRemoved, frame.home.resetCounts[recipe.scope] == resets {
                let kept = ReferenceReference(instance, isWeak: recipe.scope == .weak)
                frame.home.slots[slot] = ReferenceContainer.Slot(
                    registration: registration,
                    kept: kept,
                    time: reference.time
                )
            }
            graph.hold(instance)
        }
        complete(bare, recipe, in: frame.home)
        return instance
    }

    /// All steps of the path that keep the same have it from now on.
    private func noteMade(_ instance: ReferenceInstance, _ frame: Frame) {
        let isTransient = frame.registration.recipe.scope == .transient
        for index in path.indices
        where isTransient ? index == path.count - 1 : path[index].keepsTheSame(as: frame) {
            path[index].instance = instance
        }
    }

    private func complete(
        _ bare: ReferenceInstance,
        _ recipe: Program.Recipe,
        in home: ReferenceContainer
    ) {
        path[path.count - 1].isCompleting = true
        for wanted in recipe.callback {
            do throws(Failure) {
                let found = try request(wanted, of: home)
                reference.note("#\(bare.number) completes with #\(found.number)")
                bare.completions.append(found)
            } catch {
                reference.note("#\(bare.number) completes without: \(error.kind)")
            }
        }
        reference.note("#\(bare.number) is complete")
    }

    private static func text(of container: ReferenceContainer) -> String {
        container.number.map { "place \($0)" } ?? "a place of its own"
    }
}
