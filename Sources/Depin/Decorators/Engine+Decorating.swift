// Decorators go around each new instance, or around a slot, which may be a parent's. In the second case the decorating
// container has a slot of its own around that one (`Wrapping`). If the service is shared, this slot keeps the decorated
// instance, and the parent goes on keeping the bare one.

extension Engine.State {
    fileprivate var decorations: Decorations? { additions.find() }
}

/// What a container decorates, by type and name.
private final class Decorations: EngineAddition {
    private(set) var byKey: [ServiceKey: Decoration] = Dictionary()

    override var slots: [Slot] { byKey.values.compactMap { $0.wrapping?.slot } }

    /// Every decorator, in the order in which they were added.
    var all: [Decorator] {
        byKey.values.flatMap(\.all).ordered { $0.number < $1.number }
    }

    /// What is known of a key, made if need be.
    func made(_ key: ServiceKey) -> Decoration {
        let known = byKey[key] ?? Decoration()
        byKey[key] = known
        return known
    }

    /// Forgets a slot; false if it has been replaced.
    func forget(_ slot: Slot) -> Bool {
        guard let known = byKey[slot.key], known.wrapping?.slot === slot else { return false }
        known.wrapping = nil
        if known.all.isEmpty { byKey[slot.key] = nil }
        return true
    }

    /// The slots around those under a key: of every name, for a key of any name.
    func slots(around key: ServiceKey) -> [Slot] {
        guard key.isForAnyName, key.name == nil else {
            return byKey[key]?.wrapping.map { [$0.slot] } ?? []
        }
        return slots.filter { $0.key.isForAnyName && $0.key.serviceType == key.serviceType }
    }

    /// The decorators for a key, the innermost first: those of its own name and, for a contribution, of any name.
    func all(for key: ServiceKey, isInherited: Bool) -> [Decorator] {
        let isOwn =
            key.arguments == nil && key.role == .service || key.isForAnyName && key.name == nil
        var all = byKey[isOwn ? key : ServiceKey(key.serviceType, name: key.name)]?.all ?? []
        if key.name != nil, key.isContribution || key.isForAnyName,
            let more = byKey[ServiceKey(key.serviceType)]?.all
        {
            all = (all + more).ordered { $0.number < $1.number }
        }
        return isInherited ? all.filter(\.wrapsInherited) : all
    }
}

/// What a container decorates under one key.
private final class Decoration {
    private var added: [Decorator] = []
    /// Replaced and never changed, so that it may be used outside of the lock.
    private var shared: [Decorator]?
    /// The slot around that of another container, or under a further key.
    ///
    /// Around a slot of another hierarchy, of whose resets nothing tells, also the last reset of that slot.
    var wrapping: (slot: Slot, lastReset: UInt?)?

    /// The decorators, in the order in which they were added.
    var all: [Decorator] {
        if let shared { return shared }
        let all = added.copied
        shared = all
        return all
    }

    func append(_ decorator: Decorator) {
        added.append(decorator)
        shared = nil
    }
}

extension Engine {
    /// Adds a decorator for each new instance of its type and name, whether registered already or later.
    func addDecorator(_ decorator: Decorator) {
        // First the flag, because a parent that drops instances must find the decorated ones from now on.
        for engine in chain.dropFirst() { engine.setFlag(.hasDecoratingChildren) }
        state.withLock { $0.additions.made(Decorations.self).made(decorator.key).append(decorator) }
        setFlag(.hasDecorators)
        if decorator.isAsync { setFlag(.hasAsyncDecorators) }
        // Registered instances are to be wrapped: emptied slots get the bare instance from their factories again.
        for slot in instanceSlots(of: decorator) {
            let detached = slot.detach()
            // The instance still closes.
            if detached.node != 0 { slot.node = detached.node }
        }
    }

    /// The slots of instances that are registered here for a decorator's type and name.
    private func instanceSlots(of decorator: Decorator) -> [Slot] {
        let own = decorator.key
        let contributed = contributedKeys(of: own.serviceType, named: own.name)
        // A default stands under the key of another role, and perhaps under further keys.
        let fallback = registry.slot(of: own.with(.fallback))?.forward?.target
        let ownFallback = fallback.flatMap {
            $0.holder === self && $0.registration.key == own ? $0.slot : nil
        }
        return (([own] + contributed).map { registry.slot(of: $0) } + [ownFallback])
            .compactMap(\.self)
            .filter { $0.registration.traits.contains(.isInstance) }
    }

    /// The decorators of a container for a key.
    package func decorators(for key: ServiceKey, isInherited: Bool = false) -> [Decorator] {
        state.withLock { $0.decorations?.all(for: key, isInherited: isInherited) } ?? []
    }

    /// Every decorator of this container.
    package var decorators: [Decorator] { state.withLock { $0.decorations?.all } ?? [] }

    // MARK: - Around a slot

