extension SpaceValues {
    /// Every override, the last one first.
    var overrides: [SpaceOverlay] { overlay?.nodes ?? [] }

    /// Every value that is set here or in the process, and the defaults of some types, each with its key, in the order
    /// of the keys' names.
    ///
    /// An overridden key has the value in force.
    package func contents(
        withDefaultsOf types: [Any.Type]
    ) -> [(key: any SpaceKey.Type, value: Any)] {
        let overrides = overrides
        let shared = SharedSpace.shared.contents + SharedSpace.shared.defaults(of: types)
        let others = shared.filter { shared in !overrides.contains { $0.key == shared.key } }
        return (overrides.map { (key: $0.key, value: $0.box.anyValue) } + others)
            .ordered { String(reflecting: $0.key) < String(reflecting: $1.key) }
    }
}
