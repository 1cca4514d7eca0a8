// What a validation says of registrations. What it says of resolutions that fail are ``ResolutionError``'s words.

extension Survey {
    typealias Problem = ValidationReport.Problem
    typealias Kind = ValidationReport.Kind

    func problem(
        _ kind: Kind,
        _ nodes: [Int],
        edges: [(from: Int, to: Int)] = [],
        error: ResolutionError? = nil,
        _ text: String? = nil
    ) -> Problem {
        Problem(
            kind,
            error: error,
            places: nodes.map { self.nodes[$0].entry.place },
            nodes: nodes,
            edges: edges.map { [$0.from, $0.to] },
            text ?? error?.description ?? ""
        )
    }

    // MARK: - Known from the types

    /// Declared needs for which nothing is registered.
    var missing: [Problem] {
        // Many may need the same, and looking for what was meant takes time.
        var known: [UInt: [ServiceKey: ResolutionError.Hints]] = [:]
        let neighbors = Neighbors.shared.current
        return gaps.filter { !$0.isProvided }.map { gap in
            let hints =
                known[gap.asked.number]?[gap.key]
                ?? ResolutionError.Hints { gap.asked.hints(for: gap.key, beside: neighbors()) }
            known[gap.asked.number, default: [:]][gap.key] = hints
            let error = ResolutionError(
                .notRegistered(hints),
                ResolutionError.Request(gap.key),
                path: [nodes[gap.from].step]
            )
            return problem(.missing, [gap.from], error: error)
        }
    }

    /// Circles of needs.
    func circular(where isMeant: (Edge) -> Bool) -> [Problem] {
        cycles(where: isMeant).map { cycle in
            let error = ResolutionError(
                .circularDependency(otherPath: []),
                nodes[cycle[0]].request,
                path: cycle.map { nodes[$0].step }
            )
            let edges = zip(cycle, cycle.dropFirst() + [cycle[0]]).map { (from: $0, to: $1) }
            return problem(.circular, cycle, edges: edges, error: error)
        }
    }

    /// Shared registrations with arguments.
    var ignoredArguments: [Problem] {
        nodes.indices.compactMap { index in
            let node = nodes[index]
            guard node.isShared, node.entry.key.arguments != nil,
                !node.entry.currentTraits.contains(.perArguments)
            else { return nil }
            return problem(
                .ignoredArguments,
                [index],
                """
                \(node.request) is shared in scope \(node.entry.scopeName) whatever its \
                arguments: the first ones win
                  registered at \(node.entry.place)
                  fix: write `.perArguments` after the scope, inside the parentheses of \
                `inObjectScope`, for an instance for each; or leave the scope at graph or \
                transient, or take the arguments away
                """
            )
        }
    }

    /// Runtime arguments that serve no parameter of an initializer, or leave open which.
    var misfits: [Problem] {
        nodes.indices.flatMap { index -> [Problem] in
            guard let fit = nodes[index].argumentFit else { return [] }
            return fit.unused.map {
                misfit(.unusedArgument, index, $0, "no parameter takes the argument")
            }
                + fit.shared.map {
                    misfit(.ambiguousArgument, index, $0, "several parameters take the argument")
                }
                + fit.contested.map {
                    misfit(
                        .ambiguousArgument,
                        index,
                        $0,
                        "the first of several arguments serves the parameter"
                    )
                }
        }
    }

    private func misfit(_ kind: Kind, _ index: Int, _ type: Any.Type, _ finding: String) -> Problem
    {
        let node = nodes[index]
        let name = TypeNames(node.types + [type])
        let fix =
            kind == .unusedArgument
            ? "take the argument away, or give the initializer a parameter for it"
            : "register it with a factory, which says what goes where"
        return problem(
            kind,
            [index],
            """
            in the initializer of \(node.named(by: name)), \(finding) \(name(type))
              registered at \(node.entry.place)
              fix: \(fix)
            """
        )
    }

    // MARK: - Known from the registrations' history

    /// Registrations that replaced others.
    var overwrites: [Problem] {
        core.chain.flatMap { core in
            core.registry.registrations.flatMap { key, entry -> [Problem] in
                guard let overwrites = core.registry.overwrites(of: key) else { return [] }
                let nodes = index(of: entry).map { [$0] } ?? []
                let name = "\(ResolutionError.Request(key))"
                return overwrites.all.flatMap { problems(of: name, nodes, $0) }
                    + (overwrites.idle.map { [problem(of: name, nodes, idle: $0)] } ?? [])
            }
        }
    }

