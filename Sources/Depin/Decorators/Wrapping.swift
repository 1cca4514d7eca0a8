/// The form of a slot around another slot's instance, for requests in the container of the decorators.
final class Wrapping: SlotForm {
    let key: ServiceKey
    let number: UInt
    private let innerFound: Guarded<Found>
    /// True if a parent of the decorators' container holds the decorated slot.
    let isInherited: Bool

    fileprivate init(
        _ key: ServiceKey,
        _ number: UInt,
        _ inner: Guarded<Found>,
        _ isInherited: Bool
    ) {
        self.key = key
        self.number = number
        innerFound = inner
        self.isInherited = isInherited
    }

    var isDecorated: Bool { true }

    /// The decorated slot.
    var inner: Found { innerFound.withLock { $0 } }

    /// True for the form of a slot around another one, also if a container in between has begun to decorate that: new
    /// instances are made around the container's slot from now on, and existing ones stay.
    func goesAround(_ found: Found) -> Bool {
        let inner = inner.slot
        if inner === found.slot { return true }
        guard found.slot.surrounds(inner) else { return false }
        withExtendedLifetime(innerFound.exchange(found)) {}
        return true
    }

    /// The same form for the slot of an open scope.
    var copied: Wrapping { Wrapping(key, Serial.next(), innerFound, isInherited) }
}

extension Slot {
    /// The slot that this one decorates; nil for a slot that a factory fills.
    var wrapping: Wrapping? { isOwn ? nil : formOfDecorators }

    /// True if this slot is around another one, directly or not.
    fileprivate func surrounds(_ other: Slot) -> Bool {
        guard let inner = wrapping?.inner.slot else { return false }
        return inner === other || inner.surrounds(other)
    }

    @inline(never)
    private var formOfDecorators: Wrapping? {
        guard let form, form.isDecorated else { return nil }
        return form as? Wrapping ?? (form as? ArgumentPlace)?.whole as? Wrapping
    }
}

extension Found {
    /// A slot around this one.
    func wrapped(under key: ServiceKey, isInherited: Bool, number: UInt = Serial.next()) -> Slot {
        Slot(registration, Lock(), form: Wrapping(key, number, Guarded(self), isInherited))
    }

    /// The slot inside all decorators, whose instance a factory makes.
    var innermost: Found { slot.wrapping?.inner.innermost ?? self }

    /// The decorators of each new instance, the innermost first.
    @inline(never)
    var decorators: [Decorator] {
        holder.decorators(for: slot.key, isInherited: slot.wrapping?.isInherited ?? false)
    }

    /// Those decorators, after the ones of the decorated slot.
    var allDecorators: [Decorator] {
        (slot.wrapping?.inner.allDecorators ?? []) + decorators
    }

    /// True if a decorator is asynchronous, so that only a task can make the instance.
    var isDecoratedAsync: Bool {
        holder.hasFlag(.hasAsyncDecorators) && decorators.contains { $0.isAsync }
    }

    /// True if only a task can make the instance.
    package var isAsync: Bool {
        registration.traits.contains(.isAsync) || isDecoratedAsync
            || slot.wrapping?.inner.isAsync == true
    }
}

extension Resolution.Step {
    /// The decorators of the instance under construction, the innermost first.
    package var decorators: [Decorator] {
        slot.map { Found(slot: $0, holder: holder).allDecorators } ?? []
    }
}

extension Engine.Request {
    /// The request for the decorated instance, which observers do not hear of again.
    @inline(never)
    func forInner(of wrapping: Wrapping) -> Engine.Request {
        var request = self
        request.key = wrapping.key
        (request.observation, request.injectedAt, request.awaited) = (nil, nil, nil)
        request.beginsGraph = false
        return request
    }
}
