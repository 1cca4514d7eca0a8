extension SpaceValues {
    /// Every value that is overridden here, with its key.
    var overrides: [(key: any SpaceKey.Type, value: Any)] {
        var overrides: [(key: any SpaceKey.Type, value: Any)] = []
        var node = overlay
        while let override = node {
            overrides.append((override.keyType, override.box().anyValue))
            node = override.parent
        }
        return overrides
    }

    mutating func removeOverride(of key: any SpaceKey.Type) {
        overlay = overlay?.removing(ObjectIdentifier(key))
    }

    /// Every value that is set here or in the process, and of some types the defaults, each with its key, in
    /// the order of the keys' names.
    ///
    /// A key that is overridden gives what is in force.
    package func contents(
        withDefaultsOf types: [Any.Type]
    ) -> [(key: any SpaceKey.Type, value: Any)] {
        var values: [ObjectIdentifier: (key: any SpaceKey.Type, value: Any)] = [:]
        for shared in SharedSpace.shared.contents(withDefaultsOf: types) {
            values[ObjectIdentifier(shared.key)] = shared
        }
        for override in overrides { values[ObjectIdentifier(override.key)] = override }
        return values.values.sorted { String(reflecting: $0.key) < String(reflecting: $1.key) }
    }
}
