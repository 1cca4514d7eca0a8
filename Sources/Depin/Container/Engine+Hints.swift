extension Engine {
    /// The error for a request that found nothing.
    @inline(never)
    package func missing(_ request: Request, _ path: Path) -> ResolutionError {
        let engine = inForce(path)?.engine ?? self
        let hints = engine.hints(for: request.key)
        return path.error(.notRegistered(hints), for: request)
    }

    /// What a person may have meant by a request that finds nothing here.
    ///
    /// What is registered is noted now, so a message says the same when the container has been closed, or another
    /// space is in force. It is put in order when somebody reads it: most errors of a `try?` are never read.
    ///
    /// - Parameters:
    ///   - key: What is missing.
    ///   - isValidating: True for a validation that looks at types alone.
    ///   - scope: The scope that a validation does not open, where only code inside that scope needs the service.
    /// - Returns: The hints.
    @_optimize(size)
    package func hints(
        for key: ServiceKey,
        validating isValidating: Bool = false,
        seedOf scope: String? = nil
    ) -> ResolutionError.Hints {
        var sources: [ServiceKey] = []
        var key = key
        while let source = key.source {
            sources.append(source)
            key = source
        }
        var elsewhere = key.nearest(of: candidatesBelow(key), .inChild)
        let inForce = Neighbors.shared.inForce
        elsewhere += hints(for: key, in: inForce)
        let open = chain.lazy.compactMap(\.opened).first
        let place = isValidating || isForValidation ? nil : open?.place
        let seed = (open.map { "\($0.scope)" } ?? scope).map {
            ResolutionError.Hint.seed(of: $0, at: place)
        }
        let (listings, names) = (chain.map(\.listing), inForce.map(\.name))
        return ResolutionError.Hints { [key, sources, elsewhere] in
            elsewhere + self.hints(for: key, in: Neighbors.shared.defaults(besides: names))
                + key.nearMisses(in: listings, seed: seed)
                + sources.map { .needed($0) }
        }
    }

    /// The containers of the space that have something for the very key.
    @_optimize(size)
    private func hints(for key: ServiceKey, in others: Neighbors.List) -> [ResolutionError.Hint] {
        others.compactMap { other in
            guard !isWithin(other.engine),
                let found = other.engine.find(key)
            else { return nil }
            let candidate = ResolutionError.Registered(key, at: found.registration.place)
            return .registered(candidate, .inSpace(key: other.name))
        }
    }

    /// What is registered here, as messages know it.
    private var listing: [ResolutionError.Registered] {
        let changeCount = registry.changeCount
        let known = state.withLock { $0.additions.find(Listed.self)?.listing }
        if let known, known.changeCount == changeCount { return known.registrations }
        let registrations = registry.slots.map {
            ResolutionError.Registered($0.key, at: $0.registration.place)
        }
        state.withLock {
            $0.additions.made(Listed.self).listing = (registrations, changeCount)
        }
        return registrations
    }

    /// What the containers below this one, or below a parent, or below what they are forks of, have for the very key.
    private func candidatesBelow(_ key: ServiceKey) -> [ResolutionError.Registered] {
        let isNamed = key.name != nil && key.arguments == nil
        let anyName = isNamed ? ServiceKey(key.serviceType, role: .anyName) : nil
        let keys = [key, anyName, key.with(.fallback)].compactMap(\.self)
        return (root.originals + [root]).flatMap { $0.descendants(limit: 100) }.compactMap {
            let slot = keys.compactMap($0.registry.slot).first
            return slot.map { ResolutionError.Registered(key, at: $0.registration.place) }
        }
    }

    /// The containers below this one, each once, the nearest first, until there are so many.
    ///
    /// A server may have thousands of requests open, and a miss in each.
    func descendants(limit: Int) -> [Engine] {
        func children(of engine: Engine) -> [Engine] {
            engine.state.withLock { $0.children.cells.prefix(limit).map(\.value) }
                .ordered { $0.number < $1.number }
        }
        var found = children(of: self)
        var next = 0
        while next < found.count, found.count < limit {
            found += children(of: found[next])
            next += 1
        }
        return Array(found.prefix(limit))
    }
}

/// What messages know of a container, once one has asked.
private final class Listed: EngineAddition {
    override var lifetime: Lifetime { .engine }

    /// What was registered, and how many changes had led there.
    var listing: (registrations: [ResolutionError.Registered], changeCount: Int)?
}
