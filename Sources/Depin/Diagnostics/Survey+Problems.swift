// Every sentence that a validation can say of registrations stands in this file; those of resolutions
// that fail are ``ResolutionError``'s.

extension Survey {
    typealias Problem = ValidationReport.Problem
    typealias Kind = ValidationReport.Kind
    typealias Severities = @Sendable (Kind) -> ValidationReport.Severity

    /// A problem before anyone has said how bad it is.
    struct Finding {
        let kind: Kind
        /// The registrations that it is about.
        let nodes: [Int]
        var edges: [(from: Int, to: Int)] = []
        var error: ResolutionError?
        let text: String
    }

    // MARK: - Known from the types

    /// Declared needs for which nothing is registered.
    var missing: [Finding] {
        // Many may need the same, and looking for what was meant takes time.
        var known: [ObjectIdentifier: [ServiceKey: [ResolutionError.Hint]]] = [:]
        return gaps.filter { !$0.isProvided }.map { gap in
            let node = nodes[gap.from]
            let (asked, key) = (ObjectIdentifier(gap.asked), gap.request.key)
            let hints = known[asked]?[key] ?? gap.asked.hints(for: gap.request)
            known[asked, default: [:]][key] = hints
            let error = ResolutionError(
                reason: .notRegistered(hints),
                request: gap.request.forError,
                path: [node.step]
            )
            return Finding(
                kind: .missing,
                nodes: [gap.from],
                error: error,
                text: error.description
            )
        }
    }

    /// Circles of needs.
    func circular(where isMeant: (Edge) -> Bool) -> [Finding] {
        cycles(where: isMeant).map { cycle in
            let error = ResolutionError(
                reason: .circularDependency(otherPath: []),
                request: nodes[cycle[0]].request,
                path: cycle.map { nodes[$0].step }
            )
            let edges = zip(cycle, cycle.dropFirst() + [cycle[0]]).map { (from: $0, to: $1) }
            return Finding(
                kind: .circular,
                nodes: cycle,
                edges: edges,
                error: error,
                text: error.description
            )
        }
    }

    /// Shared registrations with arguments.
    var ignoredArguments: [Finding] {
        nodes.indices.compactMap { index in
            let node = nodes[index]
            guard node.isShared, node.entry.key.tupleType != nil else { return nil }
            return Finding(
                kind: .ignoredArguments,
                nodes: [index],
                text: """
                    \(node.request) is shared in scope \(node.entry.scopeName) whatever its \
                    arguments: the first ones win
                      registered at \(node.entry.place)
                      fix: leave its scope at graph or transient, or take the arguments away
                    """
            )
        }
    }

    // MARK: - Known from the registrations' history

    /// Registrations that replaced others.
    var overwrites: [Finding] {
        core.chain.flatMap { core in
            let state = core.notes?.known ?? CoreNotes.State()
            let keys = core.registry.registrations.map(\.key)
            return keys.flatMap { key -> [Finding] in
                let noted = core.noted(key).key
                let idle = state.idleOverrides[noted].map { [finding(of: key, idle: $0, in: core)] }
                let findings = (state.overwrites[noted] ?? []).flatMap {
                    finding(of: key, $0, in: core)
                }
                return findings + (idle ?? [])
            }
        }
    }

    private func finding(
        of key: ServiceKey,
        _ overwrite: CoreNotes.Overwrite,
        in core: ContainerCore
    ) -> [Finding] {
        var findings: [Finding] = []
        let nodes = core.registry.entry(for: key).flatMap(index).map { [$0] } ?? []
        let name = "\(request(of: key, in: core))"
        if overwrite.wasHandedOut {
            findings.append(
                Finding(
                    kind: .lateOverwrite,
                    nodes: nodes,
                    text: """
                        \(name) was replaced after its shared instance had been given out: who \
                        has that keeps it
                          registered at \(overwrite.place), in place of \(overwrite.replaced)
                          fix: register it before the first resolve, or reset what holds it
                        """
                )
            )
        }
        if !overwrite.isMeant {
            findings.append(
                Finding(
                    kind: .silentOverwrite,
                    nodes: nodes,
                    text: """
                        \(name) is registered twice: the last one wins
                          registered at \(overwrite.place), in place of \(overwrite.replaced)
                          fix: remove one, name one, or say `.overriding()` if it is meant
                        """
                )
            )
        }
        return findings
    }

