// The driver of a thread: between ``Engine/begin(_:_:_:)`` and ``Engine/finish(_:_:_:_:)`` it calls the factory, or
// blocks while another thread or task makes the instance. A task's driver (`Engine+InTask.swift`) differs only in how
// it waits and calls.

extension Engine {
    /// Answers a request; nil if nothing is registered.
    ///
    /// - Throws: `ResolutionError` for every other failure.
    func answer(_ request: Request, _ resolution: Resolution) throws -> AnyBox? {
        heedsNothing ? try reply(to: request, resolution) : try answerHeeding(request, resolution)
    }

    /// Answers a request that must pay attention to flags.
    // Apart, because it changes the request, for which every request would be copied (row 4g).
    private func answerHeeding(_ request: Request, _ resolution: Resolution) throws -> AnyBox? {
        var request = request
        let path = resolution.path
        if let other = try route(&request, path) { return try other.answer(request, resolution) }
        guard let observation = observation(of: &request) else {
            return try reply(to: request, resolution)
        }
        let result = Result<AnyBox?, any Error> {
            try observation.tellBegin(request, path)
            return try reply(to: request, resolution)
        }
        observation.tellEnd(request, result, path)
        return try result.get()
    }

    private func reply(to request: Request, _ resolution: Resolution) throws -> AnyBox? {
        if let found = find(request.key) {
            return found.isForAnyName
                ? try instance(of: found, request.withNameAsArgument, resolution)
                : try instance(of: found, request, resolution)
        }
        guard let derived = try derived(request, resolution.path) else { return nil }
        guard !derived.parts.isEmpty else { return derived.type.compose(derived) }
        func assembled() throws -> AnyBox? {
            var part = derived.requestForParts
            derived.boxes = try derived.parts.map { key in
                part.key = key
                return try ready(key) ?? answer(part, resolution)
            }
            return derived.type.compose(derived)
        }
        guard resolution.path.root == nil || request.beginsGraph else { return try assembled() }
        return try resolution.within(nil, of: self, nil, assembled)
    }

    /// The instance in a slot, for a request of this thread.
    func instance(of found: Found, _ request: Request, _ resolution: Resolution) throws -> AnyBox {
        let path = resolution.path
        while true {
            let box: AnyBox? =
                switch try begin(request, found, path) {
                case .ready(let box):
                    box
                case .wait(let wait, let awaited):
                    try settle(WaitCoordinator.shared.block(wait), awaited, request, path)
                case .make(let claim, let engine):
                    try engine.makeAtOnce(claim, request, resolution)
                }
            if let box { return try converted(box, found, request, path) }
        }
    }

    /// Makes a claimed instance, unless the container refuses it.
    func makeAtOnce(_ claim: Claim, _ request: Request, _ resolution: Resolution) throws -> AnyBox {
        if let space = ownSpace(for: claim) {
            // Once: in its own space it has no other.
            return try withSpace(space) { try makeAtOnce(claim, request, resolution) }
        }
        let found = claim.found
        var step = try step(for: claim, request, resolution.path)
        return try resolution.run(&step) { step in
            // Of the registration, because a child's decorators go where those of its own container go.
            guard found.registration.traits.contains(.isMainActor),
                let executor = resolution.executor
            else { return try product(found, request, resolution, step) }
            return try executor.onMainActor(resolution) { [self] in
                try product(found, request, resolution, step)
            }
        }
    }

    /// The finished product, which decorators and callbacks have seen.
    private func product(
        _ found: Found,
        _ request: Request,
        _ resolution: Resolution,
        _ step: UnsafeMutablePointer<Resolution.Step>
    ) throws -> AnyBox {
        do {
            let inner = try make(found, request, resolution, step)
            return try finish(FactoryProduct(inner: inner), step, found, request.observation)
        } catch {
            throw abandon(error, step)
        }
    }

    /// The product before its decorators: that of the factory, or the decorated instance.
    private func make(
        _ found: Found,
        _ request: Request,
        _ resolution: Resolution,
        _ step: UnsafeMutablePointer<Resolution.Step>
    ) throws -> AnyBox {
        try request.observation?.tellMaking(found.registration, request, step)
        if let awaited = request.awaited { return take(awaited, step) }
        if let wrapping = found.slot.wrapping {
            var inner = request.forInner(of: wrapping)
            inner.mayAwait = false
            return try instance(of: wrapping.inner, inner, resolution)
        }
        return try found.registration.make(resolver(of: step), request.arguments)
    }
}
