extension ContainerCore {
    // MARK: - The general way

    @usableFromInline
    func findSlowly<Service>(
        _: Service.Type,
        name: String?,
        _ arguments: Arguments?
    ) throws -> Service? {
        try find(ServiceRequest(Service.self, name: name, arguments: arguments))
    }

    /// The service for a request, or nil where none is registered.
    ///
    /// - Throws: `ResolutionError` for every other failure.
    func find<Service>(_ request: ServiceRequest) throws -> Service? {
        let core = inForce
        guard let interceptor = core.interceptor else { return try core.answer(request) }
        return try interceptor.intercept(request, in: core) { try core.answer($0) }
    }

    private func answer<Service>(_ request: ServiceRequest) throws -> Service? {
        let core = self
        guard let found = core.lookUp(request.key) else {
            if core.isGone {
                throw ResolutionError(
                    reason: .containerGone,
                    request: request.forError,
                    path: Resolution.path
                )
            }
            let derived = Service.self as? any DerivedService.Type
            // A child is left out: its parents may get a registration at any time, and an empty slot
            // of its own would keep its look-ups from theirs.
            if request.isPlain, core.parent == nil {
                if let derived {
                    derived.noteAbsence(of: request.key, in: core.registry)
                } else {
                    core.registry.noteAbsence(of: request.key)
                }
            }
            return try derived?.derive(request, in: core) as? Service
        }
        guard found.entry.serviceType == Service.self else {
            return try core.findForwarded(request, found)
        }
        let entry = unsafeDowncast(found.entry, to: ServiceEntry<Service>.self)
        if entry.isUnshared {
            return try core.construct(entry, for: request)
        }
        let box = try found.holder.share(entry, for: request)
        found.publish(box, madeOf: box)
        return box.value
    }

    /// The service of a type that forwards to a registration of another type.
    private func findForwarded<Service>(
        _ request: ServiceRequest,
        _ found: Found
    ) throws -> Service? {
        if let ready = found.holder.registry.ready(in: found.slot) {
            return unsafeDowncast(ready, to: Box<Service>.self).value
        }
        let (product, shared) = try found.entry.accept(
            ProductMaker(request: request, asked: self, holder: found.holder)
        )
        guard let service = product as? Service else {
            throw ResolutionError(
                reason: .forwardMismatch(
                    product: type(of: product),
                    registeredAt: found.entry.place
                ),
                request: request.forError,
                path: Resolution.path
            )
        }
        if let shared {
            // The conversion is made once.
            found.publish(Box(service), madeOf: shared)
        }
        return service
    }

    /// The service for a request.
    ///
    /// - Throws: `ResolutionError`
    func require<Service>(_ request: ServiceRequest) throws -> Service {
        guard let service: Service = try find(request) else { throw missing(request) }
        return service
    }

    func construct<Service>(
        _ entry: ServiceEntry<Service>,
        for request: ServiceRequest
    ) throws -> Service {
        try request.withFrame(for: entry, asked: self) { frame in
            try construct(entry, frame) { try entry.make($0, request) }
        }
    }

    // MARK: - Looking up

    /// A registration and where it was found.
    struct Found {
        let entry: AnyServiceEntry
        let holder: ContainerCore
        let slot: Registry.SlotPointer

        /// Lets look-ups find a box at once, if what it was made of is the instance that is kept.
        ///
        /// Another container's registration, which was forwarded to, does not know that it is found
        /// here, and would not have it forgotten.
        func publish(_ box: @autoclosure () -> AnyObject, madeOf shared: AnyObject) {
            guard entry.sink === holder, let generation = entry.generation(keeping: shared) else {
                return
            }
            holder.registry.publish(box(), in: slot, of: entry, builtIn: generation)
        }
    }

    /// The nearest registration for a key: here, or in a parent.
    func lookUp(_ key: ServiceKey) -> Found? {
        var holder: ContainerCore? = self
        while let core = holder {
            if let slot = core.registry.slot(of: key), let entry = core.registry.entry(in: slot) {
                return Found(entry: entry, holder: core, slot: slot)
            }
            holder = core.parent
        }
        return nil
    }

    /// True where a request would not be a miss.
    func provides(_ request: ServiceRequest) -> Bool {
        lookUp(request.key) != nil
            || (request.key.serviceType as? any DerivedService.Type)?
                .isDerivable(request, in: self) ?? false
    }

    /// This core, or its fork, where this thread resolves in one.
    @inline(__always)
    var inForce: ContainerCore {
        detours.load(ordering: .relaxed) & Self.hasForks == 0 ? self : forkInForce
    }

    @inline(never)
    private var forkInForce: ContainerCore {
        var step = Resolution.top
        while let frame = step {
            var asked: ContainerCore? = frame.pointee.asked.takeUnretainedValue()
            while let core = asked {
                if core.originals.contains(where: { $0 === self }) { return core }
                asked = core.parent
            }
            step = frame.pointee.parent
        }
        return self
    }

    /// The error for a request that found nothing.
    func missing(_ request: ServiceRequest) -> ResolutionError {
        ResolutionError(
            reason: .notRegistered(inForce.hints(for: request)),
            request: request.forError,
            path: Resolution.path
        )
    }
}

extension Registry {
    func ready(in slot: SlotPointer) -> AnyObject? {
        Lock.reading(slot) { slot.pointee.ready?.takeUnretainedValue() }
    }
}

/// Makes the product of an entry whose type is not known to the one who asks.
private struct ProductMaker: EntryVisitor {
    let request: ServiceRequest
    let asked: ContainerCore
    let holder: ContainerCore

    func visit<Service>(_ entry: ServiceEntry<Service>) throws -> (product: Any, shared: AnyObject?)
    {
        if entry.isUnshared {
            return (try asked.construct(entry, for: request), nil)
        }
        let box = try holder.share(entry, for: request)
        return (box.value, box)
    }
}