    private func finding(
        of key: ServiceKey,
        idle place: CodePlace,
        in core: ContainerCore
    ) -> Finding {
        Finding(
            kind: .idleOverride,
            nodes: core.registry.entry(for: key).flatMap(index).map { [$0] } ?? [],
            text: """
                \(request(of: key, in: core)) says that it overrides, and there was nothing to \
                override
                  registered at \(place)
                  fix: take `.overriding()` away, or register it after what it is to replace
                """
        )
    }

    private func request(
        of key: ServiceKey,
        in core: ContainerCore
    ) -> ResolutionError.Request {
        ResolutionError.Request(
            serviceType: key.serviceType,
            name: key.name,
            argumentTypes: core.registry.entry(for: key)?.argumentTypes ?? []
        )
    }

    // MARK: - Known from the needs

    /// Shared instances that keep what was meant to go earlier.
    var captives: [Finding] {
        var next = [[Int]](repeating: [], count: nodes.count)
        for edge in edges where edge.deferral != .provider {
            next[edge.from].append(edge.to)
        }
        return nodes.indices.filter { nodes[$0].isShared }.flatMap { keeper in
            captives(of: keeper, next)
        }
    }

    private func captives(of keeper: Int, _ next: [[Int]]) -> [Finding] {
        var findings: [Finding] = []
        var seen: Set<Int> = [keeper]
        var ways = [[keeper]]
        while let way = ways.popLast() {
            for index in next[way[way.count - 1]] where seen.insert(index).inserted {
                guard nodes[index].isShared else {
                    // It is kept by what needs it, and so is all that it keeps.
                    ways.append(way + [index])
                    continue
                }
                if outlives(keeper, index) {
                    findings.append(captive(way + [index]))
                }
            }
        }
        return findings
    }

    private func outlives(_ keeper: Int, _ kept: Int) -> Bool {
        let (keeper, kept) = (nodes[keeper], nodes[kept])
        if keeper.level > kept.level { return true }
        return keeper.entry.lasts && !kept.entry.lasts
    }

    private func captive(_ way: [Int]) -> Finding {
        let keeper = nodes[way[0]]
        let kept = nodes[way[way.count - 1]]
        let owner = keeper.level > kept.level ? " of a child container" : ""
        let name = TypeNames(way.flatMap { nodes[$0].types })
        var text = """
            \(keeper.named(by: name)), shared in scope \(keeper.entry.scopeName), keeps \
            \(kept.named(by: name)) of scope \(kept.entry.scopeName)\(owner) for longer than that \
            lasts
              registered at \(keeper.entry.place) and at \(kept.entry.place)
            """
        if way.count > 2 {
            text += "\n  by way of "
            text += way.map { nodes[$0].named(by: name) }.joined(separator: " → ")
        }
        text += "\n  fix: take a Provider<\(name(kept.entry.serviceType))>"
        text += ", or give both the same scope"
        return Finding(
            kind: .captive,
            nodes: [way[0], way[way.count - 1]],
            edges: zip(way, way.dropFirst()).map { (from: $0, to: $1) },
            text: text
        )
    }

    /// Registrations that can be built on the main thread only, without saying so.
    var mainActorNeeds: [Finding] {
        edges.compactMap { edge in
            let (from, to) = (nodes[edge.from], nodes[edge.to])
            guard edge.deferral == .none, to.isMainActor, !from.isMainActor else { return nil }
            let name = TypeNames(from.types + to.types)
            return Finding(
                kind: .mainActor,
                nodes: [edge.from],
                edges: [(from: edge.from, to: edge.to)],
                text: """
                    \(from.named(by: name)) may be built on any thread, and needs \
                    \(to.named(by: name)), which is made on the main actor
                      registered at \(from.entry.place) and at \(to.entry.place)
                      fix: register it with `mainActorFactory:` too, or take a Lazy or Provider
                    """
            )
        }
    }
}

extension AnyServiceEntry {
    /// The scope as messages name it.
    var scopeName: String {
        let scope = objectScope
        let name = (scope as? any CustomStringConvertible)?.description ?? ""
        return name.isEmpty ? readableName(of: type(of: scope)) : name
    }

    /// True for a singleton: what it shares lives as long as the container.
    var lasts: Bool { objectScope === ObjectScope.container }
}
