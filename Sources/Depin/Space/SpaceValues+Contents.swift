extension SpaceValues {
    /// Every value that is overridden here, in a box, with its key.
    var overrides: [(key: any SpaceKey.Type, box: AnyBox)] {
        var overrides: [(key: any SpaceKey.Type, box: AnyBox)] = []
        var node = overlay
        while let override = node {
            overrides.append((override.keyType, override.box()))
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
        let overrides = overrides.map { (key: $0.key, value: $0.box.anyValue) }
        let others = SharedSpace.shared.contents(withDefaultsOf: types).filter { shared in
            !overrides.contains { $0.key == shared.key }
        }
        return (overrides + others)
            .ordered { String(reflecting: $0.key) < String(reflecting: $1.key) }
    }
}
