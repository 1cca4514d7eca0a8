// The second half of every request's way: what becomes of a factory's product. It never suspends.

/// The product of a factory, and what asynchronous decorators have made of it, if there are any.
struct FactoryProduct {
    let inner: AnyBox
    var decorated: AnyBox?
}

extension Engine {
    /// Ends the making of an instance after its factory: decorates it, keeps it, runs callbacks, and tells observers.
    ///
    /// - Throws: an error of a decorator; `ResolutionError`, if waiting for a storage would close a circle.
    func finish(
        _ product: FactoryProduct,
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ found: Found,
        _ observation: (any Observation)?
    ) throws -> AnyBox {
        let inner = product.inner
        var made = product.decorated ?? inner
        let other = found.slot.wrapping != nil ? decoratedMeanwhile(step, found) : nil
        if other == nil, found.holder.hasFlag(.hasDecorators), product.decorated == nil {
            do {
                made = try decorate(inner, step, found)
            } catch {
                noteLost(inner, step)
                throw error
            }
        }
        let (kept, isFirst) = other.map { ($0, false) } ?? construct(made, step, found)
        if isFirst {
            step.pointee.isCompleting = true
            complete(inner, kept, step, observation)
        } else {
            noteLost(inner, step)
        }
        if case .building(let building) = step.pointee.destination {
            try keep(kept, isFirst: isFirst, building, step)
        }
        return kept
    }

    /// The decorated instance that a cycle back to this slot has made meanwhile, which must not be decorated again.
    private func decoratedMeanwhile(
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ found: Found
    ) -> AnyBox? {
        switch step.pointee.destination {
        case .nowhere: nil
        case .graph: Path(step).graph?.find(found.slot, for: number, step.pointee.arguments)
        case .building(let building): found.slot.product(of: building)
        }
    }

    /// The instance to keep: the first one, since a cycle or another task may have made one meanwhile.
    private func construct(
        _ made: AnyBox,
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ found: Found
    ) -> (kept: AnyBox, isFirst: Bool) {
        switch step.pointee.destination {
        case .nowhere:
            return (made, true)
        case .graph:
            guard let graph = Path(step).graph else { return (made, true) }
            let kept = graph.insert(made, of: found.slot, for: number, step)
            return (kept, kept === made)
        case .building(let building):
            return found.slot.construct(building, made, node: step.pointee.node)
        }
    }

    /// Runs the callbacks with the instance inside its decorators, and tells observers of the decorated one.
    private func complete(
        _ inner: AnyBox,
        _ made: AnyBox,
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ observation: (any Observation)?
    ) {
        // In a circle through a callback, the order in which factories returned says which of them used the others.
        let time = hasFlag(.notesNeeds) ? Serial.next() : 0
        if step.pointee.traits.contains(.hasCallbacks), let registration = step.pointee.registration
        {
            let resolver = resolver(of: step)
            for callback in registration.callbacks { callback(resolver, inner) }
        }
        if let observation, let registration = step.pointee.registration {
            observation.tellMade(made, by: registration, step)
        }
        if hasFlag(.notesNeeds) {
            noteMade(inner, step, isKept: step.pointee.building != nil, time)
        }
    }

    /// Puts an instance into its slot, and hands it to the waiters.
    private func keep(
        _ box: AnyBox,
        isFirst: Bool,
        _ building: Slot.Building,
        _ step: UnsafeMutablePointer<Resolution.Step>
    ) throws {
        guard let slot = step.pointee.slot else { return }
        var kind = step.pointee.traits.kind
        // A validation keeps every shared instance while it runs, and none afterwards.
        if hasFlag(.isValidated) { kind = .permanent }
        // Left as if a storage kept the instance, so the slot keeps nothing, and no storage does either.
        if hasFlag(.keepsNothing) {
            slot.leave(building, as: .stored)?.tell()
            return
        }
        switch kind {
        case .weak: Path(step).madeGraph?.keep(box)
        case .stored where isFirst: try store(box, in: slot, building, Path(step))
        case .stored, .permanent, .opened, .graph, .transient: break
        }
        // A reset or a new registration came in between: the instance is not kept, so it is not closed either.
        let isDetached =
            step.pointee.node != 0 && isFirst && (!slot.isCurrent(building) || isReplaced(slot))
        slot.leave(building, as: kind)?.tell()
        if isDetached { forgetNeeds([step.pointee.node]) }
    }

    /// Takes the place of the second half after a failure.
    ///
    /// - Returns: the error with the steps that led to it.
    func abandon(_ error: any Error, _ step: UnsafeMutablePointer<Resolution.Step>) -> any Error {
        if let building = step.pointee.building {
            step.pointee.slot?.abandon(building)?.tell()
        }
        noteLost(nil, step)
        // The decorators of an asynchronous service are canceled with it.
        if error is CancellationError, Task.isCancelled, let slot = step.pointee.slot,
            Found(slot: slot, holder: step.pointee.holder).isAsync
        {
            return error
        }
        return Path(step).failure(error)
    }

    // MARK: - As another type

    /// An instance as the requested type, which may only forward to the instance's registration.
    @inline(__always)
    func converted(_ box: AnyBox, _ found: Found, _ request: Request, _ path: Path) throws -> AnyBox
    {
        if found.registration.serviceType == request.key.serviceType, found.slot.wrapping == nil {
            return box
        }
        return try convert(box, found, request, path)
    }

    @inline(never)
    private func convert(
        _ box: AnyBox,
        _ found: Found,
        _ request: Request,
        _ path: Path
    ) throws -> AnyBox {
        let type = request.key.serviceType
        if found.slot.key.serviceType == type { return box }
        if let known = found.slot.conversion(of: box, to: type) { return known }
        let product = box.anyValue
        if let converted = boxed(product, as: type) {
            found.slot.keepConversion(converted, as: type, of: box)
            return converted
        }
        let failure = ResolutionError.Failure.forwardMismatch(
            product: Swift.type(of: product),
            registeredAt: found.registration.place
        )
        throw path.error(failure, for: request)
    }
}