    /// The slot that answers requests to this container: the found one, or one around it if this container decorates
    /// the key.
    func wrapped(_ found: Found, for key: ServiceKey, isInherited: Bool) -> Found {
        // Names come and go. If instances are not shared, one slot in the table stands for all names, and gives its
        // number to the slot of each request.
        let isOfRequest = key.isForAnyName && found.slot.traits.kind.isUnshared
        let tableKey = isOfRequest ? ServiceKey(key.serviceType, role: .anyName) : key
        // This container itself resets the instances of open scopes.
        let hearsOfResets = found.holder.root === root || found.slot.traits.kind == .opened
        let lastReset = hearsOfResets ? nil : found.slot.lastReset
        func isKnown(_ slot: Slot, _ reset: UInt?) -> Bool {
            guard let wrapping = slot.wrapping, lastReset == nil || reset == lastReset else {
                return false
            }
            return isOfRequest
                ? wrapping.inner.slot.number == found.slot.number : wrapping.goesAround(found)
        }
        func answering(with slot: Slot) -> Found {
            guard isOfRequest else { return Found(slot: slot, holder: self) }
            let own = found.wrapped(under: key, isInherited: isInherited, number: slot.number)
            return Found(slot: own, holder: self)
        }
        let known = state.withLock { $0.decorations?.byKey[tableKey]?.wrapping }
        if let known, isKnown(known.slot, known.lastReset) { return answering(with: known.slot) }
        guard let first = decorators(for: key, isInherited: isInherited).first,
            isInherited || !hasInstance(of: found, for: key, before: first)
        else { return found }
        let made = found.wrapped(under: tableKey, isInherited: isInherited)
        let isAdded = state.withLock { state in
            let decoration = state.additions.made(Decorations.self).made(tableKey)
            // Another thread may have been quicker.
            guard decoration.wrapping?.slot === known?.slot else { return false }
            decoration.wrapping = (made, lastReset)
            return true
        }
        guard isAdded else { return wrapped(found, for: key, isInherited: isInherited) }
        if let known { empty(known.slot) }
        return answering(with: made)
    }

    /// True if an instance for a name was made before the first decorator: that one is not wrapped.
    ///
    /// An instance found under a further type is wrapped whenever it was made.
    private func hasInstance(
        of found: Found,
        for key: ServiceKey,
        before first: Decorator
    ) -> Bool {
        guard key.isForAnyName, let name = key.name, found.slot.key.serviceType == key.serviceType,
            !found.slot.traits.kind.isUnshared
        else { return false }
        // A younger instance is being decorated by another thread.
        let slot = home(of: found).found.slot
        return slot.argumentSlots(for: ArgumentPack(name), before: first.number)
            .contains { keptInstance(in: $0) != nil }
    }

    /// The children that may have decorators: none, if no child ever had one, so that many children cost nothing.
    private var decoratingChildren: [Engine] { hasFlag(.hasDecoratingChildren) ? children : [] }

    /// The slots around others, here and in the children.
    var decoratedSlots: [Found] {
        let own = hasFlag(.hasDecorators) ? state.withLock { $0.decorations?.slots ?? [] } : []
        return own.map { Found(slot: $0, holder: self) }
            + decoratingChildren.flatMap(\.decoratedSlots)
    }

    /// Forgets the slots, here and in the children, around slots that are found no more under some keys, or under any.
    @_optimize(size)
    func dropDecoratedSlots(under keys: [ServiceKey]? = nil) {
        if hasFlag(.hasDecorators) {
            let known = state.withLock { state in
                guard let keys else { return state.decorations?.slots ?? [] }
                return keys.flatMap { state.decorations?.slots(around: $0.requested) ?? [] }
            }
            let stale = known.filter { find($0.key)?.slot !== $0 }
            let dropped = state.withLock { state in
                stale.filter { state.decorations?.forget($0) == true }
            }
            for slot in dropped { empty(slot) }
            withExtendedLifetime((known, dropped)) {}
        }
        for child in decoratingChildren { child.dropDecoratedSlots(under: keys) }
    }

    // MARK: - Around an instance

    /// An instance with the decorators of its slot around it.
    func decorate(
        _ inner: AnyBox,
        _ step: UnsafeMutablePointer<Resolution.Step>,
        _ found: Found
    ) throws -> AnyBox {
        let decorators = found.decorators
        guard !decorators.isEmpty else { return inner }
        if hasFlag(.notesNeeds) { noteDecorating(step) }
        let resolver = resolver(of: step)
        var made = inner
        for decorator in decorators {
            step.pointee.decoratedAt = decorator.place
            guard case .sync(let wrap) = decorator.body else {
                // An asynchronous decorator that was added after the factory had been called.
                throw Path(step).error(.needsAwait, of: found.registration, nil)
            }
            made = try wrap(made, resolver)
        }
        // Only now: if a decorator throws, the error names it.
        step.pointee.decoratedAt = nil
        withExtendedLifetime(decorators) {}
        return made
    }
}

// MARK: - Decorators that take time

extension Engine {
    /// An instance with the decorators of its slot around it, some of which are asynchronous.
    func decorate(_ inner: AnyBox, _ found: Found, in frame: TaskFrame) async throws -> AnyBox {
        if hasFlag(.notesNeeds) { noteDecorating(frame.step) }
        var made = inner
        for decorator in found.decorators {
            do {
                made = try await wrap(made, by: decorator, in: frame)
            } catch {
                if error is CancellationError, Task.isCancelled { throw error }
                throw Path(frame.step).failure(error, of: decorator)
            }
        }
        return made
    }

    // Apart: the compiler writes a loop once more for each `await` in it.
    private func wrap(
        _ box: AnyBox,
        by decorator: Decorator,
        in frame: TaskFrame
    ) async throws -> AnyBox {
        let resolver = resolver(of: frame.step)
        switch decorator.body {
        case .sync(let wrap):
            return try await frame.atOnce { _ in try wrap(box, resolver) }
        case .async(let wrap):
            return try await wrap(box, resolver)
        }
    }
}

extension Path {
    /// An error that a decorator threw, with the steps that led to it.
    fileprivate func failure(_ error: any Error, of decorator: Decorator) -> any Error {
        let failure = failure(error)
        guard var failure = failure as? ResolutionError, failure.path.count >= depth, depth > 0
        else { return failure }
        failure.path[depth - 1].decoratedAt = decorator.place
        return failure
    }
}
