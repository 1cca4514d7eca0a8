/// What a property asks for on first access, for which its type need not be known.
struct PropertyRequest {
    let key: ServiceKey
    let assembler: KeyPath<SpaceValues, Assembler>?
    let place: CodePlace

    /// The service, and the owner that the property must hold.
    func firstService(
        _ capture: Capture?,
        for dependent: Dependent?
    ) -> (service: AnyBox, owner: Owner?) {
        let overlay = capture?.overlay
        let container = container(in: overlay)
        let owner = capture.map { $0.owner(of: container) } ?? container.owner
        let engine = container.engine
        // What is built on behalf of this property sees what this property sees: on a thread that has
        // no overrides the captured ones, and inside somebody's override not those of the passer-by.
        let inForce = SpaceOverlay.current
        return SpaceOverlay.withCurrent(overlay, insteadOf: inForce) {
            let surroundings = overlay === inForce ? nil : inForce
            let service = service(from: engine, owner, insideOf: surroundings, for: dependent)
            return (service, capture == nil ? nil : ownerToHold(in: engine, owner))
        }
    }

    /// The owner that the property must hold, since its service works only while that container is open; nil where no
    /// container keeps what is built.
    @_optimize(size)
    private func ownerToHold(in engine: Engine, _ owner: Owner?) -> Owner? {
        // What is registered as an instance was there before.
        let kept = engine.direct(key).map(\.found).filter {
            !$0.registration.kind.isUnshared && !$0.registration.traits.contains(.isInstance)
        }
        guard let first = kept.first else { return nil }
        return kept.count == 1 ? owner?.owner(of: engine.home(of: first).engine) : owner
    }

    /// The service; what the property was made outside of, and is read in, is for messages.
    @inline(never)
    private func service(
        from engine: Engine,
        _ owner: Owner?,
        insideOf surroundings: SpaceOverlay?,
        for dependent: Dependent?
    ) -> AnyBox {
        if surroundings == nil, dependent == nil, let ready = engine.ready(key) { return ready }
        var request = Engine.Request(key, nil, owner)
        (request.injectedAt, request.beginsGraph, request.isNeeded) = (place, true, true)
        return Resolution.withCurrent { resolution in
            do {
                let found = try engine.needed(request, by: dependent, resolution)
                // A nil is not kept where an open scope has the service.
                if let surroundings, let optional = found.anyValue as? any OptionalValue,
                    optional.wrappedAny == nil, outside(surroundings, engine) == .scope
                {
                    var request = Engine.Request(key.with(type(of: optional).wrappedType))
                    request.injectedAt = place
                    throw engine.missing(request, resolution.path)
                }
                return found
            } catch {
                var failure = error as? ResolutionError
                if failure?.path.isEmpty == true {
                    failure?.request.surroundings = surroundings.flatMap { outside($0, engine) }
                }
                trap(failure ?? error, resolution, asking: engine)
            }
        }
    }

    /// What the property was made outside of, if that has the service.
    @_optimize(size)
    private func outside(
        _ surroundings: SpaceOverlay,
        _ engine: Engine
    ) -> ResolutionError.Surroundings? {
        let other = container(in: surroundings).engine
        var key = key
        while let wrapped = key.wrapped { key = wrapped }
        guard other !== engine, other.provides(Engine.Request(key)) else { return nil }
        return other.chain.contains { $0.opened != nil } ? .scope : .override
    }

    /// The container that is asked: the overrides that the property has captured say which, or else the process's values.
    private func container(in overlay: SpaceOverlay?) -> Container {
        let values = SpaceValues(overlay: overlay)
        return assembler.map { values[keyPath: $0].container } ?? values.dependenciesContainer
    }
}
