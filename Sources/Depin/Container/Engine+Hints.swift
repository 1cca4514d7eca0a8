extension Engine {
    /// The error for a request that found nothing.
    package func missing(_ request: Request, _ path: Path) -> ResolutionError {
        let (engine, owner) = inForce(path) ?? (self, request.owner)
        // The arguments and watchers of the request are nobody's business any more.
        let key = request.key
        let neighbors = Neighbors.shared.current
        let hints = ResolutionError.Hints {
            // Until somebody reads the message, the container is kept open for it.
            withExtendedLifetime(owner) { engine.hints(for: key, beside: neighbors()) }
        }
        return ResolutionError(.notRegistered(hints), request.forError, path: path.forError)
    }

    /// What a person may have meant by a request that found nothing here.
    package func hints(
        for key: ServiceKey,
        beside neighbors: [(name: String, engine: Engine)] = []
    ) -> [ResolutionError.Hint] {
        var hints: [ResolutionError.Hint] = []
        var sources: [ServiceKey] = []
        var key = key
        while let source = derivation(of: key.serviceType)?.source(of: key) {
            sources.append(source)
            key = source
        }
        let misses = NearMisses(key)
        var seen: Set<ServiceKey> = []
        // A registration hides those of its key that are further up.
        let own = chain.flatMap(\.registry.slots).filter { seen.insert($0.key).inserted }
        let near = misses.hints(
            among: own.filter { !$0.key.isContribution }.map { slot in
                NearMisses.Registration(
                    key: slot.key,
                    origin: slot.registration.key,
                    place: slot.registration.place,
                    instance: slot.kept?.box.anyValue
                )
            }
        )
        // All that are below this one, or below a parent, or below what they are forks of, each once.
        let others = (root.originals + [root]).flatMap(\.descendants)
        hints += misses.first(others.compactMap { $0.own(key) }, ResolutionError.Hint.inChild)
        for other in neighbors where !chain.contains(where: { $0 === other.engine }) {
            guard let candidate = other.engine.candidate(key) else { continue }
            hints.append(.inSpace(candidate, key: other.name))
        }
        if key.isPlain, let contributed = own.first(where: { $0.key.isContribution(to: key) }) {
            hints.append(.contributed(to: key.serviceType, at: contributed.registration.place))
        }
        if own.isEmpty {
            hints.append(.nothingRegistered)
        }
        return hints + near + sources.map { .needed(ResolutionError.Request($0)) }
    }

    /// What this core has for the very key, or a parent.
    private func candidate(_ key: ServiceKey) -> ResolutionError.Candidate? {
        find(key).map { ResolutionError.Candidate(key: key, registeredAt: $0.registration.place) }
    }

    /// What this core itself has registered for the very key.
    private func own(_ key: ServiceKey) -> ResolutionError.Candidate? {
        let slot = registry.slot(of: key) ?? registry.slot(of: key.with(.fallback))
        return slot.map {
            ResolutionError.Candidate(key: key, registeredAt: $0.registration.place)
        }
    }

    private var descendants: [Engine] {
        var found = children
        var next = 0
        while next < found.count {
            found += found[next].children
            next += 1
        }
        return found
    }
}
