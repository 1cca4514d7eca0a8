extension Engine {
    /// The error for a request that has found nothing.
    @inline(never)
    package func missing(_ request: Request, _ path: Path) -> ResolutionError {
        let engine = inForce(path)?.engine ?? self
        let hints = engine.hints(for: request.key)
        return path.error(.notRegistered(hints), for: request)
    }

    /// The services that a failed request may have meant.
    ///
    /// Registrations are noted now, so that the message stays the same when the container has been closed, or another
    /// space is in force. They are ordered when the message is read: most errors of a `try?` never are.
    ///
    /// - Parameters:
    ///   - key: The key of the request.
    ///   - isValidating: True for a validation that looks at types alone.
    ///   - scope: The scope that a validation does not open, if only code inside that scope needs the service.
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
            let isScoped = key.deferral == .scoped
            key = source
            // A `Scoped` gives only what is registered itself.
            if isScoped { break }
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

    /// The containers of the space that have a registration of the key.
    @_optimize(size)
    private func hints(for key: ServiceKey, in others: Neighbors.List) -> [ResolutionError.Hint] {
        others.compactMap { other in
            guard !isWithin(other.engine), !other.engine.isForValidation,
                let found = other.engine.find(key)
            else { return nil }
            let candidate = ResolutionError.Registered(key, at: found.registration.place)
            return .registered(candidate, .inSpace(key: other.name))
        }
    }

    /// The registrations of this container, as messages list them.
    private var listing: [ResolutionError.Registered] {
        let changeCount = registry.changeCount
        let known = state.withLock { $0.additions.find(Listed.self)?.listing }
        if let known, known.changeCount == changeCount { return known.registrations }
        let registrations = registry.inOrder().map {
            ResolutionError.Registered($0.key, at: $0.registration.place)
        }
        state.withLock {
            $0.additions.made(Listed.self).listing = (registrations, changeCount)
        }
        return registrations
    }

    /// The registrations of the key in containers below this one, below its parents, or below those that they are forks
    /// of.
    @_optimize(size)
    private func candidatesBelow(_ key: ServiceKey) -> [ResolutionError.Registered] {
        let keys = [key, key.keyForAnyName, key.with(.fallback)].compactMap(\.self)
        return (root.originals + [root]).flatMap { $0.descendants(limit: 100) }.compactMap {
            engine in
            let slot = keys.compactMap { engine.registry.slot(of: $0) }.first
            return slot.map { ResolutionError.Registered(key, at: $0.registration.place) }
        }
    }

    /// The containers below this one, each once, the nearest first, up to a limit.
    ///
    /// A server may have thousands of requests open, and a miss in each.
    func descendants(limit: Int) -> [Engine] {
        var found = [self]
        var next = 0
        while next < found.count, found.count <= limit {
            found += found[next].state.withLock { $0.children.cells.prefix(limit).map(\.value) }
                .ordered { $0.number < $1.number }
            next += 1
        }
        return Array(found.dropFirst().prefix(limit))
    }
}

/// The listing of a container, once a message has asked for it.
private final class Listed: EngineAddition {
    override var lifetime: Lifetime { .engine }

    /// The registrations, and how many changes had led there.
    var listing: (registrations: [ResolutionError.Registered], changeCount: Int)?
}
