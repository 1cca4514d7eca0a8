extension Container: CustomStringConvertible {
    /// One line for each registration, sorted.
    public var description: String {
        let engine = engine.inForce
        let lines = engine.registry.slots.map { "\n    " + engine.describe($0) }
        return "[" + lines.ordered(by: <).joined(separator: ",") + "\n]"
    }
}

extension Engine {
    @_optimize(size)
    fileprivate func describe(_ slot: Slot) -> String {
        let (key, registration) = (slot.key, slot.registration)
        var text = key.isContribution ? "{ Contribution: " : "{ Service: "
        text += "\(key.serviceType)"
        if let name = key.name {
            text += ", Name: \"\(name)\""
        }
        if key.isForAnyName {
            text += ", Name: any"
        }
        text += ", Factory: \(registration.argumentsType)"
        text += " -> \(registration.serviceType), ObjectScope: \(registration.objectScope)"
        let callbackCount = registration.callbacks.count
        if callbackCount > 0 {
            text += ", InitCompleted: Specified \(callbackCount) closures"
        }
        if key != key.requested {
            text += ", Default"
        }
        let decorators = hasFlag(.hasDecorators) ? decorators(for: registration.key) : []
        if !decorators.isEmpty {
            text += ", Decorated: \(decorators.count) times"
        }
        return text + " }"
    }
}