    private func problems(
        of name: String,
        _ nodes: [Int],
        _ overwrite: Overwrites.Overwrite
    ) -> [Problem] {
        var problems: [Problem] = []
        if overwrite.wasHandedOut {
            problems.append(
                problem(
                    .lateOverwrite,
                    nodes,
                    """
                    \(name) was replaced after its shared instance had been given out: who \
                    has that keeps it
                      registered at \(overwrite.place), in place of \(overwrite.replaced)
                      fix: register it before the first resolve, or reset what holds it
                    """
                )
            )
        }
        if !overwrite.isMeant {
            problems.append(
                problem(
                    .silentOverwrite,
                    nodes,
                    """
                    \(name) is registered twice: the last one wins
                      registered at \(overwrite.place), in place of \(overwrite.replaced)
                      fix: remove one, name one, or say `.overriding()` if it is meant
                    """
                )
            )
        }
        return problems
    }

    /// Registrations of a child in another scope than the parent's that they hide.
    var shadowedScopes: [Problem] {
        nodes.indices.compactMap { index in
            let node = nodes[index]
            guard !isStandIn(node), !node.isDefault, let parent = node.core.parent else {
                return nil
            }
            for key in node.keys {
                guard let hidden = parent.find(key)?.entry,
                    hidden.objectScope !== node.entry.objectScope,
                    node.core.registry.overwrites(of: node.entry.key)?
                        .isMeantOverParent(node.entry) != true
                else { continue }
                return problem(
                    .shadowedScope,
                    [index],
                    """
                    \(ResolutionError.Request(key)) of scope \(node.entry.scopeName) hides the \
                    parent's of scope \(hidden.scopeName)
                      registered at \(node.entry.place), over \(hidden.place)
                      fix: give both the same scope, or say `.overriding()` if it is meant
                    """
                )
            }
            return nil
        }
    }

    /// A child that shares nothing, although it may stand for a session or a request.
    var unsharedChildren: [Problem] {
        let own = nodes.indices.filter { nodes[$0].level == 0 && !isStandIn(nodes[$0]) }
        guard core.parent != nil, own.count > 1,
            own.allSatisfy({ nodes[$0].entry.objectScope === ObjectScope.graph })
        else { return [] }
        return [
            problem(
                .unsharedChild,
                own,
                """
                all \(own.count) registrations of this child container are of scope graph: each \
                request makes them anew
                  the first one registered at \(nodes[own[0]].entry.place)
                  fix: where it stands for a session or a request, share what belongs to that in \
                scope container
                """
            )
        ]
    }

    /// True for what was registered for the validation only.
    private func isStandIn(_ node: Node) -> Bool { node.entry.origin == node.entry.number }

    private func problem(of name: String, _ nodes: [Int], idle place: CodePlace) -> Problem {
        problem(
            .idleOverride,
            nodes,
            """
            \(name) says that it overrides, and there was nothing to override
              registered at \(place)
              fix: take `.overriding()` away, or register it after what it is to replace
            """
        )
    }

    // MARK: - Known from the needs

    /// Declared needs of synchronous code for what takes time to make.
    var awaitedNeeds: [Problem] {
        edges.filter { isAwaited($0) && nodes[$0.to].needsAwait }.map { edge in
            let (from, to) = (nodes[edge.from], nodes[edge.to])
            let name = TypeNames(from.types + to.types)
            return problem(
                .needsAwait,
                [edge.from],
                edges: [(from: edge.from, to: edge.to)],
                """
                \(from.named(by: name)) cannot wait for \(to.named(by: name)), which takes time to make
                  registered at \(from.entry.place) and at \(to.entry.place)
                  fix: register it with `asyncInitializer:` or `asyncFactory:` too, or take an \
                AsyncLazy<\(name(to.entry.serviceType))>
                   or: have that made before: keep it in a scope, mark it `.eager()`, and warm up at launch
                """
            )
        }
    }

    /// True for a declared need of synchronous code for what takes time to make.
    func isAwaited(_ edge: Edge) -> Bool {
        edge.isDeclared && edge.isSynchronous && nodes[edge.to].isAsync
            && !(edge.isDirect && nodes[edge.from].isAsync)
    }

    /// Registrations that can be built on the main thread only, without saying so.
    var mainActorNeeds: [Problem] {
        edges.compactMap { edge in
            let (from, to) = (nodes[edge.from], nodes[edge.to])
            guard edge.deferral == .none, to.isMainActor, !from.isMainActor else { return nil }
            let name = TypeNames(from.types + to.types)
            return problem(
                .mainActor,
                [edge.from],
                edges: [(from: edge.from, to: edge.to)],
                """
                \(from.named(by: name)) may be built on any thread, and needs \
                \(to.named(by: name)), which is made on the main actor
                  registered at \(from.entry.place) and at \(to.entry.place)
                  fix: register it with `mainActorFactory:` too, or take a Lazy or Provider
                """
            )
        }
    }
}
