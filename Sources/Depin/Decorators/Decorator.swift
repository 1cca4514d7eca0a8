/// What wraps each new instance of a service.
package final class Decorator: Sendable {
    /// Names what the user has added, wherever it stands.
    package let number: UInt
    package let serviceType: Any.Type
    package let name: String?
    package let place: CodePlace
    /// True where it wraps what a parent of its container has registered, too.
    let wrapsInherited: Bool
    /// Wraps an instance, in a box of the service's type.
    let wrap: @Sendable (AnyBox, any Resolver) throws -> AnyBox

    init<Service>(
        _ number: UInt,
        _ key: ServiceKey,
        at place: CodePlace,
        wrapsInherited: Bool,
        _ body: @escaping @Sendable (any Resolver, Service) throws -> Service
    ) {
        self.number = number
        serviceType = key.serviceType
        name = key.name
        self.place = place
        self.wrapsInherited = wrapsInherited
        wrap = { inner, resolver in
            let inner = unsafeDowncast(inner, to: Box<Service>.self)
            // Asking the instance for its type spares the runtime a look-up.
            return type(of: inner).init(try body(resolver, inner.value))
        }
    }

    /// True where it wraps what is registered under a key: contributions have it whatever their name.
    func decorates(_ key: ServiceKey) -> Bool {
        serviceType == key.serviceType && (name == key.name || name == nil && key.isContribution)
    }
}

/// The decorators of a container.
struct Decorations {
    /// By type, in the order in which they were added.
    ///
    /// A list never changes: another one takes its place.
    fileprivate(set) var byType = HashTable<TypeKey, ContiguousArray<Decorator>>()
    /// What they wrap of other containers' registrations, and under further keys.
    fileprivate var slots: [ServiceKey: DecoratedSlot] = [:]

    func decorates(_ key: ServiceKey, isInherited: Bool) -> Bool {
        byType[TypeKey(key.serviceType)]?.contains {
            $0.decorates(key) && ($0.wrapsInherited || !isInherited)
        } ?? false
    }

    /// Those for a key, in the order in which they wrap.
    func all(for key: ServiceKey, isInherited: Bool) -> ContiguousArray<Decorator> {
        let all = byType[TypeKey(key.serviceType)] ?? []
        func wraps(_ decorator: Decorator) -> Bool {
            decorator.decorates(key) && (decorator.wrapsInherited || !isInherited)
        }
        // PERF: a further list is made only where it differs (row "decorator").
        return all.allSatisfy(wraps) ? all : all.filter(wraps)
    }
}

/// A slot for another slot's instance with decorators around it, for who asks in the container of the decorators.
final class DecoratedSlot: Slot, @unchecked Sendable {
    private let ownKey: ServiceKey
    private let serial = Serial.next()
    /// What is decorated.
    let inner: Found
    /// True where a parent of the decorators' container holds that.
    let isInherited: Bool

    init(_ key: ServiceKey, around inner: Found, isInherited: Bool, _ lock: Lock = Lock()) {
        ownKey = key
        self.inner = inner
        self.isInherited = isInherited
        super.init(inner.registration, lock, form: .decorated)
    }

    /// The same for an open scope.
    func copied(_ lock: Lock) -> DecoratedSlot {
        DecoratedSlot(ownKey, around: inner, isInherited: isInherited, lock)
    }

    override var key: ServiceKey { ownKey }
    override var ownNumber: UInt { serial }

    override var decorated: DecoratedSlot? { self }

    override func box(_ instance: Any) -> AnyBox? {
        func box<Service>(_: Service.Type) -> AnyBox? { (instance as? Service).map(Box.init) }
        return _openExistential(ownKey.serviceType, do: box)
    }

    /// The slot whose registration makes the innermost instance.
    var innermost: Found { inner.slot.decorated?.innermost ?? inner }
}

extension Engine {
    /// Has a decorator wrap each new instance of what is, or will be, registered here for its type and name.
    func add(_ decorator: Decorator) {
        state.withLock { state in
            let key = TypeKey(decorator.serviceType)
            state.decorations.byType[key] = (state.decorations.byType[key] ?? []) + [decorator]
        }
        setFlag(.hasDecorators)
        // One that was registered as an instance is to be wrapped; its factory gives the bare one again.
        for slot in registry.slots
        where slot.registration.traits.contains(.isInstance) && decorator.decorates(slot.key) {
            let detached = slot.detach()
            guard detached.node != 0 else { continue }
            forget([detached.node])
            noteCloser(of: slot)
        }
    }

