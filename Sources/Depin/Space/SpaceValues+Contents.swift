extension SpaceValues {
    /// Every value that is set here or in the process, with its key, in the order of the keys' names.
    ///
    /// A key that is overridden gives what is in force.
    var contents: [(key: Any.Type, value: Any)] {
        var values: [ObjectIdentifier: Any] = [:]
        var node = overlay
        while let override = node {
            values[override.key] = (override.box() as? any AnyBox)?.anyValue
            node = override.parent
        }
        for (key, box) in SharedSpace.shared.contents where values[key] == nil {
            values[key] = (box as? any AnyBox)?.anyValue
        }
        // An identifier of a type is the address of its metadata, which is what a metatype is.
        return values.map { (key: unsafeBitCast($0, to: Any.Type.self), value: $1) }
            .sorted { String(reflecting: $0.key) < String(reflecting: $1.key) }
    }
}
