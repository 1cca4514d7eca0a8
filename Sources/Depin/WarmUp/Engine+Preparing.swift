// How a task gets an ordinary service: first the declared needs that are asynchronous are made, and then everything is
// as on a thread.
extension Engine {
    /// Has the declared needs of a slot's registration made for which its factory could not wait.
    func prepare(_ found: Found, _ request: Request, in frame: TaskFrame) async throws {
        guard !found.registration.traits.contains(.isAsync) else { return }
        var seen = RareSet<UInt>()
        seen[found.slot.number] = ()
        try await prepareNeeds(of: found, request, &seen, in: frame)
    }

    @inline(never)
    private func prepareNeeds(
        of found: Found,
        _ request: Request,
        _ seen: inout RareSet<UInt>,
        in parent: TaskFrame
    ) async throws {
        let planned = try Resolution.joining(parent) { resolution in
            try self.plan(found, request, resolution.path, in: parent)
        }
        guard let (asked, needs, frame) = planned else { return }
        // In the space in which the factory will run.
        let space = found.slot.traits.kind.isUnshared ? nil : asked.ownSpace
        try await withSpace(space ?? .current) {
            try await frame.run {
                // A registration for any name has an instance for each, and no needs of its own.
                for (key, need) in needs where need.isForAnyName || seen.insert(need.slot.number) {
                    var request = Request(key, nil, frame.step.pointee.owner)
                    request.mayAwait = true
                    let traits = need.registration.traits
                    if !need.isAsync, !traits.contains(.isMainActor) {
                        try await asked.prepareNeeds(of: need, request, &seen, in: frame)
                    } else if traits.kind != .transient {
                        _ = try await asked.answer(request, in: frame)
                    }
                }
            }
        }
    }

    /// The needs to make before the instance of a slot, the engine that is asked for them, and the frame that stands
    /// for the factory; nil if there is nothing to make.
    @_optimize(size)
    private func plan(
        _ found: Found,
        _ request: Request,
        _ path: Path,
        in parent: TaskFrame
    ) throws -> (asked: Engine, needs: [(key: ServiceKey, found: Found)], frame: TaskFrame)? {
        guard let parameters = found.registration.dependencies else { return nil }
        let resolved =
            request.arguments.map { GivenArguments($0, for: parameters).unserved } ?? parameters
        guard !resolved.isEmpty else { return nil }
        let kind = found.slot.traits.kind
        let scope = kind == .opened ? try openScope(for: found, request, path) : nil
        // The factory inside the decorators makes the requests.
        let made = found.innermost
        let asked = kind.isUnshared ? self : scope ?? made.holder
        let needs = resolved.flatMap { asked.direct($0) }
        guard !needs.isEmpty, try !isKnown(found, request, path), try !isKnown(made, request, path)
        else {
            return nil
        }
        try asked.check(request, made, path)
        var step = Resolution.Step(made, request, by: asked, after: path)
        // If the step is refused, so is the instance itself.
        guard step.beginWork() else { return nil }
        return (asked, needs, TaskFrame(begun: step, in: parent))
    }

    /// True if there is an instance already.
    private func isKnown(_ found: Found, _ request: Request, _ path: Path) throws -> Bool {
        let kind = found.slot.traits.kind
        if kind == .transient { return false }
        if kind == .graph {
            return path.graph?.find(found.slot, for: number, request.arguments) != nil
        }
        let (home, found) = home(of: found)
        let slot = home.slotForArguments(of: request, found, path).slot
        guard home.isStored(slot.traits.kind) else { return slot.kept != nil }
        return try home.storedInstance(in: slot, for: request.joinedGraph(of: path)) != nil
    }
}
