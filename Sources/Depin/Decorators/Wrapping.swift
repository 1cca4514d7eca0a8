/// What makes a slot that of another slot's instance with decorators around it, for who asks in the container of the
/// decorators.
final class Wrapping: SlotForm {
    let key: ServiceKey
    let number: UInt
    /// What is decorated.
    let inner: Found
    /// True where a parent of the decorators' container holds that.
    let isInherited: Bool

    init(_ key: ServiceKey, around inner: Found, isInherited: Bool, number: UInt = Serial.next()) {
        self.key = key
        self.number = number
        self.inner = inner
        self.isInherited = isInherited
    }

    var isDecorated: Bool { true }

    /// The same for an open scope.
    var copied: Wrapping { Wrapping(key, around: inner, isInherited: isInherited) }

    func makeSlot(_ lock: Lock = Lock()) -> Slot {
        Slot(inner.registration, lock, form: self)
    }

    /// The slot whose registration makes the innermost instance.
    var innermost: Found { inner.slot.wrapping?.innermost ?? inner }
}

extension Slot {
    /// What this slot puts around the instance of another one; nil for one that a factory fills.
    var wrapping: Wrapping? { isOwn ? nil : formOfDecorators }

    @inline(never)
    private var formOfDecorators: Wrapping? {
        guard let form, form.isDecorated else { return nil }
        return form as? Wrapping ?? (form as? ArgumentPlace)?.whole as? Wrapping
    }
}

extension Found {
    /// What wraps each new instance, in the order in which it does.
    @inline(never)
    var decorators: [Decorator] {
        holder.decorators(for: slot.key, isInherited: slot.wrapping?.isInherited ?? false)
    }

    /// The same, after what wraps the instance that it is around.
    fileprivate var allDecorators: [Decorator] {
        (slot.wrapping?.inner.allDecorators ?? []) + decorators
    }

    /// True where a decorator takes time, so that only a task can have the instance made.
    package var isDecoratedAsync: Bool {
        holder.hasFlag(.hasAsyncDecorators) && decorators.contains { $0.isAsync }
    }

    /// True where only a task can have the instance made.
    package var isAsync: Bool {
        registration.traits.contains(.isAsync) || isDecoratedAsync
            || slot.wrapping?.inner.isAsync == true
    }
}

extension Resolution.Step {
    /// What wraps the instance that is being made, the innermost first.
    package var decorators: [Decorator] {
        slot.map { Found(slot: $0, holder: holder).allDecorators } ?? []
    }
}

extension Engine.Request {
    /// The request for what is decorated, of which nobody is to hear again.
    @inline(never)
    func forInner(of wrapping: Wrapping) -> Engine.Request {
        var request = self
        request.key = wrapping.key
        (request.isReported, request.observation) = (true, nil)
        (request.injectedAt, request.beginsGraph, request.awaited) = (nil, false, nil)
        return request
    }
}
