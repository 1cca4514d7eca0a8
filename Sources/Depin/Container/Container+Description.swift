extension Container: CustomStringConvertible {
    /// One line for each registration, sorted.
    public var description: String {
        let engine = engine.inForce
        let lines = engine.registry.inOrder().map { "\n    " + engine.describe($0) }
        return "[" + lines.ordered(by: <).joined(separator: ",") + "\n]"
    }
}

extension Engine {
    @_optimize(size)
    fileprivate func describe(_ slot: Slot) -> String {
        let (key, registration) = (slot.key, slot.registration)
        let callbackCount = registration.callbacks.count
        let decorators = hasFlag(.hasDecorators) ? decorators(for: registration.key) : []
        let parts = [
            "\(key.isContribution ? "Contribution" : "Service"): \(key.serviceType)",
            key.name.map { "Name: \"\($0)\"" },
            key.isForAnyName ? "Name: any" : nil,
            "Factory: \(registration.argumentsType) -> \(registration.serviceType)",
            "ObjectScope: \(registration.objectScope)",
            callbackCount > 0 ? "InitCompleted: Specified \(callbackCount) closures" : nil,
            key != key.requested ? "Default" : nil,
            decorators.isEmpty ? nil : "Decorated: \(decorators.count) times",
        ]
        return "{ \(parts.compactMap(\.self).joined(separator: ", ")) }"
    }
}
