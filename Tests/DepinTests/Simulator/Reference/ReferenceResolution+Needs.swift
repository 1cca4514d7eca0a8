/// What factories and decorators ask for.
extension ReferenceResolution {
    func meet(
        _ need: Program.Need,
        for instance: ReferenceInstance,
        in home: ReferenceContainer
    ) throws(Failure) {
        switch need {
        case .graph, .errand: break
        case .collection: instance.needs += try collect(home)
        case .operation(let operation): reference.run(operation, in: home)
        case .glances(let wanted):
            for _ in 0..<2 {
                let found = try request(wanted, of: home)
                reference.note("#\(instance.number) got #\(found.number)")
            }
        case .service(let wanted) where wanted.way.isLater:
            try deferring(wanted, for: instance, in: home)
        case .service(let wanted):
            let found = try request(wanted, of: home)
            reference.note("#\(instance.number) got #\(found.number)")
            instance.needs.append(found)
        }
    }

    private func deferring(
        _ wanted: Program.Request,
        for instance: ReferenceInstance,
        in home: ReferenceContainer
    ) throws(Failure) {
        var container = home
        switch wanted.way {
        case .property:
            guard let space = reference.spaces.last else { return }
            // What a parent of that container shares asks the parent: no factory here puts a container in force.
            let shared = path.last { frame in
                !frame.registration.recipe.scope.isUnshared
                    && space.chain.contains { $0 === frame.home }
            }
            container = shared?.home ?? space
        case .resolver: break
        default:
            guard !home.isClosed else { throw Failure("containerClosed") }
            guard home.find(wanted.service) != nil else { throw Failure("notRegistered") }
        }
        let isOfGraph = wanted.way == .lazy || wanted.way == .asyncLazy
        let isKept =
            path.last.map { $0.home === container && $0.registration.recipe.scope.isOpened }
            ?? false
        let deferral = ReferenceDeferral(
            wanted,
            container,
            isOfGraph ? graph : nil,
            isKept: isKept && wanted.way != .property && !wanted.isSerialized
        )
        instance.deferrals.append(deferral)
        reference.noteMade(deferral)
    }

    // MARK: - Decorating

    func decorate(
        _ inner: ReferenceInstance,
        _ decoration: Program.Decoration,
        in home: ReferenceContainer
    ) throws(Failure) -> ReferenceInstance {
        let isOnMain = path[path.count - 1].isOnMain
        if decoration.isAsync { path[path.count - 1].isOnMain = false }
        defer { path[path.count - 1].isOnMain = isOnMain }
        let outer = reference.makeInstance(inner.service, inner: inner)
        reference.note("#\(outer.number) wraps #\(inner.number)")
        for wanted in decoration.needs {
            let found = try request(wanted, of: home)
            reference.note("#\(outer.number) got #\(found.number)")
            outer.needs.append(found)
        }
        if decoration.fails { throw Failure("factoryFailed") }
        return outer
    }

    /// What the containers between the one that was asked and the one that holds the registration make of it.
    func decorated(
        _ inner: ReferenceInstance,
        _ registration: Registration,
        _ holder: ReferenceContainer,
        _ request: Program.Request,
        of asked: ReferenceContainer
    ) throws(Failure) -> ReferenceInstance {
        var instance = inner
        var chain = Array(asked.chain.prefix { $0 !== holder })
        // What is kept stays, also where a container in between has begun to decorate.
        for (index, container) in chain.enumerated() {
            guard let known = container.wrapping(ofAnythingAround: inner) else { continue }
            instance = known
            chain = Array(chain.prefix(index))
            break
        }
        for container in chain.reversed() {
            let decorations = container.decorations(of: registration.service)
            guard !decorations.isEmpty else { continue }
            if let known = container.wrapping(of: instance) {
                instance = known
                continue
            }
            let wrapped = instance
            let scope = registration.recipe.scope
            let isUnshared = scope.isUnshared
            // What it keeps is made first, and then decorated where the task is.
            let isMadeFirst =
                request.way.isAsync && !isUnshared && scope != .stored && scope != .expiring
                && !registration.recipe.isPerArguments
            // An open scope keeps it, which may be inside of who decorates.
            let inner = asked.openScope(scope).flatMap { open in
                open.chain.contains { $0 === container } ? open : nil
            }
            let home = isUnshared ? asked : inner ?? container
            let frame = Frame(
                registration: registration,
                home: home,
                asked: asked,
                argument: request.argument,
                isOnMain: !isMadeFirst && isOnMain(registration, request.way.isAsync)
            )
            // A decorator that asks for what it is around.
            _ = try own(frame)
            path.append(frame)
            defer { path.removeLast() }
            for decoration in decorations {
                instance = try decorate(instance, decoration, in: home)
            }
            if scope != .transient, let first = container.wrapping(of: wrapped) {
                // A circle: the first one wins.
                instance = first
            } else if scope != .transient {
                // A graph's ends with it, and so does what is wrapped.
                let isWeak = isUnshared || scope == .weak
                if isWeak { graph.hold(instance) }
                container.keep(instance, around: wrapped, isWeak: isWeak)
            }
        }
        return instance
    }
}
