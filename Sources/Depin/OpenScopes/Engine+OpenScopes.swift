// The services of opened scopes are kept in the slots of the nearest open scope. A request is refused if no such scope
// is open, or if the requesting instance would outlive the scope.

extension Engine {
    /// The nearest open scope of a slot's registration.
    ///
    /// - Throws: `ResolutionError`, if none is open, or if the requesting instance would outlive the scope.
    func openScope(for found: Found, _ request: Request, _ path: Path) throws -> Engine {
        let registration = found.registration
        let home = nearestOpenScope(of: registration)
        let keeping = path.sharedRegistration(
            in: home == nil ? self : home?.parent,
            inside: home?.opened?.opener ?? 0
        )
        // For an instance of an open scope that requests one of a scope that is not open inside, the error below says
        // more.
        func isOpenInside() -> Bool {
            descendants(limit: 100).contains { inside in
                !inside.hasFlag(.isClosing) && inside.opens(registration.objectScope)
            }
        }
        if let keeping, home != nil || keeping.kind != .opened || isOpenInside() {
            throw path.error(
                .captive(of: .init(of: keeping), .init(of: registration)),
                for: request
            )
        }
        if let home { return home }
        let service = ResolutionError.Registered(of: registration, registration.openedScopeName)
        let miss = scopeMiss(of: registration, request, path)
        throw path.error(.noOpenScope(service, miss), for: request)
    }

    /// The nearest open scope that a registration belongs to.
    package func nearestOpenScope(of registration: Registration) -> Engine? {
        nearestOpenScope(of: registration.objectScope)
    }

    // Recursive: see `isWithin`.
    private func nearestOpenScope(of scope: any ObjectScopeProtocol) -> Engine? {
        opens(scope) ? self : parent?.nearestOpenScope(of: scope)
    }

    /// True for an open scope that keeps the instances of another scope.
    func opens(_ scope: any ObjectScopeProtocol) -> Bool { opened?.scope.includes(scope) == true }

    /// The engine that keeps the instance of a slot found from here, and its slot there.
    func home(of found: Found) -> (engine: Engine, found: Found) {
        guard found.slot.traits.kind == .opened,
            let scope = nearestOpenScope(of: found.registration)
        else { return (found.holder, found) }
        return found.inScope(scope)
    }

    /// This open scope's slot for a slot that was found further up, made when first needed.
    func scopeSlot(for found: Found) -> Slot {
        let number = found.slot.number
        return state.withLock { state in
            if let known = state.scopeSlots[number] { return known }
            let made = Slot(found.registration, Lock(), form: found.slot.wrapping?.copied)
            state.scopeSlots[number] = made
            return made
        }
    }

    /// The slots of an open scope.
    var scopeSlots: [Slot] {
        opened == nil ? [] : state.withLock { $0.scopeSlots.cells.map(\.value) }
    }

    /// The slots of a registration in the open scopes around this container, and below it.
    @_optimize(size)
    func scopeSlots(of slot: Slot) -> [Found] {
        (Array(chain) + descendants(limit: .max)).compactMap { engine in
            let known = engine.state.withLock { $0.scopeSlots[slot.number] }
            return known.map { Found(slot: $0, holder: engine) }
        }
    }

    /// Drops the instances that open scopes keep of a registration that is found no more.
    func dropScopeSlots(of slot: Slot) {
        for kept in scopeSlots(of: slot) {
            kept.holder.state.withLock { $0.scopeSlots[slot.number] = nil }
            kept.holder.empty(kept.slot)
        }
    }

    /// True for an open scope on a container, and for everything inside of one.
    func isOpened(on other: Engine) -> Bool {
        var isOpened = false
        for engine in chain {
            if engine.stands(for: other) { return isOpened }
            if engine.opened != nil { isOpened = true }
        }
        return false
    }
}

extension Path {
    /// The registration of the innermost step whose instance an engine or one of its parents shares, so that it would
    /// outlive a scope.
    ///
    /// Only the steps inside of the registration that opened the scope count; with 0, all do.
    fileprivate func sharedRegistration(in engine: Engine?, inside opener: UInt) -> Registration? {
        guard let self, self.pointee.isForHeld, let engine else { return nil }
        for step in steps {
            if opener != 0, step.pointee.number == opener { return nil }
            let kind = step.pointee.traits.kind
            if !kind.isUnshared, step.pointee.withEngine({ engine.isWithin($0) }),
                let registration = step.pointee.registration
            {
                return registration
            }
        }
        return nil
    }
}

extension ResolutionError.Registered {
    @inline(never)
    convenience init(of registration: Registration, _ scope: String? = nil) {
        let scope = scope ?? registration.scopeName
        self.init(registration.key, at: registration.place, in: scope)
    }
}

extension Found {
    /// The engine that keeps an instance of an open scope, and its slot there.
    func inScope(_ scope: Engine) -> (engine: Engine, found: Found) {
        // A child inside of the scope keeps its own decorated instance.
        if slot.wrapping != nil, holder.parent?.isWithin(scope) == true {
            return (holder, self)
        }
        return (scope, Found(slot: scope.scopeSlot(for: self), holder: holder))
    }
}
