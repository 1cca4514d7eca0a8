// Where a request finds its slot: in its container, in a parent, through a registration for any name, or through a
// default.

/// A slot that answers a request, and the engine that holds its registration or its decorators.
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
        lookUp(key) ?? findAnyName(key) ?? findDefault(key)
    }

    /// Recursive, because a loop retains each engine of the hierarchy three times (row 15-ten).
    private func lookUp(_ key: ServiceKey) -> Found? {
        guard let slot = registry.slot(of: key) else {
            guard let found = parent?.lookUp(key) else { return nil }
            return hasFlag(.hasDecorators) ? wrapped(found, for: key, isInherited: true) : found
        }
        guard let forward = slot.forward else {
            return Found(slot: slot, holder: self)
        }
        let found = forward.found(for: key.name)
        return hasFlag(.hasDecorators) ? wrapped(found, for: key, isInherited: false) : found
    }

    /// The nearest registration for any name, which answers for every name that has no registration of its own.
    private func findAnyName(_ key: ServiceKey) -> Found? {
        guard let name = key.name, key.arguments == nil, key.role == .service || key.isForAnyName
        else { return nil }
        let named = ServiceKey(key.serviceType, name: name, role: .anyName)
        return lookUpAnyName(ServiceKey(key.serviceType, role: .anyName), named)
    }

    private func lookUpAnyName(_ key: ServiceKey, _ named: ServiceKey) -> Found? {
        let own = hasFlag(.hasAnyNames) ? lookUpOwn(key, named.name) : nil
        guard let found = own ?? parent?.lookUpAnyName(key, named) else { return nil }
        return hasFlag(.hasDecorators)
            ? wrapped(found, for: named, isInherited: own == nil) : found
    }

    /// The topmost default, which answers requests for a key that nothing else answers.
    private func findDefault(_ key: ServiceKey) -> Found? {
        guard key.role == .service else { return nil }
        let inherited = parent?.findDefault(key)
        let own = hasFlag(.hasDefaults) ? lookUpOwn(key.with(.fallback)) : nil
        guard let found = inherited ?? own else { return nil }
        // The decorators of a default's own key go around its instance when that is made.
        let isItself = found.holder === self && found.slot.key == key
        return hasFlag(.hasDecorators) && !isItself
            ? wrapped(found, for: key, isInherited: inherited != nil) : found
    }

    func lookUpOwn(_ key: ServiceKey, _ name: String? = nil) -> Found? {
        registry.slot(of: key).map { slot in
            slot.forward?.found(for: name) ?? Found(slot: slot, holder: self)
        }
    }

    /// True if a request would find something.
    func provides(_ request: Request) -> Bool {
        find(request.key) != nil || isDerivable(request)
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
