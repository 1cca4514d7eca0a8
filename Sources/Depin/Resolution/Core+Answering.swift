// A request is answered with what stands in a container or its parents, or with what is derived from that.

extension Core {
    /// Answers a request, with nil where nothing is registered.
    ///
    /// - Throws: `ResolutionError` for every other failure.
    func answer(_ request: inout ServiceRequest, _ path: Path) throws -> AnyBox? {
        if !isPlain, request.watchers == nil {
            if hasFlag(.isValidated) { request.beginsGraph = false }
            if let (core, owner) = inForce(path), core !== self {
                (request.asked, request.owner) = (core, owner)
                return try core.answer(&request, path)
            }
            if hasFlag(.isClosing) { try checkIsOpen(for: request, path) }
            if hasFlag(.isWatched) { return try answerWatched(&request, path) }
        }
        return try answer(&request, from: self, path)
    }

    /// The service for a request of the library's own, whose key names its type.
    func service<Service>(_ request: inout ServiceRequest, _ path: Path) throws -> Service? {
        try answer(&request, path).map { unsafeDowncast($0, to: Box<Service>.self).value }
    }

    /// The same, with an error where nothing is registered.
    // PERF: not by way of the optional service, whose type the runtime would look up.
    @inline(__always)
    func neededService<Service>(_ request: inout ServiceRequest, _ path: Path) throws -> Service {
        unsafeDowncast(try needed(&request, path), to: Box<Service>.self).value
    }

    /// Answers a request, with an error where nothing is registered.
    func needed(_ request: inout ServiceRequest, _ path: Path) throws -> AnyBox {
        request.isNeeded = true
        guard let box = try answer(&request, path) else { throw missing(request, path) }
        return box
    }

    /// Answers a request with what stands in a core or its parents, or else with what is derived from that.
    func answer(_ request: inout ServiceRequest, from core: Core?, _ path: Path) throws
        -> AnyBox?
    {
        if let (slot, holder) = core?.lookUp(request.key, isDecorated: false) {
            guard let ready = slot.ready else {
                return try answer(&request, with: slot.entry, of: holder, path)
            }
            if holder.hasFlag(.tracksNeeds) { holder.note(path.needer, needs: slot.entry) }
            return ready
        }
        if let found = fallback(for: request.key) {
            return try answer(&request, with: found.entry, of: found.holder, path)
        }
        if isGone {
            throw ResolutionError(.containerGone, request.forError, path: path.forError)
        }
        return try derivation(of: request.key.serviceType)?.derive(request, path)
    }

    /// Answers a request with a registration, or with what decorates it for those who ask here.
    func answer(
        _ request: inout ServiceRequest,
        with entry: AnyServiceEntry,
        of holder: Core,
        _ path: Path,
        isDecorated: Bool = false
    ) throws -> AnyBox {
        if !isDecorated, hasDecorators(upTo: holder) {
            let found = decorated(Found(entry: entry, holder: holder), for: request.key)
            if found.entry !== entry {
                return try answer(
                    &request,
                    with: found.entry,
                    of: found.holder,
                    path,
                    isDecorated: true
                )
            }
        }
        let traits = entry.currentTraits
        if traits.contains(.isMainActor), let stage = path.stage,
            stage.mainActor == .callingThread, !CurrentThread.isMain
        {
            return try answer(&request, with: entry, of: holder, path, isDecorated, on: stage)
        }
        let isShared = traits.kind.isOfHolder
        let made =
            if isShared {
                try holder.share(entry, &request, path)
            } else if traits.kind == .opened {
                try shareInOpenScope(entry, &request, path)
            } else {
                try construct(entry, traits, &request, path)
            }
        return try give(
            made,
            of: entry,
            holder,
            isFound: isShared && !isDecorated,
            for: &request,
            path
        )
    }

    /// The same for a main-actor registration, in a validation on the process's main thread.
    @inline(never)
    private func answer(
        _ request: inout ServiceRequest,
        with entry: AnyServiceEntry,
        of holder: Core,
        _ path: Path,
        _ isDecorated: Bool,
        on stage: any Stage
    ) throws -> AnyBox {
        try stage.onCallingThread(path) {
            try answer(&request, with: entry, of: holder, path, isDecorated: isDecorated)
        }
    }

    /// An instance as the type that was requested, which may be found at once the next time.
    @inline(__always)
    func give(
        _ made: AnyBox,
        of entry: AnyServiceEntry,
        _ holder: Core,
        isFound: Bool,
        for request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        let isForwarded = entry.key.serviceType != request.key.serviceType
        let box = isForwarded ? try convert(made, of: entry, for: &request, path) : made
        // Another container's registration, which was forwarded to, does not know that it is found
        // here, and would not have it forgotten.
        if isFound, entry.sink === holder, let generation = entry.generation(keeping: made) {
            holder.registry.publish(box, for: request.key, of: entry, builtIn: generation)
        }
        return box
    }

    /// The instance of a forwarded registration as the type that was requested.
    private func convert(
        _ made: AnyBox,
        of entry: AnyServiceEntry,
        for request: inout ServiceRequest,
        _ path: Path
    ) throws -> AnyBox {
        let product = made.anyValue
        func convert<Service>(_: Service.Type) -> AnyBox? {
            (product as? Service).map(Box.init)
        }
        if let box = _openExistential(request.key.serviceType, do: convert) { return box }
        throw ResolutionError(
            .forwardMismatch(product: type(of: product), registeredAt: entry.place),
            request.forError,
            path: path.forError
        )
    }

    /// True for a fork that was validated: what it made may go on by itself, and keeps it open.
    var isForValidation: Bool { hasFlag(.isValidated) || hasFlag(.keepsNothing) }

    // MARK: - Finding

    /// What stands under a key here, or in the nearest parent; nothing that is ready, where a container between
    /// may decorate it.
    ///
    /// PERF: recursive, because a loop retains each container of the hierarchy three times (row 15-ten).
    private func lookUp(
        _ key: ServiceKey,
        isDecorated: Bool
    ) -> (slot: Registry.Slot, holder: Core)? {
        guard var slot = registry.slot(of: key) else {
            return parent?.lookUp(key, isDecorated: isDecorated || hasFlag(.hasDecorators))
        }
        if isDecorated { slot.ready = nil }
        return (slot, self)
    }

    /// The nearest registration for a key: here, or in a parent.
    func find(_ key: ServiceKey) -> Found? {
        for holder in chain {
            if let entry = holder.registry.entry(for: key) {
                return Found(entry: entry, holder: holder)
            }
        }
        return fallback(for: key)
    }

    /// True where a request would not be a miss.
    func provides(_ request: borrowing ServiceRequest) -> Bool {
        find(request.key) != nil
            || derivation(of: request.key.serviceType)?.isDerivable(request) ?? false
    }
}
