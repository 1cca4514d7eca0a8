/// The request of a property's first access, for which the property's type need not be known.
struct PropertyRequest {
    let key: ServiceKey
    let source: InjectionSource?
    let place: CodePlace
    let held: Held?

    /// The service, and the owner that the property must hold.
    func firstService() -> (service: AnyBox, owner: Owner?) {
        let capture = held?.capture
        let overlay = capture?.overlay
        let container = container(in: overlay)
        let owner = capture.map { $0.owner(of: container) } ?? container.owner
        let engine = container.engine
        // What is built for this property sees the property's overrides: the captured ones on a thread without any, and
        // never those of the code that happens to make the first access.
        let inForce = SpaceOverlay.current
        return SpaceOverlay.withCurrent(overlay) {
            let surroundings = overlay === inForce ? nil : inForce
            let service = service(from: engine, owner, insideOf: surroundings)
            return (service, capture == nil ? nil : ownerToHold(in: engine, owner))
        }
    }

    /// The owner that the property must hold, because its service works only while that container is open; nil if no
    /// container keeps the service.
    private func ownerToHold(in engine: Engine, _ owner: Owner?) -> Owner? {
        // A registered instance does not depend on the container.
        let kept = engine.direct(key).map(\.found).filter {
            !$0.registration.kind.isUnshared && !$0.registration.traits.contains(.isInstance)
        }
        guard let first = kept.first else { return nil }
        return kept.count == 1 ? owner?.owner(of: engine.home(of: first).engine) : owner
    }

    /// The service.
    ///
    /// The surroundings are what the property was made outside of and is read in, for messages.
    @inline(never)
    private func service(
        from engine: Engine,
        _ owner: Owner?,
        insideOf surroundings: SpaceOverlay?
    ) -> AnyBox {
        let dependent = held?.dependent
        if surroundings == nil, dependent == nil, let ready = engine.ready(key) { return ready }
        var request = Engine.Request(key, nil, owner)
        (request.injectedAt, request.beginsGraph, request.isNeeded) = (place, true, true)
        return Resolution.withCurrent { resolution in
            do {
                let found = try engine.needed(request, by: dependent, resolution)
                // A nil is not kept if an open scope has the service.
                if let surroundings, let optional = found.anyValue as? any OptionalValue,
                    optional.wrappedAny == nil, outside(surroundings, engine, nil) == .scope
                {
                    var request = Engine.Request(key.with(type(of: optional).wrappedType))
                    request.injectedAt = place
                    throw engine.missing(request, resolution.path)
                }
                return found
            } catch {
                let known = error as? ResolutionError
                var failure = known
                failure?.request.surroundings = surroundings.flatMap { outside($0, engine, known) }
                trap(failure ?? error, resolution, asking: engine)
            }
        }
    }

    /// The surroundings, if a property that was made inside of them would have the service, or nil for no error.
    @_optimize(size)
    private func outside(
        _ surroundings: SpaceOverlay,
        _ engine: Engine,
        _ error: ResolutionError?
    ) -> ResolutionError.Surroundings? {
        let other = container(in: surroundings).engine
        var key = error?.request.key ?? key
        while let wrapped = key.wrapped { key = wrapped }
        guard other !== engine, other.provides(Engine.Request(key)) else { return nil }
        switch error?.failure {
        case .notRegistered? where error?.path.isEmpty == false:
            // What the container keeps is made by the container alone, and finds no seed of a scope.
            guard engine.find(self.key)?.registration.kind.isUnshared == true else { return nil }
        case .noOpenScope?:
            guard let found = other.find(key), other.nearestOpenScope(of: found.registration) != nil
            else { return nil }
        case .notRegistered?, nil: break
        default: return nil
        }
        return other.chain.contains { $0.opened != nil } ? .scope : .override
    }

    /// The container to ask: that of the captured overrides, or else of the process's values.
    private func container(in overlay: SpaceOverlay?) -> Container {
        let values = SpaceValues(overlay: overlay)
        return source?.value.assembler.map { values[keyPath: $0].container }
            ?? values.dependenciesContainer
    }
}
