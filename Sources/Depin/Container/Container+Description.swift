extension Container: CustomStringConvertible {
    /// One line for each registration, sorted.
    public var description: String {
        let lines = core.inForce.registry.registrations.map {
            "\n    " + describe($0.key, $0.entry)
        }
        return "[" + lines.sorted().joined(separator: ",") + "\n]"
    }

    private func describe(_ key: ServiceKey, _ entry: AnyServiceEntry) -> String {
        var text = key.isContribution ? "{ Contribution: " : "{ Service: "
        text += "\(key.serviceType)"
        if let name = key.name {
            text += ", Name: \"\(name)\""
        }
        text += ", Factory: \(entry.argumentsType)"
        text += " -> \(entry.serviceType), ObjectScope: \(entry.objectScope)"
        if entry.callbackCount > 0 {
            text += ", InitCompleted: Specified \(entry.callbackCount) closures"
        }
        if key != key.requested {
            text += ", Default"
        }
        if let decorator = entry.lastDecorator {
            text += ", Decorated: \(decorator.count) times"
        }
        return text + " }"
    }
}