    /// The decorators of a container for a key.
    package func decorators(for key: ServiceKey, isInherited: Bool = false) -> ContiguousArray<Decorator> {
        state.withLock { $0.decorations.all(for: key, isInherited: isInherited) }
    }

    /// Every decorator of this container.
    package var decorators: [Decorator] {
        state.withLock { $0.decorations.byType.all.flatMap { Array($0.value) } }
    }

    /// Has the decorators of another engine, of which this one is a fork.
    func copyDecorators(of other: Engine) {
        guard other.hasFlag(.hasDecorators) else { return }
        let all = other.decorators
        for decorator in all { add(decorator) }
    }

    /// Forgets the decorators, and gives back the slots that were made for them.
    func removeDecorations() -> [Slot] {
        let removed = state.withLock { state in
            defer { state.decorations = Decorations() }
            return state.decorations
        }
        return Array(removed.slots.values)
    }

    // MARK: - Around a slot

    /// What answers requests to this container for a key under which a slot was found: the slot, unless this container
    /// decorates the key.
    func decorated(_ found: Found, for key: ServiceKey, isInherited: Bool) -> Found {
        func known(_ state: State) -> DecoratedSlot? {
            state.decorations.slots[key].flatMap { $0.inner.slot === found.slot ? $0 : nil }
        }
        let (isDecorated, slot) = state.withLock { state in
            (state.decorations.decorates(key, isInherited: isInherited), known(state))
        }
        guard isDecorated else { return found }
        if let slot { return Found(slot: slot, holder: self) }
        let made = DecoratedSlot(key, around: found, isInherited: isInherited)
        let (kept, replaced) = state.withLock { state -> (DecoratedSlot, DecoratedSlot?) in
            if let known = known(state) { return (known, nil) }
            return (made, state.decorations.slots.updateValue(made, forKey: key))
        }
        if let replaced { forget([replaced]) }
        withExtendedLifetime(replaced) {}
        return Found(slot: kept, holder: self)
    }

    /// The slots, here and in the children, around those of a container, each with what is decorated.
    func decoratedSlots(around holder: Engine) -> [(engine: Engine, slot: DecoratedSlot)] {
        var found: [(engine: Engine, slot: DecoratedSlot)] = []
        if hasFlag(.hasDecorators) {
            found = state.withLock { Array($0.decorations.slots.values) }
                .filter { $0.innermost.holder === holder }.map { (self, $0) }
        }
        return found + children.flatMap { $0.decoratedSlots(around: holder) }
    }

    /// Forgets the slots, here and in the children, around those that are no longer found.
    func dropDecoratedSlots() {
        if hasFlag(.hasDecorators) {
            let known = state.withLock { $0.decorations.slots }
            let stale = known.filter { find($0.key)?.slot !== $0.value }
            let dropped = state.withLock { state in
                stale.filter { state.decorations.slots[$0.key] === $0.value }
                    .compactMap { state.decorations.slots.removeValue(forKey: $0.key) }
            }
            forget(dropped)
            withExtendedLifetime((known, dropped)) {}
        }
        for child in children { child.dropDecoratedSlots() }
    }

    // MARK: - Around an instance

    /// A new instance with the decorators of its slot around it.
    func decorate(
        _ inner: AnyBox,
        _ step: UnsafeMutablePointer<Step>,
        _ found: Found
    ) throws -> AnyBox {
        let decorators = found.holder.decorators(
            for: found.slot.key,
            isInherited: found.slot.decorated?.isInherited ?? false
        )
        guard !decorators.isEmpty else { return inner }
        let resolver = resolver(of: step)
        var made = inner
        for decorator in decorators {
            step.pointee.decorator = decorator
            made = try decorator.wrap(made, resolver)
        }
        // Where one throws, the error tells which.
        step.pointee.decorator = nil
        withExtendedLifetime(decorators) {}
        return made
    }
}
