// Where a request finds its slot: in its container, in a parent, through a registration for any name, or through a
// default.

/// A slot that answers a request, and the engine that holds its registration or its decorators; or, in a list of what
/// is kept, the engine that keeps its instances.
///
/// For an open scope the slot is the scope's own.
package struct Found {
    package let slot: Slot
    package let holder: Engine

    package var registration: Registration { slot.registration }
}

extension Engine {
    /// The slot that answers requests for a key: one here or in the nearest parent, or a default.
    package func find(_ key: ServiceKey) -> Found? {
        lookUp(key, for: key) ?? findAnyName(key) ?? findDefault(key)
    }

    /// The slot under a key, here or in the nearest parent, for requests for this key or another one.
    ///
    /// Recursive, because a loop retains each engine of the hierarchy three times (row 15-ten).
    private func lookUp(_ key: ServiceKey, for asked: ServiceKey) -> Found? {
        guard let slot = registry.slot(of: key) else {
            guard let found = parent?.lookUp(key, for: asked) else { return nil }
            return hasFlag(.hasDecorators) ? wrapped(found, for: asked, isInherited: true) : found
        }
        let found = slot.forward?.found(for: asked.name) ?? Found(slot: slot, holder: self)
        return hasFlag(.hasDecorators) ? decorated(found, for: asked, isInherited: false) : found
    }

    /// The nearest registration for any name, which answers for every name that has no registration of its own.
    private func findAnyName(_ key: ServiceKey) -> Found? {
        guard let anyName = key.keyForAnyName, key.role == .service || key.isForAnyName else {
            return nil
        }
        return lookUp(anyName, for: ServiceKey(key.serviceType, name: key.name, role: .anyName))
    }

    /// The topmost default, which answers requests for a key that nothing else answers.
    private func findDefault(_ key: ServiceKey) -> Found? {
        guard key.role == .service else { return nil }
        let inherited = parent?.findDefault(key)
        let own = hasFlag(.hasDefaults) ? registry.slot(of: key.with(.fallback)) : nil
        guard let found = inherited ?? own.map(target) else { return nil }
        guard hasFlag(.hasDecorators) else { return found }
        return decorated(found, for: key, isInherited: inherited != nil)
    }

    /// A found slot, or one around it.
    private func decorated(_ found: Found, for key: ServiceKey, isInherited: Bool) -> Found {
        // The decorators of a slot's own key go around its instance when that is made.
        let isItself =
            found.holder === self && found.slot.isOwn && found.registration.key == key
        return isItself ? found : wrapped(found, for: key, isInherited: isInherited)
    }

    /// The slot that a slot of this registry stands for: itself, or the one that it forwards to.
    package func target(of slot: Slot) -> Found {
        slot.forward?.target ?? Found(slot: slot, holder: self)
    }
}

extension Engine.Request {
    /// The same request with its name as the argument, for a factory that takes any name.
    var withNameAsArgument: Engine.Request {
        var request = self
        request.arguments = ArgumentPack(key.name ?? "")
        return request
    }
}

extension Found {
    /// True if the factory takes the name of the request.
    var isForAnyName: Bool { slot.registration.key.isForAnyName }
}

/// The form of a slot that only forwards: it stands under a further key of a registration, and has no instance.
final class Forward: SlotForm {
    let key: ServiceKey
    let target: Found
    let place: CodePlace

    init(_ key: ServiceKey, to target: Found, at place: CodePlace) {
        self.key = key
        self.target = target
        self.place = place
    }

    var number: UInt { target.registration.number }
    var isDecorated: Bool { false }

    /// The slot that answers requests under a name.
    ///
    /// A registration for any name is wrapped by the decorators of its own type, unless another registration has taken
    /// its place there.
    func found(for name: String?) -> Found {
        let (own, holder) = (target.registration.key, target.holder)
        guard let name, own.isForAnyName, holder.hasFlag(.hasDecorators),
            holder.registry.slot(of: own).map({ $0 === target.slot }) ?? true
        else { return target }
        let named = ServiceKey(own.serviceType, name: name, role: .anyName)
        return holder.wrapped(target, for: named, isInherited: false)
    }
}

extension Slot {
    /// The slot that this one forwards to; nil if it has an instance of its own.
    var forward: Forward? { isOwn ? nil : form as? Forward }
}
