// Where the services of opened scopes are kept: in the nearest open scope of the hierarchy, whose slots are its own. A
// request is refused where no such scope is open, and where it is made for something that would outlive the scope.

extension Engine {
    /// The nearest open scope of a slot's registration.
    ///
    /// - Throws: `ResolutionError`, where none is open, and where what asks would outlive the scope.
    func openScope(for found: Found, _ request: Request, _ path: Path) throws -> Engine {
        let registration = found.registration
        let home = nearestOpenScope(of: registration)
        let outliving: UnsafeMutablePointer<Resolution.Step>? =
            if let home {
                home.parent.flatMap {
                    path.sharedStep(of: $0.chain, inside: home.opened?.opener ?? 0)
                }
            } else {
                // A scope that is open keeps nothing of one that is not.
                path.sharedStep(of: chain).flatMap {
                    $0.pointee.traits.kind == .opened ? nil : $0
                }
            }
        if let keeping = outliving?.pointee.registration {
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
        let scope = registration.objectScope
        return chain.first { $0.opens(scope) }
    }

    /// True for an open scope that keeps the instances of another scope.
    func opens(_ scope: any ObjectScopeProtocol) -> Bool { opened?.scope.includes(scope) == true }

    /// Who keeps the instance of a slot that was found from here, and the slot for it there.
    func home(of found: Found) -> (engine: Engine, found: Found) {
        guard found.slot.traits.kind == .opened,
            let scope = nearestOpenScope(of: found.registration)
        else { return (found.holder, found) }
        return found.inScope(scope)
    }

    /// The slot of this open scope, made when first needed, for what was found further up.
    func scopeSlot(for found: Found) -> Slot {
        let number = found.slot.number
        return state.withLock { state in
            if let known = state.scopeSlots[number] { return known }
            let lock = Lock()
            let made = found.slot.wrapping?.copied.slot(lock) ?? Slot(found.registration, lock)
            state.scopeSlots[number] = made
            return made
        }
    }

    /// The slots of an open scope.
    var scopeSlots: [Slot] {
        opened == nil ? [] : state.withLock { $0.scopeSlots.cells.map(\.value) }
    }

    /// The slots for a registration in the open scopes around this container, and below it.
    func scopeSlots(of slot: Slot) -> [(engine: Engine, slot: Slot)] {
        (Array(chain) + descendants(limit: .max)).compactMap { engine in
            let known = engine.state.withLock { $0.scopeSlots[slot.number] }
            return known.map { (engine, $0) }
        }
    }

    /// Drops what open scopes keep of a registration that nothing finds any more.
    func dropScopeSlots(of slot: Slot) {
        for (scope, kept) in scopeSlots(of: slot) {
            scope.state.withLock { $0.scopeSlots[slot.number] = nil }
            scope.empty(kept)
        }
    }

    /// Whether this is an open scope, or inside one, that was opened on a container or in what it has opened.
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
    /// The innermost step that makes an instance which one of these containers shares, and which would so outlive a
    /// scope: among the steps inside that of the registration which has opened that, or among all for 0.
    fileprivate func sharedStep(
        of engines: UnfoldFirstSequence<Engine>,
        inside opener: UInt = 0
    ) -> UnsafeMutablePointer<Resolution.Step>? {
        guard let self, self.pointee.isForHeld else { return nil }
        for step in steps {
            if opener != 0, step.pointee.number == opener { return nil }
            let kind = step.pointee.traits.kind
            guard step.pointee.registration != nil, kind.keeps || kind == .weak else { continue }
            if engines.contains(where: { $0 === step.pointee.engine }) { return step }
        }
        return nil
    }
}

extension ResolutionError.Registered {
    @inline(never)
    package convenience init(of registration: Registration, _ scope: String? = nil) {
        let scope = scope ?? registration.scopeName
        self.init(registration.key, at: registration.place, in: scope)
    }
}

extension Found {
    /// Who keeps the instance where it belongs to an open scope, and the slot for it there.
    func inScope(_ scope: Engine) -> (engine: Engine, found: Found) {
        // A child inside the scope keeps what it puts around the scope's instance.
        if slot.wrapping != nil, holder.parent?.chain.contains(where: { $0 === scope }) == true {
            return (holder, self)
        }
        return (scope, Found(slot: scope.scopeSlot(for: self), holder: holder))
    }
}
