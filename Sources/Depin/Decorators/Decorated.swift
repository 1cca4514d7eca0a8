/// What makes a slot that of another slot's instance with decorators around it, for who asks in the container of the
/// decorators.
final class Decorated: SlotForm {
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
    var copied: Decorated { Decorated(key, around: inner, isInherited: isInherited) }

    func slot(_ lock: Lock = Lock()) -> Slot {
        Slot(inner.registration, lock, form: self)
    }

    func box(_ instance: Any) -> AnyBox? {
        func box<Service>(_: Service.Type) -> AnyBox? { (instance as? Service).map(Box.init) }
        return _openExistential(key.serviceType, do: box)
    }

    /// The slot whose registration makes the innermost instance.
    var innermost: Found { inner.slot.decorated?.innermost ?? inner }
}

extension Slot {
    /// What is decorated, where this is a slot around another one; nil for one that a factory fills.
    var decorated: Decorated? { isOwn ? nil : formOfDecorators }

    @inline(never)
    private var formOfDecorators: Decorated? {
        guard let form, form.isDecorated else { return nil }
        return form as? Decorated ?? (form as? ArgumentPlace)?.whole as? Decorated
    }
}

extension Found {
    /// What wraps each new instance, in the order in which it does.
    var decorators: [Decorator] {
        holder.decorators(for: slot.key, isInherited: slot.decorated?.isInherited ?? false)
    }

    /// The same, after what wraps the instance that it is around.
    fileprivate var allDecorators: [Decorator] {
        (slot.decorated?.inner.allDecorators ?? []) + decorators
    }

    /// True where a decorator takes time, so that only a task can have the instance made.
    package var isDecoratedAsync: Bool {
        holder.hasFlag(.hasAsyncDecorators) && decorators.contains { $0.isAsync }
    }

    /// True where only a task can have the instance made.
    package var isAsync: Bool {
        registration.traits.contains(.isAsync) || isDecoratedAsync
            || slot.decorated?.inner.isAsync == true
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
    func forInner(of decorated: Decorated) -> Engine.Request {
        var request = self
        request.key = decorated.key
        (request.isTold, request.observation) = (true, nil)
        (request.injectedAt, request.beginsGraph, request.awaited) = (nil, false, nil)
        return request
    }
}
